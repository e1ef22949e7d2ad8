import fc from "fast-check"
import { expect, test } from "vitest"
import { clopperPearson } from "./clopper-pearson.ts"
import audit from "./fixtures/audit.json" with { type: "json" }
import { checkRecord, numberInput, recordsOf } from "./vectors.ts"

test.each(recordsOf(audit, "audit.clopper_pearson").map((record) => [record.id, record] as const))(
  "gives the reference bounds: %s",
  (_, record) => {
    const { lower, upper } = clopperPearson({
      successes: numberInput(record, "successes"),
      trials: numberInput(record, "n"),
      alpha: numberInput(record, "alpha_each_side"),
    })
    checkRecord({ record, field: "lower", got: lower })
    checkRecord({ record, field: "upper", got: upper })
  },
)

/** ln C(trials, k) by adding logarithms: independent of the code under test, good enough for small numbers.
 * */
function logChoose(trials: number, k: number): number {
  let sum = 0
  for (let i = 1; i <= k; i += 1) sum += Math.log((trials - k + i) / i)
  return sum
}

/** P(X >= successes), summed from the definition. */
function tailAbove({ successes, trials, p }: { successes: number; trials: number; p: number }): number {
  let sum = 0
  for (let k = successes; k <= trials; k += 1) {
    sum += Math.exp(logChoose(trials, k) + k * Math.log(p) + (trials - k) * Math.log1p(-p))
  }
  return sum
}

test("leaves exactly alpha in the tail, and never more", () => {
  const counted = fc
    .tuple(fc.integer({ min: 1, max: 300 }), fc.nat(), fc.double({ min: 1e-12, max: 0.5, noNaN: true }))
    .map(([trials, at, alpha]) => ({ trials, successes: 1 + (at % trials), alpha }))
  fc.assert(
    fc.property(counted, ({ trials, successes, alpha }) => {
      const { lower } = clopperPearson({ successes, trials, alpha })
      const tail = tailAbove({ successes, trials, p: lower })
      return tail <= alpha * (1 + 1e-11) && tail >= alpha * (1 - 1e-8)
    }),
    { numRuns: 60 },
  )
})

test("is accurate where the probability is tiny", () => {
  // One success: 1 - (1 - p)^n = alpha.
  const { lower } = clopperPearson({ successes: 1, trials: 1_000_000, alpha: 1e-10 })
  expect(Math.abs(lower / -Math.expm1(Math.log1p(-1e-10) / 1e6) - 1)).toBeLessThan(1e-9)
})

test("mirrors success and failure", () => {
  const { lower, upper } = clopperPearson({ successes: 7, trials: 31, alpha: 0.01 })
  const mirrored = clopperPearson({ successes: 24, trials: 31, alpha: 0.01 })
  expect(mirrored.lower).toBeCloseTo(1 - upper, 14)
  expect(mirrored.upper).toBeCloseTo(1 - lower, 14)
})

test("gives the closed forms at no success and at nothing but successes", () => {
  const none = clopperPearson({ successes: 0, trials: 50, alpha: 0.01 })
  expect(none.lower).toBe(0)
  expect(none.upper).toBeCloseTo(1 - 0.01 ** (1 / 50), 8)
  const all = clopperPearson({ successes: 50, trials: 50, alpha: 0.01 })
  expect(all.upper).toBe(1)
  expect(all.lower).toBeCloseTo(0.01 ** (1 / 50), 8)
})

test("refuses counts and rates that cannot be", () => {
  const cases = [
    [-1, 5],
    [6, 5],
    [0, 0],
    [0.5, 5],
    [1, Number.NaN],
  ] as const
  for (const [successes, trials] of cases) {
    expect(() => clopperPearson({ successes, trials, alpha: 0.1 })).toThrow("successes in")
  }
  for (const alpha of [0, -0.1, 0.6, Number.NaN]) {
    expect(() => clopperPearson({ successes: 1, trials: 5, alpha })).toThrow("alpha")
  }
})
