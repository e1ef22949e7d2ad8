// Files as ONNX: byte for byte those that onnxruntime read (testing/onnx-golden.ts).

import { expect, test } from "vitest"
import { expectedOf, type RegressionModel } from "../regression/model.ts"
import { predictNetwork, type NetworkModel } from "../sgd/train-network.ts"
import { onnxGolden } from "../testing/onnx-golden.ts"
import { networkOnnx, regressionOnnx } from "./onnx.ts"
import { bytesField, messageOf, wholeField } from "./protobuf.ts"

const common = {
  kind: "regression",
  rowsPerUnit: 1,
  coefficients: [],
  rows: 100,
  features: [
    { name: "age", low: 0, high: 100 },
    { name: "flag", low: 0, high: 1 },
  ],
  quality: { kind: "explained", rSquared: 0, meanSquare: 0 },
  settings: { rounds: 1, clip: 1, step: 1, momentum: 0, penalty: 0 },
  loss: { rho: "1/8", neighbours: "add-or-remove" },
} as const
const rows = [
  [30, 1],
  [NaN, 0],
  [200, NaN],
  [-5, 0.5],
]

function regression(
  family: RegressionModel["family"],
  high: number,
  predictors: RegressionModel["predictors"],
): RegressionModel {
  return { ...common, family, target: { name: "y", low: 0, high }, predictors }
}

const regressions: readonly RegressionModel[] = [
  regression("linear", 20, [[3, 0.2, -2]]),
  regression("logistic", 1, [[-1, 0.05, 0.7]]),
  regression("poisson", 50, [[-2, 0.04, 0.3]]),
  regression("multinomial", 2, [
    [0.1, 0.02, -0.3],
    [-1, 0.01, 2],
  ]),
]

function networkOf(target: NetworkModel["target"]): NetworkModel {
  const [outs, weights] = target === "classes" ? [2, 17] : [1, 13]
  return {
    kind: "network",
    sizes: [2, 3, outs],
    target,
    weights: Float64Array.from({ length: weights }, (_, at) => (((at * 5) % 17) - 8) / 4),
  }
}
const inputs = Int16Array.of(256, -128, 37, 200, -300, 11)

const files = new Map<string, { readonly bytes: Uint8Array; readonly said: readonly number[] }>([
  ...regressions.map(
    (model) =>
      [
        model.family,
        { bytes: regressionOnnx(model), said: rows.flatMap((row) => expectedOf(model, row)) },
      ] as const,
  ),
  ...(["classes", "numbers"] as const).map((target) => {
    const model = networkOf(target)
    return [
      target,
      { bytes: networkOnnx(model), said: [...predictNetwork(model, { rows: 3, inputs })] },
    ] as const
  }),
])

test.each(onnxGolden)(
  "the file is one that another runtime read, and it gave what we say: $name",
  (golden) => {
    const own = files.get(golden.name)
    expect(btoa(String.fromCharCode(...(own?.bytes ?? [])))).toBe(golden.file)
    const given = golden.given.flat()
    expect(own?.said).toHaveLength(given.length)
    for (const [at, value] of given.entries()) expect(own?.said[at]).toBeCloseTo(value, 6)
  },
)

test("whole numbers and bytes are encoded as the published examples", () => {
  // https://protobuf.dev/programming-guides/encoding: fields 1 = 150, 2 = "testing".
  expect([...messageOf([wholeField(1, 150)])]).toEqual([0x08, 0x96, 0x01])
  expect([...messageOf([bytesField(2, "testing")])]).toEqual([
    0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67,
  ])
  expect([...messageOf([bytesField(3, [wholeField(1, 150)])])]).toEqual([0x1a, 0x03, 0x08, 0x96, 0x01])
  expect(messageOf([bytesField(1, new Uint8Array(300))]).subarray(0, 3)).toEqual(Uint8Array.of(10, 172, 2))
})
