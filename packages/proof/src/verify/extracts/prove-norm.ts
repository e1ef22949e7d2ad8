// What a unit adds to all groups of an extract, where it is weighed: rows of one unit have one weight, by the
// norm of all that they hold.

import { reject } from "../../units/reject.ts"
import type { ColumnId, Expr } from "../../algebra/expr.ts"
import type { Norm } from "@dosimeter/core/mechanisms"
import type { Aggregate, AggregateItem, WindowItem } from "../../algebra/rel.ts"
import { rowsMax } from "../../algebra/item-domain.ts"
import { isCall } from "../../algebra/walk.ts"
import { definitionOf } from "./definition-of.ts"
import { checkWholeUnit, neverNull, squaresOf, summandsOf, type SquaredTerm } from "./prove-squares.ts"
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
  /** Of an L2 norm: the sums by some keys whose squares it counts, and how often. */
  readonly squares: readonly SquaredGroups[]
}

/** Sums of a unit's amounts by some of the extract's keys. */
export interface SquaredGroups {
  readonly keys: ReadonlySet<ColumnId>
  readonly times: bigint
}

/**
 * The weighed columns of an extract; others are left out. `oneRow`: a unit has one row in each group at most.
 *
 * Guarantee: for columns of the same weight and of different values, the vector of all that one unit adds to
 *   all groups has a norm of at most `bound`. For an L2 norm, moreover: take the sizes of what it adds, sum
 *   them up by the keys of each of a column's `squares`, and add up times x the squares of all these sums:
 *   over all columns that is at most the square of `bound`.
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
  if (norm === "l2") {
    if (!oneRow) return reject("a unit may have several rows in a group")
    const terms = squaresOf(below, argumentOf(item), { keys: rel.keys, reach: full * bound })
    const squares = groupsOf(rel, terms, value)
    checkRoom(terms.map(({ most }) => most))
    const isSigned = terms.some((term) => neverNull(below, term.value).lower < 0n)
    return { weight, value, norm, bound: full * bound, isSigned, squares }
  }
  const terms = sizesOf(argumentOf(item))
  if (!terms.has(value)) return reject("a value that the weight does not know")
  const amounts = [...terms].map((term) => neverNull(below, term))
  checkRoom(amounts.map(({ lower: least, upper: most }) => (most > -least ? most : -least)))
  const isSigned = amounts.some(({ lower: least }) => least < 0n)
  return { weight, value, norm, bound: full * bound, isSigned, squares: [] }
}

// What a row adds to the total at most, in parts.
function checkRoom(parts: readonly bigint[]): void {
  if (parts.reduce((a, b) => a + b, 0n) >= totalMax) reject("a total that its type may not hold")
}

// The squares of one value: those of its rows are among them, or the norm would not be one.
function groupsOf(
  { keys }: Aggregate,
  terms: readonly SquaredTerm[],
  value: ColumnId,
): readonly SquaredGroups[] {
  const own = terms.filter((term) => term.value === value)
  if (!own.some(({ by }) => by === undefined)) return reject("a value that the weight does not know")
  return own.map(({ by, times }) => ({ keys: by ?? new Set(keys), times }))
}

function argumentOf({ function: name, args }: WindowItem): Expr {
  const [argument, ...others] = args
  if (name !== "sum" || argument === undefined || others.length > 0) return reject("a total that is no sum")
  return argument
}

// Sizes of columns, added up.
function sizesOf(argument: Expr): ReadonlySet<ColumnId> {
  const terms = summandsOf(argument).map(sized)
  if (new Set(terms).size !== terms.length) return reject("a value is in a total twice")
  return new Set(terms)
}

function sized(term: Expr): ColumnId {
  const [a] = isCall(term, "abs") ? term.args : []
  return a?.kind === "column" ? a.id : reject("a total of other sizes")
}
