// The select list with its stars written out, and the name that each output has.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Expression, Select, Star } from "../../parse/ast.ts"
import { limits, limitTo } from "./context.ts"
import type { Names } from "./names.ts"
import { nearNames } from "./near-names.ts"

/** One output: a value as it is written, or a column that a star stands for. */
export interface SelectOutput {
  readonly name: string
  /** Whether the analyst named it with AS. */
  readonly isNamed: boolean
  readonly value: Expression | undefined
  readonly column: RelColumn | undefined
  readonly at: Span
}

/** Writes out the select list. */
export function selectOutputs({ items, at }: Select, names: Names): readonly SelectOutput[] {
  const outputs = items.flatMap((item): readonly SelectOutput[] => {
    if (item.kind === "star") return starColumns(item, names)
    const name = item.alias?.text ?? nameOf(item.value)
    return [{ name, isNamed: item.alias !== undefined, value: item.value, column: undefined, at: item.at }]
  })
  const remedy = "select fewer columns"
  limitTo(limits.columns, outputs.length, { what: "columns in one select list", remedy, at })
  return outputs
}

/** Denied columns are left out, as if they were not there. */
function starColumns({ table, at }: Star, names: Names): readonly SelectOutput[] {
  const [first, second] = table
  const wanted = second ?? first
  if (names.tables.length === 0) {
    return fail("sql/misplaced", { what: "*", where: "without FROM", remedy: "name a table in FROM" }, at)
  }
  const found = wanted === undefined ? names : names.tables.find(({ name }) => name === wanted.text)
  if (found === undefined) {
    const near = nearNames(
      wanted?.text ?? "",
      names.tables.map(({ name }) => name),
    )
    return fail("sql/unknown-table", { name: wanted?.text ?? "", near }, at)
  }
  return found.columns.flatMap(({ name, column }) =>
    column === undefined ? [] : [{ name, isNamed: false, value: undefined, column, at }],
  )
}

/** What PostgreSQL calls an output that has no name. */
export function nameOf(value: Expression): string {
  switch (value.kind) {
    case "column":
      return value.path.at(-1)?.text ?? "?column?"
    case "call":
      return value.name
    case "cast": {
      const inner = nameOf(value.operand)
      return inner === "?column?" ? value.type.name : inner
    }
    case "case": {
      const inner = value.otherwise === undefined ? "?column?" : nameOf(value.otherwise)
      return inner === "?column?" ? "case" : inner
    }
    case "exists":
      return "exists"
    case "scalar-query": {
      const { body } = value.query
      const item = body.kind === "select" ? body.items[0] : undefined
      return item?.kind === "output" ? (item.alias?.text ?? nameOf(item.value)) : "?column?"
    }
    default:
      return "?column?"
  }
}
