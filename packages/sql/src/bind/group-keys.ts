// What GROUP BY names: positions, names of outputs, values.

import type { Span } from "@dosimeter/core"
import { fail } from "../errors.ts"
import type { Expr } from "../ir/expr.ts"
import { columnExpr } from "../ir/make.ts"
import type { Expression } from "../parse/ast.ts"
import { writtenExpression } from "./ast-parts.ts"
import { settled } from "./coerce.ts"
import { gather } from "./context.ts"
import type { Env } from "./env.ts"
import { findColumn } from "./names.ts"
import type { SelectOutput } from "./select-outputs.ts"

/** A key of groups. */
export interface Key {
  readonly value: Expr
  readonly ast: Expression | undefined
  readonly name: string
  readonly at: Span
}

/** A position, a name of an output that is no column, or a value. */
export function bindKey(env: Env, item: Expression, outputs: readonly SelectOutput[]): Key {
  const { at } = item
  const output =
    item.kind === "integer" ? atPosition(outputs, item.value, at) : namedOutput(env, item, outputs)
  const ast = output === undefined ? item : output.value
  const name = output?.name ?? (item.kind === "column" ? (item.path.at(-1)?.text ?? "") : "key")
  const bound =
    output?.column === undefined
      ? ast === undefined
        ? undefined
        : env.binders.expression(env, ast)
      : columnExpr(output.column)
  if (bound === undefined) return fail("bug/plan-rejected", { what: "an output without a value" }, at)
  return { value: settled(bound, at), ast, name, at: ast?.at ?? at }
}

/** The output at a position, counted from 1. */
export function atPosition(outputs: readonly SelectOutput[], position: bigint, at: Span): SelectOutput {
  const output =
    position >= 1n && position <= BigInt(outputs.length) ? outputs[Number(position) - 1] : undefined
  if (output !== undefined) return output
  const what = `there is no output number ${position}`
  return fail("sql/wrong-count", { what, remedy: `use 1 to ${outputs.length}, or the name` }, at)
}

/** GROUP BY prefers columns of the input. */
function namedOutput(env: Env, item: Expression, outputs: readonly SelectOutput[]): SelectOutput | undefined {
  if (item.kind !== "column" || item.path.length !== 1) return undefined
  if (findColumn(env.names, item.path, item.at) !== undefined) return undefined
  const found = outputs.filter(({ name, isNamed }) => isNamed && name === item.path[0]?.text)
  return found.length === 1 ? found[0] : undefined
}

/** Refuses groups by text that people type. */
export function refuseFreeText(keys: readonly Key[]): void {
  gather(keys, ({ value, ast, name, at }) => {
    if (value.domain.freeText !== true) return
    fail("privacy/free-text-key", { name: ast === undefined ? name : writtenExpression(ast) }, at)
  })
}
