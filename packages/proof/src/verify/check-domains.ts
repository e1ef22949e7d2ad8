// Everything that a plan claims about values follows from the catalog: recomputed here from the leaves up.

import { unreachable } from "@dosimeter/core/errors"
import { compare } from "@dosimeter/core/exact"
import { reject } from "../units/reject.ts"
import type { Domain } from "../catalog/domain.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import { sameType } from "../catalog/sql-type.ts"
import { domainOf } from "../algebra/domain-of.ts"
import type { ColumnId, Expr } from "../algebra/expr.ts"
import { aggregateDomain, windowDomain } from "../algebra/item-domain.ts"
import type { Rel, Scan } from "../algebra/rel.ts"
import { expressionsOf, inputsOf, partsOf } from "../algebra/walk.ts"

/** Checks the domains of a relation, of its expressions and of all below it. */
export function checkDomains(rel: Rel): void {
  for (const input of inputsOf(rel)) checkDomains(input)
  const inside = new Map(
    inputsOf(rel).flatMap(({ columns }) => columns.map(({ id, domain }) => [id, domain] as const)),
  )
  for (const expr of expressionsOf(rel)) checkExpr(expr, inside)
  const derived = derivedDomains(rel, inside)
  for (const [index, { id, domain }] of rel.columns.entries()) {
    const own = derived[index] ?? reject(`column ${id} comes from nowhere`)
    if (!covers(domain, own)) reject(`column ${id} may hold more than is claimed`)
  }
}

function checkExpr(expr: Expr, inside: ReadonlyMap<ColumnId, Domain>): void {
  for (const part of partsOf(expr)) checkExpr(part, inside)
  if (!covers(expr.domain, domainOf(expr, inside)))
    reject(`an expression (${expr.kind}) may give more than is claimed`)
}

function derivedDomains(rel: Rel, inside: ReadonlyMap<ColumnId, Domain>): readonly (Domain | undefined)[] {
  const carried = (columns: Rel["columns"], mayMiss = false): readonly Domain[] =>
    columns.map(({ domain }) => (mayMiss ? { ...domain, nullable: true } : domain))
  switch (rel.kind) {
    case "scan":
      return rel.sources.map(({ name, domain }) =>
        name === unitSource(rel) ? { ...domain, nullable: false } : domain,
      )
    case "values":
      return rel.columns.map(({ domain }, index) =>
        rel.rows.every((row) => {
          const value = row[index] ?? reject("a row of constants is too short")
          return covers(domain, literalDomain(value, domain.type))
        })
          ? domain
          : undefined,
      )
    case "filter":
    case "sort":
      return carried(rel.input.columns)
    case "project":
      return rel.items.map((item) => domainOf(item, inside))
    case "join":
      return [
        ...carried(rel.left.columns, rel.type === "right" || rel.type === "full"),
        ...carried(rel.right.columns, rel.type === "left" || rel.type === "full"),
      ]
    case "mark":
      return [...carried(rel.left.columns), { type: { kind: "boolean" }, nullable: false }]
    case "aggregate":
      return [...rel.keys.map((key) => inside.get(key)), ...rel.items.map(aggregateDomain)]
    case "window":
      return [...carried(rel.input.columns), ...rel.items.map(windowDomain)]
    case "union":
      // Each input must be covered by itself.
      return rel.columns.map(({ domain }, index) =>
        rel.inputs.every((input) =>
          covers(domain, input.columns[index]?.domain ?? reject("a union lacks a column")),
        )
          ? domain
          : undefined,
      )
    case "boundary":
    case "released":
      return reject(`${rel.kind} inside what is read`)
    default:
      return unreachable(rel)
  }
}

// Rows without the unit's id, or without the first step to it, are not read.
function unitSource({ table: { unit } }: Scan): string | undefined {
  return unit.kind === "path" ? (unit.hops[0]?.column ?? unit.column) : undefined
}

/** Whether everything that `inner` may hold is allowed by `outer`. */
export function covers(outer: Domain, inner: Domain): boolean {
  // An empty list says that it is always NULL.
  const isEmpty = inner.values?.length === 0 && inner.nullable
  if (outer.values?.length === 0 && !isEmpty) return false
  if (isEmpty) return outer.nullable
  if (!sameType(outer.type, inner.type) || (inner.nullable && !outer.nullable)) return false
  if (outer.range === undefined) return inner.range === undefined
  if (inner.range === undefined) return false
  return (
    compare(outer.range.min.value, inner.range.min.value) <= 0 &&
    compare(outer.range.max.value, inner.range.max.value) >= 0
  )
}
