// The questions that come before one whose bounds are to be learnt: how many rows a value has, and where its
// sizes lie, of the very rows that the question is about, without its groups.

import type { Rational } from "@dosimeter/core"
import type { BoundaryAggregate, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import { inputsOf } from "@dosimeter/proof/algebra/walk"
import type { Query } from "../parse/ast.ts"
import type { AutoScope, AutoValue } from "./scope/auto-value.ts"
import { bindWith, type Bound, type BindOptions } from "./bind.ts"
import { BindContext } from "./scope/context.ts"
import { prune } from "./prune.ts"

/** What is asked about one value. */
export interface BoundsQuestion {
  readonly places: AutoValue["places"]
  readonly label: string
  readonly type: AutoValue["type"]
  /** How many rows have it: one row, one column. */
  readonly rows: Bound
  /** The cells of its size below which such fractions of the rows lie: one row, two columns. */
  readonly sizes: (low: Rational, high: Rational) => Bound
}

/** The questions about every value of a query whose bounds are to be learnt; none if there is nothing to. */
export function boundsQuestions(
  query: Query,
  options: BindOptions & { readonly scope: AutoScope },
): readonly BoundsQuestion[] {
  const { catalog, parameters, scope } = options
  const context = new BindContext(catalog, parameters, { kind: "learn", scope })
  const { relation } = bindWith(context, query)
  const read = new Set(inputsOfBoundaries(relation.rel))
  // Values in parts of the query that were dropped after binding are not asked about.
  const used = context.autoValues.filter(({ input }) => read.has(input))
  return used.map(({ value, input }): BoundsQuestion => {
    const ask = (aggregate: BoundaryAggregate, columns: readonly RelColumn[]): Bound => ({
      rel: prune({ kind: "boundary", input, keys: [], aggregates: [aggregate], columns }, context.pinned),
      outputNames: columns.map(({ name }) => name),
      notes: context.notes,
    })
    const { places, label, type } = value
    return {
      places,
      label,
      type,
      rows: ask(value.rows, [value.rowsColumn]),
      sizes: (low, high) => ask({ ...value.sizes, fractions: [low, high] }, value.sizeColumns),
    }
  })
}

function inputsOfBoundaries(rel: Rel): readonly Rel[] {
  const below = inputsOf(rel).flatMap(inputsOfBoundaries)
  return rel.kind === "boundary" ? [rel.input, ...below] : below
}
