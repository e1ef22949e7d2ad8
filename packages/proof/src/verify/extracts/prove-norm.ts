// What a unit adds to all groups of an extract, where it is weighed: rows of one unit have one weight, by the
// norm of all that they hold.

import { reject } from "../../units/reject.ts"
import { ownershipOf } from "../../units/track-unit.ts"
import type { ColumnId, Expr } from "../../algebra/expr.ts"
import type { Norm } from "@dosimeter/core/mechanisms"
import type { Aggregate, AggregateItem, Rel, WindowItem } from "../../algebra/rel.ts"
import { rowsMax } from "../../algebra/item-domain.ts"
import { isCall } from "../../algebra/walk.ts"
import { clampOf } from "./clamp-of.ts"
import { definitionOf } from "./definition-of.ts"
import { windowOf } from "./window-of.ts"

/** Summands below this add up to less than 128 bits hold, in as many rows as a table may have. */
const totalMax = (1n << 126n) / rowsMax

/** A column of an extract that adds up weight times value. */
export interface WeighedColumn {
  readonly weight: ColumnId
  readonly value: ColumnId
  readonly norm: Norm
  /** Of the norm of what a unit adds to all columns of this weight, each of another value. */
  readonly bound: bigint
  /** Whether values may be below 0. */
  readonly isSigned: boolean
}

/**
 * The weighed columns of an extract; others are left out. `oneRow`: a unit has one row in each group at most.
 *
 * Guarantee: for columns of the same weight and of different values, the vector of all that one unit adds to
 *   all groups has a norm of at most `bound`.
 * Needs: columns and domains were checked (checkColumns, checkDomains); rows below the window are unit-local.
 *   For an L2 norm: a unit has one row in each group (rejected here where `oneRow` says otherwise).
 * Proof: the total is a sum over all rows of the unit, of sizes or squares of the very columns that are added
 *   up, and weight times the root of the total is at most full times bound, checked by the database row by
 *   row: prove-norm.proof.md.
 * Numerics: integers.
 * Source: this file; Wilson and others 2020 for bounding before noise; the norm as in Qrlew 2023.
 */
export function proveNorm(rel: Aggregate, oneRow: boolean): ReadonlyMap<ColumnId, WeighedColumn> {
  const found = rel.items.flatMap((item, index): readonly (readonly [ColumnId, WeighedColumn])[] => {
    const id = rel.columns[rel.keys.length + index]?.id
    const product = productOf(item)
    if (id === undefined || product === undefined) return []
    return [[id, ofProduct(rel, product, oneRow)]]
  })
  return new Map(found)
}

interface Product {
  readonly weight: ColumnId
  readonly value: ColumnId
}

// SUM(steps(weight * value)), the steps being whole.
function productOf({ function: name, argument }: AggregateItem): Product | undefined {
  if (name !== "sum" || argument?.kind !== "steps") return undefined
  const { operand, grid, lower, upper } = argument
  if (grid.numerator !== grid.denominator || !isCall(operand, "multiply")) return undefined
  const [weight, value] = operand.args
  if (weight?.kind !== "column" || value?.kind !== "column") return undefined
  if (lower > 0n || upper < 0n) return reject("a clamp that moves products away from 0")
  return { weight: weight.id, value: value.id }
}

function ofProduct(rel: Aggregate, { weight, value }: Product, oneRow: boolean): WeighedColumn {
  const definition = definitionOf(rel.input, weight)
  if (definition.kind !== "weight") return reject("a product of something else than a weight")
  const { norm, total, bound, full } = definition
  if (bound <= 0n || full <= 0n) return reject("a weight without a bound")
  if (total.kind !== "column") return reject("a weight by something else than a total")
  const { below, item } = windowOf(rel.input, total.id)
  checkWholeUnit(below, item)
  const terms = termsOf(item, norm)
  if (!terms.has(value)) return reject("a value that the weight does not know")
  if (norm === "l2" && !oneRow) return reject("a unit may have several rows in a group")
  const amounts = [...terms].map((term) => neverNull(below, term))
  const isSigned = amounts.some(({ lower }) => lower < 0n)
  const sizes = amounts.map(({ lower, upper }) => (upper > -lower ? upper : -lower))
  const most = sizes.map((size) => (norm === "l2" ? size * size : size)).reduce((a, b) => a + b, 0n)
  if (most >= totalMax) return reject("a total that its type may not hold")
  return { weight, value, norm, bound: full * bound, isSigned }
}

function checkWholeUnit(below: Rel, { partitionBy, orderBy, frame }: WindowItem): void {
  const owner = ownershipOf(below)
  const units = owner.kind === "private" ? owner.units : new Set<ColumnId>()
  const isUnit = partitionBy.every((expr) => expr.kind === "column" && units.has(expr.id))
  if (partitionBy.length === 0 || !isUnit) reject("a total of others than the unit's rows")
  if (orderBy.length > 0 || frame !== undefined) reject("a total of some of a unit's rows")
}

// Squares of columns, or their sizes, added up.
function termsOf({ function: name, args }: WindowItem, norm: Norm): ReadonlySet<ColumnId> {
  const [argument, ...others] = args
  if (name !== "sum" || argument === undefined || others.length > 0) return reject("a total that is no sum")
  const terms = summandsOf(argument).map((term) => (norm === "l2" ? squared(term) : sized(term)))
  if (new Set(terms).size !== terms.length) return reject("a value is in a total twice")
  return new Set(terms)
}

function summandsOf(expr: Expr): readonly Expr[] {
  return isCall(expr, "add") ? expr.args.flatMap(summandsOf) : [expr]
}

function squared(term: Expr): ColumnId {
  const [a, b] = isCall(term, "multiply") ? term.args : []
  if (a?.kind !== "column" || b?.kind !== "column" || a.id !== b.id) return reject("a total of other squares")
  return a.id
}

function sized(term: Expr): ColumnId {
  const [a] = isCall(term, "abs") ? term.args : []
  return a?.kind === "column" ? a.id : reject("a total of other sizes")
}

// COALESCE(steps, 0) as it is printed is never NULL, so no row of the total is NULL for one of its terms.
function neverNull(below: Rel, id: ColumnId): { readonly lower: bigint; readonly upper: bigint } {
  const definition = definitionOf(below, id)
  const last = isCall(definition, "coalesce") ? definition.args.at(-1) : undefined
  const isZero = last?.kind === "literal" && last.value.kind === "number" && last.value.value.numerator === 0n
  return isZero ? clampOf(definition) : reject("a weighed value that may be NULL")
}
