// VALUES: constant rows.

import { unionDomain } from "@dosimeter/proof/functions/union-domain"
import { isNoResult } from "@dosimeter/proof/functions/no-result"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { fail } from "../../errors.ts"
import type { Expr, LiteralExpr } from "@dosimeter/proof/algebra/expr"
import type { Values } from "../../parse/ast.ts"
import { nullLiteral, types } from "../exprs/build.ts"
import { settled, unified } from "../exprs/coerce.ts"
import { gather, limits, limitTo } from "../scope/context.ts"
import {
  noAggregates,
  noWindows,
  type Block,
  type Env,
  type OutputColumn,
  type QueryScope,
} from "../scope/env.ts"
import { noNames } from "../scope/names.ts"
import type { Relation } from "../scope/relation.ts"

/** Binds VALUES; its columns are column1, column2 and so on. */
export function bindValues(
  scope: QueryScope,
  { rows, at }: Values,
): { readonly relation: Relation; readonly outputs: readonly OutputColumn[] } {
  limitTo(limits.items * 10, rows.length, {
    what: "rows of VALUES",
    remedy: "put them into a public table",
    at,
  })
  const width = rows[0]?.items.length ?? 0
  limitTo(limits.columns, width, { what: "columns of VALUES", remedy: "use fewer columns", at })
  const env = constantEnv(scope)
  const bound = gather(rows, ({ items, at: rowAt }) => {
    if (items.length !== width) {
      const what = `a row of VALUES has ${items.length} values, and the first has ${width}`
      fail("sql/wrong-count", { what, remedy: `give each row ${width} values` }, rowAt)
    }
    return items.map((item) => env.binders.expression(env, item))
  })
  const lists = Array.from({ length: width }, (_, index) =>
    unified(
      bound.map((row) => row[index] ?? nullLiteral(types.null)),
      at,
    ).map((value) => constantOf(settled(value, at), at)),
  )
  const columns = lists.map((list, index) => {
    const domain = unionDomain(
      list.map((value) => value.domain),
      "VALUES",
    )
    return scope.context.column(
      `column${index + 1}`,
      isNoResult(domain) ? (list[0] ?? nullLiteral(types.text)).domain : domain,
    )
  })
  const constants = rows.map((_, row) =>
    lists.flatMap((list): readonly Constant[] => {
      const value = list[row]?.value
      return value === undefined ? [] : [value]
    }),
  )
  return {
    relation: { rel: { kind: "values", columns, rows: constants, at }, zone: { kind: "public" } },
    outputs: columns.map((column) => ({ name: column.name, column })),
  }
}

function constantOf(value: Expr, at: Values["at"]): LiteralExpr {
  if (value.kind === "literal" && value.value.kind !== "interval") return value
  const remedy = "write the values themselves, or SELECT ... UNION ALL SELECT ..."
  return fail("sql/unsupported-syntax", { what: "VALUES of something else than constants", remedy }, at)
}

function constantEnv(scope: QueryScope): Env {
  const block: Block = {
    relation: { rel: { kind: "values", columns: [], rows: [[]] }, zone: { kind: "public" } },
  }
  return {
    ...scope,
    names: noNames,
    block,
    outerUse: "refused",
    aggregate: noAggregates("in VALUES", "use SELECT"),
    window: noWindows("in VALUES"),
    finish: (value) => value,
  }
}
