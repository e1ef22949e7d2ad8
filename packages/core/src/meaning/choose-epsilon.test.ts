import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { renderError } from "../errors/dosimeter-error.ts"
import { exactly, showParameter, type Numeric } from "../exact/decimal.ts"
import { numberNear } from "../exact/dyadic.ts"
import { compare, divide, multiply, one, rational, subtract, type Rational } from "../exact/rational.ts"
import { laplace, laplaceError, laplaceHalfWidth, laplaceWithin } from "../mechanisms/additive/laplace.ts"
import { boundedSensitivity, countSensitivity, l1Of, type Sensitivity } from "../privacy/sensitivity.ts"
import { balancedAccuracy, membershipAdvantage } from "./attacker.ts"
import {
  chooseEpsilon,
  conflictError,
  epsilonFor,
  type EpsilonConflict,
  type EpsilonRange,
} from "./choose-epsilon.ts"
import { posteriorBounds } from "./odds.ts"
import type { Requirement } from "./requirements.ts"

const of = (value: Numeric): Rational => exactly(value, "value")
const single = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
const hundred = boundedSensitivity({ groupsPerUnit: 2, lower: 0, upper: 50, neighbours: "add-or-remove" })

function rangeOf(sensitivity: Sensitivity, ...requirements: readonly Requirement[]): EpsilonRange {
  const result = chooseEpsilon({ sensitivity, requirements })
  if (result.kind !== "range") throw new Error(result.message)
  return result
}

function conflictOf(sensitivity: Sensitivity, ...requirements: readonly Requirement[]): EpsilonConflict {
  const result = chooseEpsilon({ sensitivity, requirements })
  if (result.kind !== "conflict") throw new Error(`epsilon ${showParameter(result.chosen)} was chosen`)
  return result
}

/** At least one unit of the fourth digit less. */
function below(epsilon: Rational): Rational {
  return multiply(epsilon, rational(998n, 1000n))
}

describe("textbook figures", () => {
  test("epsilon 0.8 at sensitivity 1 has scale 1.25 and, continuously, mean error 1.25", () => {
    const spec = laplace({ sensitivity: single, epsilon: "0.8" })
    expect(spec.scale).toEqual(rational(5n, 4n))
    const error = laplaceError(spec, of("0.95"))
    expect(error.continuous.meanAbsolute).toBe(1.25)
    // The discrete law: 1 / sinh(0.8).
    expect(error.meanAbsolute).toBeCloseTo(1 / Math.sinh(0.8), 12)
  })

  test("epsilon 0.5 is within 1 with 39.3 % continuously, and with 54.2 % in whole numbers", () => {
    expect(1 - Math.exp(-0.5)).toBeCloseTo(0.393, 3)
    const exact = laplaceWithin(laplace({ sensitivity: single, epsilon: "0.5" }), 1n)
    const q = Math.exp(-0.5)
    expect(exact).toBeCloseTo(1 - (2 * q * q) / (1 + q), 12)
    expect(exact).toBeCloseTo(0.542, 3)
  })
})

describe("epsilonFor", () => {
  test("is the least of four digits at which the exact interval fits", () => {
    const whole = fc.integer({ min: 0, max: 1000 })
    const confidences = fc.double({ min: 0.01, max: 0.9999, noNaN: true })
    fc.assert(
      fc.property(whole, confidences, fc.constantFrom(single, hundred), (within, confidence, sensitivity) => {
        const { epsilon, spec } = epsilonFor({ within, confidence, sensitivity })
        const miss = subtract(one, of(confidence))
        const l1 = rational(l1Of(sensitivity))
        expect(spec).toEqual(laplace({ sensitivity, epsilon }))
        expect(laplaceHalfWidth(spec.scale, miss)).toBeLessThanOrEqual(BigInt(within))
        expect(laplaceHalfWidth(divide(l1, below(epsilon)), miss)).toBeGreaterThan(BigInt(within))
      }),
      { numRuns: 60 },
    )
  })

  test("is short", () => {
    const epsilon = (within: Numeric, confidence: Numeric): string =>
      showParameter(epsilonFor({ within, confidence, sensitivity: single }).epsilon)
    expect(epsilon(5, "0.95")).toBe("0.5382")
    expect(epsilon("5.9", "0.95")).toBe("0.5382")
    expect(epsilon(100, "0.99")).toBe("0.04582")
  })

  test("grows with the confidence and falls with the width", () => {
    const epsilon = (within: number, confidence: number): number =>
      numberNear(epsilonFor({ within, confidence, sensitivity: hundred }).epsilon)
    expect(epsilon(10, 0.95)).toBeGreaterThan(epsilon(11, 0.95))
    expect(epsilon(10, 0.95)).toBeGreaterThan(epsilon(10, 0.94))
  })

  test("answers extreme demands at once, and refuses nonsense", () => {
    const ask = (within: Numeric, confidence: Numeric): unknown =>
      epsilonFor({ within, confidence, sensitivity: single })
    ask(0, "1e-40")
    ask(0, { numerator: 10n ** 300n - 1n, denominator: 10n ** 300n })
    ask("1e90", "0.5")
    expect(() => ask(-1, "0.5")).toThrow("within must not be negative, and is -1")
    expect(() => ask(1, 1)).toThrow("confidence must lie in the open interval (0, 1), and is 1")
    expect(() => ask("1e200", "0.5")).toThrow("within must lie in 1e-100 to 1e100")
  })
})

describe("chooseEpsilon", () => {
  test("takes the least that the analysts need, and says how far the board would go", () => {
    const range = rangeOf(
      single,
      { kind: "within", within: 5, confidence: "0.95", by: "the epidemiologist" },
      { kind: "mean-error-at-most", error: 4 },
      { kind: "epsilon-at-most", epsilon: 2 },
      { kind: "posterior-at-most", prior: "0.01", posterior: "0.02", by: "the ethics board" },
    )
    expect(showParameter(range.chosen)).toBe("0.5382")
    expect(range.least).toMatchObject({ epsilon: range.chosen, requirement: { by: "the epidemiologist" } })
    expect(range.most?.requirement).toMatchObject({ by: "the ethics board" })
    expect(showParameter(range.most?.epsilon ?? one)).toBe("0.7032")
    expect(range.spec).toEqual(laplace({ sensitivity: single, epsilon: range.chosen }))
  })

  test("with no analyst it takes the most that the board allows; with no board there is no upper end", () => {
    const board = rangeOf(single, { kind: "epsilon-at-most", epsilon: "1/3" })
    expect(board).toMatchObject({ chosen: rational(1n, 3n), least: undefined })
    const analyst = rangeOf(single, { kind: "mean-error-at-most", error: 3 })
    expect(analyst.most).toBeUndefined()
    expect(() => chooseEpsilon({ sensitivity: single, requirements: [] })).toThrow("requirements is empty")
  })

  test("each requirement of a board is met at its end, and not a hair beyond", () => {
    const lossOf = (epsilon: Rational) => ({ measure: "pure", epsilon }) as const
    const cases: readonly [Requirement, (epsilon: Rational) => boolean][] = [
      [
        { kind: "mean-noise-at-least", noise: 30 },
        (epsilon) => laplaceError(laplace({ sensitivity: hundred, epsilon }), of("0.5")).meanAbsolute >= 30,
      ],
      [
        { kind: "noise-exceeds", size: 20, probability: "0.3" },
        (epsilon) => 1 - laplaceWithin(laplace({ sensitivity: hundred, epsilon }), 20n) >= 0.3,
      ],
      [
        { kind: "posterior-at-most", prior: "0.1", posterior: "0.3" },
        (epsilon) => posteriorBounds({ loss: lossOf(epsilon), prior: "0.1" }).upper <= 0.3,
      ],
      [
        { kind: "advantage-at-most", advantage: "0.2" },
        (epsilon) => membershipAdvantage(lossOf(epsilon)) <= 0.2 && balancedAccuracy(lossOf(epsilon)) <= 0.6,
      ],
    ]
    for (const [requirement, isMet] of cases) {
      const epsilon = rangeOf(hundred, requirement).chosen
      expect(isMet(epsilon)).toBe(true)
      expect(isMet(multiply(epsilon, rational(1_002n, 1_000n)))).toBe(false)
    }
  })

  test("each requirement of an analyst is met at its end, and not a hair below", () => {
    const cases: readonly [Requirement, (epsilon: Rational) => boolean][] = [
      [
        { kind: "mean-error-at-most", error: 30 },
        (epsilon) => laplaceError(laplace({ sensitivity: hundred, epsilon }), of("0.5")).meanAbsolute <= 30,
      ],
      [
        { kind: "interval-at-most", width: 41, confidence: "0.9" },
        (epsilon) => laplaceHalfWidth(divide(rational(100n), epsilon), of("0.1")) <= 20n,
      ],
      [
        { kind: "within", within: 20, confidence: "0.9" },
        (epsilon) => laplaceHalfWidth(divide(rational(100n), epsilon), of("0.1")) <= 20n,
      ],
    ]
    for (const [requirement, isMet] of cases) {
      const epsilon = rangeOf(hundred, requirement).chosen
      expect(isMet(epsilon)).toBe(true)
      expect(isMet(multiply(epsilon, rational(998n, 1_000n)))).toBe(false)
    }
  })

  test("finds a range that is narrower than four digits", () => {
    const analyst = { kind: "mean-error-at-most", error: 10 } as const
    const exact = Math.asinh(1 / 10)
    const range = rangeOf(single, analyst, { kind: "epsilon-at-most", epsilon: exact * (1 + 1e-9) })
    expect(numberNear(range.chosen)).toBeGreaterThanOrEqual(exact * (1 - 1e-15))
    expect(numberNear(range.chosen)).toBeLessThanOrEqual(exact * (1 + 1e-9))
    conflictOf(single, analyst, { kind: "mean-noise-at-least", noise: 10 })
  })

  test("refuses requirements that make no sense, by name", () => {
    const ask = (requirement: Requirement) => () => rangeOf(single, requirement)
    expect(ask({ kind: "posterior-at-most", prior: "0.5", posterior: "0.5" })).toThrow(
      "posterior must lie in (0.5, 1), above the prior, and is 0.5",
    )
    expect(ask({ kind: "advantage-at-most", advantage: 1 })).toThrow(
      "advantage must lie in the open interval",
    )
    expect(ask({ kind: "mean-error-at-most", error: 0 })).toThrow("error must be greater than 0, not 0")
    expect(ask({ kind: "noise-exceeds", size: 1, probability: 1 })).toThrow("probability must lie in")
    expect(ask({ kind: "epsilon-at-most", epsilon: 0 })).toThrow("epsilon must be greater than 0, not 0")
  })
})

describe("a conflict", () => {
  const epidemiologist: Requirement = {
    kind: "within",
    within: 5,
    confidence: "0.95",
    by: "the epidemiologist",
  }
  const board: Requirement = {
    kind: "posterior-at-most",
    prior: "0.01",
    posterior: "0.014",
    by: "the ethics board",
  }

  test("names both requirements, both epsilons and what would resolve it", () => {
    const conflict = conflictOf(single, epidemiologist, board, { kind: "epsilon-at-most", epsilon: 1 })
    expect(conflict.needs.requirement.by).toBe("the epidemiologist")
    expect(conflict.allows.requirement.by).toBe("the ethics board")
    expect(compare(conflict.needs.epsilon, conflict.allows.epsilon)).toBeGreaterThan(0)
    expect(conflict.message).toBe(
      "no epsilon meets both: the epidemiologist needs noise within 5 at 95 % confidence, which takes epsilon " +
        "0.5382 or more; but the ethics board asks for a belief of 1 % about one person to stay at or below 1.4 %, " +
        "which allows epsilon 0.3405 or less. To resolve this, accept noise within 9 at 95 % confidence (within 5 at " +
        "84.8 %), which epsilon 0.3405 gives; or allow a belief of 1 % to rise to 1.71 %; or ask a question with a " +
        "smaller sensitivity.",
    )
  })

  test("what it proposes does resolve it", () => {
    const accepted = rangeOf(single, { kind: "within", within: 9, confidence: "0.95" }, board)
    expect(showParameter(accepted.most?.epsilon ?? one)).toBe("0.3405")
    rangeOf(single, { kind: "within", within: 5, confidence: "0.848" }, board)
    rangeOf(single, epidemiologist, { kind: "posterior-at-most", prior: "0.01", posterior: "0.0171" })
  })

  test("becomes an error with the code privacy/requirements-conflict", () => {
    const error = conflictError(conflictOf(single, epidemiologist, board))
    expect(error).toMatchObject({ code: "privacy/requirements-conflict", kind: "refused" })
    expect(renderError(error)).toBe(
      "error[privacy/requirements-conflict]: no epsilon meets both: the epidemiologist needs noise within 5 at 95 % " +
        "confidence, which takes epsilon 0.5382 or more; but the ethics board asks for a belief of 1 % about one " +
        "person to stay at or below 1.4 %, which allows epsilon 0.3405 or less\n" +
        "help: accept noise within 9 at 95 % confidence (within 5 at 84.8 %), which epsilon 0.3405 gives; or allow a " +
        "belief of 1 % to rise to 1.71 %; or ask a question with a smaller sensitivity",
    )
  })

  test.each([
    [
      { kind: "mean-error-at-most", error: 2 },
      { kind: "advantage-at-most", advantage: "0.1" },
      "the analysis needs a mean error of at most 2, which takes epsilon 0.4813 or more; but the board asks for an " +
        "attacker's advantage of at most 10 %, which allows epsilon 0.2006 or less. To resolve this, accept a mean " +
        "error of 4.96, which epsilon 0.2006 gives; or allow an attacker's advantage of 23.7 %;",
    ],
    [
      { kind: "interval-at-most", width: 8, confidence: "0.9" },
      { kind: "noise-exceeds", size: 10, probability: "0.5" },
      "the analysis needs a 90 % interval at most 8 wide, which takes epsilon 0.5047 or more; but the board asks for " +
        "noise above 10 in at least 50 % of releases, which allows epsilon 0.06596 or less. To resolve this, accept a " +
        "90 % interval 70 wide, which epsilon 0.06596 gives; or allow noise above 10 in only 0.483 % of releases;",
    ],
    [
      { kind: "mean-error-at-most", error: 2 },
      { kind: "mean-noise-at-least", noise: 10 },
      "but the board asks for noise of at least 10 on average, which allows epsilon 0.09983 or less. To resolve this, " +
        "accept a mean error of 10.1, which epsilon 0.09983 gives; or allow noise of only 1.99 on average;",
    ],
    [
      { kind: "mean-error-at-most", error: 2 },
      { kind: "epsilon-at-most", epsilon: "0.1" },
      "but the board asks for an epsilon of at most 0.1. To resolve this, accept a mean error of 9.99, which epsilon " +
        "0.1 gives; or allow an epsilon of 0.4813;",
    ],
  ] satisfies [Requirement, Requirement, string][])("is said in words: %j and %j", (need, limit, words) => {
    expect(conflictOf(single, need, limit).message).toContain(words)
  })
})
