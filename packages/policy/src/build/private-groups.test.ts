import { deltaLimit } from "@dosimeter/core/accounting"
import { exactly, zero, type Rational } from "@dosimeter/core/exact"
import { describe, expect, test } from "vitest"
import { readPolicy } from "../read/read-policy.ts"

/** What is kept for key selection where the table has these columns, of a budget with delta 1e-6. */
function keptFor(columns: readonly string[], options: { budget?: string; more?: string } = {}): Rational {
  const { budget = "epsilon: 3, delta: 1e-6, accounting: zcdp", more = "" } = options
  const policy = readPolicy(`dataset: survey
source: { csv: "*.csv" }
neighbours: add-or-remove
budget: { ${budget} }
question: { epsilon: 1, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  answers:
    unit: person
    columns:
      person: { type: integer }
${columns.map((column) => `      ${column}`).join("\n")}
${more}`)
  return deltaLimit(policy.terms.budget)
}

const sex = "sex: { type: text, values: [f, m], nullable: false }"
const age = "age: { type: integer, min: 0, max: 110, nullable: false }"
const usual = exactly("2e-7", "delta")

describe("delta for key selection", () => {
  test("is not kept where all groups are public", () => {
    expect(keptFor([sex, age])).toEqual(zero)
    expect(keptFor([sex, "smokes: { type: boolean }", "note: { type: text, text: free }"])).toEqual(zero)
    expect(keptFor([sex, "code: { type: text, access: deny }"])).toEqual(zero)
    expect(keptFor([sex], { budget: "epsilon: 3, delta: 1e-6, accounting: gdp" })).toEqual(zero)
  })

  test.each([
    ["text without a list", ["code: { type: text }"]],
    ["a number without a range", ["fee: { type: integer }"]],
    ["a range of too many values", ["fee: { type: integer, min: 0, max: 10000 }"]],
    ["a number with a fraction", ["weight: { type: float, min: 0, max: 9, grid: 0.1 }"]],
    ["a day without a range", ["seen: { type: date }"]],
    ["too many combinations", [sex, age, "place: { type: integer, min: 1, max: 46, nullable: false }"]],
  ])("is kept for %s", (_what, columns) => {
    expect(keptFor(columns)).toEqual(usual)
  })

  test("counts NULL as a group, and columns of every table", () => {
    const place = (most: number, word = ""): string => `place: { type: integer, min: 1, max: ${most}${word} }`
    expect(keptFor([sex, age, place(45, ", nullable: false")])).toEqual(zero)
    expect(keptFor([sex, age, place(45)])).toEqual(usual)
    const more = "  places: { unit: public, columns: { id: { type: integer }, name: { type: text } } }"
    expect(keptFor([sex], { more })).toEqual(usual)
  })

  test("is what the owner says, for studies and analysts as well", () => {
    const said = (share: string): Rational =>
      keptFor([sex], { budget: `epsilon: 3, delta: 1e-6, accounting: zcdp, keys_share: ${share}` })
    expect(said("0.5")).toEqual(exactly("5e-7", "delta"))
    expect(said("0")).toEqual(zero)
    const none = "epsilon: 3, delta: 1e-6, accounting: gdp, keys_share: 0"
    expect(keptFor(["code: { type: text }"], { budget: none })).toEqual(zero)
    const { terms, limits } = readPolicy(`dataset: survey
source: { csv: "*.csv" }
neighbours: add-or-remove
budget: { epsilon: 3, delta: 1e-6, accounting: zcdp, keys_share: 0.3 }
question: { epsilon: 1, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
limits: { studies: { heart: { epsilon: 1, delta: 1e-7 } }, analysts: { ada: { epsilon: 1, delta: 2e-7 } } }
tables: { answers: { unit: person, columns: { person: { type: integer }, ${sex} } } }
`)
    const [study, analyst] = [limits.studies[0]?.budget, limits.analysts[0]?.budget]
    const kept = [terms.budget, study, analyst].map((one) => (one === undefined ? zero : deltaLimit(one)))
    expect(kept).toEqual(["3e-7", "3e-8", "6e-8"].map((text) => exactly(text, "delta")))
  })

  test("is all of delta where epsilons add up", () => {
    const pure = "epsilon: 3, delta: 1e-6, accounting: pure"
    expect(keptFor([sex], { budget: pure })).toEqual(exactly("1e-6", "delta"))
  })
})
