import { expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import { compare, multiply, rational, type Rational } from "../../exact/rational.ts"
import rdp from "../../testing/fixtures/rdp.json" with { type: "json" }
import { discreteLaplacePmf } from "../../testing/laws.ts"
import { checkRecord, numberInput, recordsOf } from "../../testing/vectors.ts"
import { pureToZcdp } from "./pure-to-zcdp.ts"

const rho = (epsilon: string): Rational => pureToZcdp(exactly(epsilon, "epsilon"))

test.each(recordsOf(rdp, "convert.pure_to_zcdp"))("agrees with the record $id", (record) => {
  const got = numberUp(rho(String(record.inputs["epsilon"])))
  // The record prints 12 to 15 digits.
  checkRecord({ record, field: "rho_tight", got, unsafeTolerance: 1e-11 })
  checkRecord({ record, field: "eps_tanh_half_eps", got, unsafeTolerance: 1e-11 })
})

test.each(recordsOf(rdp, "rdp.randomized_response"))(
  "is no less than D_a / a of the record $id",
  (record) => {
    const order = numberInput(record, "alpha")
    const got = numberUp(rho(String(record.inputs["epsilon0"])))
    const divergence = Number(record.expected["rdp"])
    expect(got * order).toBeGreaterThanOrEqual(divergence * (1 - 1e-12))
  },
)

const logCosh = (x: number): number => x + Math.log1p(Math.exp(-2 * x)) - Math.LN2

test("bounds the divergence of randomized response at every order, and is reached at order 1", () => {
  const ratios: number[] = []
  for (const epsilon of ["0.001", "0.1", "0.5", "1", "2", "5", "20", "100", "200"]) {
    const bound = numberUp(rho(epsilon))
    const e = Number(epsilon)
    for (let i = -40; i <= 60; i += 1) {
      const less = 1.3 ** i
      const divergence = (logCosh((less + 0.5) * e) - logCosh(e / 2)) / less
      const rounding = (1e-15 * (1 + logCosh((less + 0.5) * e))) / less
      ratios.push((divergence - rounding) / (bound * (1 + less)))
    }
  }
  expect(Math.max(...ratios)).toBeLessThanOrEqual(1)
  expect(Math.max(...ratios)).toBeGreaterThan(0.999)
})

test("bounds the divergence of discrete Laplace noise for every shift", () => {
  for (const shift of [1, 2, 5]) {
    for (const scale of [0.5, 1.25, 4]) {
      const pmf = discreteLaplacePmf(scale)
      const bound = numberUp(pureToZcdp(rational(BigInt(4 * shift), BigInt(4 * scale))))
      for (const order of [1.01, 1.5, 2, 4, 16]) {
        let sum = 0
        for (let k = -60; k <= 60 + shift; k += 1) {
          const [p, q] = [Math.log(pmf(BigInt(k))), Math.log(pmf(BigInt(k - shift)))]
          sum += Math.exp(order * p + (1 - order) * q)
        }
        expect(Math.log(sum) / (order - 1)).toBeLessThanOrEqual(bound * order * (1 + 1e-9))
      }
    }
  }
})

test("is never more than epsilon^2 / 2 or epsilon, but for the last bit", () => {
  for (const epsilon of ["1e-300", "1e-12", "1e-6", "0.3", "1", "7", "129", "1e6", "1e300"]) {
    const e = exactly(epsilon, "epsilon")
    const slack = rational((1n << 60n) + 1n, 1n << 60n)
    const got = multiply(rho(epsilon), rational(1n << 60n, (1n << 60n) + 1n))
    expect(compare(got, e)).toBeLessThanOrEqual(0)
    expect(compare(got, multiply(slack, multiply(multiply(e, e), rational(1n, 2n))))).toBeLessThanOrEqual(0)
  }
})

test("is 0 at 0, and never goes down where the formula changes", () => {
  expect(rho("0")).toEqual(rational(0n))
  const around = ["127.99", "128", "128.0000001", "128.01"].map(rho)
  expect(around.every((value, i) => i === 0 || compare(value, around[i - 1] ?? value) > 0)).toBe(true)
})
