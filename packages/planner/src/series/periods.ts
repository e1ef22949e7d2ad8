// What a series is about: the one table of a question, and the periods that it is grouped by.

import type { Bound } from "@dosimeter/language/bind/bind"
import { boundWork } from "../question/bound-work.ts"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import { nextDay, showDay } from "@dosimeter/proof/catalog/civil-date"
import { microsPerDay, type Constant } from "@dosimeter/proof/catalog/constant"
import { literalDomain } from "@dosimeter/proof/catalog/literal-domain"
import { valuesOf } from "@dosimeter/proof/catalog/values-of"
import { fail } from "../errors.ts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr, columnExpr, columnIn, filterRel } from "@dosimeter/proof/algebra/make"
import type { Boundary, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import { inputsOf } from "@dosimeter/proof/algebra/walk"

/** Periods: as constants of the key, as days, and the day after the last one. */
export interface Periods {
  readonly constants: readonly Constant[]
  /** The first day of each, then the day on which the last is over. */
  readonly days: readonly bigint[]
}

/** The boundary of a statement that shows one table, grouped by one key, and does nothing else with it. */
export function onlyBoundary(rel: Rel): { readonly boundary: Boundary; readonly key: ColumnId } {
  const at = belowPlain(rel)
  if (at.kind !== "boundary") return refuseShape(rel)
  const [key, ...others] = at.keys
  if (key === undefined || others.length > 0 || at.aggregates.length !== 1) return refuseShape(rel)
  if (!grows(at.input)) return fail("series/rows-may-vanish", {}, rel.at)
  return { boundary: at, key }
}

// What only names columns and puts rows into an order is looked through.
function belowPlain(rel: Rel): Rel {
  if (rel.kind === "project" && rel.items.every(({ kind }) => kind === "column")) return belowPlain(rel.input)
  const isOrder = rel.kind === "sort" && rel.limit === undefined && rel.offset === undefined
  return isOrder ? belowPlain(rel.input) : rel
}

// Rows that are added to the tables add rows here, and take none away.
function grows(rel: Rel): boolean {
  if (rel.kind === "join" && rel.type !== "inner") return false
  const isPlain = ["scan", "values", "filter", "project", "join", "union"].includes(rel.kind)
  return isPlain && inputsOf(rel).every(grows)
}

/** Refuses consent in a series: withdrawing removes rows that earlier periods were counted with. */
export function refuseConsent({ consent }: Catalog): void {
  if (consent !== undefined) fail("series/rows-may-vanish", {})
}

/** Refuses a question that is no series. */
export function refuseShape(rel: Rel): never {
  return fail("series/not-a-series", {}, rel.at)
}

/** Refuses joins that are cut: which of a unit's rows enter them would change with later rows. */
export function refuseCut(bound: Bound, catalog: Catalog): void {
  if (boundWork(bound, catalog) !== bound) fail("series/rows-may-vanish", {}, bound.rel.at)
}

/** The periods from a day on. */
export function periodsOf(
  column: RelColumn,
  { from, periods }: { readonly from: bigint; readonly periods: number },
): Periods {
  const { calendar = "day", type } = column.domain
  if ((type.kind !== "date" && type.kind !== "timestamp") || calendar === "hour") {
    return fail("series/not-a-series", {})
  }
  const listed = (valuesOf(column.domain, listedMax) ?? []).filter((value) => dayOf(value) >= from)
  const constants = listed.slice(0, periods)
  const last = constants.at(-1)
  if (constants.length < periods || last === undefined) {
    return fail("series/beyond-range", {
      wanted: `${periods}`,
      found: `${listed.length}`,
      from: showDay(from),
    })
  }
  return { constants, days: [...constants.map(dayOf), nextDay(dayOf(last), calendar)] }
}

/** Longer series are refused with the range of their column. */
const listedMax = 10_000

/** The rows whose key lies in the periods; those without a key do not. */
export function between(rel: Rel, key: ColumnId, periods: readonly Constant[]): Rel {
  const column = columnIn(rel, key)
  const { type } = column.domain
  const literal = (value: Constant | undefined): Expr => {
    const constant = value ?? ({ kind: "null" } as const)
    return { kind: "literal", value: constant, domain: literalDomain(constant, type) }
  }
  const from = callExpr("greater-or-equal", [columnExpr(column), literal(periods[0])])
  const through = callExpr("less-or-equal", [columnExpr(column), literal(periods.at(-1))])
  return filterRel(rel, callExpr("and", [from, through]))
}

function dayOf(value: Constant): bigint {
  if (value.kind === "date") return value.day
  return value.kind === "timestamp" ? value.micros / microsPerDay : 0n
}
