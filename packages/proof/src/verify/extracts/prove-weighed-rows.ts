// What a unit adds to a histogram whose rows are weighed: by how many rows the unit has in the group, and by
// how much of them there is in all its groups.

import { reject } from "../../units/reject.ts"
import type { StoredBounds } from "../../units/stored-places.ts"
import { ownershipOf } from "../../units/track-unit.ts"
import type { ColumnId, Expr, StepsExpr } from "../../algebra/expr.ts"
import type { Aggregate, Rel } from "../../algebra/rel.ts"
import { isCall } from "../../algebra/walk.ts"
import { definitionOf } from "./definition-of.ts"
import { proveNorm } from "./prove-norm.ts"
import { windowOf } from "./window-of.ts"

/** How much of a unit counts in a histogram of weights. */
export interface WeighedRows {
  /** What a row of full weight counts. */
  readonly full: bigint
  /** The rows of full weight that a unit counts for in one group. */
  readonly rowsPerGroup: bigint
  /** How many times that it counts for in all groups, where one weight of the unit bounds it. */
  readonly groupsPerUnit: bigint | undefined
}

/** What rows are grouped by, and the stored numbers of a unit's rows in a group. */
interface GroupedRows {
  readonly keys: readonly ColumnId[]
  readonly rowTotals: StoredBounds["rowTotals"]
}

/**
 * The bounds of an extract whose only column adds up weights of rows; undefined for any other.
 *
 * Guarantee: a unit adds whole numbers from 0 on to the cells of a group, full x rowsPerGroup in all at most;
 *   and, where groupsPerUnit is given, groupsPerUnit times that to all groups together.
 * Needs: columns and domains were checked (checkColumns, checkDomains); rows are unit-local; `keys` are the
 *   keys of the groups, and the aggregate's own keys but for the cell; `rowTotals` are those of its rows
 *   (storedBounds).
 * Proof: n rows of a unit in a group, counted by a window or when a copy was made, have a weight w with
 *   n w <= full rowsPerGroup, checked by the database; the weight of the unit is one by an L1 norm:
 *   prove-weighed-rows.proof.md.
 * Numerics: integers.
 * Source: this file.
 */
export function proveWeighedRows(
  rel: Aggregate,
  keys: readonly ColumnId[],
  { rowTotals }: Pick<StoredBounds, "rowTotals">,
): WeighedRows | undefined {
  const grouped = { keys, rowTotals }
  const [item, ...others] = rel.items
  if (item?.function !== "sum" || item.argument?.kind !== "steps" || others.length > 0) return undefined
  const { operand } = item.argument
  if (operand.kind === "column") {
    const weight = rowWeight(rel.input, checkCut(item.argument), grouped)
    return { full: weight.full, rowsPerGroup: weight.bound, groupsPerUnit: undefined }
  }
  const [unitWeight, value] = isCall(operand, "multiply") ? operand.args : []
  if (unitWeight?.kind !== "column" || value?.kind !== "column") return undefined
  const id = rel.columns[rel.keys.length]?.id ?? -1
  const weighed = proveNorm(rel, false).get(id) ?? reject("rows are weighed by something else")
  const whole = definitionOf(rel.input, unitWeight.id)
  if (weighed.norm !== "l1" || whole.kind !== "weight") return reject("rows are weighed by another norm")
  const { bound, full } = rowWeight(rel.input, checkCut(cutOf(rel.input, value.id)), grouped)
  const perGroup = whole.full * full * bound
  const groupsPerUnit = (weighed.bound + perGroup - 1n) / perGroup
  return { full: whole.full * full, rowsPerGroup: bound, groupsPerUnit }
}

// COALESCE(steps(column), 0): the weight of a row, cut, and 0 where there is none.
function cutOf(rel: Rel, id: ColumnId): StepsExpr {
  const definition = definitionOf(rel, id)
  const [steps, zero, ...others] = isCall(definition, "coalesce") ? definition.args : []
  const isZero = zero?.kind === "literal" && zero.value.kind === "number" && zero.value.value.numerator === 0n
  if (steps?.kind !== "steps" || !isZero || others.length > 0) return reject("a weight of rows without a cut")
  return steps
}

// Cutting a weight to whole numbers from 0 to something makes it no larger.
function checkCut({ operand, grid, lower, upper }: StepsExpr): Expr {
  if (grid.numerator !== grid.denominator) return reject("weights of rows in other steps")
  if (lower !== 0n || upper < 0n) return reject("a weight of rows that is cut upward")
  return operand
}

interface RowWeight {
  readonly bound: bigint
  readonly full: bigint
}

// The weight of a row by the number of rows that its unit has in its group, or in more than that.
function rowWeight(rel: Rel, operand: Expr, { keys, rowTotals }: GroupedRows): RowWeight {
  const definition =
    operand.kind === "column" ? definitionOf(rel, operand.id) : reject("rows are weighed by something else")
  if (definition.kind !== "weight" || definition.norm !== "l1")
    return reject("rows without a weight of theirs")
  const { total, bound, full } = definition
  if (bound <= 0n || full <= 0n) return reject("a weight without a bound")
  if (total.kind !== "column") return reject("a weight by something else than a number of rows")
  if (!rowTotals.has(total.id)) checkRowsInGroup(rel, total.id, keys)
  return { bound, full }
}

// The column counts all rows of the unit with these keys, or with some of them.
function checkRowsInGroup(rel: Rel, id: ColumnId, keys: readonly ColumnId[]): void {
  const { below, item } = windowOf(rel, id)
  const owner = ownershipOf(below)
  const units = owner.kind === "private" ? owner.units : new Set<ColumnId>()
  const parts = item.partitionBy.map((expr) => (expr.kind === "column" ? expr.id : reject("rows by a value")))
  const isInGroup = parts.some((part) => units.has(part))
  if (!isInGroup || !parts.every((part) => units.has(part) || keys.includes(part)))
    reject("rows are not counted by unit and group")
  if (item.function !== "rows" || item.args.length > 0) reject("a weight by something else than rows")
  if (item.orderBy.length > 0 || item.frame !== undefined) reject("a weight by some of a unit's rows")
}
