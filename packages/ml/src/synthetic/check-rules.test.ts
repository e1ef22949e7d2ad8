import { expect, test } from "vitest"
import { checkRules, mostGroups } from "./check-rules.ts"
import { numberColumn, attributeOf, type SyntheticColumn } from "./columns.ts"
import { closeGroupsMax, groupValues } from "./group-values.ts"
import { cutsOf, readRule, ruleOf } from "./rules.ts"
import { SeededNumbers } from "./seeded-numbers.ts"
import { classesOf } from "./rule-classes.ts"

const numbers = { min: 0, max: 99, step: 1, type: "integer", hasMissing: false } as const

function checked(texts: readonly string[], names: readonly string[] = ["a", "b", "c"]): () => void {
  const written = texts.map(readRule)
  const columns: readonly SyntheticColumn[] = [
    { kind: "listed", name: "sex", values: ["f", "m"], hasMissing: false },
    ...names.map((name) => numberColumn(name, numbers, cutsOf(written, name, 1))),
  ]
  return () =>
    checkRules(
      columns.map(attributeOf),
      written.map((rule) => ruleOf(rule, columns)),
    )
}

const refusal = (code: string): unknown =>
  expect.objectContaining({ issues: [expect.objectContaining({ code })] })

test("rules that some row keeps are taken, those that none can keep are refused", () => {
  expect(checked([])).not.toThrow()
  expect(checked(["sex = f => a < 10", "a < 10 => b > 90", "b > 90 => c = 5"])).not.toThrow()
  // Women have no age left; men do.
  expect(checked(["sex = f => a < 3", "sex = f => a > 6"])).not.toThrow()
  expect(checked(["sex in (f, m) => a < 3", "sex in (f, m) => a > 6"])).toThrow(
    refusal("synthetic/rules-contradict"),
  )
  // Along a chain, and around a circle: no two of them contradict each other.
  const chain = ["sex = f => a < 3", "a < 3 => b < 3", "b < 3 => sex = m", "sex = m => c < 3"]
  expect(checked(chain)).not.toThrow()
  expect(checked([...chain, "c < 3 => sex = f"])).toThrow(refusal("synthetic/rules-contradict"))
})

test("rules that would make a model too large are refused before anything is measured", () => {
  const names = ["a", "b", "c", "d", "e", "g"]
  const all = names.flatMap((one, place) =>
    names.slice(place + 1).map((other) => `${one} < 50 => ${other} < 60`),
  )
  expect(checked(all.slice(0, 5), names)).not.toThrow()
  expect(checked(all, names)).toThrow(refusal("synthetic/rules-too-wide"))
})

test("a column in quotes, and one in letters of any language", () => {
  expect(readRule('"the ""age""" < 3 => 年龄 = 5')).toMatchObject({
    when: { column: 'the "age"' },
    holds: { column: "年龄" },
  })
})

test("no counts make more groups than are known beforehand", () => {
  const random = new SeededNumbers("groups")
  for (let turn = 0; turn < 300; turn += 1) {
    const written = [readRule("a < 50 => sex = f"), readRule("a in (7, 20) => sex = m")].slice(0, turn % 3)
    const own = numberColumn("a", { ...numbers, hasMissing: turn % 2 === 0 }, cutsOf(written, "a", 1))
    const columns: readonly SyntheticColumn[] = [
      { kind: "listed", name: "sex", values: ["f", "m"], hasMissing: false },
      turn % 5 === 0 ? { kind: "listed", name: "a", values: ["1", "2"], hasMissing: false } : own,
    ]
    const rules = turn % 5 === 0 ? [] : written.map((rule) => ruleOf(rule, columns))
    const attributes = columns.map(attributeOf)
    const attribute = attributes[1]
    if (attribute === undefined) throw new Error("there are two columns")
    const counts = Float64Array.from({ length: attribute.size }, () =>
      Math.round(1000 * random.next() ** (turn % 7) - 20 * random.next()),
    )
    const grouped = { ...attribute, counts, classes: classesOf(1, attributes, rules) }
    const limits = { groupsMax: closeGroupsMax, least: turn % 4 === 0 ? 0 : 300 * random.next() }
    const found = Math.max(...groupValues(grouped, limits)) + 1
    expect(found).toBeLessThanOrEqual(mostGroups(attributes, rules)[1] ?? 0)
  }
})
