// Averages that share one count: each is the middle of its range plus the mean distance from it. A sum of
// distances has half of the range to hide, and the count is paid for once, or comes with the keys.

import { columnCount } from "@dosimeter/proof/algebra/boundary-columns"
import type { Accounting } from "@dosimeter/core/accounting"
import { multiply, numberNear, rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import { unitFacts } from "@dosimeter/proof/units/unit-facts"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { literalDomain } from "@dosimeter/proof/catalog/literal-domain"
import { mapInputs, mapParts } from "@dosimeter/proof/algebra/change"
import type { CallExpr, ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr } from "@dosimeter/proof/algebra/make"
import type {
  Boundary,
  Filter,
  BoundaryAggregate,
  Project,
  Rel,
  RowsAggregate,
  Sort,
  SumAggregate,
} from "@dosimeter/proof/algebra/rel"
import { inputsOf, partsOf } from "@dosimeter/proof/algebra/walk"
import { isAdditive, isNumberOfUnits } from "../extracts/build-extract.ts"
import { findTops } from "../keys/find-top.ts"
import { keyLists } from "../keys/key-lists.ts"
import { textOf } from "../aggregates/moment-families.ts"
import { boundariesOf, replaceBoundaries } from "./replace-boundaries.ts"

/**
 * The same statement with centred averages where that has less noise. By itself an average is best read from
 * the vector of its own (plan-moments.ts); m of them over the same rows have m + 1 parts of the loss instead
 * of m, for noise of half the size each: (m + 1) / 2m of the variance where rho or mu squared is added up,
 * and (m + 1)^2 / 2m^2 where epsilons are. With a count that comes with the keys it is one half.
 */
export function centreMeans(rel: Rel, accounting: Accounting): Rel {
  const above = expressionsAbove(rel)
  const tops = findTops(rel)
  const centred = new Map<Boundary, Centred>()
  for (const boundary of boundariesOf(rel)) {
    if (boundary.family !== undefined || tops.has(boundary) || isScaled(boundary)) continue
    const found = meansOf(boundary, above.get(boundary))
    const isFree = countsKeys(boundary)
    const chosen = found.filter((mean) => isWorthIt(mean, found, { isFree, accounting }))
    if (chosen.length > 0) centred.set(boundary, new Centred(boundary, chosen, isFree))
  }
  return centred.size === 0 ? rel : rebuilt(rel, centred)
}

// Where a unit may be in several listed groups, all that it adds is scaled as one vector, averages among it.
function isScaled(boundary: Boundary): boolean {
  if (boundary.keys.length === 0 || keyLists(boundary) === undefined) return false
  return !unitFacts(boundary.input, boundary.keys).oneGroup
}

/** An average: the columns of its sum and of its count. */
interface Mean {
  readonly sum: SumAggregate
  readonly sumColumn: ColumnId
  readonly rows: RowsAggregate
  readonly rowsColumn: ColumnId
}

// The averages of a boundary that are nothing but a quotient of two of its columns wherever they are used.
function meansOf(boundary: Boundary, items: readonly Expr[] | undefined): readonly Mean[] {
  if (items === undefined) return []
  const aggregateAt = placesOf(boundary)
  const quotients = items.flatMap(quotientsIn)
  return [...aggregateAt].flatMap(([sumColumn, sum]): readonly Mean[] => {
    if (sum.kind !== "sum" || !isPlainMean(sum, boundary.aggregates)) return []
    const own = quotients.filter(([top]) => top === sumColumn)
    const bottoms = new Set(own.map(([, bottom]) => bottom))
    const [rowsColumn = -1] = bottoms
    const rows = aggregateAt.get(rowsColumn)
    const uses = items.reduce((count, item) => count + usesOf(item, sumColumn), 0)
    if (bottoms.size !== 1 || rows?.kind !== "rows" || uses !== own.length) return []
    return [{ sum, sumColumn, rows, rowsColumn }]
  })
}

// The vector of a value also gives its squares and its total: then it is better.
function isPlainMean(sum: SumAggregate, aggregates: readonly BoundaryAggregate[]): boolean {
  const isAlone = aggregates.every(
    (one) => one === sum || one.kind !== "sum" || textOf(one.value) !== textOf(sum.value),
  )
  return sum.manner === "mean" && sum.squaredFrom === undefined && isAlone && sum.upper - sum.lower > 1n
}

/** Whether the number of units comes with the keys, because somebody asks for it. */
function countsKeys(boundary: Boundary): boolean {
  const { input, keys, aggregates } = boundary
  if (keys.length === 0 || keyLists(boundary) !== undefined) return false
  const { oneRow } = unitFacts(input, keys)
  return oneRow && aggregates.some((aggregate) => isAdditive(aggregate) && isNumberOfUnits(aggregate, oneRow))
}

function isWorthIt(
  { rows }: Mean,
  all: readonly Mean[],
  { isFree, accounting }: { readonly isFree: boolean; readonly accounting: Accounting },
): boolean {
  if (isFree && rows.where === undefined) return true
  const where = textOf(rows.where)
  const together = all.filter((other) => textOf(other.rows.where) === where).length
  return together >= (accounting === "pure" ? 3 : 2)
}

/** A boundary whose sums of some values are of distances from the middle. */
class Centred {
  readonly boundary: Boundary
  /** What is added to the quotient of such a sum. */
  readonly middles: ReadonlyMap<ColumnId, Expr>

  constructor(boundary: Boundary, means: readonly Mean[], isFree: boolean) {
    const chosen = new Set<BoundaryAggregate>(means.flatMap(({ sum, rows }) => [sum, rows]))
    // A count that somebody asks for is as good to divide by.
    const counted = new Set(
      boundary.aggregates.flatMap((one) =>
        one.kind === "rows" && one.divisorOf === undefined ? [textOf(one.where)] : [],
      ),
    )
    this.boundary = {
      ...boundary,
      aggregates: boundary.aggregates.map((aggregate) => {
        if (!chosen.has(aggregate)) return aggregate
        if (aggregate.kind === "sum") return distances(aggregate)
        if (aggregate.kind !== "rows") return aggregate
        return isFree || counted.has(textOf(aggregate.where)) ? plainCount(aggregate) : aggregate
      }),
    }
    this.middles = new Map(
      means.map(({ sum, sumColumn }) => [sumColumn, literal(middleOf(sum), { kind: "float" })]),
    )
  }
}

/** In half steps where the middle is between two and the range is small; rounded elsewhere. */
function finenessOf({ lower, upper, value }: SumAggregate): bigint {
  const { type } = value.domain
  const mayHalve = type.kind === "integer" || type.kind === "float"
  return (lower + upper) % 2n !== 0n && upper - lower < 1000n && mayHalve ? 2n : 1n
}

function middleStep(sum: SumAggregate): bigint {
  return (finenessOf(sum) * (sum.lower + sum.upper)) / 2n
}

function middleOf(sum: SumAggregate): Rational {
  return multiply(rational(middleStep(sum), finenessOf(sum)), sum.grid)
}

/** The count that comes with the keys, or is asked for, in place of one of its own. */
function plainCount({ divisorOf: _divisor, ...rows }: RowsAggregate): RowsAggregate {
  return rows
}

/** Without `counted` it is in no vector. */
function distances({ counted: _counted, ...sum }: SumAggregate): SumAggregate {
  const fineness = finenessOf(sum)
  const from = middleStep(sum)
  const { type } = sum.value.domain
  const half: SqlType = { kind: "decimal", scale: 1 }
  const value = callExpr("subtract", [
    sum.value,
    literal(middleOf(sum), fineness === 2n && type.kind === "integer" ? half : type),
  ])
  const step = (at: bigint): bigint => fineness * at - from
  const grid = multiply(sum.grid, rational(1n, fineness))
  return { ...sum, value, grid, lower: step(sum.lower), upper: step(sum.upper) }
}

function literal(value: Rational, type: SqlType): Expr {
  const exact = type.kind === "float" ? rationalOfNumber(numberNear(value)) : value
  const constant = { kind: "number", value: exact } as const
  return { kind: "literal", value: constant, domain: literalDomain(constant, type) }
}

function rebuilt(rel: Rel, centred: ReadonlyMap<Boundary, Centred>): Rel {
  const withMiddles = (at: Rel): Rel => {
    if (at.kind !== "project" && at.kind !== "filter" && at.kind !== "sort") return at
    const below = boundaryBelow(at)
    const middles = below === undefined ? undefined : centred.get(below)?.middles
    if (middles === undefined) return at
    const plus = (expr: Expr): Expr => plusMiddles(expr, middles)
    switch (at.kind) {
      case "project":
        return { ...at, items: at.items.map(plus) }
      case "filter":
        return { ...at, condition: plus(at.condition) }
      case "sort":
        return { ...at, orderBy: at.orderBy.map((key) => ({ ...key, value: plus(key.value) })) }
      default:
        return at satisfies never
    }
  }
  return replaceBoundaries(
    mapped(rel, withMiddles),
    (boundary) => centred.get(boundary)?.boundary ?? boundary,
  )
}

// The domains of the whole expressions stay valid: their values are the same but for noise.
function plusMiddles(expr: Expr, middles: ReadonlyMap<ColumnId, Expr>): Expr {
  const [top] = quotientOf(expr) ?? []
  const middle = top === undefined ? undefined : middles.get(top)
  if (middle !== undefined) return callExpr("add", [middle, expr])
  return mapParts(expr, (part) => plusMiddles(part, middles))
}

function quotientOf(expr: Expr): readonly [top: ColumnId, bottom: ColumnId] | undefined {
  const isQuotient = (one: Expr): one is CallExpr => one.kind === "call" && one.name === "divide"
  if (!isQuotient(expr)) return undefined
  const [top, bottom] = expr.args
  return top?.kind === "column" && bottom?.kind === "column" ? [top.id, bottom.id] : undefined
}

function quotientsIn(expr: Expr): readonly (readonly [top: ColumnId, bottom: ColumnId])[] {
  const own = quotientOf(expr)
  return own === undefined ? partsOf(expr).flatMap(quotientsIn) : [own]
}

function usesOf(expr: Expr, id: ColumnId): number {
  if (expr.kind === "column") return expr.id === id ? 1 : 0
  return partsOf(expr).reduce((count, part) => count + usesOf(part, id), 0)
}

/** The aggregate of each output column that has one of its own. */
function placesOf({ keys, aggregates, columns }: Boundary): ReadonlyMap<ColumnId, BoundaryAggregate> {
  const found = new Map<ColumnId, BoundaryAggregate>()
  let next = keys.length
  for (const aggregate of aggregates) {
    const id = columns[next]?.id
    if (id !== undefined) found.set(id, aggregate)
    next += columnCount(aggregate)
  }
  return found
}

/** The boundary whose rows a node reads, perhaps some of them, or in order. */
function boundaryBelow(rel: Project | Filter | Sort): Boundary | undefined {
  const { input } = rel
  if (input.kind === "boundary") return input
  return input.kind === "filter" || input.kind === "sort" ? boundaryBelow(input) : undefined
}

/**
 * What is computed from the columns of each boundary; nothing for one whose rows go elsewhere than through
 * filters and orders into a list of expressions.
 */
function expressionsAbove(rel: Rel): ReadonlyMap<Boundary, readonly Expr[] | undefined> {
  const found = new Map<Boundary, readonly Expr[] | undefined>()
  const put = (boundary: Boundary, exprs: readonly Expr[] | undefined): void => {
    const before = found.has(boundary) ? found.get(boundary) : []
    found.set(boundary, before && exprs && [...before, ...exprs])
  }
  const visit = (at: Rel, isListed: boolean): void => {
    if (at.kind === "boundary") return
    const isThrough = at.kind === "project" || ((at.kind === "filter" || at.kind === "sort") && isListed)
    if (at.kind === "project" || at.kind === "filter" || at.kind === "sort") {
      const below = boundaryBelow(at)
      if (below !== undefined) put(below, isThrough ? expressionsOf(at) : undefined)
    }
    for (const input of inputsOf(at)) {
      if (input.kind === "boundary" && !isThrough) put(input, undefined)
      visit(input, isThrough)
    }
  }
  visit(rel, false)
  return found
}

function expressionsOf(at: Project | Filter | Sort): readonly Expr[] {
  switch (at.kind) {
    case "project":
      return at.items
    case "filter":
      return [at.condition]
    case "sort":
      return at.orderBy.map(({ value }) => value)
    default:
      return at satisfies never
  }
}

/** The tree above the boundaries, each node as `change` makes it. */
function mapped(rel: Rel, change: (at: Rel) => Rel): Rel {
  const own = change(rel)
  return own.kind === "boundary" ? own : mapInputs(own, (input) => mapped(input, change))
}
