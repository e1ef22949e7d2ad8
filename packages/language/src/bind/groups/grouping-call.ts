// GROUPING(a, b): which keys the grouping of a row leaves out, as the bits of a number.

import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Call } from "../../parse/ast.ts"
import { writtenExpression } from "../calls/ast-parts.ts"
import type { UnitedSets } from "./bind-grouping-sets.ts"
import { wholeLiteral } from "../exprs/build.ts"
import type { Env } from "../scope/env.ts"
import { exprKey } from "../exprs/expr-key.ts"
import type { Key } from "./group-keys.ts"

/** What GROUPING() means over some groups. */
export function groupingBinder(groups: {
  readonly keys: readonly Key[]
  readonly keyColumns: readonly RelColumn[]
  /** Where there are several groupings. */
  readonly united: UnitedSets | undefined
}): (call: Call, env: Env) => Expr {
  const { keys, keyColumns, united } = groups
  return ({ args }, env) => {
    const asked = args.map((arg) => {
      const value = exprKey(env.binders.expression(env, arg))
      const column = keyColumns[keys.findIndex((key) => exprKey(key.value) === value)]
      return column ?? fail("sql/not-grouped", { name: writtenExpression(arg) }, arg.at)
    })
    const bits = (has: (key: RelColumn) => boolean): bigint =>
      asked.reduce((number, key) => 2n * number + (has(key) ? 0n : 1n), 0n)
    return united === undefined ? wholeLiteral(0n) : united.bySet(bits)
  }
}
