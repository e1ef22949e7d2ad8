// Aggregates and window functions over the rows of one person: many rows at one end of a domain, at the
// other, at both in turn, nothing but NULL, and one of each value.

import { rational } from "@dosimeter/core"
import type { Constant } from "../../catalog/constant.ts"
import type { Domain } from "../../catalog/domain.ts"
import type { Expr } from "../../algebra/expr.ts"
import { aggregateDomain, windowDomain } from "../../algebra/item-domain.ts"
import { shareExpr, stepsExpr } from "../../algebra/make.ts"
import {
  isInOrder,
  type AggregateItem,
  type Frame,
  type FrameBound,
  type PlainAggregate,
  type Rel,
  type RelColumn,
  type SortKey,
  type WindowItem,
} from "../../algebra/rel.ts"
import { valuesOf } from "./ask.ts"
import { literalOf } from "./make-expression.ts"
import type { Slot } from "./slots.ts"

/** The aggregates that a database computes for one person; typed, so that none is left out. */
export const aggregates: Readonly<Record<PlainAggregate, true>> = {
  rows: true,
  count: true,
  "count-distinct": true,
  sum: true,
  min: true,
  max: true,
  every: true,
  some: true,
}

/** Window functions, and whether a database computes them: the others are of released rows. */
export const windows: Readonly<Record<WindowItem["function"], "database" | "released">> = {
  "row-number": "database",
  rank: "database",
  "dense-rank": "database",
  "spread-place": "database",
  lag: "database",
  lead: "database",
  "first-value": "database",
  "last-value": "database",
  "kaplan-meier": "released",
  "at-risk": "released",
  rows: "database",
  count: "database",
  // No database counts distinct values over windows, and bind refuses it.
  "count-distinct": "released",
  sum: "database",
  min: "database",
  max: "database",
  every: "database",
  some: "database",
}

const columnOf = ({ id, domain }: RelColumn): Expr => ({ kind: "column", id, domain })
const whole = (value: bigint): Constant => ({ kind: "number", value: rational(value) })
const between = (low: bigint, high: bigint): Domain => ({
  type: { kind: "integer" },
  nullable: false,
  range: { min: { value: rational(low), declared: true }, max: { value: rational(high), declared: true } },
})

/** Enough rows for a sum of the widest values to pass 128 bits. */
const rowsOfOne = 40

const person: RelColumn = { id: 1, name: "person", domain: between(1n, 9n) }
const place: RelColumn = { id: 2, name: "place", domain: between(0n, 1000n) }

/** The rows of some people: person, place, value. */
export function personRows(slot: Slot): Rel {
  const value: RelColumn = { id: 3, name: "value", domain: slot.domain }
  const some = slot.values.filter(({ kind }) => kind !== "null")
  const [first] = some
  const last = some[1] ?? first
  const many = (at: (index: number) => Constant | undefined): readonly Constant[] =>
    Array.from({ length: rowsOfOne }, (_, index) => at(index) ?? { kind: "null" })
  const people = [
    many(() => first),
    many(() => last),
    many((index) => (index % 2 === 0 ? first : last)),
    slot.values,
    ...(slot.domain.nullable ? [many(() => undefined).slice(0, 3)] : []),
  ].filter((values) => slot.domain.nullable || values.every(({ kind }) => kind !== "null"))
  const rows = people.flatMap((values, index) =>
    values.map((one, at) => [whole(BigInt(index + 1)), whole(BigInt(at)), one]),
  )
  return valuesOf([person, place, value], rows)
}

/** The claim of an aggregate or window; undefined where the compiler refuses it. */
function claimOf(ask: () => Domain): Domain | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}

/** One row a person, with every aggregate of the value, and a share of its sum. */
export function groupsOf(slot: Slot): readonly Rel[] {
  const input = personRows(slot)
  const x = valueOf(input)
  const items = Object.keys(aggregates).flatMap((name): readonly AggregateItem[] => {
    if (!isAggregate(name) || !takes(name, slot.domain)) return []
    return [{ function: name, argument: name === "rows" ? undefined : x }]
  })
  const claimed = items.flatMap((item, at) => {
    const domain = claimOf(() => aggregateDomain(item))
    return domain === undefined ? [] : [{ item, column: { id: 100 + at, name: item.function, domain } }]
  })
  const grouped: Rel = {
    kind: "aggregate",
    input,
    keys: [person.id],
    items: claimed.map(({ item }) => item),
    columns: [person, ...claimed.map(({ column }) => column)],
  }
  return [grouped, ...sharesOf(slot, input)]
}

/** Shares of sums of steps: what a boundary adds up for a person with too many rows. */
function sharesOf(slot: Slot, input: Rel): readonly Rel[] {
  if (!["integer", "decimal", "float"].includes(slot.domain.type.kind)) return []
  const bounds = [
    [-3n, 7n],
    [0n, 1n],
    [-(2n ** 40n), 2n ** 40n],
  ] as const
  return bounds.map(([lower, upper]) => {
    const steps = stepsExpr(valueOf(input), rational(1n, 10n), { lower, upper })
    const items: readonly AggregateItem[] = [
      { function: "sum", argument: steps },
      { function: "count", argument: steps },
    ]
    const columns = items.map((item, at) => ({ id: 100 + at, name: "x", domain: aggregateDomain(item) }))
    const sums: Rel = { kind: "aggregate", input, keys: [person.id], items, columns: [person, ...columns] }
    const [sum, count] = columns.map(columnOf)
    const shares = [1n, 3n, 64n].flatMap((most) =>
      sum === undefined || count === undefined ? [] : [shareExpr(sum, count, most)],
    )
    const named = shares.map(({ domain }, at) => ({ id: 200 + at, name: "share", domain }))
    return { kind: "project", input: sums, items: shares, columns: named }
  })
}

function isAggregate(name: string): name is PlainAggregate {
  return Object.hasOwn(aggregates, name)
}

function takes(name: PlainAggregate, { type: { kind } }: Domain): boolean {
  if (name === "every" || name === "some") return kind === "boolean"
  return name !== "sum" || kind === "integer" || kind === "decimal"
}

function valueOf(input: Rel): Expr {
  const [, , value] = input.columns
  if (value === undefined) throw new Error("the rows have a value")
  return columnOf(value)
}

const preceding = (offset: bigint): FrameBound => ({ kind: "preceding", offset })
const following = (offset: bigint): FrameBound => ({ kind: "following", offset })
const starts: readonly FrameBound[] = [
  { kind: "unbounded-preceding" },
  preceding(2n),
  preceding(0n),
  { kind: "current-row" },
  following(1n),
  following(1_000_000n),
]
const ends: readonly FrameBound[] = [
  preceding(1n),
  preceding(1_000_000n),
  { kind: "current-row" },
  following(0n),
  following(3n),
  { kind: "unbounded-following" },
]

/** Every kind of frame that the compiler takes: none, ROWS and RANGE. */
export const frames: readonly (Frame | undefined)[] = [
  undefined,
  ...starts.flatMap((start) => ends.map((end): Frame => ({ mode: "rows", start, end }))).filter(isInOrder),
  ...starts
    .flatMap((start) => ends.map((end): Frame => ({ mode: "range", start, end })))
    .filter(({ start, end }) =>
      [start, end].every(({ kind }) => kind !== "preceding" && kind !== "following"),
    ),
]

/** All window functions of the value, in all frames and some orders; a few at a time. */
export function windowsOf(slot: Slot, pick: (items: readonly WindowItem[]) => readonly WindowItem[]): Rel {
  const input = personRows(slot)
  const x = valueOf(input)
  const orders: readonly (readonly SortKey[])[] = [
    [],
    [{ value: columnOf(place), direction: "ascending", nulls: "last" }],
    [{ value: columnOf(place), direction: "descending", nulls: "first" }],
    [{ value: x, direction: "ascending", nulls: "first" }],
  ]
  const all = orders.flatMap((orderBy) => itemsOf(x, { partitionBy: [columnOf(person)], orderBy }))
  const chosen = pick(all).flatMap((item, at) => {
    const domain = claimOf(() => windowDomain(item))
    return domain === undefined ? [] : [{ item, column: { id: 100 + at, name: item.function, domain } }]
  })
  return {
    kind: "window",
    input,
    items: chosen.map(({ item }) => item),
    columns: [...input.columns, ...chosen.map(({ column }) => column)],
  }
}

function itemsOf(x: Expr, over: Pick<WindowItem, "partitionBy" | "orderBy">): readonly WindowItem[] {
  const number = (value: bigint): Expr => literalOf(whole(value), { kind: "integer" })
  return Object.keys(windows).flatMap((name): readonly WindowItem[] => {
    if (!isWindow(name) || windows[name] === "released") return []
    const plain = { function: name, ...over, frame: undefined }
    switch (name) {
      case "row-number":
      case "rank":
      case "dense-rank":
        return [{ ...plain, args: [] }]
      case "spread-place":
        return [1n, 5n, 4_194_304n].map((step) => ({ ...plain, args: [number(step)] }))
      case "lag":
      case "lead":
        return [[x], ...[0n, 1n, 3n, 1_000_000n].map((offset) => [x, number(offset)])].map((args) => ({
          ...plain,
          args,
        }))
      case "first-value":
      case "last-value":
        return frames.map((frame) => ({ ...plain, args: [x], frame }))
      case "kaplan-meier":
      case "at-risk":
        return []
      default:
        return takes(name, x.domain)
          ? frames.map((frame) => ({ ...plain, args: name === "rows" ? [] : [x], frame }))
          : []
    }
  })
}

function isWindow(name: string): name is WindowItem["function"] {
  return Object.hasOwn(windows, name)
}
