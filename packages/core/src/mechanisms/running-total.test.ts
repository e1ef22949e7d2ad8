import { describe, expect, test } from "vitest"
import { pureToZcdp } from "../accounting/pure-to-zcdp.ts"
import { exactly } from "../exact/decimal.ts"
import { numberUp } from "../exact/dyadic.ts"
import { multiply, rational } from "../exact/rational.ts"
import { sampleDiscreteLaplace } from "../noise/discrete-laplace.ts"
import { sampleRoundedGaussian } from "../noise/rounded-gaussian.ts"
import composition from "../testing/fixtures/composition.json" with { type: "json" }
import { refusalOf } from "../testing/refusals.ts"
import { freshSeed, seededBits } from "../testing/seeded-bits.ts"
import { checkRecord, recordsOf } from "../testing/vectors.ts"
import {
  levelsOf,
  releaseRunningTotal,
  releaseTotalNode,
  runningTotal,
  runningTotalError,
  runningTotalLoss,
  runningTotalOfRho,
  totalNodes,
} from "./running-total.ts"

const bounds = { horizon: 8, stepsPerUnit: 1, amountPerStep: 1, neighbours: "add-or-remove" } as const

test.each(recordsOf(composition, "composition.binary_tree"))(
  "has the levels and the noise of $id",
  (record) => {
    const horizon = BigInt(String(record.inputs["T"]))
    checkRecord({ record, field: "levels", got: levelsOf({ horizon }) })
    const { noise } = runningTotal({ ...bounds, horizon, epsilon: String(record.inputs["epsilon"]) })
    const scale = noise.law === "laplace" ? numberUp(noise.scale) : 0
    checkRecord({ record, field: "laplace_scale_per_node", got: scale })
  },
)

const lowestBit = (n: number): number => n & -n

/** The steps at which the nodes end that make up the total at step t: t less its lowest bits, in turn. */
function nodesAt(t: number): number[] {
  return t === 0 ? [] : [t, ...nodesAt(t - lowestBit(t))]
}

describe("a run", () => {
  const horizon = 37
  const amounts = Array.from({ length: horizon }, (_, i) => BigInt((i * i) % 11) - 3n)
  const prefix = (t: number): bigint => amounts.slice(0, t).reduce((a, b) => a + b, 0n)

  test.each(["laplace", "gaussian"] as const)(
    "adds the noise of the nodes of the binary tree, no more: %s",
    (law) => {
      const spec =
        law === "laplace"
          ? runningTotal({ ...bounds, horizon, epsilon: 1 })
          : runningTotalOfRho({ ...bounds, horizon, rho: "0.5" })
      const seed = freshSeed()
      const same = seededBits(seed)
      // One draw a step, in the order of the steps.
      const draws = amounts.map(() =>
        spec.noise.law === "laplace"
          ? sampleDiscreteLaplace(spec.noise.scale, same)
          : sampleRoundedGaussian(spec.noise.variance, same),
      )
      const run = releaseRunningTotal(spec, seededBits(seed))
      for (let t = 1; t <= horizon; t += 1) {
        const nodes = nodesAt(t)
        expect(nodes.length).toBeLessThanOrEqual(Number(levelsOf(spec)))
        const noise = nodes.reduce((sum, end) => sum + (draws[end - 1] ?? 0n), 0n)
        expect(run.next(amounts[t - 1] ?? 0n)).toBe(prefix(t) + noise)
      }
      const error = refusalOf(() => run.next(0n))
      expect(error.code).toBe("mechanism/finished")
    },
  )
})

/** Which nodes a step is in, by the step at which they end: all t with t - lowestBit(t) < step <= t. */
function nodesOfStep(step: number, horizon: number): number[] {
  return Array.from({ length: horizon }, (_, i) => i + 1).filter((t) => t - lowestBit(t) < step && step <= t)
}

describe("the sensitivity of the tree", () => {
  test.each([1, 2, 3, 7, 8, 13])("covers every unit of up to two steps in %i steps", (horizon) => {
    const levels = Number(levelsOf({ horizon: BigInt(horizon) }))
    const steps = Array.from({ length: horizon }, (_, i) => i + 1)
    let [l1, l2Squared, most] = [0, 0, 0]
    for (const a of steps) {
      most = Math.max(most, nodesOfStep(a, horizon).length)
      for (const b of steps) {
        if (a === b) continue
        const changes = new Map<number, number>()
        for (const node of [...nodesOfStep(a, horizon), ...nodesOfStep(b, horizon)]) {
          changes.set(node, (changes.get(node) ?? 0) + 1)
        }
        l1 = Math.max(
          l1,
          [...changes.values()].reduce((x, y) => x + y, 0),
        )
        l2Squared = Math.max(
          l2Squared,
          [...changes.values()].reduce((x, y) => x + y * y, 0),
        )
      }
    }
    expect(most).toBe(levels)
    expect(l1).toBeLessThanOrEqual(2 * levels)
    expect(l2Squared).toBeLessThanOrEqual(4 * levels)
  })
})

test("charges the whole tree", () => {
  const pure = runningTotalLoss(runningTotal({ ...bounds, epsilon: "0.8" }))
  expect(pure.pure?.epsilon).toEqual(rational(4n, 5n))
  // Four levels, one node of each changes by 1, at scale 5.
  expect(pure.zcdp.rho).toEqual(multiply(rational(4n), pureToZcdp(rational(1n, 5n))))
  const zcdp = runningTotalOfRho({ ...bounds, rho: "0.1" })
  expect(zcdp.noise).toEqual({ law: "gaussian", variance: rational(20n) })
  expect(runningTotalLoss(zcdp).zcdp.rho).toEqual(rational(1n, 10n))
})

test("charges more for units of several steps and amounts, and twice on replacement", () => {
  const wide = { ...bounds, stepsPerUnit: 3, amountPerStep: 5, neighbours: "replace" } as const
  // 4 levels, each changes by 2 * 3 * 5 in all.
  expect(runningTotal({ ...wide, epsilon: 1 }).noise).toEqual({ law: "laplace", scale: rational(120n) })
  expect(runningTotalOfRho({ ...wide, rho: 1 }).noise).toEqual({ law: "gaussian", variance: rational(1800n) })
  expect(runningTotalLoss(runningTotal({ ...wide, epsilon: 1 })).pure?.epsilon).toEqual(rational(1n))
})

test("states an error that grows with the logarithm of the horizon", () => {
  const width = (horizon: number): number =>
    Number(
      runningTotalError(runningTotal({ ...bounds, horizon, epsilon: 1 }), exactly("0.05", "miss")).halfWidth,
    )
  expect(width(1 << 20)).toBeLessThan(width(1 << 10) * 4)
  const gauss = runningTotalError(runningTotalOfRho({ ...bounds, rho: 1 }), exactly("0.05", "miss"))
  // Variance 2 a node, four nodes: 1.96 sqrt(8) is above 5.5, so 6, and half a unit of rounding a node.
  expect(gauss.halfWidth).toBe(8n)
})

test("[M3] nodes that are drawn one by one make up the totals of a run", () => {
  const spec = runningTotalOfRho({ ...bounds, horizon: 21, rho: "0.1" })
  const amounts = Array.from({ length: 21 }, (_, index) => BigInt((index * 7) % 5))
  const seed = freshSeed()
  const run = releaseRunningTotal(spec, seededBits(seed))
  const bits = seededBits(seed)
  const nodes = new Map<bigint, bigint>()
  for (const [index, amount] of amounts.entries()) {
    const step = BigInt(index + 1)
    const parts = totalNodes(step)
    const [node] = parts
    if (node === undefined) throw new Error("a step ends a node")
    const exact = amounts.slice(Number(node.from), Number(node.through)).reduce((a, b) => a + b, 0n)
    nodes.set(step, releaseTotalNode(spec, { step, exact }, bits))
    expect(parts.reduce((sum, { through }) => sum + (nodes.get(through) ?? 0n), 0n)).toBe(run.next(amount))
  }
  for (const step of [0n, 22n]) {
    const refused = refusalOf(() => releaseTotalNode(spec, { step, exact: 0n }, bits))
    expect(refused.code).toBe("mechanism/finished")
  }
})
