// A window function becomes a column. Those that do not need each other stand in one node.

import type { Span } from "@dosimeter/core"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { windowResult } from "@dosimeter/proof/algebra/item-domain"
import type { RelColumn, WindowItem } from "@dosimeter/proof/algebra/rel"
import { columnsIn } from "@dosimeter/proof/algebra/walk"
import { held } from "../exprs/build.ts"
import type { Env } from "../scope/env.ts"

/** Adds a window function to the rows of the block, as a column. */
export function addItem(
  env: Env,
  item: WindowItem,
  { name, at }: { readonly name: string; readonly at: Span },
): RelColumn {
  const { block, context } = env
  const { rel, zone } = block.relation
  const column = context.column(name, held(windowResult(item), at))
  const isSame = rel.kind === "window" && usesOnly(rel.input.columns, item)
  block.relation = {
    rel: isSame
      ? { ...rel, items: [...rel.items, item], columns: [...rel.columns, column] }
      : { kind: "window", input: rel, items: [item], columns: [...rel.columns, column], at },
    zone,
  }
  return column
}

/** Windows side by side share a node: none may use a column that another one adds. */
function usesOnly(columns: readonly RelColumn[], { args, partitionBy, orderBy }: WindowItem): boolean {
  const ids = new Set(columns.map(({ id }) => id))
  const all = [...args, ...partitionBy, ...orderBy.map((key) => key.value)]
  return all.every((expr) => within(expr, ids))
}

function within(expr: Expr, ids: ReadonlySet<number>): boolean {
  return [...columnsIn(expr)].every((id) => ids.has(id))
}
