// A subquery as a value that finds one public row by its key: a left join.

import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import { makeAnd, makeCall } from "../exprs/build.ts"
import { settled } from "../exprs/coerce.ts"
import { gather } from "../scope/context.ts"
import type { Env } from "../scope/env.ts"
import { nullable } from "../scope/names.ts"
import { projected } from "../scope/relation.ts"
import { addJoin, equality, failSeveral, failShape, scalarEnv, type Correlated } from "./scalar-parts.ts"

/** A value of a public row that a declared key finds: at most one. */
export function lookUp(env: Env, { rows, select, at }: Correlated): Expr {
  const [item] = select.items
  if (item?.kind !== "output") return failShape(at)
  const pairs = gather(rows.outerConditions, (condition) => equality(env, rows, condition, at))
  const compared = new Set(pairs.flatMap(({ own }) => (own.kind === "column" ? [own.id] : [])))
  if (!hasKey(rows.block.relation.rel, compared)) return failSeveral(at)
  const value = settled(env.binders.expression(scalarEnv(env, rows), item.value), at)
  const { relation, columns } = projected(env.context, rows.block.relation, [
    ...pairs.map(({ own }) => ({ name: "key", value: own })),
    { name: "value", value },
  ])
  const equalities = pairs.flatMap(({ outer }, index) => {
    const key = columns[index]
    return key === undefined ? [] : [makeCall("equal", [columnExpr(key), outer], at)]
  })
  addJoin(env, { relation, names: rows.names }, { condition: makeAnd(equalities), at })
  const found = columns.at(-1)
  return found === undefined ? failShape(at) : columnExpr(nullable(found))
}

/** Whether columns hold a declared key of the one table that the rows are from. */
function hasKey(rel: Rel, columns: ReadonlySet<ColumnId>): boolean {
  if (rel.kind === "filter") return hasKey(rel.input, columns)
  if (rel.kind !== "scan") return false
  const names = new Set(
    rel.columns.flatMap(({ id }, index) => (columns.has(id) ? [rel.sources[index]?.name] : [])),
  )
  return rel.table.keys.some((key) => key.every((name) => names.has(name)))
}
