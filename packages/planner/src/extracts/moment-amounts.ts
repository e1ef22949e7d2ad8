// Coordinates of moments in each row of a unit and group: of at most so many values of a unit, each as much
// as any other, so that a vector of a unit can be scaled and its average stays one.

import { assert } from "@dosimeter/core/errors"
import { compare, rational } from "@dosimeter/core/exact"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { rowsMax } from "@dosimeter/proof/algebra/item-domain"
import {
  columnExpr,
  columnIn,
  projectRel,
  shareExpr,
  stepsExpr,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import {
  boundedRows,
  boundedSum,
  momentClamps,
  momentCoordinate,
  type MomentRange,
} from "@dosimeter/proof/algebra/moment-exprs"
import type { TotalAggregate } from "./partial-of.ts"
import type { ScaledAmount, UnitTotals } from "./unit-amounts.ts"

/** The totals that amounts are made of, each once. */
export function totalsBehind(amounts: readonly ScaledAmount[]): readonly TotalAggregate[] {
  const all = amounts.flatMap(({ aggregate, moments }) =>
    moments === undefined ? [aggregate] : [moments.of.rows, moments.of.sum],
  )
  return [...new Set(all)]
}

/** Rows with the totals behind amounts, as rows with the amounts themselves, in steps of their own. */
export function amountTotals(rows: UnitTotals, amounts: readonly ScaledAmount[], ids: ColumnIds): UnitTotals {
  const behind = totalsBehind(amounts)
  const families = [...new Set(amounts.flatMap(({ moments }) => (moments === undefined ? [] : [moments.of])))]
  const totalOf = (aggregate: TotalAggregate, of: readonly Expr[]): Expr => at(of, behind.indexOf(aggregate))
  if (families.length === 0) {
    return { ...rows, totals: amounts.map(({ aggregate }) => totalOf(aggregate, rows.totals)) }
  }
  const totals = rows.totals.map((total, index) => {
    const own = families.find(({ sum }) => sum === behind[index])
    return own === undefined ? total : ofTable(total, own.range)
  })
  const named = widened(rows, totals, ids)
  const shared = widened(
    { ...rows, rel: named.rel },
    [
      ...named.added,
      ...families.map(({ rows: number, sum, most }) =>
        shareExpr(totalOf(sum, named.added), totalOf(number, named.added), most),
      ),
    ],
    ids,
  )
  const [plain, shares] = [shared.added.slice(0, behind.length), shared.added.slice(behind.length)]
  const bounded = widened(
    { ...rows, rel: shared.rel },
    [
      ...plain,
      ...families.map(({ rows: number, most }) => boundedRows(totalOf(number, plain), most)),
      ...families.map(({ most, range }, index) => boundedSum(at(shares, index), most, range)),
    ],
    ids,
  )
  const parts = bounded.added.slice(behind.length)
  // In columns of their own: a cut looks at each more than once.
  const valued = widened(
    { ...rows, rel: bounded.rel },
    amounts.map(({ aggregate, moments }) => {
      if (moments === undefined) return totalOf(aggregate, bounded.added)
      const place = families.indexOf(moments.of)
      const own = { rows: at(parts, place), sum: at(parts, families.length + place) }
      return momentCoordinate(own, moments.of.basis, moments.of.range, moments.place)
    }),
    ids,
  )
  return { ...rows, rel: valued.rel, totals: valued.added }
}

// A sum of as many values as a table may have rows. Sums of stored totals are thought to be of more, and
// shares of such sums would pass 38 digits.
function ofTable(total: Expr, range: MomentRange): Expr {
  const { lower, upper } = momentClamps(rowsMax, range).sum
  const known = total.domain.range
  const isWithin =
    known !== undefined &&
    compare(known.min.value, rational(lower)) >= 0 &&
    compare(known.max.value, rational(upper)) <= 0
  return isWithin ? total : stepsExpr(total, rational(1n), { lower, upper })
}

// Rows of unit, keys and some expressions, which are columns from here on.
function widened(
  { rel, unit, keys }: Pick<UnitTotals, "rel" | "unit" | "keys">,
  exprs: readonly Expr[],
  ids: ColumnIds,
): { readonly rel: UnitTotals["rel"]; readonly added: readonly Expr[] } {
  const carried = [unit, ...keys].map((id) => {
    const column = columnIn(rel, id)
    return { name: column.name, value: columnExpr(column) }
  })
  // A column that is there keeps its number, and so is carried once: units and rows are one stored total.
  const once = exprs.filter(
    (expr, place) => expr.kind !== "column" || exprs.findIndex((one) => isColumn(one, expr.id)) === place,
  )
  const wider = projectRel(rel, [...carried, ...once.map((value) => ({ name: "part", value }))], ids)
  const added = wider.columns.slice(carried.length).map(columnExpr)
  return {
    rel: wider,
    added: exprs.map((expr) =>
      at(added, expr.kind === "column" ? added.findIndex(({ id }) => id === expr.id) : once.indexOf(expr)),
    ),
  }
}

function isColumn(expr: Expr, id: ColumnId): boolean {
  return expr.kind === "column" && expr.id === id
}

function at(exprs: readonly Expr[], index: number): Expr {
  const found = exprs[index]
  assert(found !== undefined, "an amount has its columns")
  return found
}
