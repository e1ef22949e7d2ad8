// Which aggregates of a boundary are about the same values, so that one vector of moments gives them all:
// the sum and the count of an average, the squares of a variance, and the COUNT and SUM asked beside them.

import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type { BoundaryAggregate, SumAggregate } from "@dosimeter/proof/algebra/rel"
import type { MomentReading } from "./errors/moment-error.ts"
import { lookThrough } from "./same-expression.ts"

/** Measures that are read from one vector. */
export interface MomentFamily {
  /** What is averaged: the aggregate that pays. */
  readonly sum: SumAggregate
  /** Its squares, if a variance was asked for. */
  readonly squares: SumAggregate | undefined
  /** Every aggregate that is read, the paying one included. */
  readonly readings: ReadonlyMap<BoundaryAggregate, MomentReading>
}

/** What decides which aggregates go together. */
export interface FamilyFacts {
  /** Whether means and sums keep the same of a unit's rows: a unit has one row, or rows are sampled. */
  readonly sameRows: boolean
  readonly rowsPerGroup: bigint
  /** Where the columns of the boundary's input are computed. */
  readonly definitions: ReadonlyMap<ColumnId, Expr>
  /** Whether an aggregate is free in any case. */
  readonly isFree: (aggregate: BoundaryAggregate) => boolean
}

/**
 * The families of a boundary: one for every value that is averaged, and for every SUM beside a COUNT of the
 * same rows. Reading all of them from one vector with the whole loss is better than a share for each: at half
 * the loss Laplace noise has four times the variance and Gaussian noise twice, and the pair gives a count
 * twice the variance of one draw and a sum at most that.
 */
export function momentFamilies(
  aggregates: readonly BoundaryAggregate[],
  facts: FamilyFacts,
): readonly MomentFamily[] {
  const taken = new Set<BoundaryAggregate>()
  const families: MomentFamily[] = []
  const means = aggregates.filter((one): one is SumAggregate => one.kind === "sum" && one.manner === "mean")
  const totals = aggregates.filter((one): one is SumAggregate => one.kind === "sum" && one.manner === "total")
  for (const sum of [...means, ...(facts.sameRows ? totals : [])]) {
    if (taken.has(sum) || facts.isFree(sum) || sum.squaredFrom !== undefined || sum.counted === undefined)
      continue
    const squares = means.find(
      (one) => one.squaredFrom !== undefined && isOfSame(one, sum) && squaresFit(one, facts),
    )
    const found = aggregates.flatMap((aggregate): (readonly [BoundaryAggregate, MomentReading])[] => {
      const reading = aggregate === squares ? squareReading : readingOf(aggregate, sum, facts)
      return reading === undefined || taken.has(aggregate) || facts.isFree(aggregate)
        ? []
        : [[aggregate, reading]]
    })
    // A sum by itself needs no vector.
    if (found.length === 1 || sum.lower === sum.upper) continue
    for (const [aggregate] of found) taken.add(aggregate)
    families.push({ sum, squares, readings: new Map(found) })
  }
  return families
}

const squareReading: MomentReading = { of: "squares", isWhole: false }

// What the vector of a sum gives.
function readingOf(
  aggregate: BoundaryAggregate,
  sum: SumAggregate,
  facts: FamilyFacts,
): MomentReading | undefined {
  const { sameRows, definitions } = facts
  const conditionOf = (where: Expr | undefined): string =>
    textOf(where === undefined ? undefined : lookThrough(where, definitions))
  switch (aggregate.kind) {
    case "rows":
      if (conditionOf(aggregate.where) !== conditionOf(sum.counted?.where)) return undefined
      if (aggregate.divisorOf === undefined) return { of: "rows", isWhole: true }
      return textOf(aggregate.divisorOf) === textOf(sum.value) ? { of: "rows", isWhole: false } : undefined
    case "sum": {
      const isSame = aggregate.squaredFrom === undefined && isOfSame(aggregate, sum)
      if (!isSame || (aggregate.manner !== sum.manner && !sameRows)) return undefined
      return { of: "values", isWhole: aggregate.manner === "total" }
    }
    case "persons":
    case "distinct":
    case "quantile":
    case "mode":
      return undefined
    default:
      return aggregate satisfies never
  }
}

function isOfSame(a: SumAggregate, b: SumAggregate): boolean {
  return (
    a.lower === b.lower &&
    a.upper === b.upper &&
    textOf(a.value) === textOf(b.value) &&
    textOf(a.where) === textOf(b.where) &&
    textOf(a.grid) === textOf(b.grid)
  )
}

// Products of bounds and sums must fit 64 bits, where a unit has several rows to be scaled down.
function squaresFit({ lower, upper }: SumAggregate, { sameRows, rowsPerGroup }: FamilyFacts): boolean {
  if (sameRows) return true
  const size = [lower, upper, -lower, -upper].reduce((a, b) => (a > b ? a : b))
  return 16n * rowsPerGroup * (upper - lower) * (size + upper - lower) < 1n << 62n
}

/** A text that is equal for equal expressions; made once for each: every pair of aggregates is compared. */
export function textOf(expr: Expr | SumAggregate["grid"] | undefined): string {
  if (expr === undefined) return "null"
  const known = texts.get(expr)
  if (known !== undefined) return known
  const text = JSON.stringify(expr, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value))
  texts.set(expr, text)
  return text
}

const texts = new WeakMap<object, string>()

/** The place of the first aggregate that counts the same rows, or of the aggregate itself. */
export function firstLike(aggregate: BoundaryAggregate, aggregates: readonly BoundaryAggregate[]): number {
  return aggregates.findIndex(
    (one) =>
      one === aggregate ||
      (one.kind === "rows" && aggregate.kind === "rows" && textOf(one.where) === textOf(aggregate.where)),
  )
}
