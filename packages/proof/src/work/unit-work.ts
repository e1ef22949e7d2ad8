// How much one unit can make a database do: how many rows a relation has of it, and how long their texts are.
// Every rule is about one node, given what holds of the relations below it.

import { unreachable } from "@dosimeter/core/errors"
import type { CatalogTable } from "../catalog/catalog.ts"
import type { Constant } from "../catalog/constant.ts"
import type { ColumnId, Expr } from "../algebra/expr.ts"
import type {
  Aggregate,
  Filter,
  Join,
  Mark,
  Project,
  Rel,
  Scan,
  WindowItem,
  WindowRel,
} from "../algebra/rel.ts"
import { conjunctsOf, expressionsOf, upperBounds } from "../algebra/walk.ts"
import { pairsOf } from "./join-pairs.ts"
import { reject } from "../units/reject.ts"
import { isText, isTooLong, larger, noText, sizeOf, sum, textExcess, type TextSizes } from "./text-size.ts"
import { ownershipOf } from "../units/track-unit.ts"
import { nothingSpent, spentOn, spentTogether } from "./unit-cost.ts"
import {
  charactersOf,
  isWithin,
  publicRowsGuess,
  rowTextMax,
  timesMax,
  togetherMax,
  type RowBound,
  type Spent,
  type TextSize,
  type WorkLimits,
} from "./work-limits.ts"

/** What is known of the rows of one unit in a relation; of a public relation, of all its rows. */
export interface UnitWork {
  readonly kind: "work"
  readonly isPublic: boolean
  readonly rows: RowBound
  /** Of every column that holds text. */
  readonly sizes: TextSizes
  /** Columns that number a unit's rows from 1, each number once. */
  readonly places: ReadonlySet<ColumnId>
  /** What this relation and all below it cost. */
  readonly spent: Spent
}

/** What is too much: pairs of rows, rows that are put together, texts, or all steps together. */
export interface Excess {
  readonly kind: "excess"
  readonly what: "pairs" | "rows" | "texts" | "long-text" | "long-search" | "spent"
}

/** The work of one node, or what is too much about it. `inputs` is of the relations right below, in order. */
export function workOf(rel: Rel, inputs: readonly UnitWork[], limits: WorkLimits): UnitWork | Excess {
  const sizes = new Map(inputs.flatMap((input) => [...input.sizes]))
  for (const expr of expressionsOf(rel)) {
    const what = textExcess(expr, sizes)
    if (what !== undefined) return { kind: "excess", what }
  }
  const found = ownWork(rel, inputs, limits)
  if (found.kind === "excess") return found
  const own = found.isPublic ? nothingSpent : spentOn(rel, expressionsOf(rel), inputs, found.pairs)
  const spent = [...inputs.map((input) => input.spent), own].reduce(spentTogether)
  const { kind, isPublic, rows, places } = found
  const work: UnitWork = { kind, isPublic, rows, sizes: found.sizes, places, spent }
  return excessOf(rel, work, limits) ?? work
}

/** What is found about a node itself. */
interface Found extends Omit<UnitWork, "spent"> {
  /** Of a join: the pairs that it looks at. */
  readonly pairs?: RowBound
}

function ownWork(rel: Rel, inputs: readonly UnitWork[], limits: WorkLimits): Found | Excess {
  const [first = nobody] = inputs
  switch (rel.kind) {
    case "scan":
      return scanWork(rel)
    case "values": {
      const sizes = new Map<ColumnId, TextSize>()
      for (const [index, column] of rel.columns.entries()) {
        if (!isText(column)) continue
        sizes.set(column.id, rel.rows.map((row) => literalSize(row[index])).reduce(larger, noText))
      }
      return { ...nobody, rows: { times: 0, most: rel.rows.length }, sizes }
    }
    case "filter":
      return filterWork(rel, first)
    case "project":
      return projectWork(rel, first)
    case "join":
    case "mark":
      return joinWork(rel, inputs, limits)
    case "aggregate":
      return aggregateWork(rel, first)
    case "window":
      return windowWork(rel, first)
    case "union": {
      const added = inputs.map(({ rows }) => rows).reduce(add, { times: 0, most: 0 })
      const columns = rel.columns.filter(isText).map(({ id }): readonly [ColumnId, TextSize] => {
        const place = rel.columns.findIndex((column) => column.id === id)
        const parts = rel.inputs.map((input, which) => {
          const own = input.columns[place]
          return own === undefined ? noText : (inputs[which]?.sizes.get(own.id) ?? noText)
        })
        return [id, parts.reduce(larger, noText)]
      })
      const isPublic = inputs.every((input) => input.isPublic)
      return { kind: "work", isPublic, rows: added, sizes: new Map(columns), places: new Set() }
    }
    case "sort": {
      if (!first.isPublic) return reject("rows of people are put into an order")
      const most = rel.limit === undefined ? Infinity : Number(rel.limit)
      return { ...first, rows: { times: 0, most: Math.min(first.rows.most, most) } }
    }
    case "boundary":
    case "released":
      return reject(`${rel.kind} inside what is read`)
    default:
      return unreachable(rel)
  }
}

const nobody: UnitWork = {
  kind: "work",
  isPublic: true,
  rows: { times: 0, most: 0 },
  sizes: new Map(),
  places: new Set(),
  spent: nothingSpent,
}

// A stored text has the size of one stored text, however long it is: the analyst did not make it.
function scanWork({ table, columns }: Scan): Found {
  const texts = columns.filter(isText).map(({ id }) => [id, { made: 0, stored: 1 }] as const)
  const sizes = new Map(texts)
  const base = { kind: "work", sizes, places: new Set<ColumnId>() } as const
  if (table.unit.kind === "public") {
    return { ...base, isPublic: true, rows: { times: 0, most: table.rowCount ?? publicRowsGuess } }
  }
  return { ...base, isPublic: false, rows: hasOneRow(table) ? { times: 0, most: 1 } : { times: 1, most: 0 } }
}

// Each row is a unit, or the unit's column is a key.
function hasOneRow({ unit, keys }: CatalogTable): boolean {
  if (unit.kind !== "path") return unit.kind === "row"
  return unit.hops.length === 0 && keys.some((key) => key.length === 1 && key[0] === unit.column)
}

// Rows that are numbered within the unit, and kept up to a number, are no more than that.
function filterWork({ condition }: Filter, input: UnitWork): Found {
  const limits = upperBounds(condition).filter(({ id }) => input.places.has(id))
  const most = limits.reduce((least, one) => Math.min(least, Number(one.most)), Infinity)
  const isLess = !input.isPublic && (input.rows.times > 0 || most < input.rows.most) && most < Infinity
  const sizes = new Map(input.sizes)
  for (const { id, characters } of conjunctsOf(condition).flatMap(lengthLimit)) {
    const own = sizes.get(id)
    if (own !== undefined && characters < charactersOf(own)) sizes.set(id, { made: characters, stored: 0 })
  }
  return { ...input, rows: isLess ? { times: 0, most: Math.max(0, most) } : input.rows, sizes }
}

// LENGTH(x) <= n, or COALESCE(LENGTH(x), 0) <= n.
function lengthLimit(part: Expr): readonly { readonly id: ColumnId; readonly characters: number }[] {
  if (part.kind !== "call" || part.name !== "less-or-equal") return []
  const [measured, limit] = part.args
  if (limit?.kind !== "literal" || limit.value.kind !== "number") return []
  const length = measured?.kind === "call" && measured.name === "coalesce" ? measured.args[0] : measured
  if (length?.kind !== "call" || length.name !== "length" || length.args[0]?.kind !== "column") return []
  const { numerator, denominator } = limit.value.value
  if (numerator < 0n || denominator !== 1n) return []
  return [{ id: length.args[0].id, characters: Number(numerator) }]
}

function projectWork({ items, columns }: Project, input: UnitWork): Found {
  const sizes = new Map<ColumnId, TextSize>()
  const places = new Set<ColumnId>()
  for (const [index, item] of items.entries()) {
    const column = columns[index]
    if (column === undefined) continue
    if (isText(item)) sizes.set(column.id, sizeOf(item, input.sizes))
    else if (isText(column)) sizes.set(column.id, noText)
    if (item.kind === "column" && input.places.has(item.id)) places.add(column.id)
  }
  return { ...input, sizes, places }
}

function windowWork({ input: rel, items, columns }: WindowRel, input: UnitWork): Found {
  const sizes = new Map(input.sizes)
  const places = new Set(input.places)
  for (const [index, item] of items.entries()) {
    const column = columns[rel.columns.length + index]
    if (column === undefined) continue
    if (isText(column)) {
      sizes.set(column.id, item.args.map((arg) => sizeOf(arg, input.sizes)).reduce(larger, noText))
    }
    if (!input.isPublic && numbersUnit(item, rel)) places.add(column.id)
  }
  return { ...input, sizes, places }
}

// ROW_NUMBER within the unit, and nothing narrower.
function numbersUnit({ function: name, partitionBy }: WindowItem, input: Rel): boolean {
  const owner = ownershipOf(input)
  if (name !== "row-number" || owner.kind !== "private" || partitionBy.length === 0) return false
  return partitionBy.every((expr) => expr.kind === "column" && owner.units.has(expr.id))
}

// A group has a row at least, and where the unit decides the keys it has one group.
function aggregateWork({ input: rel, keys, items, columns }: Aggregate, input: UnitWork): Found {
  const sizes = new Map<ColumnId, TextSize>()
  for (const key of keys) {
    const size = input.sizes.get(key)
    if (size !== undefined) sizes.set(key, size)
  }
  for (const [index, { argument }] of items.entries()) {
    const column = columns[keys.length + index]
    if (column === undefined || argument === undefined || !isText(argument)) continue
    // What is counted or compared is kept as long as its group is made.
    sizes.set(column.id, sizeOf(argument, input.sizes))
  }
  const owner = input.isPublic ? undefined : ownershipOf(rel)
  const isOne = keys.length === 0 || (owner?.kind === "private" && keys.every((key) => owner.units.has(key)))
  const rows = isOne && !input.isPublic ? { times: 0, most: 1 } : input.rows
  return { ...input, rows, sizes, places: new Set() }
}

function joinWork(rel: Join | Mark, inputs: readonly UnitWork[], limits: WorkLimits): Found | Excess {
  const [left = nobody, right = nobody] = inputs
  const sides = { left: left.rows, right: right.rows }
  const { pairs, rows } = pairsOf(rel, sides)
  const isPublic = left.isPublic && right.isPublic
  if (!isPublic && !isBounded(pairs, limits)) return { kind: "excess", what: "pairs" }
  if (rel.kind === "mark") return { ...left, isPublic, pairs }
  const sizes = new Map([...left.sizes, ...right.sizes])
  return { kind: "work", isPublic, rows, sizes, places: new Set(), pairs }
}

/** Whether a join looks at no more pairs of a unit's rows than it may. */
function isBounded({ times, most }: RowBound, { rows }: WorkLimits): boolean {
  return times <= timesMax && most <= rows
}

// Rows about nobody are made whoever is in the data: only texts of theirs can reach a unit's rows.
function excessOf(
  rel: Rel,
  { isPublic, rows, sizes, spent }: UnitWork,
  limits: WorkLimits,
): Excess | undefined {
  const texts = [...sizes.values()]
  if (texts.some((size) => isTooLong(size))) return { kind: "excess", what: "long-text" }
  if (isPublic) return undefined
  const joins = rel.kind === "join" ? 1 : togetherMax
  if (rows.times > timesMax || rows.most > joins * limits.rows) {
    return { kind: "excess", what: rel.kind === "join" ? "pairs" : "rows" }
  }
  const ofRow = texts.reduce(sum, noText)
  if (ofRow.made > rowTextMax.made || ofRow.stored > rowTextMax.stored) {
    return { kind: "excess", what: "texts" }
  }
  const characters = rows.most * charactersOf(ofRow)
  if (characters > joins * limits.characters) return { kind: "excess", what: "texts" }
  return isWithin(spent, limits.spent) ? undefined : { kind: "excess", what: "spent" }
}

/** The characters of the texts of a row, at most. */
export function rowCharacters({ sizes }: UnitWork): number {
  return charactersOf([...sizes.values()].reduce(sum, noText))
}

function add(a: RowBound, b: RowBound): RowBound {
  return { times: a.times + b.times, most: a.most + b.most }
}

function literalSize(value: Constant | undefined): TextSize {
  return { made: value?.kind === "text" ? Array.from(value.value).length : 0, stored: 0 }
}
