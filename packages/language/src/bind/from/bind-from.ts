// FROM: tables, WITH queries, subqueries and joins, to rows with names.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Column, Expression, FromItem, Join, JoinUsing, Table, TableAlias } from "../../parse/ast.ts"
import { joinOn, joinUsing, type Source } from "./bind-join.ts"
import { bindScan } from "./bind-scan.ts"
import { makeAnd } from "../exprs/build.ts"
import { toBoolean } from "../exprs/coerce.ts"
import { gather } from "../scope/context.ts"
import {
  noAggregates,
  noWindows,
  type Block,
  type BoundQuery,
  type Env,
  type QueryScope,
} from "../scope/env.ts"
import { joinNames, namesOf, noNames, type NamedColumn, type Names } from "../scope/names.ts"
import { nearNames } from "../scope/near-names.ts"
import type { Relation } from "../scope/relation.ts"

/** Equalities of WHERE that may become conditions of joins; those that did are taken out. */
export interface WhereParts {
  readonly rest: Set<Expression>
}

/** Binds all items of FROM; commas are cross joins. */
export function bindFrom(scope: QueryScope, items: readonly FromItem[], where: WhereParts): Source {
  const sources = gather(items, (item) => bindItem(scope, item, where))
  const [first, ...others] = sources
  if (first === undefined) return { relation: oneRow(), names: noNames }
  return others.reduce((left, right, index) => {
    const at = items[index + 1]?.at ?? { start: 0, end: 0 }
    const names = joinNames(left.names, right.names, at)
    const env = conditionEnv(scope, { names, relation: left.relation })
    const conditions = borrowed(env, { left: left.names, right: right.names, where })
    return joinOn(scope.context, { left, right, type: "inner", at }, makeAnd(conditions))
  }, first)
}

/** The single row of a SELECT without FROM. */
function oneRow(): Relation {
  return { rel: { kind: "values", columns: [], rows: [[]] }, zone: { kind: "public" } }
}

function bindItem(scope: QueryScope, item: FromItem, where: WhereParts | undefined): Source {
  scope.context.countTable(item.at)
  switch (item.kind) {
    case "table":
      return bindTable(scope, item)
    case "derived-table": {
      const bound = scope.binders.query(scope, item.query)
      return fromQuery(bound, { name: item.alias?.name.text ?? "", alias: item.alias, at: item.at })
    }
    case "join":
      return bindJoin(scope, item, where)
    default:
      return item satisfies never
  }
}

function bindTable(scope: QueryScope, item: Table): Source {
  const [first, second] = item.path.map(({ text }) => text)
  const name = second ?? first ?? ""
  const cte = second === undefined ? scope.ctes.get(name) : undefined
  const alias = item.alias
  if (cte?.error !== undefined) throw cte.error
  if (cte !== undefined) {
    let bound = cte.shared === undefined ? cte.first : renumbered(scope, cte.shared)
    bound ??= scope.binders.query(cte.scope, cte.cte.query)
    // Columns have one number each in a statement, so what is private or public is bound anew for each use.
    cte.first = undefined
    const columns = cte.cte.columns
    const own = fromQuery(bound, {
      name,
      alias: columns.length === 0 ? undefined : { name: cte.cte.name, columns },
      at: item.at,
    })
    return alias === undefined ? own : renamedSource(own, alias, item.at)
  }
  const table = scope.context.tables.get(name)
  const inSchema =
    second === undefined || (table !== undefined && table.path.length > 1 && table.path[0] === first)
  if (table === undefined || !inSchema) {
    const known = [...scope.ctes.keys(), ...scope.context.tables.keys()]
    const near = nearNames(name, known) || known.slice(0, namesMax).join(", ")
    return fail("sql/unknown-table", { name: item.path.map(({ text }) => text).join("."), near }, item.at)
  }
  const { relation, named } = bindScan(scope.context, table, item.at)
  const own = { relation, names: namesOf(named) }
  return alias === undefined ? own : renamedSource(own, alias, item.at)
}

/** So many tables are listed where none has a name like the one that is wanted. */
const namesMax = 20

/** The same released rows under new column numbers: two uses of a WITH query share one boundary. */
function renumbered(scope: QueryScope, { relation, outputs, rows }: BoundQuery): BoundQuery {
  const columns = outputs.map(({ column }) => scope.context.column(column.name, column.domain))
  const items = outputs.map(({ column }) => columnExpr(column))
  return {
    relation: { rel: { kind: "project", input: relation.rel, items, columns }, zone: relation.zone },
    outputs: outputs.map((output, index) => ({ ...output, column: columns[index] ?? output.column })),
    rows,
  }
}

interface Naming {
  readonly name: string
  readonly alias: Pick<TableAlias, "name" | "columns"> | undefined
  readonly at: Span
}

function fromQuery({ relation, outputs }: BoundQuery, { name, alias, at }: Naming): Source {
  const columns = outputs.map((output): NamedColumn => ({ name: output.name, column: output.column }))
  const source = { relation, names: namesOf({ name, table: undefined, columns }) }
  return alias === undefined ? source : renamedSource(source, alias, at)
}

function renamedSource(source: Source, alias: Pick<TableAlias, "name" | "columns">, at: Span): Source {
  const [table] = source.names.tables
  const columns = table?.columns ?? []
  if (alias.columns.length > columns.length) {
    const what = `${alias.name.text} has ${columns.length} columns, and ${alias.columns.length} names are given`
    fail("sql/wrong-count", { what, remedy: `give at most ${columns.length} names` }, at)
  }
  const renamed = columns.map((column, index) => ({
    ...column,
    name: alias.columns[index]?.text ?? column.name,
  }))
  const names = namesOf({ name: alias.name.text, table: table?.table, columns: renamed })
  return { relation: source.relation, names }
}

function bindJoin(scope: QueryScope, join: Join, where: WhereParts | undefined): Source {
  const { type, condition, keyword: at } = join
  // A condition of WHERE may move below a join only on a side that never misses.
  const leftWhere = type === "inner" || type === "left" ? where : undefined
  const rightWhere = type === "inner" || type === "right" ? where : undefined
  const [left, right] = gather(
    [
      { item: join.left, parts: leftWhere },
      { item: join.right, parts: rightWhere },
    ],
    ({ item, parts }) => bindItem(scope, item, parts),
  )
  if (left === undefined || right === undefined) return { relation: oneRow(), names: noNames }
  const sides = { left, right, type, at }
  if (condition?.kind === "using") return joinUsing(scope.context, sides, usingPairs(left, right, condition))
  const names = joinNames(left.names, right.names, at)
  const env = conditionEnv(scope, { names, relation: left.relation })
  const own = condition === undefined ? [] : [onCondition(env, condition.value)]
  const more =
    type === "inner" && where !== undefined
      ? borrowed(env, { left: left.names, right: right.names, where })
      : []
  // Subqueries in ON would have to be added to a side; only the left one could take them, and only sometimes.
  return joinOn(scope.context, sides, makeAnd([...own, ...more]))
}

function onCondition(env: Env, value: Expression): Expr {
  return toBoolean(env.binders.expression(env, value, "filter"), value.at, "ON")
}

/** An environment in which subqueries have no rows to stand on. */
function conditionEnv(scope: QueryScope, { names, relation }: Source): Env {
  const block: Block = {
    get relation(): Relation {
      return relation
    },
    set relation(changed: Relation) {
      const remedy = "move the subquery to WHERE, or join a subquery that computes it"
      const at = changed.rel.at ?? { start: 0, end: 0 }
      fail("sql/unsupported-syntax", { what: "a subquery in a join condition", remedy }, at)
    },
  }
  return {
    ...scope,
    names,
    block,
    outerUse: "refused",
    aggregate: noAggregates("in a join condition", "aggregate in a subquery, and join it"),
    window: noWindows("in a join condition"),
    finish: (value) => value,
  }
}

function usingPairs(
  left: Source,
  right: Source,
  { columns }: JoinUsing,
): readonly (readonly [NamedColumn, NamedColumn])[] {
  const seen = new Set<string>()
  return gather(columns, ({ text, at }) => {
    if (seen.has(text)) fail("sql/duplicate-alias", { name: text }, at)
    seen.add(text)
    return [usingColumn(left.names, text, at), usingColumn(right.names, text, at)] as const
  })
}

function usingColumn(names: Names, name: string, at: Span): NamedColumn {
  const [found, ...others] = names.columns.filter((column) => column.name === name)
  if (others.length > 0) {
    const tables = names.tables.map((table) => table.name).join(" or ")
    fail("sql/ambiguous-column", { name, tables }, at)
  }
  if (found === undefined) {
    const near = nearNames(
      name,
      names.columns.map((column) => column.name),
    )
    return fail("sql/unknown-column", { name, near }, at)
  }
  if (found.column === undefined) fail("privacy/denied-column", { name }, at)
  return found
}

interface Borrowing {
  readonly left: Names
  readonly right: Names
  readonly where: WhereParts
}

/** Takes the equalities a.x = b.y out of WHERE that are about both sides of this join. */
function borrowed(env: Env, { left, right, where }: Borrowing): readonly Expr[] {
  const taken: Expression[] = []
  for (const part of where.rest) {
    if (part.kind !== "binary" || part.operator !== "=") continue
    if (part.left.kind !== "column" || part.right.kind !== "column") continue
    const isAcross =
      (isOf(left, part.left) && isOf(right, part.right)) || (isOf(right, part.left) && isOf(left, part.right))
    if (isAcross) taken.push(part)
  }
  for (const part of taken) where.rest.delete(part)
  return taken.map((part) => onCondition(env, part))
}

/** Only names with their table: a bare one could mean a table that is joined later. */
function isOf(names: Names, { path }: Column): boolean {
  const [table, , ...more] = path
  return path.length === 2 && more.length === 0 && names.tables.some(({ name }) => name === table?.text)
}
