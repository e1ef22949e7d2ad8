import { describe, expect, test } from "vitest"
import { pureToZcdp } from "../../accounting/conversions/pure-to-zcdp.ts"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import { multiply, rational } from "../../exact/rational.ts"
import { countSensitivity } from "../../privacy/sensitivity.ts"
import composition from "../../testing/fixtures/composition.json" with { type: "json" }
import { refusalOf } from "../../testing/refusals.ts"
import { freshSeed, seededBits } from "../../testing/seeded-bits.ts"
import { checkRecord, recordsOf } from "../../testing/vectors.ts"
import { releaseGaussian } from "./gaussian.ts"
import { releaseLaplace } from "./laplace.ts"
import {
  releaseMeasurement,
  releaseRunningTotal,
  runningTotal,
  runningTotalError,
  runningTotalLoss,
  runningTotalOfRho,
  type RunningTotalSpec,
} from "./running-total.ts"
import { levelsOf, singleSteps, totalReader, treeForm, type TotalForm } from "./total-forms.ts"

const plain = { horizon: 8, stepsPerUnit: 1, amountPerStep: 1, neighbours: "add-or-remove" } as const
const bounds = { ...plain, form: treeForm }

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

const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
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
          ? releaseLaplace({ kind: "laplace", scale: spec.noise.scale, sensitivity }, [0n], same)[0]
          : releaseGaussian({ kind: "gaussian", variance: spec.noise.variance, sensitivity }, [0n], same)[0],
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

const root: TotalForm = { kind: "fading", sixteenths: 8n }

test.each([treeForm, singleSteps, root])(
  "[M3] steps that are drawn one by one make up a run: $kind",
  (form) => {
    const spec = runningTotalOfRho({ ...plain, form, horizon: 21, rho: "0.1" })
    const amounts = Array.from({ length: 21 }, (_, index) => BigInt((index * 7) % 5))
    const seed = freshSeed()
    const run = releaseRunningTotal(spec, seededBits(seed))
    const bits = seededBits(seed)
    const measured: bigint[] = []
    for (const [index, amount] of amounts.entries()) {
      measured.push(releaseMeasurement(spec, amounts.slice(0, index + 1), bits))
      expect(totalReader(form, 21)(measured)).toBe(run.next(amount))
    }
    for (const wrong of [[], [...amounts, 1n]]) {
      expect(refusalOf(() => releaseMeasurement(spec, wrong, bits)).code).toBe("mechanism/finished")
    }
  },
)

test("takes the form with the least variance: single steps for Laplace noise, a tree when it is long", () => {
  const laplace = (horizon: number): unknown => runningTotal({ ...plain, horizon, epsilon: 1 }).form
  expect(laplace(104)).toEqual(singleSteps)
  expect(laplace(3000)).toEqual(treeForm)
  const gaussian = (horizon: number, stepsPerUnit = 1): unknown =>
    runningTotalOfRho({ ...plain, horizon, stepsPerUnit, rho: 1 }).form
  expect(gaussian(104)).toEqual(root)
  expect(gaussian(12, 4)).toEqual({ kind: "fading", sixteenths: 3n })
  expect(gaussian(12, 12)).toEqual(singleSteps)
  expect(gaussian(5000)).toEqual(treeForm)
})

test("has a quarter of the tree's variance over two years of weeks", () => {
  const miss = exactly("0.05", "miss")
  const width = (form?: TotalForm): number => {
    const bounded = form === undefined ? plain : { ...plain, form }
    const spec = runningTotalOfRho({ ...bounded, horizon: 104, stepsPerUnit: 4, rho: "0.005" })
    return runningTotalError(spec, miss).standardDeviation
  }
  expect(width() / width(treeForm)).toBeLessThan(0.4)
})

test("Laplace noise on fading sums has no proof, and is refused", () => {
  expect(() => runningTotal({ ...plain, form: root, epsilon: 1 })).toThrow("Laplace noise on fading sums")
  const spec: RunningTotalSpec = { ...runningTotalOfRho({ ...plain, rho: 1 }), form: root }
  const laplace = { ...spec, noise: { law: "laplace", scale: rational(1n) } } as const
  expect(() => runningTotalLoss(laplace)).toThrow("Laplace noise on fading sums")
})

test("charges single steps for the steps that a unit is in", () => {
  const two = { ...plain, stepsPerUnit: 2, amountPerStep: 5, form: singleSteps } as const
  expect(runningTotal({ ...two, epsilon: 1 }).noise).toEqual({ law: "laplace", scale: rational(10n) })
  expect(runningTotalOfRho({ ...two, rho: 1 }).noise).toEqual({ law: "gaussian", variance: rational(25n) })
  const replaced = runningTotal({ ...two, neighbours: "replace", epsilon: 1 })
  expect(replaced.noise).toEqual({ law: "laplace", scale: rational(20n) })
  expect(runningTotalLoss(replaced).pure?.epsilon).toEqual(rational(1n))
  // Nobody is in more steps than there are.
  const all = runningTotal({ ...two, horizon: 3, stepsPerUnit: 9, epsilon: 1 })
  expect(all.noise).toEqual({ law: "laplace", scale: rational(15n) })
})
