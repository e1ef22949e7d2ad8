// How many pairs of one unit's rows a join looks at, and how many rows it gives.

import { unreachable } from "@dosimeter/core/errors"
import { constantKey } from "../catalog/constant.ts"
import type { ColumnId, Expr } from "../algebra/expr.ts"
import type { Join, Mark, Rel, Values } from "../algebra/rel.ts"
import { columnsIn, conjunctsOf } from "../algebra/walk.ts"
import { closureOf, dependenciesOf } from "../units/dependencies.ts"
import { timesMax, type RowBound } from "./work-limits.ts"

/** Both sides of a join. */
interface Sides {
  readonly left: RowBound
  readonly right: RowBound
}

/**
 * For choosing the tighter of two valid bounds: this many rows weigh as much as `timesMax` times those
 * stored.
 */
const rowsScale = 1_000_000
const unbounded: RowBound = { times: Infinity, most: Infinity }

/**
 * The pairs and the rows of a join, or of EXISTS.
 *
 * Guarantee: a unit has at most `pairs` pairs of rows for which the condition has to be looked at, and `rows`
 *   rows of the result.
 * Needs: the same of both sides; the relation is unit-local (ownershipOf), and its declared keys hold.
 * Proof: pairs of a unit are of its own rows, or of its rows and public ones. If the condition gives columns
 *   of one side that decide its row (dependenciesOf) a value for each row of the other, a row has one partner
 *   at most, and there are no more pairs than rows of the other side. Constant rows with equal values in such
 *   columns are counted. Else every pair of a unit's rows may match: the product. EXISTS by equalities alone
 *   looks rows up and stops at the first. A side that is kept has its rows besides.
 * Numerics: whole numbers below 2^53, or Infinity.
 * Source: the definition of a join. That databases compare by hash what is equated is how they all work; the
 *   tests of planner/question/bound-work.ts count the rows of DuckDB's joins.
 */
export function pairsOf(
  rel: Join | Mark,
  { left, right }: Sides,
): { readonly pairs: RowBound; readonly rows: RowBound } {
  const conditions = conjunctsOf(rel.condition)
  const ofRight = partners(rel.right, rel.left, conditions, right)
  // A long chain of joins on keys stays quick: what is on its left is not looked at again for each of them.
  const isEnough = ofRight.times === 0 && ofRight.most <= 1 && (rel.kind === "mark" || keepsLeft(rel))
  const ofLeft = isEnough ? left : partners(rel.left, rel.right, conditions, left)
  const candidates = [product(left, ofRight), product(right, ofLeft)]
  const pairs = candidates.reduce(lesser)
  if (rel.kind === "mark") {
    const isLookedUp = conditions.every((part) => isLookUp(part, rel))
    return { pairs: isLookedUp ? lesser(left, pairs) : pairs, rows: left }
  }
  const keptLeft = ofRight.times === 0 ? product(left, atLeastOne(ofRight)) : add(pairs, left)
  const keptRight = ofLeft.times === 0 ? product(right, atLeastOne(ofLeft)) : add(pairs, right)
  switch (rel.type) {
    case "inner":
      return { pairs, rows: pairs }
    case "left":
      return { pairs, rows: lesser(keptLeft, add(pairs, left)) }
    case "right":
      return { pairs, rows: lesser(keptRight, add(pairs, right)) }
    case "full":
      return { pairs, rows: add(lesser(keptLeft, add(pairs, left)), right) }
    default:
      return unreachable(rel.type)
  }
}

function keepsLeft({ type }: Join): boolean {
  return type === "inner" || type === "left"
}

/** How many rows of one side a row of the other may match. */
function partners(side: Rel, other: Rel, conditions: readonly Expr[], all: RowBound): RowBound {
  const given = givenColumns(side, other, conditions)
  const dependencies = dependenciesOf(side)
  if (closureOf(dependencies, given).has(dependencies.row)) return { times: 0, most: 1 }
  const constants = valuesBelow(side)
  return constants === undefined ? all : { times: 0, most: mostAlike(constants, given) }
}

/** Columns of a side that have one value, or none that matches, for each row of the other. */
function givenColumns(side: Rel, other: Rel, conditions: readonly Expr[]): readonly ColumnId[] {
  const [own, others] = [side, other].map(({ columns }) => new Set(columns.map(({ id }) => id)))
  return conditions.flatMap((part) => {
    if (part.kind !== "call" || part.name !== "equal") return []
    const [a, b] = part.args
    if (a === undefined || b === undefined) return []
    return [
      [a, b],
      [b, a],
    ].flatMap(([column, value]) => {
      if (column?.kind !== "column" || value === undefined || own?.has(column.id) !== true) return []
      const isOfOther = [...columnsIn(value)].every((id) => others?.has(id) === true)
      return isOfOther && isSameType(column, value) ? [column.id] : []
    })
  })
}

// Floats are compared with a tolerance of their own, and other types by way of a third.
function isSameType(a: Expr, b: Expr): boolean {
  const { kind } = a.domain.type
  return kind === b.domain.type.kind && kind !== "float" && kind !== "null"
}

/** The constant rows that a relation has some of. */
function valuesBelow(rel: Rel): Values | undefined {
  if (rel.kind === "filter") return valuesBelow(rel.input)
  return rel.kind === "values" ? rel : undefined
}

/** The most rows that agree in some columns. */
function mostAlike({ rows, columns }: Values, given: readonly ColumnId[]): number {
  const places = columns.flatMap(({ id }, index) => (given.includes(id) ? [index] : []))
  const counts = new Map<string, number>()
  for (const row of rows) {
    const key = JSON.stringify(
      places.map((place) => {
        const value = row[place]
        return value === undefined ? "" : constantKey(value)
      }),
    )
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Math.max(0, ...counts.values())
}

// A row is found by the hash of what is equated; a condition on one side alone is looked at once for a row.
function isLookUp(part: Expr, { left, right }: Mark): boolean {
  const isOf = (expr: Expr, side: Rel): boolean => {
    const ids = new Set(side.columns.map(({ id }) => id))
    return [...columnsIn(expr)].every((id) => ids.has(id))
  }
  if (isOf(part, left) || isOf(part, right)) return true
  if (part.kind !== "call" || part.name !== "equal") return false
  const [a, b] = part.args
  if (a === undefined || b === undefined) return false
  return (isOf(a, left) && isOf(b, right)) || (isOf(b, left) && isOf(a, right))
}

function atLeastOne({ times, most }: RowBound): RowBound {
  return { times, most: Math.max(1, most) }
}

function product(a: RowBound, b: RowBound): RowBound {
  if (a.times > 0 && b.times > 0) return unbounded
  return { times: a.times * b.most + a.most * b.times, most: a.most * b.most }
}

function add(a: RowBound, b: RowBound): RowBound {
  return { times: a.times + b.times, most: a.most + b.most }
}

/** The bound that leaves more room below the limits. */
function lesser(a: RowBound, b: RowBound): RowBound {
  const size = ({ times, most }: RowBound): number => Math.max(times / timesMax, most / rowsScale)
  return size(a) <= size(b) ? a : b
}
