import { describe, expect, test } from "vitest"
import { approxToMu, gdpToDelta } from "../../accounting/conversions/gaussian-delta.ts"
import { pureToZcdp } from "../../accounting/conversions/pure-to-zcdp.ts"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import { lowerEnd, upperEnd } from "../../exact/enclosure.ts"
import { expDown, expUp } from "../../exact/exp.ts"
import { sqrtUp } from "../../exact/log.ts"
import { encloseNormalTail } from "../../exact/normal.ts"
import {
  add,
  ceil,
  compare,
  divide,
  multiply,
  negate,
  one,
  rational,
  square,
  subtract,
  type Rational,
} from "../../exact/rational.ts"
import partitions from "../../testing/fixtures/partition_selection.json" with { type: "json" }
import { sampleOf } from "../../testing/suite/long-form.ts"
import { refusalOf, untouchedBits } from "../../testing/refusals.ts"
import {
  checkRecord,
  numberExpected,
  numberInput,
  parseNumber,
  recordsOf,
  type VectorRecord,
} from "../../testing/vectors.ts"
import { keepProbabilities } from "./keep-probabilities.ts"
import {
  gaussianKeys,
  gaussianKeysOfVariance,
  keyError,
  keyLoss,
  laplaceKeys,
  optimalKeys,
  releaseKeys,
  type GaussianKeysSpec,
  type KeyOptions,
  type KeySpec,
  type LaplaceKeysSpec,
} from "./key-selection.ts"

const at = (text: string): Rational => exactly(text, "x")
/** Records write some losses as ln(2): then the double next to it. */
const input = (record: VectorRecord, field: string): Rational => {
  const text = String(record.inputs[field])
  return text.includes("ln") ? exactly(parseNumber(text), field) : at(text)
}
const optionsOf = (record: VectorRecord, groups = "max_partitions_per_user"): KeyOptions => ({
  epsilon: input(record, "epsilon"),
  delta: input(record, "delta"),
  groupsPerUnit: BigInt(groups in record.inputs ? numberInput(record, groups) : 1),
  neighbours: "add-or-remove",
})

function keepOf(options: KeyOptions, units: bigint): Rational {
  const spec = optimalKeys(options)
  return keepProbabilities(spec.epsilonPerKey, spec.deltaPerKey).of(units)
}

describe("optimal keep probabilities", () => {
  const groups = [
    ["partition.optimal_keep", "p_keep"],
    ["partition.optimal_keep_multi", "p_keep_sum_rule"],
    ["partition.collected", "p_keep"],
    ["partition.zero_users", "p_keep"],
  ] as const
  test.each(groups)("are those of the records %s, never above", (group, field) => {
    for (const record of recordsOf(partitions, group)) {
      const keep = keepOf(optionsOf(record), BigInt(numberInput(record, "n_users")))
      // Exact tolerance: the probability of no units is 0.
      checkRecord({ record, field, got: numberUp(keep) })
      if (record.safe_direction === "le") {
        const limit = multiply(at(String(record.expected[field])), at("1.00000000000000000001"))
        expect(compare(keep, limit), record.id).toBeLessThanOrEqual(0)
      }
    }
  })

  test.each(recordsOf(partitions, "partition.optimal_keep_curve"))("follow the curve $id", (record) => {
    const options = optionsOf(record)
    const got = Array.from({ length: 50 }, (_, i) => numberUp(keepOf(options, BigInt(i) + 1n)))
    checkRecord({ record, field: "p_keep", got })
  })

  test("keep the promise between all neighbouring counts, checked apart from their own check", () => {
    for (const [epsilon, delta] of [
      ["0.3", "0.01"],
      ["1", "1e-6"],
      ["5", "1e-200"],
      ["1e6", "1e-9"],
    ] as const) {
      const keep = keepProbabilities(at(epsilon), at(delta))
      const most = expDown(at(epsilon === "1e6" ? "5000" : epsilon), 300)
      const allows = (a: Rational, b: Rational) => compare(a, add(multiply(most, b), at(delta))) <= 0
      for (let n = 0n; compare(keep.of(n), one) < 0; n += 1n) {
        const [p, q] = [keep.of(n), keep.of(n + 1n)]
        expect(allows(p, q) && allows(q, p)).toBe(true)
        expect(allows(subtract(one, p), subtract(one, q)) && allows(subtract(one, q), subtract(one, p))).toBe(
          true,
        )
      }
    }
  })

  test("are 0 for no units, delta for one, and 1 from some size on", () => {
    const keep = keepProbabilities(at("1"), at("1/1024"))
    expect(keep.of(0n)).toEqual(rational(0n))
    expect(keep.of(1n)).toEqual(rational(1n, 1024n))
    expect(keep.of(10_000_000n)).toEqual(one)
    expect(keep.reaches(one)).toBe(
      BigInt(
        Array.from({ length: 40 }, (_, n) => keep.of(BigInt(n))).findIndex((p) => compare(p, one) === 0),
      ),
    )
  })

  test("refuse a loss so small that the table would not end", () => {
    const error = refusalOf(() => keepProbabilities(at("1e-9"), at("1e-9")))
    expect(error.code).toBe("parameter/out-of-range")
  })
})

/** P(1 + X >= threshold) for the discrete Laplace law, both ways, in 300 bits. */
function laplacePass(scale: Rational, threshold: bigint): { down: Rational; up: Rational } {
  const rise = negate(divide(rational(threshold - 1n), scale))
  const step = negate(divide(one, scale))
  return {
    down: divide(expDown(rise, 300), add(one, expUp(step, 300))),
    up: divide(expUp(rise, 300), add(one, expDown(step, 300))),
  }
}

/**
 * The same for the rounded Gaussian: the normal tail from threshold - 3/2. It is above 2^-(0.73 t^2 + t + 2),
 * so that more than 200 of the bits are behind its leading zeros.
 */
function gaussianPass(variance: Rational, threshold: bigint): { down: Rational; up: Rational } {
  const tSquared = divide(square(rational(2n * threshold - 3n, 2n)), variance)
  const tail = encloseNormalTail(tSquared, 300 + Number(ceil(tSquared)))
  return { down: lowerEnd(tail), up: upperEnd(tail) }
}

/** How often a lone unit's key passes: by the coin, at the threshold or one below. */
function lonePass(spec: LaplaceKeysSpec | GaussianKeysSpec): { down: Rational; up: Rational } {
  const { threshold, lowerChance } = spec
  const pass = (at: bigint) =>
    spec.kind === "keys-laplace" ? laplacePass(spec.scale, at) : gaussianPass(spec.variance, at)
  const mix = (end: "down" | "up"): Rational =>
    add(
      multiply(lowerChance, pass(threshold - 1n)[end]),
      multiply(subtract(one, lowerChance), pass(threshold)[end]),
    )
  return { down: mix("down"), up: mix("up") }
}

const coinStep = rational(1n, 1n << 20n)

/** The lowest threshold that a share of delta allows, and with it the largest chance of a lower one. */
function checkLowest(spec: LaplaceKeysSpec | GaussianKeysSpec, share: Rational): void {
  const { lowerChance } = spec
  expect(compare(lonePass(spec).up, share)).toBeLessThanOrEqual(0)
  expect(compare(lowerChance, rational(0n))).toBeGreaterThanOrEqual(0)
  expect(compare(lowerChance, one)).toBeLessThan(0)
  const more = { ...spec, lowerChance: add(lowerChance, coinStep) }
  expect(compare(lonePass(more).down, multiply(share, at("0.9999999999999999")))).toBeGreaterThan(0)
}

describe("thresholds", () => {
  test.each(recordsOf(partitions, "partition.laplace_threshold"))(
    "on Laplace counts are just above $id",
    (record) => {
      const options = optionsOf(record)
      const spec = laplaceKeys(options)
      const tau = numberExpected(record, "tau")
      expect(Number(spec.threshold)).toBeGreaterThanOrEqual(tau)
      expect(Number(spec.threshold)).toBeLessThanOrEqual(tau + 2)
      const share = divide(input(record, "delta"), rational(spec.groupsPerUnit))
      checkLowest(spec, share)
      expect(compare(laplacePass(spec.scale, spec.threshold - 1n).down, share)).toBeGreaterThan(0)
    },
  )

  test.each(recordsOf(partitions, "partition.gaussian_threshold"))(
    "on Gaussian counts are just above $id",
    (record) => {
      const spec = gaussianKeys(optionsOf(record))
      checkRecord({ record, field: "sigma", got: numberUp(sqrtUp(spec.variance)) })
      const tau = numberExpected(record, "tau")
      expect(Number(spec.threshold)).toBeGreaterThanOrEqual(tau)
      expect(Number(spec.threshold)).toBeLessThanOrEqual(tau + 2)
      const share = divide(input(record, "delta"), rational(2n * spec.groupsPerUnit))
      checkLowest(spec, share)
      expect(compare(gaussianPass(spec.variance, spec.threshold - 1n).down, share)).toBeGreaterThan(0)
    },
  )

  test("[L2] agree with the published ones, rounded up to an integer", () => {
    for (const record of recordsOf(partitions, "partition.laplace_threshold_collected")) {
      if (numberInput(record, "linf") !== 1) continue
      const { threshold } = laplaceKeys(optionsOf(record, "l0"))
      expect(Number(threshold) - numberExpected(record, "tau"), record.id).toBeGreaterThan(-0.05)
      expect(Number(threshold) - numberExpected(record, "tau"), record.id).toBeLessThan(2)
    }
    for (const record of recordsOf(partitions, "partition.gaussian_threshold_collected")) {
      const groupsPerUnit = BigInt(String(record.inputs["l0"]))
      const mu = approxToMu(input(record, "epsilon"), input(record, "noise_delta"))
      const variance = divide(rational(groupsPerUnit), square(mu))
      const delta = input(record, "threshold_delta")
      const { threshold } = gaussianKeysOfVariance({
        variance,
        delta,
        groupsPerUnit,
        neighbours: "add-or-remove",
      })
      expect(Number(threshold) - numberExpected(record, "tau"), record.id).toBeGreaterThan(-1e-6)
      expect(Number(threshold) - numberExpected(record, "tau"), record.id).toBeLessThan(2)
    }
  })
})

const asked = ["1e-9", "0.01", "1e-300"].flatMap((delta) =>
  [1, 3].flatMap((groupsPerUnit) =>
    (["add-or-remove", "replace"] as const).map((neighbours) => ({
      epsilon: "0.8",
      delta,
      groupsPerUnit,
      neighbours,
    })),
  ),
)

describe("the loss", () => {
  test.each(asked)("of optimal keys is what was asked: %o", (options) => {
    const loss = keyLoss(optimalKeys(options))
    const changed = BigInt(options.groupsPerUnit) * (options.neighbours === "replace" ? 2n : 1n)
    expect(loss.approx).toEqual({ measure: "approx", epsilon: at("0.8"), delta: at(options.delta) })
    expect(loss.zcdp.delta).toEqual(at(options.delta))
    const rho = multiply(rational(changed), pureToZcdp(divide(at("0.8"), rational(changed))))
    expect(loss.zcdp.rho).toEqual(rho)
    expect(loss.pure).toBeUndefined()
  })

  test.each(asked)(
    "of Laplace keys is no more than was asked, and its delta is that of lone units: %o",
    (options) => {
      const spec = laplaceKeys(options)
      const loss = keyLoss(spec)
      expect(loss.approx?.epsilon).toEqual(at("0.8"))
      const delta = loss.approx?.delta ?? one
      expect(compare(delta, at(options.delta))).toBeLessThanOrEqual(0)
      const lone = multiply(rational(spec.groupsPerUnit), lonePass(spec).up)
      expect(compare(delta, lone)).toBeGreaterThanOrEqual(0)
      // All of it is used, but for the last bit of the coin.
      expect(numberUp(divide(delta, at(options.delta)))).toBeGreaterThan(1 - 1e-5)
      expect(numberUp(divide(delta, lone)) - 1).toBeLessThan(1e-12)
      expect(loss.zcdp.delta).toEqual(delta)
    },
  )

  test.each(sampleOf(asked, 6))("of Gaussian keys is no more than was asked: %o", (options) => {
    const spec = gaussianKeys(options)
    const loss = keyLoss(spec)
    const half = divide(at(options.delta), rational(2n))
    expect(compare(loss.zcdp.delta, half)).toBeLessThanOrEqual(0)
    const lone = multiply(rational(spec.groupsPerUnit), lonePass(spec).up)
    expect(compare(loss.zcdp.delta, lone)).toBeGreaterThanOrEqual(0)
    expect(numberUp(divide(loss.zcdp.delta, lone)) - 1).toBeLessThan(1e-12)
    const changed = spec.groupsPerUnit * (options.neighbours === "replace" ? 2n : 1n)
    expect(loss.gdp?.muSquared).toEqual(divide(rational(changed), spec.variance))
    expect(loss.zcdp.rho).toEqual(divide(rational(changed), multiply(rational(2n), spec.variance)))
    const mu = divide(rational(changed), sqrtUp(multiply(rational(changed), spec.variance), 128))
    expect(compare(gdpToDelta(mu, at("0.8")), half)).toBeLessThanOrEqual(0)
  })

  const ofRows = asked.flatMap((options) => [2n, 7n].map((rowsPerGroup) => ({ ...options, rowsPerGroup })))
  // Every value of every option is in the sample.
  test.each(sampleOf(ofRows, 5))(
    "of counts of rows is that of as many changes, and of lone keys with as many rows as count: %o",
    (options) => {
      const changed = rational(BigInt(options.groupsPerUnit) * (options.neighbours === "replace" ? 2n : 1n))
      const rows = rational(options.rowsPerGroup)
      const laplace = laplaceKeys(options)
      expect(laplace.scale).toEqual(divide(multiply(changed, rows), at("0.8")))
      expect(keyLoss(laplace).approx?.epsilon).toEqual(at("0.8"))
      const gaussian = gaussianKeys(options)
      const muSquared = divide(multiply(changed, square(rows)), gaussian.variance)
      expect(keyLoss(gaussian).gdp?.muSquared).toEqual(muSquared)
      for (const [spec, most] of [
        [laplace, at(options.delta)],
        [gaussian, divide(at(options.delta), rational(2n))],
      ] as const) {
        const { delta } = keyLoss(spec).zcdp
        expect(compare(delta, most)).toBeLessThanOrEqual(0)
        // A key of r rows passes a threshold as often as one of a single row passes one that is r - 1 lower.
        const lower = { ...spec, threshold: spec.threshold - options.rowsPerGroup + 1n }
        const lone = multiply(rational(spec.groupsPerUnit), lonePass(lower).up)
        expect(compare(delta, lone)).toBeGreaterThanOrEqual(0)
        expect(numberUp(divide(delta, lone)) - 1).toBeLessThan(1e-12)
        expect(numberUp(divide(delta, most))).toBeGreaterThan(0.99)
      }
    },
  )

  test("of a threshold that a lone unit always passes is a delta of 1 a group", () => {
    const open: KeySpec = {
      kind: "keys-laplace",
      rowsPerGroup: 1n,
      scale: one,
      threshold: 1n,
      lowerChance: rational(0n),
      groupsPerUnit: 2n,
      neighbours: "replace",
    }
    expect(keyLoss(open).zcdp.delta).toEqual(rational(2n))
  })
})

test("shows from the stated size on with the stated probability, and not one unit earlier", () => {
  const options: KeyOptions = { epsilon: 1, delta: "1e-5", groupsPerUnit: 2, neighbours: "add-or-remove" }
  for (const miss of ["0.6", "0.1", "1e-4"]) {
    const optimal = optimalKeys(options)
    const keep = keepProbabilities(optimal.epsilonPerKey, optimal.deltaPerKey)
    const from = keyError(optimal, at(miss)).shownFrom
    expect(compare(subtract(one, keep.of(from)), at(miss))).toBeLessThanOrEqual(0)
    expect(compare(subtract(one, keep.of(from - 1n)), at(miss))).toBeGreaterThan(0)
    for (const made of [laplaceKeys(options), gaussianKeys(options)]) {
      for (const lowerChance of ["0", "0.2", "0.7", "0.99"].map(at)) {
        const spec = { ...made, lowerChance }
        const shown = keyError(spec, at(miss)).shownFrom
        // P(n + X < t) = P(X >= n - t + 1) for t the threshold or, by the coin, one less: a lone unit's
        // formula from the other side, where the coin's other face comes first.
        const hidden = (n: bigint) =>
          lonePass({ ...spec, threshold: n - spec.threshold + 3n, lowerChance: subtract(one, lowerChance) })
        // Where more than half may be missed, what is shown more often than not is enough.
        if (shown > spec.threshold) {
          expect(compare(hidden(shown).up, at(miss))).toBeLessThanOrEqual(0)
          expect(compare(hidden(shown - 1n).down, at(miss))).toBeGreaterThan(0)
        } else {
          expect(shown).toBe(compare(lowerChance, at("0.5")) < 0 ? spec.threshold : spec.threshold - 1n)
        }
      }
    }
  }
})

test("[M4] refuses keys that nobody holds, before drawing", () => {
  const options: KeyOptions = { epsilon: 1, delta: "1e-5", groupsPerUnit: 1, neighbours: "replace" }
  for (const spec of [optimalKeys(options), laplaceKeys(options), gaussianKeys(options)]) {
    for (const units of [[0n], [5n, -1n]]) {
      const error = refusalOf(() => releaseKeys(spec, units, untouchedBits()))
      expect(error.code).toBe("parameter/out-of-range")
      expect(error.message).not.toContain("-1")
    }
    expect(releaseKeys(spec, [], untouchedBits())).toEqual([])
  }
})

test("[L4] Gaussian keys are charged as (epsilon, delta) at their epsilon, noise and threshold together", () => {
  for (const groupsPerUnit of [1n, 4n, 16n]) {
    const delta = at("1e-6")
    const spec = gaussianKeys({ epsilon: "1", delta, groupsPerUnit, neighbours: "add-or-remove" })
    const { approx, zcdp, gdp } = keyLoss(spec)
    expect(approx?.epsilon).toEqual(at("1"))
    const ofNoise = gdpToDelta(sqrtUp(gdp?.muSquared ?? one), at("1"))
    const total = add(ofNoise, zcdp.delta)
    expect(compare(approx?.delta ?? one, total)).toBeGreaterThanOrEqual(0)
    expect(compare(approx?.delta ?? one, delta)).toBeLessThanOrEqual(0)
    expect(numberUp(approx?.delta ?? one)).toBeCloseTo(numberUp(total), 20)
  }
  const plain = { variance: 9, delta: "1e-6", groupsPerUnit: 1, neighbours: "add-or-remove" } as const
  expect(keyLoss(gaussianKeysOfVariance(plain)).approx).toBeUndefined()
})
