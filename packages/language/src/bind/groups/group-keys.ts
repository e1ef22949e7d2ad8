// What GROUP BY names: positions, names of outputs, values; and ROLLUP, CUBE and GROUPING SETS written out,
// as PostgreSQL does it: several items multiply, and what stands twice is asked for twice.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Expression, GroupItem } from "../../parse/ast.ts"
import { writtenExpression } from "../calls/ast-parts.ts"
import { settled } from "../exprs/coerce.ts"
import { gather, limitTo } from "../scope/context.ts"
import type { Env } from "../scope/env.ts"
import { findColumn } from "../scope/names.ts"
import type { SelectOutput } from "../scope/select-outputs.ts"

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

/** More groupings than this are refused, and more keys in one of them. */
const setsMax = 128
const keysMax = 64

/** The keys of each grouping. */
export function groupingSets(groupBy: readonly GroupItem[]): readonly (readonly Expression[])[] {
  return groupBy.reduce<readonly (readonly Expression[])[]>(
    (sets, item) => {
      const own = setsOf(item)
      limitSets(sets.length * own.length, item)
      const most = (some: typeof own): number => some.reduce((found, set) => Math.max(found, set.length), 0)
      limitKeys(most(sets) + most(own), item)
      return sets.flatMap((set) => own.map((more) => [...set, ...more]))
    },
    [[]],
  )
}

function setsOf(item: GroupItem): readonly (readonly Expression[])[] {
  if (item.kind !== "grouping-set") return [[item]]
  const { type } = item
  switch (type) {
    case "empty":
      return [[]]
    case "sets": {
      const sets = item.items.flatMap((one) => (one.kind === "grouping-set" ? setsOf(one) : [elementOf(one)]))
      limitSets(sets.length, item)
      return sets
    }
    case "rollup": {
      const elements = item.items.map(elementOf)
      limitKeys(elements.flat().length, item)
      return Array.from({ length: elements.length + 1 }, (_, cut) =>
        elements.slice(0, elements.length - cut).flat(),
      )
    }
    case "cube": {
      const elements = item.items.map(elementOf)
      limitKeys(elements.flat().length, item)
      limitSets(2 ** elements.length, item)
      return elements.reduceRight<readonly (readonly Expression[])[]>(
        (sets, element) => [...sets.map((set) => [...element, ...set]), ...sets],
        [[]],
      )
    }
    default:
      return type satisfies never
  }
}

/** (a, b) is one element of two columns. */
function elementOf(item: GroupItem): readonly Expression[] {
  if (item.kind === "grouping-set") return setsOf(item)[0] ?? []
  return item.kind === "row" ? item.items : [item]
}

function limitSets(count: number, { at }: GroupItem): void {
  limitTo(setsMax, count, { what: "grouping sets", remedy: "name the sets that are needed", at })
}

function limitKeys(count: number, { at }: GroupItem): void {
  limitTo(keysMax, count, { what: "keys in GROUP BY", remedy: "group by fewer, in several questions", at })
}
