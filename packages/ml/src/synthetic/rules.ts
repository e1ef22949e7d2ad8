// Rules that rows keep, as people write them: "age < 16 => employed = no". Each says of two columns which
// values never come together.

import { fail } from "../errors.ts"
import { codeCount, type SyntheticColumn } from "./columns.ts"
import type { Rule } from "./rounds.ts"

/** One side of a rule. */
interface Side {
  readonly column: string
  readonly test: Test
}

type Test =
  | { readonly kind: "missing"; readonly isMissing: boolean }
  | { readonly kind: "one-of"; readonly values: readonly string[]; readonly isOne: boolean }
  | { readonly kind: "below"; readonly cut: number; readonly withCut: boolean; readonly isBelow: boolean }

/** A rule that was read: where the first side holds, the second holds. */
export interface WrittenRule {
  readonly text: string
  readonly when: Side
  readonly holds: Side
}

/** Reads a rule. Dates are numbers, written as 2026-03-01. */
export function readRule(text: string): WrittenRule {
  const [when, then, ...more] = text.split("=>")
  if (when === undefined || then === undefined || more.length > 0)
    return fail("synthetic/bad-rule", { rule: text })
  return { text, when: readSide(when, text), holds: readSide(then, text) }
}

const [named, missing, there] = [
  String.raw`"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_.]*`,
  "is\\s+missing",
  "is\\s+not\\s+missing",
]
const compared = String.raw`(<=|>=|!=|<|>|=|in)\s*(.+?)`
const form = new RegExp(String.raw`^\s*(${named})\s*(?:(${missing})|(${there})|${compared})\s*$`, "iu")

function readSide(side: string, rule: string): Side {
  const [, name = "", missing, there, operator = "", written = ""] =
    form.exec(side) ?? fail("synthetic/bad-rule", { rule })
  const column = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
  if (missing !== undefined || there !== undefined) {
    return { column, test: { kind: "missing", isMissing: missing !== undefined } }
  }
  const compare = operator.toLowerCase()
  if (compare === "=" || compare === "!=" || compare === "in") {
    const list = compare === "in" ? written.replace(/^\(/, "").replace(/\)$/, "").split(",") : [written]
    return { column, test: { kind: "one-of", values: list.map(unquoted), isOne: compare !== "!=" } }
  }
  const cut = numberOf(written)
  if (cut === undefined) return fail("synthetic/bad-rule", { rule })
  const withCut = compare === "<=" || compare === ">"
  return { column, test: { kind: "below", cut, withCut, isBelow: compare.startsWith("<") } }
}

function unquoted(text: string): string {
  return text.trim().replace(/^'(.*)'$/, "$1")
}

function numberOf(text: string): number | undefined {
  const plain = unquoted(text)
  const day = /^\d{4}-\d{2}-\d{2}$/.test(plain)
    ? Date.parse(`${plain}T00:00:00Z`) / 86_400_000
    : Number(plain)
  return plain === "" || !Number.isFinite(day) ? undefined : day
}

/** Where rules cut a column of numbers with such a step: bins must end there. */
export function cutsOf(
  rules: readonly WrittenRule[],
  column: string,
  step: number | undefined,
): readonly number[] {
  return rules
    .flatMap(({ when, holds }) => [when, holds])
    .flatMap((side) => {
      if (side.column !== column) return []
      if (side.test.kind === "below") return [endOf(side.test, step)]
      if (side.test.kind === "missing") return []
      return side.test.values.flatMap((value) => {
        const number = numberOf(value)
        return number === undefined ? [] : [number, number + (step ?? 0)]
      })
    })
}

// "At most 5" ends where the next value begins; where values may lie anywhere, 5 itself is not told apart.
function endOf({ cut, withCut }: Test & { readonly kind: "below" }, step: number | undefined): number {
  return withCut ? cut + (step ?? 0) : cut
}

/** A rule over the codes of columns. Missing values meet no side but "is missing", and break no rule. */
export function ruleOf(rule: WrittenRule, columns: readonly SyntheticColumn[]): Rule {
  const [when, then] = [sideOver(rule.when, columns, rule.text), sideOver(rule.holds, columns, rule.text)]
  if (when.place === then.place) return fail("synthetic/bad-rule", { rule: rule.text })
  return {
    attributes: [when.place, then.place],
    isImpossible: ([first = 0, second = 0]) => when.holds.has(first) && then.fails.has(second),
  }
}

interface OverCodes {
  readonly place: number
  readonly holds: ReadonlySet<number>
  readonly fails: ReadonlySet<number>
}

function sideOver(
  { column: name, test }: Side,
  columns: readonly SyntheticColumn[],
  rule: string,
): OverCodes {
  const place = columns.findIndex((column) => column.name === name)
  const column = columns[place]
  if (column === undefined) return fail("synthetic/unknown-column", { rule, column: name })
  const [holds, fails] = [new Set<number>(), new Set<number>()]
  for (let code = 0; code < codeCount(column); code += 1) {
    const isMissing = column.hasMissing && code === codeCount(column) - 1
    if (test.kind === "missing") (isMissing === test.isMissing ? holds : fails).add(code)
    else if (!isMissing) (meets(column, code, test) ? holds : fails).add(code)
  }
  if (holds.size === 0) return fail("synthetic/rule-never-met", { rule, column: name })
  return { place, holds, fails }
}

function meets(
  column: SyntheticColumn,
  code: number,
  test: Exclude<Test, { readonly kind: "missing" }>,
): boolean {
  if (column.kind === "listed") {
    const value = column.values[code]
    if (test.kind === "below") {
      const number = Number(value)
      return (number < test.cut || (test.withCut && number === test.cut)) === test.isBelow
    }
    return test.values.includes(String(value)) === test.isOne
  }
  const low = column.edges[code] ?? 0
  if (test.kind === "below") return low < endOf(test, column.step) === test.isBelow
  return test.values.some((value) => numberOf(value) === low) === test.isOne
}
