// In how many groups of a question people are, learnt before it is asked: one row for each unit, with the
// number of its groups, of which a high quantile is a good bound.

import { rational } from "@dosimeter/core"
import { unitFacts } from "@dosimeter/proof/units/unit-facts"
import { bind, type Bound } from "@dosimeter/language/bind/bind"
import { quantileDomain } from "@dosimeter/language/bind/aggregates/aggregate-domain"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import { planned, type CompileOptions, type Planned } from "../compile.ts"
import { aggregateRel, columnExpr, columnIdsAfter } from "@dosimeter/proof/algebra/make"
import type { Boundary, QuantileAggregate } from "@dosimeter/proof/algebra/rel"
import { parse } from "@dosimeter/language/parse/parse"
import { boundariesOf } from "../question/replace-boundaries.ts"

/** Of the units: nineteen in twenty have no more groups than the bound that is learnt. */
const share = rational(19n, 20n)

/**
 * The question that learns in how many groups units are; undefined where nothing has to be bounded. Of
 * several groupings in one statement the first that needs a bound is asked about.
 */
export function learnableGroups(sql: string, options: CompileOptions): ((ask: Ask) => Planned) | undefined {
  const { grammar, catalog, terms, parameters = [], ranges } = options
  const { rel } = bind(parse(sql, grammar).query, {
    catalog,
    parameters,
    ...(ranges === undefined ? {} : { ranges }),
  })
  const boundary = boundariesOf(rel).find(({ input, keys }) => !unitFacts(input, keys).oneGroup)
  const bound = boundary === undefined ? undefined : groupsOf(boundary, terms.bounding.groupsPerUnitMax)
  if (bound === undefined) return undefined
  return (ask) => planned(bound, { ...options, ask: { ...ask, quantileIntervals: false } })
}

function groupsOf({ input, keys, at }: Boundary, most: bigint): Bound | undefined {
  const { owner } = unitFacts(input, keys)
  const unit = input.columns.find(({ id }) => owner.units.has(id))?.id
  if (unit === undefined) return undefined
  const ids = columnIdsAfter(input)
  const pairs = aggregateRel(input, [...new Set([unit, ...keys])], [], ids)
  const counted = aggregateRel(
    pairs,
    [unit],
    [{ name: "groups", function: "rows", argument: undefined }],
    ids,
  )
  const groups = counted.columns.at(-1)
  if (groups === undefined) return undefined
  const cells = { from: rational(1n), width: rational(1n), cells: most, cellValue: "start" } as const
  const aggregate: QuantileAggregate = {
    kind: "quantile",
    value: columnExpr(groups),
    fractions: [share],
    ...cells,
    where: undefined,
    label: "groups of each",
    ...(at === undefined ? {} : { at }),
  }
  const column = { id: ids.next(), name: "groups", domain: quantileDomain({ kind: "integer" }, cells) }
  const rel = {
    kind: "boundary",
    input: counted,
    keys: [],
    aggregates: [aggregate],
    columns: [column],
  } as const
  return { rel, outputNames: ["groups"], notes: [] }
}
