// The way from each table to its unit: a path that ends at another table goes on with that table's, and a
// path that names the way of another table must name the one that the table has itself.

import type { Span } from "@dosimeter/core"
import type { Hop } from "@dosimeter/proof/catalog/catalog"
import { suggest } from "../file/closest.ts"
import type { Report } from "../file/report.ts"
import type { TableFacts } from "../file/source-facts.ts"
import { findNamed, type TableSpec, type UnitSpec } from "../file/specs.ts"

/** Whose the rows of a table are, with all hops. */
export type ResolvedUnit =
  | { readonly kind: "public" | "row"; readonly at: Span }
  | { readonly kind: "path"; readonly hops: readonly Hop[]; readonly column: string; readonly at: Span }

/** A table that is there, with its facts and its way to the unit. */
export interface PlacedTable {
  readonly spec: TableSpec
  readonly facts: TableFacts | undefined
  readonly unit: ResolvedUnit
}

/** The unit of every table that has one, by the table's name. */
export function resolvePaths(
  tables: readonly TableSpec[],
  report: Report,
): ReadonlyMap<string, ResolvedUnit> {
  const done = new Map<string, ResolvedUnit | undefined>()
  for (const table of tables) resolve(table, { tables, report, done, open: [] })
  return new Map([...done].flatMap(([name, unit]) => (unit === undefined ? [] : [[name, unit] as const])))
}

interface Search {
  readonly tables: readonly TableSpec[]
  readonly report: Report
  readonly done: Map<string, ResolvedUnit | undefined>
  /** The tables that are being resolved: coming back to one of them is a circle. */
  readonly open: readonly string[]
}

function resolve(table: TableSpec, search: Search): ResolvedUnit | undefined {
  if (search.done.has(table.name)) return search.done.get(table.name)
  const unit = resolveUnit(table, { ...search, open: [...search.open, table.name] })
  search.done.set(table.name, unit)
  return unit
}

function resolveUnit(table: TableSpec, search: Search): ResolvedUnit | undefined {
  const { unit, at, name } = table
  if (unit === undefined) {
    const example = "unit: patient_id, a path to it, row, or public"
    search.report.add("policy/missing", { key: "unit", where: `the table ${name}`, example }, at)
    return undefined
  }
  if (unit.kind !== "path") return unit
  const [first, ...others] = unit.steps
  if (first === undefined) {
    return { kind: "path", hops: [], column: columnName(table, unit.column ?? ""), at: unit.at }
  }
  const target = findNamed(search.tables, first.table)
  if (target === undefined) {
    // A pack's path leads to a table that the site may not have; then this one is withheld.
    if (table.origin === "pack") return undefined
    const known = suggest(
      first.table,
      search.tables.map((other) => other.name),
    )
    search.report.add(
      "policy/unknown-table",
      { table: first.table, where: `the path of ${name}`, known },
      unit.at,
    )
    return undefined
  }
  if (search.open.includes(target.name)) {
    const path = [...search.open, target.name].join(" -> ")
    search.report.add("policy/path-cycle", { table: name, path }, unit.at)
    return undefined
  }
  const onward = resolve(target, search)
  if (onward === undefined) return undefined
  if (onward.kind !== "path") {
    const reason = `${target.name} is ${onward.kind === "public" ? "public" : "by row"}`
    search.report.add("policy/bad-path", { path: unit.text, reason }, unit.at)
    return undefined
  }
  const rest = { steps: others, column: unit.column }
  if ((others.length > 0 || unit.column !== undefined) && !sameWay(rest, onward, target)) {
    const way = showWay(onward)
    search.report.add(
      "policy/bad-path",
      { path: unit.text, reason: `${target.name} goes by ${way}` },
      unit.at,
    )
    return undefined
  }
  const hop: Hop = {
    column: columnName(table, first.column),
    table: target.name,
    key: columnName(target, first.key),
  }
  return { kind: "path", hops: [hop, ...onward.hops], column: onward.column, at: unit.at }
}

/** Whether the rest of a written path is the way that the table goes itself, as far as it is written. */
function sameWay(
  rest: Pick<UnitSpec & { readonly kind: "path" }, "steps" | "column">,
  onward: ResolvedUnit & { readonly kind: "path" },
  table: TableSpec,
): boolean {
  const written = rest.steps.map(({ column, table: to, key }) => [column, to, key].join(" "))
  const own = onward.hops.map(({ column, table: to, key }) => [column, to, key].join(" "))
  const begins = written.every((step, index) => step.toLowerCase() === own[index]?.toLowerCase())
  if (rest.column === undefined) return begins
  const named = rest.steps.length === 0 ? columnName(table, rest.column) : rest.column
  return begins && written.length === own.length && named.toLowerCase() === onward.column.toLowerCase()
}

function showWay({ hops, column }: ResolvedUnit & { readonly kind: "path" }): string {
  return [...hops.map((hop) => `${hop.column} -> ${hop.table}.${hop.key}`), column].join(" -> ")
}

/** A column as the table's lines call it; unquoted names are in lower case. */
function columnName(table: TableSpec, name: string): string {
  return findNamed(table.columns, name)?.name ?? name.toLowerCase()
}
