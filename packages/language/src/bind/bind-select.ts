// SELECT: rows from FROM and WHERE, groups, windows, outputs, DISTINCT, and what ORDER BY needs.

import { fail } from "../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { OrderItem, Select } from "../parse/ast.ts"
import { fromRows, type FromRows } from "./from/bind-rows.ts"
import { settled } from "./exprs/coerce.ts"
import { gather, gatherAll } from "./scope/context.ts"
import type { Env, QueryScope, Rows } from "./scope/env.ts"
import { finishSelect, type BoundSelect, type OrderKey } from "./finish-select.ts"
import { atPosition } from "./groups/group-keys.ts"
import { outputEnv, type Parts } from "./output-env.ts"
import type { Grouped } from "./groups/over-groups.ts"
import { refuseOuter } from "./scope/refuse-outer.ts"
import { selectOutputs, type SelectOutput } from "./scope/select-outputs.ts"

/** Binds a SELECT; `given` are its FROM and WHERE, if they are bound already. */
export function bindSelect(
  scope: QueryScope,
  {
    select,
    orderBy,
    given,
  }: { readonly select: Select; readonly orderBy: readonly OrderItem[]; readonly given: Rows | undefined },
): BoundSelect {
  const rows: Rows & Partial<FromRows> = given ?? fromRows(scope, select)
  // Errors in WHERE and in the outputs are reported together.
  const [, bound] = gather(
    [
      (): undefined => refuseOuter(scope, { rows, select, conditions: rows.filter?.() ?? [] }),
      (): BoundSelect => bindOutputs(scope, { select, orderBy, rows }),
    ],
    (step) => step(),
  )
  return bound ?? fail("bug/plan-rejected", { what: "a select without outputs" }, select.at)
}

function bindOutputs(scope: QueryScope, { select, orderBy, rows }: Omit<Parts, "outputs">): BoundSelect {
  const outputs = selectOutputs(select, rows.names)
  const { env, groups } = outputEnv(scope, { select, orderBy, rows, outputs })
  let values: readonly Expr[] = []
  let keys: readonly OrderKey[] = []
  gatherAll(
    () => {
      values = gather(outputs, (output) => outputValue(env, output, groups))
    },
    () => {
      keys = gather(orderBy, (item) => orderKey(env, { item, outputs, groups }))
    },
  )
  const one = rows.names.tables.length === 0 && select.where === undefined
  const isOne = groups === undefined ? one : select.groupBy.length === 0 && select.having === undefined
  return finishSelect(scope, { select, block: env.block, outputs, values, keys, rows: isOne ? "one" : "any" })
}

function outputValue(env: Env, { value, column, name, at }: SelectOutput, groups: Grouped | undefined): Expr {
  if (value === undefined) {
    if (column === undefined) return fail("sql/unknown-column", { name, near: "" }, at)
    const starred = columnExpr(column)
    env.context.places.set(starred, at)
    return env.finish(starred)
  }
  return groups?.keyOf(value) ?? settled(env.finish(env.binders.expression(env, value)), at)
}

interface OrderRequest {
  readonly item: OrderItem
  readonly outputs: readonly SelectOutput[]
  readonly groups: Grouped | undefined
}

/** ORDER BY prefers the names of outputs, and knows their positions. */
function orderKey(env: Env, { item, outputs, groups }: OrderRequest): OrderKey {
  const { value } = item
  if (value.kind === "integer") {
    return { item, output: outputs.indexOf(atPosition(outputs, value.value, value.at)) }
  }
  if (value.kind === "column" && value.path.length === 1) {
    const name = value.path[0]?.text
    const output = outputs.findIndex((one) => one.name === name)
    if (output >= 0) return { item, output }
  }
  const bound = groups?.keyOf(value) ?? settled(env.finish(env.binders.expression(env, value)), value.at)
  return { item, value: bound, ast: value }
}
