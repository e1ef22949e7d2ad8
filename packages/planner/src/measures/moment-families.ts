// Which measures of a boundary are about the same values, so that one vector of moments gives them all:
// the sum and the count of an average, the squares of a variance, and the COUNT and SUM asked beside them.

import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type { Measure, SumMeasure } from "@dosimeter/proof/algebra/rel"
import type { MomentReading } from "./errors/moment-error.ts"
import { lookThrough } from "./same-expression.ts"

/** Measures that are read from one vector. */
export interface MomentFamily {
  /** What is averaged: the measure that pays. */
  readonly sum: SumMeasure
  /** Its squares, if a variance was asked for. */
  readonly squares: SumMeasure | undefined
  /** Every measure that is read, the paying one included. */
  readonly readings: ReadonlyMap<Measure, MomentReading>
}

/** What decides which measures go together. */
export interface FamilyFacts {
  /** Whether means and sums keep the same of a unit's rows: a unit has one row, or rows are sampled. */
  readonly sameRows: boolean
  readonly rowsPerGroup: bigint
  /** Where the columns of the boundary's input are computed. */
  readonly definitions: ReadonlyMap<ColumnId, Expr>
  /** Whether a measure is free in any case. */
  readonly isFree: (measure: Measure) => boolean
}

/**
 * The families of a boundary: one for every value that is averaged, and for every SUM beside a COUNT of the
 * same rows. Reading all of them from one vector with the whole loss is better than a share for each: at half
 * the loss Laplace noise has four times the variance and Gaussian noise twice, and the pair gives a count
 * twice the variance of one draw and a sum at most that.
 */
export function momentFamilies(measures: readonly Measure[], facts: FamilyFacts): readonly MomentFamily[] {
  const taken = new Set<Measure>()
  const families: MomentFamily[] = []
  const means = measures.filter((one): one is SumMeasure => one.kind === "sum" && one.manner === "mean")
  const totals = measures.filter((one): one is SumMeasure => one.kind === "sum" && one.manner === "total")
  for (const sum of [...means, ...(facts.sameRows ? totals : [])]) {
    if (taken.has(sum) || facts.isFree(sum) || sum.squaredFrom !== undefined || sum.counted === undefined)
      continue
    const squares = means.find(
      (one) => one.squaredFrom !== undefined && isOfSame(one, sum) && squaresFit(one, facts),
    )
    const found = measures.flatMap((measure): (readonly [Measure, MomentReading])[] => {
      const reading = measure === squares ? squareReading : readingOf(measure, sum, facts)
      return reading === undefined || taken.has(measure) || facts.isFree(measure) ? [] : [[measure, reading]]
    })
    // A sum by itself needs no vector.
    if (found.length === 1 || sum.lower === sum.upper) continue
    for (const [measure] of found) taken.add(measure)
    families.push({ sum, squares, readings: new Map(found) })
  }
  return families
}

const squareReading: MomentReading = { of: "squares", isWhole: false }

// What the vector of a sum gives.
function readingOf(measure: Measure, sum: SumMeasure, facts: FamilyFacts): MomentReading | undefined {
  const { sameRows, definitions } = facts
  const conditionOf = (where: Expr | undefined): string =>
    textOf(where === undefined ? undefined : lookThrough(where, definitions))
  switch (measure.kind) {
    case "rows":
      if (conditionOf(measure.where) !== conditionOf(sum.counted?.where)) return undefined
      if (measure.divisorOf === undefined) return { of: "rows", isWhole: true }
      return textOf(measure.divisorOf) === textOf(sum.value) ? { of: "rows", isWhole: false } : undefined
    case "sum": {
      const isSame = measure.squaredFrom === undefined && isOfSame(measure, sum)
      if (!isSame || (measure.manner !== sum.manner && !sameRows)) return undefined
      return { of: "values", isWhole: measure.manner === "total" }
    }
    case "persons":
    case "distinct":
    case "quantile":
    case "mode":
      return undefined
    default:
      return measure satisfies never
  }
}

function isOfSame(a: SumMeasure, b: SumMeasure): boolean {
  return (
    a.lower === b.lower &&
    a.upper === b.upper &&
    textOf(a.value) === textOf(b.value) &&
    textOf(a.where) === textOf(b.where) &&
    textOf(a.grid) === textOf(b.grid)
  )
}

// Products of bounds and sums must fit 64 bits, where a unit has several rows to be scaled down.
function squaresFit({ lower, upper }: SumMeasure, { sameRows, rowsPerGroup }: FamilyFacts): boolean {
  if (sameRows) return true
  const size = [lower, upper, -lower, -upper].reduce((a, b) => (a > b ? a : b))
  return 16n * rowsPerGroup * (upper - lower) * (size + upper - lower) < 1n << 62n
}

/** A text that is equal for equal expressions; made once for each: every pair of measures is compared. */
export function textOf(expr: Expr | SumMeasure["grid"] | undefined): string {
  if (expr === undefined) return "null"
  const known = texts.get(expr)
  if (known !== undefined) return known
  const text = JSON.stringify(expr, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value))
  texts.set(expr, text)
  return text
}

const texts = new WeakMap<object, string>()

/** The place of the first measure that counts the same rows, or of the measure itself. */
export function firstLike(measure: Measure, measures: readonly Measure[]): number {
  return measures.findIndex(
    (one) =>
      one === measure ||
      (one.kind === "rows" && measure.kind === "rows" && textOf(one.where) === textOf(measure.where)),
  )
}
