// Can the table that a question asks for be worked out from one that was released before? Its rows must be
// the same but for conditions on released keys, its keys functions of released keys, its aggregates the same
// or sums of released ones.

import type { Rational } from "@dosimeter/core/exact"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import { truthOf } from "../values/call-logic.ts"
import { rowFunction, type RowFunction } from "../evaluate/evaluate-expression.ts"
import { publicCell } from "../cells/table.ts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { groupingSums, hasGroupings, type GroupingSum } from "@dosimeter/proof/algebra/grouping-sums"
import { combinations, publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { columnsIn } from "@dosimeter/proof/algebra/walk"
import { keptFacts, textsOf, type KeptFacts } from "./kept-facts.ts"
import type { Meaning } from "./meaning.ts"
import { pinned } from "./pinned.ts"

/** What is wanted: the facts of the table, and the expressions behind them. */
export interface WantedTable {
  readonly meaning: Meaning
  readonly facts: KeptFacts
  /** The groups of the table, in order. Undefined where they pass selection. */
  readonly groups: readonly (readonly Constant[])[] | undefined
  /** Where several groupings are wanted: the groups of each, as sums of these. */
  readonly sums?: readonly (readonly GroupingSum[])[]
}

/** What a release is to hold. */
export function wantedOf(release: Release, meaning: Meaning, confidence: Rational): WantedTable {
  const { keys } = release
  // The largest groups are found among those that the table has.
  const isOpen = keys.kind === "private" || keys.kind === "top"
  const groups = isOpen ? undefined : publicRows(keys)
  const facts = keptFacts(meaning, release, confidence)
  return { meaning, facts, groups, ...(hasGroupings(keys) ? { sums: groupingSums(keys) } : {}) }
}

/** How a table comes from another. */
export interface Derivation {
  /** The groups, and the rows of the other table that are added up for each. */
  readonly groups: readonly {
    readonly keys: readonly Constant[]
    readonly from: readonly number[]
  }[]
  /** For each column that is wanted: the other table's, or undefined if it has no such column. */
  readonly columns: readonly (number | undefined)[]
  /** How the result falls short of what was asked. Empty: every unit counts for as much as it would. */
  readonly differences: readonly string[]
  /** Whether it is the very quantity that was asked for: then it may be merged with other answers to it. */
  readonly isEqual: boolean
}

/** The way from a released table to the one that is wanted, if there is one. */
export function derive(
  wanted: WantedTable,
  from: KeptFacts,
  keysOf: readonly (readonly Constant[])[],
): Derivation | undefined {
  const { meaning, facts } = wanted
  const isSelected = from.selectedFrom !== undefined
  if (!mayDerive(facts, from)) return undefined
  const own = new Set(from.conditions)
  const rest = meaning.conditions.filter((_, index) => !own.has(facts.conditions[index] ?? ""))
  const over = new OverKeys(meaning, from)
  const conditions = rest.map((condition) => over.express(condition))
  const keys = meaning.keys.map((key) => over.express(key))
  if (![...conditions, ...keys].every((expr) => expr !== undefined)) return undefined
  const isSame = rest.length === 0 && sameKeys(facts, from)
  if (isSelected && !isSame) return undefined
  if (from.isPartial === true && !areThere(rest, { meaning, from, keysOf })) return undefined
  const groups = summed(groupsOf({ wanted, from, keysOf, conditions, keys }), wanted)
  const merges = groups.some((group) => group.from.length > 1)
  const empties = groups.some((group) => group.from.length === 0)
  const columns = facts.columns.map(({ text, part }) => {
    const place = from.columns.findIndex((column) => column.text === text && column.part === part)
    const adds = from.columns[place]?.adds
    // A unit that counts in one group at most counts once in a sum of groups.
    const countsOnce = from.oneGroup || (from.scaled === undefined && from.groupsPerUnit === 1n)
    const fits = adds === "rows" || (!merges && adds !== "none") || (adds === "units" && countsOnce)
    const isOne = adds === "none" && !merges && (!empties || text.startsWith("distinct"))
    return place >= 0 && (fits || isOne) ? place : undefined
  })
  const cutsAlike = isSame || cutsTheSame(facts, from, { conditions, keys })
  const differences = differencesOf({ wanted, from, keysOf, rest, isSame, cutsAlike })
  const isUncut = from.oneRow && facts.oneRow && !from.cutsGroups && !facts.cutsGroups
  const isAlike = (isSame || isUncut) && from.scaled?.bound === facts.scaled?.bound
  return { groups, columns, differences, isEqual: differences.length === 0 && isAlike }
}

/** Whether the rows of a table are worth looking at: a quick test of its facts. */
export function mayDerive(wanted: KeptFacts, from: KeptFacts): boolean {
  if (wanted.rows !== from.rows) return false
  if ((wanted.selectedFrom !== undefined) !== (from.selectedFrom !== undefined)) return false
  const asked = new Set(wanted.conditions)
  return from.conditions.every((condition) => asked.has(condition))
}

/** A question's expressions over the keys of a released table. Key i is column i. */
class OverKeys {
  readonly #textOf: (expr: Expr) => string
  readonly #places: ReadonlyMap<string, number>

  constructor(meaning: Meaning, from: KeptFacts) {
    this.#textOf = textsOf(meaning)
    this.#places = new Map(from.keys.map(({ text }, index) => [text, index]))
  }

  express(expr: Expr): Expr | undefined {
    const place = this.#places.get(this.#textOf(expr))
    if (place !== undefined) return { kind: "column", id: place, domain: expr.domain }
    switch (expr.kind) {
      case "literal":
        return expr
      case "call": {
        const args = all(expr.args.map((arg) => this.express(arg)))
        return args && { ...expr, args }
      }
      case "case": {
        const whens = all(expr.branches.map(({ when }) => this.express(when)))
        const results = all(expr.branches.map(({ result }) => this.express(result)))
        const otherwise = this.express(expr.otherwise)
        if (whens === undefined || results === undefined || otherwise === undefined) return undefined
        const branches = whens.flatMap((when, index) => {
          const result = results[index]
          return result === undefined ? [] : [{ when, result }]
        })
        return { ...expr, branches, otherwise }
      }
      // Columns that are no keys, and what only a database computes.
      case "column":
      case "steps":
      case "share":
      case "weight":
      case "keyed-hash":
        return undefined
      default:
        return expr satisfies never
    }
  }
}

function all(exprs: readonly (Expr | undefined)[]): readonly Expr[] | undefined {
  return exprs.every((expr) => expr !== undefined) ? exprs : undefined
}

function sameKeys(a: KeptFacts, b: KeptFacts): boolean {
  return a.keys.length === b.keys.length && a.keys.every(({ text }, index) => b.keys[index]?.text === text)
}

// Where only keys and conditions are left out that the unit decides, a unit is in as many groups as before.
function cutsTheSame(
  facts: KeptFacts,
  from: KeptFacts,
  { conditions, keys }: Pick<Grouping, "conditions" | "keys">,
): boolean {
  const places = keys.flatMap((key) => (key?.kind === "column" ? [key.id] : []))
  const isOfUnit = (place: number): boolean => from.keys[place]?.byUnit === true
  return (
    places.length === keys.length &&
    from.keys.every((_, place) => places.includes(place) || isOfUnit(place)) &&
    conditions.every((one) => one !== undefined && [...columnsIn(one)].every(isOfUnit)) &&
    from.groupsPerUnit >= facts.groupsPerUnit
  )
}

interface Grouping {
  readonly wanted: WantedTable
  readonly from: KeptFacts
  readonly keysOf: readonly (readonly Constant[])[]
  readonly conditions: readonly (Expr | undefined)[]
  readonly keys: readonly (Expr | undefined)[]
}

function groupsOf({ wanted, from, keysOf, conditions, keys }: Grouping): Derivation["groups"] {
  // Not by the first row: where keys are selected there may be none.
  const positions = new Map<ColumnId, number>(from.keys.map((_, index) => [index, index]))
  const functions = (exprs: readonly (Expr | undefined)[]): readonly RowFunction[] =>
    exprs.flatMap((expr) => (expr === undefined ? [] : [rowFunction(expr, positions)]))
  const [tests, values] = [functions(conditions), functions(keys)]
  const found = new Map<string, number[]>()
  const met: (readonly Constant[])[] = []
  for (const [index, constants] of keysOf.entries()) {
    const row = constants.map(publicCell)
    if (!tests.every((test) => truthOf(test(row).value) === true)) continue
    const group = values.map((value) => value(row).value)
    const key = groupText(group)
    const before = found.get(key)
    if (before === undefined) {
      found.set(key, [index])
      met.push(group)
    } else before.push(index)
  }
  return (wanted.groups ?? met).map((group) => ({ keys: group, from: found.get(groupText(group)) ?? [] }))
}

/** The groups of all groupings, where several are wanted. */
function summed(groups: Derivation["groups"], { sums }: WantedTable): Derivation["groups"] {
  if (sums === undefined) return groups
  return sums.flat().map(({ keys, rows }) => ({ keys, from: rows.flatMap((row) => groups[row]?.from ?? []) }))
}

function groupText(group: readonly Constant[]): string {
  return JSON.stringify(group.map(constantKey))
}

interface Compared {
  readonly wanted: WantedTable
  readonly from: KeptFacts
  readonly keysOf: readonly (readonly Constant[])[]
  readonly rest: readonly Expr[]
  readonly isSame: boolean
  readonly cutsAlike: boolean
}

function differencesOf({
  wanted: { meaning, facts },
  from,
  keysOf,
  rest,
  isSame,
  cutsAlike,
}: Compared): readonly string[] {
  const differences: string[] = []
  const textOf = textsOf(meaning)
  const listed = new Set(facts.keys.map(({ text }) => text))
  for (const { key, values } of rest.flatMap(pinned)) {
    const text = textOf(key)
    const place = from.keys.findIndex((one) => one.text === text)
    const known = new Set(keysOf.map((keys) => constantKey(keys[place] ?? { kind: "null" })))
    if (values.every((value) => known.has(constantKey(value)))) listed.add(text)
  }
  if (from.keys.some(({ text, isWhole }) => !isWhole && !listed.has(text))) {
    differences.push("rows with values that are not declared do not count")
  }
  const byScale = scaleDifference(facts, from)
  if (from.scaled !== undefined) return [...differences, ...byScale]
  differences.push(...byScale)
  const [groups, rows] = [from.groupsPerUnit, from.rowsPerGroup]
  const otherGroups = isSame
    ? facts.cutsGroups !== from.cutsGroups || groups !== facts.groupsPerUnit
    : !cutsAlike
  if (from.cutsGroups && otherGroups) {
    differences.push(`at most ${groups} groups of the recorded table count for each unit`)
  }
  const fewerRows = isSame ? rows !== facts.rowsPerGroup : rows < facts.rowsPerGroup
  if (!from.oneRow && fewerRows && facts.columns.some(({ text }) => !text.startsWith("units"))) {
    differences.push(`at most ${rows} rows of a group of the recorded table count for each unit`)
  }
  return differences
}

// The weight of a unit follows from all that it adds to a table: only in a table of the same vector does it
// have the same weight, or a larger one where the norm is larger.
function scaleDifference(facts: KeptFacts, from: KeptFacts): readonly string[] {
  if (from.scaled === undefined) {
    const isWhole = from.oneRow && !from.cutsGroups
    return facts.scaled === undefined || isWhole ? [] : ["units of the recorded table are not scaled down"]
  }
  const isSameVector = from.scaled.norm === facts.scaled?.norm && from.scaled.vector === facts.scaled.vector
  if (!isSameVector) return ["units of the recorded table are scaled down by other weights"]
  return from.scaled.bound < facts.scaled.bound ? ["units of the recorded table are scaled down to less"] : []
}

// Whether conditions pin every key to constants of which the table has all combinations.
function areThere(
  rest: readonly Expr[],
  { meaning, from, keysOf }: Pick<Compared, "from" | "keysOf"> & { readonly meaning: Meaning },
): boolean {
  const textOf = textsOf(meaning)
  const held = rest.flatMap(pinned).map(({ key, values }) => ({ text: textOf(key), values }))
  const lists = from.keys.map(({ text }) => held.find((one) => one.text === text)?.values)
  if (!lists.every((list) => list !== undefined)) return false
  const known = new Set(keysOf.map(groupText))
  const most = lists.reduce((count, list) => count * list.length, 1)
  // A list may name a value twice, so there are at most as many.
  return most <= 10_000 && combinations(lists).every((group) => known.has(groupText(group)))
}
