// The summand of a unit's total where it counts squares: of what the unit has in a group, and of its sums
// over several groups.

import { reject } from "../../units/reject.ts"
import { ownershipOf } from "../../units/track-unit.ts"
import { isExactType } from "../../catalog/sql-type.ts"
import type { ColumnId, Expr } from "../../algebra/expr.ts"
import { rowsMax } from "../../algebra/item-domain.ts"
import { columnIn } from "../../algebra/make.ts"
import type { Rel, WindowItem } from "../../algebra/rel.ts"
import { isCall } from "../../algebra/walk.ts"
import { clampOf, type Clamp } from "./clamp-of.ts"
import { definitionOf } from "./definition-of.ts"
import { windowOf } from "./window-of.ts"

/** Squares of a value that a total counts. */
export interface SquaredTerm {
  readonly value: ColumnId
  readonly times: bigint
  /** The keys that amounts are summed up by first; undefined for the square of each row by itself. */
  readonly by: ReadonlySet<ColumnId> | undefined
  /** What one row adds at most. */
  readonly most: bigint
}

/**
 * The terms of a summand. `keys` are those of the extract; `reach` is the most that weight x root of the
 * total may be.
 *
 * Guarantee: let T be the sum of the summand over all rows of a unit, and w a whole number from 0 on with w^2
 *   T <= reach^2. Then w^2 times the sum over terms of times x the squares of the unit's sums of sizes by
 *   `by` (of each row by itself where there is none) is at most reach^2. No summand is NULL.
 * Needs: rows below the window are unit-local, and unit and keys decide the row.
 * Proof: rows of one sum add its square, or so much that w is 0: prove-squares.proof.md.
 * Numerics: integers.
 * Source: this file.
 */
export function squaresOf(
  below: Rel,
  summand: Expr,
  { keys, reach }: { readonly keys: readonly ColumnId[]; readonly reach: bigint },
): readonly SquaredTerm[] {
  const terms = summandsOf(summand).map((term) => {
    const [first, second] = isCall(term, "multiply") ? term.args : []
    const times = first === undefined ? undefined : wholeOf(first)
    const product = times === undefined ? term : second
    if (times !== undefined && times <= 0n) return reject("squares that count for nothing")
    const [a, b] = product !== undefined && isCall(product, "multiply") ? product.args : []
    if (a === undefined || b?.kind !== "column") return reject("a total of other squares")
    return a.kind === "column" && a.id === b.id
      ? ofRows(below, a.id, times ?? 1n)
      : ofSums(below, { size: a, sum: b.id, times: times ?? 1n }, { keys, reach })
  })
  const names = terms.map(
    ({ value, by }) => `${value} ${by === undefined ? "row" : [...by].toSorted((x, y) => x - y).join()}`,
  )
  if (new Set(names).size !== names.length) return reject("a value is in a total twice")
  return terms
}

function ofRows(below: Rel, value: ColumnId, times: bigint): SquaredTerm {
  const size = sizeOf(neverNull(below, value))
  return { value, times, by: undefined, most: times * size * size }
}

interface SumTerm {
  readonly size: Expr
  readonly sum: ColumnId
  readonly times: bigint
}

// |value| x the unit's sum of |value| by some keys, which is cut so high that who passes it has no weight.
function ofSums(
  below: Rel,
  { size, sum, times }: SumTerm,
  { keys, reach }: { readonly keys: readonly ColumnId[]; readonly reach: bigint },
): SquaredTerm {
  const value = sizedColumn(size)
  const definition = definitionOf(below, sum)
  const [steps] = isCall(definition, "coalesce") ? definition.args : []
  const cut = neverNull(below, sum)
  if (steps?.kind !== "steps" || steps.operand.kind !== "column") return reject("a sum that is not cut")
  if (steps.grid.numerator !== steps.grid.denominator || cut.lower !== 0n)
    return reject("a sum in other steps")
  if (times * cut.upper * cut.upper < reach * reach) return reject("a sum that is cut too low")
  const window = windowOf(below, steps.operand.id)
  const by = checkKeys(window.below, window.item, keys)
  const [argument, ...others] = window.item.args
  if (window.item.function !== "sum" || argument === undefined || others.length > 0)
    return reject("a sum of something else")
  if (sizedColumn(argument) !== value) return reject("a sum of other values")
  const most = sizeOf(neverNull(window.below, value))
  if (most * rowsMax >= 1n << 126n) return reject("a sum that its type may not hold")
  return { value, times, by, most: times * most * cut.upper }
}

// The unit's rows, divided by some of the extract's keys and nothing else.
function checkKeys(
  below: Rel,
  { partitionBy, orderBy, frame }: WindowItem,
  keys: readonly ColumnId[],
): ReadonlySet<ColumnId> {
  const units = unitsOf(below)
  const ids = partitionBy.map((expr) => (expr.kind === "column" ? expr.id : reject("a sum by an expression")))
  if (!ids.some((id) => units.has(id))) return reject("a sum of others than the unit's rows")
  if (orderBy.length > 0 || frame !== undefined) return reject("a sum of some of a unit's rows")
  const by = ids.filter((id) => !units.has(id) || keys.includes(id))
  const isKey = by.every((id) => keys.includes(id) && isExactType(columnIn(below, id).domain.type))
  return isKey ? new Set(by) : reject("a sum by something else than keys")
}

/** Checks that a window is over all rows of the unit. */
export function checkWholeUnit(below: Rel, { partitionBy, orderBy, frame }: WindowItem): void {
  const units = unitsOf(below)
  const isUnit = partitionBy.every((expr) => expr.kind === "column" && units.has(expr.id))
  if (partitionBy.length === 0 || !isUnit) reject("a total of others than the unit's rows")
  if (orderBy.length > 0 || frame !== undefined) reject("a total of some of a unit's rows")
}

function unitsOf(rel: Rel): ReadonlySet<ColumnId> {
  const owner = ownershipOf(rel)
  return owner.kind === "private" ? owner.units : new Set<ColumnId>()
}

/** The parts of a sum. */
export function summandsOf(expr: Expr): readonly Expr[] {
  return isCall(expr, "add") ? expr.args.flatMap(summandsOf) : [expr]
}

function sizedColumn(expr: Expr): ColumnId {
  const [column] = isCall(expr, "abs") ? expr.args : []
  return column?.kind === "column" ? column.id : reject("a total of other sizes")
}

function wholeOf(expr: Expr): bigint | undefined {
  if (expr.kind !== "literal") return undefined
  const { value } = expr
  if (value.kind !== "number" || value.value.denominator !== 1n) return reject("squares that count in parts")
  return value.value.numerator
}

function sizeOf({ lower, upper }: Clamp): bigint {
  return upper > -lower ? upper : -lower
}

/** The constants of COALESCE(steps, 0): as it is printed it is never NULL. */
export function neverNull(below: Rel, id: ColumnId): Clamp {
  const definition = definitionOf(below, id)
  const last = isCall(definition, "coalesce") ? definition.args.at(-1) : undefined
  const isZero = last?.kind === "literal" && last.value.kind === "number" && last.value.value.numerator === 0n
  return isZero ? clampOf(definition) : reject("a weighed value that may be NULL")
}
