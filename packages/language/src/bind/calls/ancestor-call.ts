// ANCESTOR(code, 'chapter'): the value of a higher level of the tree that a column's values are a level of.
// It becomes a CASE over constants, so that databases need to know nothing of trees.

import { rational, type Span } from "@dosimeter/core"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { compareConstants } from "@dosimeter/proof/catalog/values-of"
import type { PublicTree, TreeLevel, TreePlace } from "@dosimeter/proof/catalog/public-tree"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { Call } from "../../parse/ast.ts"
import { writtenExpression } from "./ast-parts.ts"
import { makeCall, makeCase, makeLiteral, nullLiteral, types } from "../exprs/build.ts"
import type { Env } from "../scope/env.ts"

/** Binds ANCESTOR(value, 'level'). */
export function ancestorCall(env: Env, { args, at }: Call): Expr {
  const [operand, named] = args
  if (operand === undefined || named === undefined || args.length !== 2) {
    const what = `ANCESTOR has ${args.length} arguments, and 2 are needed`
    return fail("sql/wrong-count", { what, remedy: "write ANCESTOR(ward, 'region')" }, at)
  }
  const value = env.binders.expression(env, operand)
  const place = value.domain.tree
  if (place === undefined || value.domain.values === undefined) {
    const reason = `${writtenExpression(operand)} is no level of a tree`
    const remedy = "name a column whose policy line says tree:"
    return fail("sql/type-mismatch", { reason, remedy }, operand.at)
  }
  if (named.kind !== "string") {
    const reason = "the level of ANCESTOR is not a constant"
    return fail("sql/type-mismatch", { reason, remedy: `write it in quotes: ${levelsOf(place)}` }, named.at)
  }
  const level = levelNamed(place, named.value, named.at)
  if (level === place.level) return value
  return chosen(value, { place, level, at })
}

function levelNamed({ tree, level }: TreePlace, name: string, at: Span): number {
  const wanted = tree.levels.findIndex((one) => one.name === name || one.name === name.toLowerCase())
  if (wanted >= 0 && wanted <= level) return wanted
  const own = tree.levels[level]?.name ?? ""
  const reason = wanted < 0 ? `${tree.name} has no level ${name}` : `${name} is below ${own}`
  const remedy = `write one of ${levelsOf({ tree, level })}`
  return fail("sql/type-mismatch", { reason, remedy }, at)
}

function levelsOf({ tree, level }: TreePlace): string {
  return tree.levels
    .slice(0, level + 1)
    .map(({ name }) => `'${name}'`)
    .join(", ")
}

/** A choice by comparisons, so that a row is compared with few of the values. */
function chosen(
  value: Expr,
  { place, level, at }: { readonly place: TreePlace; readonly level: number; readonly at: Span },
): Expr {
  const { tree } = place
  const [above, own] = [tree.levels[level], tree.levels[place.level]]
  if (above === undefined || own === undefined) {
    return fail("bug/plan-rejected", { what: "a level of no tree" }, at)
  }
  const type = typeOf(above)
  const constants = above.values.map((one) => constantOf(one.text, type))
  const below = valuesBelow(above, own, tree, at).flatMap((places, parent) =>
    places.flatMap((one): readonly Placed[] => {
      const [constant, result] = [value.domain.values?.[one], constants[parent]]
      return constant === undefined || result === undefined ? [] : [{ constant, parent, result }]
    }),
  )
  // Every comparison repeats the value: without its list, which may be long.
  const { values: _values, tree: _tree, ...plain } = value.domain
  const made = byRuns({ ...value, domain: plain }, runsOf(below), { type, at })
  return { ...made, domain: { ...made.domain, nullable: true, values: constants, tree: { tree, level } } }
}

/** A value, and what it is below. */
interface Placed {
  readonly constant: Constant
  readonly parent: number
  readonly result: Constant
}

/** Values in order, cut where what they are below changes: codes of a chapter mostly stand together. */
function runsOf(values: readonly Placed[]): readonly (readonly Placed[])[] {
  const runs: Placed[][] = []
  for (const one of values.toSorted((a, b) => compareConstants(a.constant, b.constant))) {
    const last = runs.at(-1)
    if (last?.[0]?.parent === one.parent) last.push(one)
    else runs.push([one])
  }
  return runs
}

/** CASE WHEN value < first of the right half THEN left half ELSE right half END, down to one run: IN. */
function byRuns(
  value: Expr,
  runs: readonly (readonly Placed[])[],
  { type, at }: { readonly type: SqlType; readonly at: Span },
): Expr {
  const middle = runs.length >> 1
  const border = runs[middle]?.[0]
  if (border === undefined) return nullLiteral(type)
  const literal = (one: Placed): Expr => makeLiteral(one.constant, value.domain.type)
  if (runs.length === 1) {
    const when = makeCall("in-list", [value, ...(runs[0] ?? []).map(literal)], at)
    return makeCase([{ when, result: makeLiteral(border.result, type) }], nullLiteral(type), at)
  }
  const when = makeCall("less", [value, literal(border)], at)
  const [left, right] = [runs.slice(0, middle), runs.slice(middle)]
  return makeCase(
    [{ when, result: byRuns(value, left, { type, at }) }],
    byRuns(value, right, { type, at }),
    at,
  )
}

/** For each value of a level the places of those below it at another; each must be below one only. */
function valuesBelow(
  above: TreeLevel,
  own: TreeLevel,
  tree: PublicTree,
  at: Span,
): readonly (readonly number[])[] {
  const found = above.values.map(() => new Set<number>())
  const parents = new Map<number, number>()
  for (const [leaf, value] of own.ofLeaf.entries()) {
    const parent = above.ofLeaf[leaf] ?? 0
    const before = parents.get(value)
    if (before !== undefined && before !== parent) {
      const reason = `in ${tree.name} a ${own.name} may be in several of ${above.name}`
      const remedy = `group by a column that has the ${above.name}`
      return fail("sql/type-mismatch", { reason, remedy }, at)
    }
    parents.set(value, parent)
    found[parent]?.add(value)
  }
  return found.map((set) => [...set])
}

/** Whole numbers where all look like that, as in the policy; texts otherwise. */
function typeOf({ values }: TreeLevel): SqlType {
  const isWhole = values.every(({ text, quoted }) => !quoted && /^-?\d{1,18}$/.test(text))
  return isWhole ? types.integer : types.text
}

function constantOf(text: string, type: SqlType): Constant {
  return type.kind === "integer"
    ? { kind: "number", value: rational(BigInt(text)) }
    : { kind: "text", value: text }
}
