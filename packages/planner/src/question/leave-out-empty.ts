// Boundaries of which no group is possible, such as WHERE ward = 'A' AND ward = 'B' with GROUP BY ward: no
// row comes back, which the question says by itself. Nothing is read for them, and nothing is charged.

import type { Boundary, Rel } from "@dosimeter/proof/algebra/rel"
import { keyLists } from "../keys/key-lists.ts"
import { boundariesOf, replaceBoundaries } from "./replace-boundaries.ts"

/** The statement with no rows in place of boundaries that can have none. */
export function leaveOutEmpty<Statement extends { readonly rel: Rel }>(statement: Statement): Statement {
  const empty = new Set(boundariesOf(statement.rel).filter((boundary) => keyLists(boundary)?.count === 0))
  if (empty.size === 0) return statement
  const rowsOf = (boundary: Boundary): Rel =>
    empty.has(boundary) ? { kind: "values", rows: [], columns: boundary.columns } : boundary
  return { ...statement, rel: replaceBoundaries(statement.rel, rowsOf) }
}
