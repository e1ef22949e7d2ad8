import { describe, expect, test } from "vitest"
import { gdpToDelta } from "../../accounting/conversions/gaussian-delta.ts"
import { exactly } from "../../exact/decimal.ts"
import { numberNear, numberUp } from "../../exact/dyadic.ts"
import { lowerEnd, upperEnd } from "../../exact/enclosure.ts"
import { sqrtUp } from "../../exact/log.ts"
import { encloseNormalTail } from "../../exact/normal.ts"
import { add, compare, divide, multiply, rational, square, type Rational } from "../../exact/rational.ts"
import { refusalOf, untouchedBits } from "../../testing/refusals.ts"
import { seededBits } from "../../testing/seeded-bits.ts"
import { gaussianKeys } from "./key-selection.ts"
import { errorOf, lossOf } from "../mechanism.ts"
import {
  releaseWeightedKeys,
  weightedKeys,
  weightedKeysOfMu,
  type WeightedKeysSpec,
} from "./weighted-keys.ts"

const at = (text: string): Rational => exactly(text, "x")
const whole = 1n << 20n

/** P(X >= rise), both ways, for the rounded Gaussian: the normal tail from half a step below. */
function pass(variance: Rational, rise: bigint): { down: Rational; up: Rational } {
  const tail = encloseNormalTail(divide(square(rational(2n * rise - 1n, 2n)), variance), 400)
  return { down: lowerEnd(tail), up: upperEnd(tail) }
}

/** What a unit in n groups adds to each: the first row that is not exceeded. */
function weightIn({ weights }: WeightedKeysSpec, n: bigint): bigint {
  return weights.find(({ groups }) => n <= groups)?.weight ?? 0n
}

const asked = ["0.1", "1", "8"].flatMap((epsilon) =>
  [2n, 3n, 16n, 40n, 1000n].flatMap((groupsPerUnit) =>
    (["add-or-remove", "replace"] as const).map((neighbours) => ({
      epsilon,
      delta: "1e-6",
      groupsPerUnit,
      neighbours,
    })),
  ),
)

describe.each(asked)("weights for %o", (options) => {
  const spec = weightedKeys(options)
  const k = options.groupsPerUnit

  test("[S1] no number of groups makes a unit longer than is charged, and one reaches it", () => {
    const { gdp } = lossOf(spec)
    const changed = options.neighbours === "replace" ? 2n : 1n
    let longest = 0n
    for (let n = 1n; n <= k; n += 1n) {
      const length = n * weightIn(spec, n) ** 2n
      expect(length).toBeLessThanOrEqual(whole * whole)
      if (length > longest) longest = length
    }
    expect(gdp?.muSquared).toEqual(divide(rational(changed * longest), spec.variance))
    // Integers lose next to nothing of it.
    expect(Number(longest) / Number(whole * whole)).toBeGreaterThan(1 - 1e-3)
  })

  test("[M4] own keys of a unit are shown with at most delta, whatever their number", () => {
    const { zcdp } = lossOf(spec)
    for (const n of [1n, 2n, 3n, k / 2n, k - 1n, k].filter((one) => one <= k)) {
      const lone = multiply(rational(n), pass(spec.variance, spec.threshold - weightIn(spec, n)).down)
      expect(compare(lone, zcdp.delta)).toBeLessThanOrEqual(0)
    }
    expect(compare(zcdp.delta, at("0.5e-6"))).toBeLessThanOrEqual(0)
    // All of it is used, and one step less would be too low.
    expect(numberUp(zcdp.delta)).toBeGreaterThan(0.5e-6 * (1 - 1e-4))
    const lower = multiply(rational(k), pass(spec.variance, spec.threshold - 1n - weightIn(spec, k)).down)
    expect(compare(lower, at("0.5e-6"))).toBeGreaterThan(0)
  })

  test("nobody counts for less than at equal weights, and who is in fewer groups counts for more", () => {
    const least = weightIn(spec, k)
    for (let n = 1n; n < k; n += 1n) {
      expect(weightIn(spec, n)).toBeGreaterThanOrEqual(weightIn(spec, n + 1n))
    }
    expect(Number(weightIn(spec, 1n)) / Number(least)).toBeGreaterThan(1.1)
    // As many units in k groups as a threshold on counts asks for, or fewer.
    const counts = gaussianKeys(options)
    const equal = Number(counts.threshold) - numberNear(counts.lowerChance) - 0.5
    expect(Number(spec.threshold) / Number(least)).toBeLessThanOrEqual(equal * (1 + 1e-4))
  })

  test("[E1] units in k groups each are enough from the stated number on, and one less is not", () => {
    const least = weightIn(spec, k)
    for (const confidence of ["0.5", "0.95", "0.999"]) {
      const { shownFrom } = errorOf(spec, confidence)
      const hidden = (units: bigint): number => {
        const rise = units * least - spec.threshold + 1n
        return rise >= 1n ? numberUp(pass(spec.variance, rise).up) : 1
      }
      expect(hidden(shownFrom)).toBeLessThanOrEqual(1 - Number(confidence))
      expect(hidden(shownFrom - 1n)).toBeGreaterThan(1 - Number(confidence))
    }
  })

  test("[L4] as (epsilon, delta) it costs the delta of the noise and of lone keys", () => {
    const { approx, zcdp, gdp } = lossOf(spec)
    const ofNoise = gdpToDelta(sqrtUp(gdp?.muSquared ?? rational(1n)), at(options.epsilon))
    expect(approx?.epsilon).toEqual(at(options.epsilon))
    expect(compare(approx?.delta ?? rational(1n), add(ofNoise, zcdp.delta))).toBeGreaterThanOrEqual(0)
    expect(compare(approx?.delta ?? rational(1n), at("1e-6"))).toBeLessThanOrEqual(0)
  })
})

test("[L1] known answer: four groups at epsilon 1, delta 1e-6", () => {
  const { weights, threshold, variance } = weightedKeys({
    epsilon: 1,
    delta: "1e-6",
    groupsPerUnit: 4,
    neighbours: "add-or-remove",
  })
  // 2^20 / sqrt(n), rounded down.
  expect(weights.map(({ weight }) => weight)).toEqual([1_048_576n, 741_455n, 605_395n, 524_288n])
  // sigma of the analytic Gaussian at delta 5e-7: 4.36; then 5.16 sigma more than the weight in four groups.
  const sigma = Math.sqrt(numberNear(variance)) / 2 ** 20
  expect(sigma).toBeCloseTo(4.3647, 3)
  expect(Number(threshold) / 2 ** 20).toBeCloseTo(0.5 + 5.1577 * sigma, 2)
})

test("many groups have few rows, each for a sixteenth more", () => {
  const { weights } = weightedKeysOfMu({
    muSquared: 1,
    delta: "1e-6",
    groupsPerUnit: 5000,
    neighbours: "replace",
  })
  expect(weights.length).toBeLessThan(110)
  expect(weights.at(-1)?.groups).toBe(5000n)
  for (const [index, { groups }] of weights.entries()) {
    const before = weights[index - 1]?.groups ?? 0n
    expect(groups).toBeGreaterThan(before)
    expect(groups - before).toBeLessThanOrEqual(1n + before / 16n)
  }
})

test("[M4] shows a key as often as the law says, and without its weight", () => {
  const options = { muSquared: 1, delta: "0.01", groupsPerUnit: 4, neighbours: "add-or-remove" } as const
  const spec = weightedKeysOfMu(options)
  const sigma = Math.sqrt(numberNear(spec.variance))
  for (const above of [-1, 0, 1.5]) {
    const weight = spec.threshold + BigInt(Math.round(above * sigma))
    const shown = releaseWeightedKeys(spec, Array<bigint>(4000).fill(weight), seededBits(`at ${above}`))
    const rate = above === -1 ? 0.158655 : above === 0 ? 0.5 : 0.933193
    // Five standard deviations at most; the bits are always the same.
    expect(Math.abs(shown.length / 4000 - rate)).toBeLessThan(0.04)
    expect(Object.keys(shown[0] ?? {})).toEqual(["key"])
  }
})

test("[M1] [M4] refuses what cannot be, before drawing", () => {
  const options = { muSquared: 1, delta: "0.01", groupsPerUnit: 4, neighbours: "replace" } as const
  const spec = weightedKeysOfMu(options)
  const empty = refusalOf(() => releaseWeightedKeys(spec, [5n, 0n], untouchedBits()))
  expect(empty.code).toBe("parameter/out-of-range")
  expect(releaseWeightedKeys(spec, [], untouchedBits())).toEqual([])
  const many = refusalOf(() => weightedKeysOfMu({ ...options, groupsPerUnit: 1n << 21n }))
  expect(many.code).toBe("parameter/out-of-range")
  for (const bad of [{ muSquared: 0 }, { delta: 0 }, { groupsPerUnit: 0 }, { delta: 1 }]) {
    expect(refusalOf(() => weightedKeysOfMu({ ...options, ...bad })).code).toMatch(/^parameter\//)
  }
})
