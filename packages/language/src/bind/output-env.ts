// Where the outputs of a SELECT are bound: over its rows, or over their groups after HAVING.

import type { OrderItem, Select } from "../parse/ast.ts"
import { aggregatesIn } from "./calls/ast-parts.ts"
import { bindGroups } from "./groups/bind-group.ts"
import { windowBinder } from "./windows/bind-window.ts"
import { toBoolean } from "./exprs/coerce.ts"
import { noAggregates, noWindows, type Env, type QueryScope, type Rows } from "./scope/env.ts"
import type { Grouped } from "./groups/over-groups.ts"
import { filtered } from "./scope/relation.ts"
import type { SelectOutput } from "./scope/select-outputs.ts"

/** The parts of a SELECT that outputs depend on. */
export interface Parts {
  readonly select: Select
  readonly orderBy: readonly OrderItem[]
  readonly rows: Rows
  readonly outputs: readonly SelectOutput[]
}

/** Where outputs are bound: over the rows, or over their groups. */
export function outputEnv(
  scope: QueryScope,
  { select, orderBy, rows, outputs }: Parts,
): { readonly env: Env; readonly groups: Grouped | undefined } {
  const base = {
    ...scope,
    names: rows.names,
    outerUse: "refused",
    window: windowBinder(select.windows),
  } as const
  const asked = [
    ...outputs.flatMap(({ value }) => (value === undefined ? [] : [value])),
    ...orderBy.map(({ value }) => value),
    ...(select.having === undefined ? [] : [select.having]),
    ...select.windows.flatMap(({ window }) => [
      ...window.partitionBy,
      ...window.orderBy.map(({ value }) => value),
    ]),
  ]
  const aggregates = asked.flatMap((value) => aggregatesIn(value))
  if (select.groupBy.length === 0 && select.having === undefined && aggregates.length === 0) {
    const aggregate = noAggregates("here", "aggregate in a subquery")
    return { env: { ...base, block: rows.block, aggregate, finish: (value) => value }, groups: undefined }
  }
  const groups = bindGroups(scope, { rows, groupBy: select.groupBy, outputs, aggregates, at: select.at })
  const { block, aggregate, grouping, finish } = groups
  const env: Env = { ...base, block, aggregate, grouping, finish }
  if (select.having !== undefined) {
    const { having } = select
    const inHaving = { ...env, window: noWindows("in HAVING") }
    const condition = env.finish(
      toBoolean(scope.binders.expression(inHaving, having, "filter"), having.at, "HAVING"),
    )
    groups.block.relation = filtered(groups.block.relation, condition, having.at)
  }
  return { env, groups }
}
