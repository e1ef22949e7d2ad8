// What the expressions of a relation cost for one unit: steps of computing, and texts that are kept.

import { unreachable } from "@dosimeter/core/errors"
import type { Expr } from "../algebra/expr.ts"
import type { Boundary, Rel } from "../algebra/rel.ts"
import { expressionsOfAggregate, partsOf } from "../algebra/walk.ts"
import { isText, noText, searchOf, sizeOf, sum, type TextSizes } from "./text-size.ts"
import { charactersOf, type RowBound, type Spent, type TextSize } from "./work-limits.ts"

/** What is known of an input: its rows and texts. */
interface Input {
  readonly isPublic: boolean
  readonly rows: RowBound
  readonly sizes: TextSizes
}

/** So many characters are looked at in the time of one call. */
const charactersOfStep = 64

/** A keyed hash takes as long as so many calls, and so does a row's way through a window. */
const hashSteps = 8
const windowSteps = 4

const noRows: RowBound = { times: 0, most: 0 }

/** Nothing at all. */
export const nothingSpent: Spent = { steps: noRows, held: noRows }

/** The cost of two things together. */
export function spentTogether(a: Spent, b: Spent): Spent {
  return { steps: added(a.steps, b.steps), held: added(a.held, b.held) }
}

/**
 * What one node costs for one unit.
 *
 * Guarantee: the node computes at most `steps` calls for the unit's rows, where 64 characters that are looked
 *   at count as one, and keeps at most `held` characters of its texts until all rows were seen.
 * Needs: `inputs` holds of the relations below, `pairs` of the pairs that a join looks at (pairsOf), `exprs`
 *   are all expressions of the node.
 * Proof: every expression is computed once for a row at most, and in a join once for a row of either side and
 *   a pair; a branch of CASE that is not taken counts as if it were. Windows keep their rows and what they
 *   are put in order by, groups their keys and what is compared, joins both sides and what is equated. Of
 *   rows that are stored only the texts that the question makes count: the others are as long as their
 *   owner stored them. Hashes have one length, as numbers do, and are bounded with the rows.
 * Numerics: sums and products of non-negative doubles; rounding is far below the distance to any limit.
 * Source: the definition of the operators.
 */
export function spentOn(
  rel: Rel,
  exprs: readonly Expr[],
  inputs: readonly Input[],
  pairs: RowBound = noRows,
): Spent {
  const units = inputs.filter(({ isPublic }) => !isPublic)
  const rows = units.map((input) => input.rows).reduce(added, noRows)
  const sizes = new Map(inputs.flatMap((input) => [...input.sizes]))
  const looked = added(rows, pairs)
  const steps = scaled(looked, (aggregate) => ownSteps(rel) + total(exprs, sizes, aggregate))
  return { steps, held: heldBy(rel, exprs, units, { rows, sizes }) }
}

/** What a plan computes and keeps, at least, of the rows that a boundary measures: windows keep all texts. */
export function spentOnAggregates({ keys, aggregates }: Boundary, input: Input): Spent {
  if (input.isPublic) return nothingSpent
  const exprs = aggregates.flatMap(expressionsOfAggregate)
  const own = windowSteps * (1 + keys.length + aggregates.length)
  const steps = scaled(input.rows, (aggregate) => own + total(exprs, input.sizes, aggregate))
  const compared = madeIn(exprs, input.sizes)
  return { steps, held: kept(input.rows, [...input.sizes.values(), ...compared]) }
}

function ownSteps(rel: Rel): number {
  switch (rel.kind) {
    case "window":
      return windowSteps * rel.items.length
    case "aggregate":
      return 1 + rel.items.length
    case "join":
    case "mark":
      return 1
    case "scan":
    case "values":
    case "filter":
    case "project":
    case "union":
    case "sort":
    case "boundary":
    case "released":
      return 0
    default:
      return unreachable(rel)
  }
}

function total(exprs: readonly Expr[], sizes: TextSizes, aggregate: Measured): number {
  return exprs.reduce((steps, expr) => steps + stepsOf(expr, sizes, aggregate), 0)
}

type Measured = (size: TextSize) => number

/** Steps of an expression by itself, its texts and parts aside. What is only read takes none. */
const exprSteps: Readonly<Record<Expr["kind"], number>> = {
  column: 0,
  literal: 0,
  call: 1,
  case: 1,
  steps: 1,
  share: 1,
  weight: 1,
  "keyed-hash": hashSteps,
}

function stepsOf(expr: Expr, sizes: TextSizes, aggregate: Measured): number {
  const parts = partsOf(expr)
  const below = total(parts, sizes, aggregate)
  const own = exprSteps[expr.kind]
  if (own === 0) return 0
  const characters = parts.reduce((length, part) => length + aggregate(sizeOf(part, sizes)), 0)
  const searched = expr.kind === "call" ? searchOf(expr, sizes, aggregate) : 0
  return below + own + (characters + searched) / charactersOfStep
}

function heldBy(
  rel: Rel,
  exprs: readonly Expr[],
  inputs: readonly Input[],
  { rows, sizes }: { readonly rows: RowBound; readonly sizes: TextSizes },
): RowBound {
  switch (rel.kind) {
    case "aggregate":
      return kept(rows, [
        ...rel.keys.map((key) => sizes.get(key) ?? noText),
        ...exprs.map((expr) => sizeOf(expr, sizes)),
      ])
    case "window":
    case "join":
    case "mark": {
      const columns = inputs.map((input) => kept(input.rows, [...input.sizes.values()]))
      return [...columns, kept(rows, madeIn(exprs, sizes))].reduce(added, noRows)
    }
    case "scan":
    case "values":
    case "filter":
    case "project":
    case "union":
    case "sort":
    case "boundary":
    case "released":
      return noRows
    default:
      return unreachable(rel)
  }
}

/** The texts that expressions compute and compare: the largest ones that are no columns. */
function madeIn(exprs: readonly Expr[], sizes: TextSizes): readonly TextSize[] {
  return exprs.flatMap((expr) => {
    if (expr.kind === "column" || expr.kind === "literal" || expr.kind === "keyed-hash") return []
    return isText(expr) ? [sizeOf(expr, sizes)] : madeIn(partsOf(expr), sizes)
  })
}

function kept(rows: RowBound, texts: readonly TextSize[]): RowBound {
  const size = texts.reduce(sum, noText)
  return scaled(rows, (aggregate) => aggregate(size))
}

/** Rows that joins made with all that they may hold; stored rows with what the question makes of them. */
function scaled({ times, most }: RowBound, ofRow: (aggregate: Measured) => number): RowBound {
  return {
    times: times === 0 ? 0 : times * ofRow(({ made }) => made),
    most: most === 0 ? 0 : most * ofRow(charactersOf),
  }
}

function added(a: RowBound, b: RowBound): RowBound {
  return { times: a.times + b.times, most: a.most + b.most }
}
