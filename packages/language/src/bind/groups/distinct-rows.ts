// DISTINCT, and UNION without ALL: each row once.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Select } from "../../parse/ast.ts"
import type { QueryScope } from "../scope/env.ts"
import { aggregated, boundary, noteUnit } from "./group-rows.ts"
import { PlainAggregates } from "../aggregates/plain-aggregates.ts"
import { refuseRowUnit, unitAmong, type Relation } from "../scope/relation.ts"

interface DistinctRequest {
  readonly relation: Relation
  readonly visible: readonly RelColumn[]
  readonly select: Select
}

/** The different rows of SELECT DISTINCT. */
export function distinctRows(scope: QueryScope, { relation, visible, select }: DistinctRequest): Relation {
  const at = select.distinct?.at ?? select.at
  if ((select.distinct?.on.length ?? 0) > 0) {
    if (relation.zone.kind === "private") {
      fail("privacy/limit-inside", { what: "DISTINCT ON", unit: scope.context.catalog.unitName }, at)
    }
    const remedy =
      "number the rows with ROW_NUMBER() OVER (PARTITION BY ... ORDER BY ...), and keep the first"
    fail("sql/unsupported-syntax", { what: "DISTINCT ON", remedy }, at)
  }
  return distinctOver(scope, { relation, visible, at })
}

/** Different rows: of one unit, of nobody, or (as keys of a boundary) of people. */
export function distinctOver(
  scope: QueryScope,
  {
    relation,
    visible,
    at,
  }: { readonly relation: Relation; readonly visible: readonly RelColumn[]; readonly at: Span },
): Relation {
  const { zone } = relation
  refuseRowUnit(relation, "DISTINCT", at)
  const own = zone.kind === "private" ? unitAmong(zone, new Set(visible.map(({ id }) => id))) : undefined
  if (zone.kind === "private" && own === undefined) {
    const free = visible.find(({ domain }) => domain.freeText === true)
    if (free !== undefined) fail("privacy/free-text-key", { name: free.name }, at)
    return boundary(scope, relation, { keys: visible, aggregates: undefined, at })
  }
  if (own === "telling") noteUnit(scope, relation)
  return aggregated(relation, { keys: visible, items: new PlainAggregates(scope.context, "other"), at })
}
