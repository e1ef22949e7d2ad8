// UNION ALL and UNION: all of people, with their units side by side, or none of them.

import type { Span } from "@dosimeter/core"
import { isNoResult } from "@dosimeter/proof/functions/no-result"
import { unionDomain } from "@dosimeter/proof/functions/union-domain"
import { fail } from "../errors.ts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Query, SetOperation } from "../parse/ast.ts"
import { distinctOver } from "./groups/distinct-rows.ts"
import { unified } from "./exprs/coerce.ts"
import { gather } from "./scope/context.ts"
import type { BoundQuery, QueryScope } from "./scope/env.ts"
import { refuseRowUnit, unitExpr, type PrivateZone, type Relation, type Zone } from "./scope/relation.ts"

/** Binds a union. */
export function bindUnion(scope: QueryScope, operation: SetOperation): BoundQuery {
  const queries = operation.duplicates === "keep" ? flat(operation) : [operation.left, operation.right]
  const branches = gather(queries, (query) => scope.binders.query(scope, query))
  const [first] = branches
  const width = first?.outputs.length ?? 0
  const odd = branches.findIndex(({ outputs }) => outputs.length !== width)
  if (odd >= 0 || first === undefined) {
    const what = `the parts of UNION have ${width} and ${branches[odd]?.outputs.length ?? 0} columns`
    return fail("sql/wrong-count", { what, remedy: "select as many in each part" }, operation.at)
  }
  const relation = unionOf(scope, branches, operation.at)
  const columns = relation.rel.columns.slice(0, width)
  const outputs = first.outputs.map(({ name }, index) => ({
    name,
    column: columns[index] ?? missing(operation.at),
  }))
  const unique =
    operation.duplicates === "keep"
      ? relation
      : distinctOver(scope, { relation, visible: columns, at: operation.at })
  return { relation: unique, outputs, rows: "any" }
}

function missing(at: Span): never {
  return fail("bug/plan-rejected", { what: "a union without its columns" }, at)
}

/** a UNION ALL b UNION ALL c is one union. */
function flat({ left, right }: SetOperation): readonly Query[] {
  return [left, right].flatMap((query) => {
    const { body } = query
    const isPlain =
      query.ctes.length === 0 &&
      query.orderBy.length === 0 &&
      query.limit === undefined &&
      query.offset === undefined
    const isSame = body.kind === "set-operation" && body.operator === "union" && body.duplicates === "keep"
    return isPlain && isSame ? flat(body) : [query]
  })
}

function unionOf(scope: QueryScope, branches: readonly BoundQuery[], at: Span): Relation {
  const zone = unionZone(branches, at)
  const width = branches[0]?.outputs.length ?? 0
  const byColumn = Array.from({ length: width }, (_, index) =>
    unified(
      branches.map(({ outputs }) => {
        const column = outputs[index]?.column
        return column === undefined ? missing(at) : columnExpr(column)
      }),
      at,
    ),
  )
  const units = zone === "private" ? [branches.map(({ relation }) => unitExpr(relation) ?? missing(at))] : []
  const all = [...byColumn, ...units]
  const names = [...(branches[0]?.outputs.map(({ name }) => name) ?? []), unitName(branches[0])]
  const columns = all.map((values, index) =>
    scope.context.column(names[index] ?? "", domainOfAll(values, at)),
  )
  const inputs = branches.map(({ relation }, which): Rel => {
    const items = all.flatMap((values): readonly Expr[] =>
      values[which] === undefined ? [] : [values[which]],
    )
    const own = items.map((item, index) => scope.context.column(columns[index]?.name ?? "", item.domain))
    return { kind: "project", input: relation.rel, items, columns: own }
  })
  const rel: Rel = { kind: "union", inputs, columns, at }
  return { rel, zone: zone === "private" ? unitsOf(columns, byColumn, branches) : { kind: zone } }
}

function domainOfAll(values: readonly Expr[], at: Span): RelColumn["domain"] {
  const domain = unionDomain(
    values.map((value) => value.domain),
    "UNION",
  )
  return isNoResult(domain) ? fail(domain.code, { reason: domain.reason, remedy: domain.remedy }, at) : domain
}

function unitName(branch: BoundQuery | undefined): string {
  const relation = branch?.relation
  const unit = relation?.zone.kind === "private" ? relation.zone.unit : undefined
  return relation?.rel.columns.find(({ id }) => id === unit)?.name ?? "unit"
}

function unionZone(branches: readonly BoundQuery[], at: Span): Zone["kind"] {
  const kinds = new Set(branches.map(({ relation }) => relation.zone.kind))
  if (!kinds.has("private")) return kinds.has("released") ? "released" : "public"
  if (kinds.size > 1) {
    const others = kinds.has("released") ? "released results" : "public rows"
    const what = `a union of rows of people with ${others} has rows that belong to nobody`
    fail("privacy/unit-lost", { what, remedy: "aggregate each part first, then unite the results" }, at)
  }
  for (const { relation } of branches) refuseRowUnit(relation, "UNION", at)
  return "private"
}

/** A column is the unit if it is in every part; likewise what tells it. */
function unitsOf(
  columns: readonly RelColumn[],
  byColumn: readonly (readonly Expr[])[],
  branches: readonly BoundQuery[],
): PrivateZone {
  const unit = columns.at(-1)?.id
  const holds = (which: number, test: (zone: PrivateZone, id: ColumnId) => boolean): boolean =>
    branches.every(({ relation }, branch) => {
      const value = byColumn[which]?.[branch]
      return relation.zone.kind === "private" && value?.kind === "column" && test(relation.zone, value.id)
    })
  const where = (test: (zone: PrivateZone, id: ColumnId) => boolean): readonly ColumnId[] =>
    columns.slice(0, -1).flatMap(({ id }, which) => (holds(which, test) ? [id] : []))
  const equal = where((zone, id) => zone.equal.has(id))
  const maybe = where((zone, id) => zone.equal.has(id) || zone.maybe.has(id)).filter(
    (id) => !equal.includes(id),
  )
  const telling = where((zone, id) => zone.telling.some((set) => set.length === 1 && set[0] === id))
  return {
    kind: "private",
    unit,
    equal: new Set([...(unit === undefined ? [] : [unit]), ...equal]),
    maybe: new Set(maybe),
    telling: telling.map((id) => [id]),
  }
}
