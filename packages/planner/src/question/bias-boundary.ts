// What bounding and clamping take away from a boundary, as a boundary of its own: one row for each unit that
// says how much of it is left out, added up without groups. verify/ proves it as it proves any other.

import { multiply, rational, showParameter, type Rational } from "@dosimeter/core/exact"
import { unitFacts } from "@dosimeter/proof/units/unit-facts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import {
  aggregateRel,
  callExpr,
  columnExpr,
  columnIn,
  integerLiteral,
  projectRel,
  stepsExpr,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Boundary, BoundaryAggregate, Rel, SumAggregate } from "@dosimeter/proof/algebra/rel"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { onlyListed } from "../keys/key-lists.ts"
import { textOf } from "../aggregates/moment-families.ts"
import { onlyWhere } from "../aggregates/only-where.ts"

/** What is measured about the bounds of a release. */
export interface BiasAggregates {
  readonly input: Rel
  readonly aggregates: ReadonlyMap<BiasName, BoundaryAggregate>
  readonly values: readonly ClampedValue[]
  readonly isCut: { readonly groups: boolean; readonly rows: boolean }
}

/**
 * Units in more groups than count; groups and rows that count, and that are left out; values there are, and
 * at the ends of their bounds: of the value with that number.
 */
export type BiasName =
  | "over"
  | `${"groups" | "rows"}-${"kept" | "out"}`
  | `value-${"all" | "low" | "high"}-${number}`

/** A value that is clamped between two bounds. */
export interface ClampedValue {
  readonly label: string
  readonly low: Rational
  readonly high: Rational
  readonly aggregate: SumAggregate
}

/**
 * The aggregates for a boundary that is released with such bounds; "nothing" where nothing is left out or
 * clamped, "unknown" where it cannot be told which rows belong together. Of what is left out of a unit, at
 * most as much is counted as counts in the answer, so that the estimate needs little more noise than the
 * answer.
 */
export function biasAggregates(
  asked: Boundary,
  bounds: Release["bounds"],
  options: { readonly ids: ColumnIds; readonly unitName: string },
): BiasAggregates | "nothing" | "unknown" {
  const boundary = onlyListed(asked)
  const { owner } = unitFacts(boundary.input, boundary.keys)
  const unit = boundary.input.columns.find(({ id }) => owner.units.has(id))?.id
  const values = clampedValues(boundary.aggregates)
  if (owner.rowsOf !== undefined) {
    return values.length === 0 ? "nothing" : aggregatesOfRows(boundary, values)
  }
  // One row is enough to be counted as a person.
  const needsRows = boundary.aggregates.some(({ kind }) => kind !== "persons")
  const isCut = {
    groups: bounds.groupsProof === undefined,
    rows: bounds.rowsProof === undefined && needsRows,
  }
  if (!isCut.groups && !isCut.rows && values.length === 0) return "nothing"
  if (unit === undefined) return "unknown"
  return aggregatesOfUnits({ boundary, unit, bounds, values, isCut, ...options })
}

/** The values that are added up, each once. */
function clampedValues(aggregates: readonly BoundaryAggregate[]): readonly ClampedValue[] {
  const found = new Map<string, ClampedValue>()
  for (const aggregate of aggregates) {
    if (aggregate.kind !== "sum" || aggregate.squaredFrom !== undefined) continue
    const { value, where, grid, lower, upper, label } = aggregate
    const key = [textOf(value), textOf(where), textOf(grid), lower, upper].join(" ")
    if (found.has(key)) continue
    const at = (step: bigint): Rational => multiply(rational(step), grid)
    found.set(key, { label, low: at(lower), high: at(upper), aggregate })
  }
  return [...found.values()]
}

/** Of a clamped value: that it is there, at its lower and at its upper bound. */
function placesOf({ aggregate }: ClampedValue): Readonly<Record<"all" | "low" | "high", Expr>> {
  const { value, grid, lower, upper, where } = aggregate
  const steps = stepsExpr(value, grid, { lower, upper })
  const also = (condition: Expr): Expr =>
    where === undefined ? condition : callExpr("and", [where, condition])
  return {
    all: also(callExpr("not", [callExpr("is-null", [value])])),
    low: also(callExpr("less-or-equal", [steps, integerLiteral(lower)])),
    high: also(callExpr("greater-or-equal", [steps, integerLiteral(upper)])),
  }
}

const parts = ["all", "low", "high"] as const

// Each row is a unit: nothing but its value is bounded.
function aggregatesOfRows({ input }: Boundary, values: readonly ClampedValue[]): BiasAggregates {
  const aggregates = values.flatMap((value, index) =>
    parts.map((part): readonly [BiasName, BoundaryAggregate] => [
      `value-${part}-${index}`,
      { kind: "rows", where: placesOf(value)[part], label: labelOf(value, part) },
    ]),
  )
  return { input, aggregates: new Map(aggregates), values, isCut: { groups: false, rows: false } }
}

interface UnitsInput {
  readonly boundary: Boundary
  readonly unit: ColumnId
  readonly bounds: Release["bounds"]
  readonly values: readonly ClampedValue[]
  readonly isCut: BiasAggregates["isCut"]
  readonly ids: ColumnIds
  readonly unitName: string
}

function aggregatesOfUnits(given: UnitsInput): BiasAggregates {
  const { bounds, values, isCut, unitName } = given
  const { rel: input, columns } = rowsOfUnits(given)
  const k = bounds.groupsPerUnit
  const most = k * bounds.rowsPerGroup
  const groups = columns.groups
  const sum = (value: Expr, upper: bigint, label: string): BoundaryAggregate => ({
    kind: "sum",
    manner: "total",
    value,
    grid: rational(1n),
    lower: 0n,
    upper,
    where: undefined,
    label,
  })
  const more = callExpr("greater", [groups, integerLiteral(k)])
  const aggregates: (readonly [BiasName, BoundaryAggregate])[] = []
  if (isCut.groups) {
    const over: BoundaryAggregate = {
      kind: "persons",
      where: more,
      label: `bias: units (${unitName}) in more than ${k} ${k === 1n ? "group" : "groups"}`,
    }
    const beyond = callExpr("subtract", [groups, integerLiteral(k)])
    aggregates.push(
      ["over", over],
      ["groups-kept", sum(groups, k, "bias: groups that count")],
      ["groups-out", sum(beyond, k, "bias: groups that are left out")],
    )
  }
  if (isCut.rows) {
    aggregates.push(
      ["rows-kept", sum(columns.kept, most, "bias: rows that count")],
      ["rows-out", sum(columns.out, most, "bias: rows that are left out")],
    )
  }
  for (const [index, value] of values.entries()) {
    for (const part of parts) {
      const column = columns.values[index]?.[part]
      if (column !== undefined) {
        aggregates.push([`value-${part}-${index}`, sum(column, most, labelOf(value, part))])
      }
    }
  }
  return { input, aggregates: new Map(aggregates), values, isCut }
}

function labelOf({ label, low, high }: ClampedValue, part: "all" | "low" | "high"): string {
  if (part === "all") return `bias: values of ${label}`
  return part === "low"
    ? `bias: values of ${label} at ${showParameter(low)} or below`
    : `bias: values of ${label} at ${showParameter(high)} or above`
}

interface UnitColumns {
  readonly groups: Expr
  readonly kept: Expr
  readonly out: Expr
  readonly values: readonly Readonly<Record<"all" | "low" | "high", Expr>>[]
}

// One row for each unit: in how many groups it is, and in those the rows that count and the rows that do not.
function rowsOfUnits({ boundary, unit, bounds, values, ids }: UnitsInput): {
  readonly rel: Rel
  readonly columns: UnitColumns
} {
  const { input, keys } = boundary
  const r = bounds.rowsPerGroup
  const one = integerLiteral(1n)
  const counts = values.flatMap((value) => {
    const places = placesOf(value)
    return parts.map((part) => ({
      name: part,
      function: "count" as const,
      argument: onlyWhere(places[part], one),
    }))
  })
  const all = { name: "rows", function: "rows", argument: undefined } as const
  const pairs = aggregateRel(input, [...new Set([unit, ...keys])], [all, ...counts], ids)
  const added = pairs.columns.slice(-1 - counts.length).map(columnExpr)
  const [rows = one, ...counted] = added
  const upTo = (value: Expr): Expr => stepsExpr(value, rational(1n), { lower: 0n, upper: r })
  const amounts = [rows, callExpr("subtract", [rows, integerLiteral(r)]), ...counted].map(upTo)
  const bounded = projectRel(
    pairs,
    [columnExpr(columnIn(pairs, unit)), ...amounts].map((value) => ({ name: "amount", value })),
    ids,
  )
  const sums = bounded.columns
    .slice(1)
    .map((column) => ({ name: "amount", function: "sum" as const, argument: columnExpr(column) }))
  const rel = aggregateRel(bounded, [unit], [{ ...all, name: "groups" }, ...sums], ids)
  const [groups = one, kept = one, out = one, ...rest] = rel.columns.slice(1).map(columnExpr)
  const of = (index: number, part: number): Expr => rest[index * parts.length + part] ?? one
  return {
    rel,
    columns: {
      groups,
      kept,
      out,
      values: values.map((_, index) => ({ all: of(index, 0), low: of(index, 1), high: of(index, 2) })),
    },
  }
}
