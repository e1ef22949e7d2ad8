import { exactly, multiply, numberNear, rational, square, type Rational } from "@dosimeter/core/exact"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { compile, type Compiled } from "@dosimeter/planner/compile"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { epsilonLeast } from "@dosimeter/proof/catalog/terms"
import { expect, test } from "vitest"
import { wardPolicy } from "../testing/ward.ts"
import { fitQuestion, triesMax } from "./fit-question.ts"

const some = compile("SELECT COUNT(*) FROM patients", {
  grammar: await loadGrammar(),
  ...readPolicy(wardPolicy),
})

/** A question that costs what it is told, and tells how often it was compiled. */
function questionOf(cost: (epsilon: Rational) => Rational): {
  readonly at: (epsilon: Rational) => Compiled
  readonly tried: Rational[]
} {
  const tried: Rational[] = []
  const at = (epsilon: Rational): Compiled => {
    tried.push(epsilon)
    const plan = Object.create(some.plan, {
      charge: { value: { ...some.plan.charge, amount: cost(epsilon) } },
    })
    return { ...some, plan }
  }
  return { at, tried }
}

test.each([
  ["epsilon", "pure", (epsilon: Rational) => epsilon],
  ["the square of epsilon", "zcdp", (epsilon: Rational) => square(epsilon)],
  ["more than the rule says", "zcdp", (epsilon: Rational) => multiply(rational(7n), epsilon)],
  ["less than the rule says", "pure", (epsilon: Rational) => square(epsilon)],
] as const)(
  "a question that costs %s fits after a few tries, with nearly all it may cost",
  (_, accounting, cost) => {
    for (const text of ["0.9", "0.01", "0.0001"]) {
      const most = multiply(cost(rational(1n)), exactly(text, "share"))
      const { at, tried } = questionOf(cost)
      const fitted = fitQuestion(at, { epsilon: rational(1n), most, accounting })
      expect(tried.length).toBeLessThanOrEqual(triesMax)
      const used = numberNear(cost(fitted?.epsilon ?? rational(0n))) / numberNear(most)
      expect(used).toBeLessThanOrEqual(1)
      expect(used).toBeGreaterThan(cost === square && accounting === "zcdp" ? 0.95 : 0)
    }
  },
)

test("a question that never fits is given up after a few tries, and nothing below the least is tried", () => {
  const stubborn = questionOf(() => rational(1n))
  const fit = { epsilon: rational(1n), most: exactly("0.99999", "most"), accounting: "pure" } as const
  expect(fitQuestion(stubborn.at, fit)).toBeUndefined()
  expect(stubborn.tried.length).toBe(triesMax)
  const tiny = questionOf((epsilon) => epsilon)
  expect(fitQuestion(tiny.at, { ...fit, most: exactly("1e-7", "most") })).toBeUndefined()
  expect(tiny.tried.every((one) => numberNear(one) >= numberNear(epsilonLeast))).toBe(true)
  expect(fitQuestion(tiny.at, { ...fit, most: rational(0n) })).toBeUndefined()
})
