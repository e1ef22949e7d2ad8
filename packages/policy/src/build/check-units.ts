// The checks behind every proof about units: ids are read exactly and compare with each other, keys are keys
// after reading too, and a dataset has one kind of unit.

import type { Span } from "@dosimeter/core"
import {
  columnNamed,
  type CatalogColumn,
  type CatalogTable,
  type Hop,
} from "@dosimeter/proof/catalog/catalog"
import { showType } from "@dosimeter/proof/catalog/sql-type"
import { suggest } from "../file/closest.ts"
import type { Report } from "../file/report.ts"
import type { PlacedTable } from "./resolve-paths.ts"
import { findNamed } from "../file/specs.ts"

/** The tables with their keys, all checked. */
export function checkUnits(
  tables: readonly CatalogTable[],
  placed: readonly PlacedTable[],
  report: Report,
): readonly CatalogTable[] {
  checkOneKind(tables, placed, report)
  for (const table of tables) checkPath(table, { tables, at: unitPlace(table, placed), report })
  checkUnitTypes(tables, placed, report)
  return tables.map((table) => withKeys(table, { tables, placed, report }))
}

function checkOneKind(tables: readonly CatalogTable[], placed: readonly PlacedTable[], report: Report): void {
  const person = tables.find(({ unit }) => unit.kind === "path")
  if (person === undefined) return
  for (const table of tables.filter(({ unit }) => unit.kind === "row")) {
    report.add("policy/mixed-units", { table: table.name, other: person.name }, unitPlace(table, placed))
  }
}

interface PathContext {
  readonly tables: readonly CatalogTable[]
  readonly at: Span
  readonly report: Report
}

/** Every column of the path exists, is read exactly, and compares with what it leads to. */
function checkPath(table: CatalogTable, context: PathContext): void {
  if (table.unit.kind !== "path") return
  const [hop] = table.unit.hops
  if (hop !== undefined) checkHop(table, hop, context)
  else {
    const column = idColumn(table, table.unit.column, context)
    const label = `${table.name}.${table.unit.column}`
    if (column?.access === "denied") context.report.add("policy/unit-denied", { column: label }, context.at)
    if (column?.domain.values !== undefined) {
      const reason = "its values are listed, and would be shown"
      context.report.add("policy/inexact-key", { column: label, reason }, context.at)
    }
  }
}

function checkHop(table: CatalogTable, hop: Hop, context: PathContext): void {
  const target = context.tables.find(({ name }) => name === hop.table)
  const from = idColumn(table, hop.column, context)
  const to = target === undefined ? undefined : idColumn(target, hop.key, context)
  if (from === undefined || to === undefined || from.domain.type.kind === to.domain.type.kind) return
  const facts = {
    column: `${table.name}.${hop.column}`,
    type: showType(from.domain.type),
    other: `${hop.table}.${hop.key}`,
    otherType: showType(to.domain.type),
  }
  context.report.add("policy/type-differs", facts, context.at)
}

/** A column that tells units or rows apart: of integers or texts, and read as it is. */
function idColumn(table: CatalogTable, name: string, { at, report }: PathContext): CatalogColumn | undefined {
  const column = columnNamed(table, name)
  // It was refused before, with its reason.
  if (column === undefined) return undefined
  const { type } = column.domain
  const label = `${table.name}.${name}`
  if (type.kind !== "integer" && type.kind !== "text") {
    report.add("policy/unit-type", { column: label, type: showType(type) }, at)
    return undefined
  }
  const reason = inexactBecause(column)
  if (reason !== undefined) report.add("policy/inexact-key", { column: label, reason }, at)
  return column
}

/** Why different values of a column may be read as the same, if they may. */
function inexactBecause({ domain }: CatalogColumn): string | undefined {
  const { type, range, grid } = domain
  if (type.kind === "date" || type.kind === "timestamp") return "dates outside their range are read as NULL"
  if (type.kind === "float" || type.kind === "decimal") return "numbers with fractions are rounded"
  if (range?.min.declared === true || range?.max.declared === true)
    return "values beyond its min or max fall together"
  return grid === undefined ? undefined : "values between steps of its grid fall together"
}

/** Ids of the same units compare with each other in every table. */
function checkUnitTypes(
  tables: readonly CatalogTable[],
  placed: readonly PlacedTable[],
  report: Report,
): void {
  const ids = tables.flatMap((table) => {
    const { unit } = table
    if (unit.kind !== "path" || unit.hops.length > 0) return []
    const column = columnNamed(table, unit.column)
    return column === undefined ? [] : [{ table, column }]
  })
  const [first, ...others] = ids
  if (first === undefined) return
  for (const { table, column } of others) {
    if (column.domain.type.kind === first.column.domain.type.kind) continue
    const facts = {
      column: `${table.name}.${column.name}`,
      type: showType(column.domain.type),
      other: `${first.table.name}.${first.column.name}`,
      otherType: showType(first.column.domain.type),
    }
    report.add("policy/type-differs", facts, unitPlace(table, placed))
  }
}

/** Written keys, keys that the database enforces, and the keys that other tables' paths lead to. */
function withKeys(
  table: CatalogTable,
  context: {
    readonly tables: readonly CatalogTable[]
    readonly placed: readonly PlacedTable[]
    readonly report: Report
  },
): CatalogTable {
  const own = context.placed.find(({ spec }) => spec.name === table.name)
  const written = own === undefined ? [] : writtenKeys(table, own, context.report)
  const byName = (source: string): string | undefined =>
    table.columns.find((column) => column.source === source)?.name
  const enforced = (own?.facts?.keys ?? [])
    .map((key) => key.map(byName))
    .flatMap((key) => {
      const names = key.filter((name) => name !== undefined)
      return names.length === key.length && names.every((name) => isExact(table, name)) ? [names] : []
    })
  const asked = context.tables.flatMap(({ unit }) =>
    unit.kind === "path" ? unit.hops.filter((hop) => hop.table === table.name).map(({ key }) => [key]) : [],
  )
  const keys = new Map([...written, ...enforced, ...asked].map((key) => [key.toSorted().join("\u0000"), key]))
  return { ...table, keys: [...keys.values()] }
}

function isExact(table: CatalogTable, name: string): boolean {
  const column = columnNamed(table, name)
  return column !== undefined && inexactBecause(column) === undefined
}

function writtenKeys(
  table: CatalogTable,
  { spec, facts }: PlacedTable,
  report: Report,
): readonly (readonly string[])[] {
  const single = spec.columns
    .filter(({ key }) => key === true)
    .map(({ name, at, origin }) => ({ columns: [{ text: name, quoted: true, at }], at, origin }))
  return [...spec.keys, ...single].flatMap((key) => {
    const columns = key.columns.map(({ text }) => findNamed(table.columns, text))
    const names = columns.flatMap((column) => column?.name ?? [])
    const isOurs = spec.origin === "pack"
    if (names.length < columns.length) {
      const unknown = key.columns.find(({ text }) => findNamed(table.columns, text) === undefined)
      // What is described and was refused, or is not in the source, was reported before.
      const described = unknown !== undefined && findNamed(spec.columns, unknown.text) !== undefined
      if (!isOurs && facts === undefined && unknown !== undefined && !described) {
        const known = suggest(
          unknown.text,
          table.columns.map(({ name }) => name),
        )
        report.add("policy/unknown-column", { table: table.name, column: unknown.text, known }, unknown.at)
      }
      return []
    }
    for (const column of columns) {
      const reason = column === undefined ? undefined : inexactBecause(column)
      if (column === undefined || reason === undefined) continue
      if (isOurs) return []
      report.add("policy/inexact-key", { column: `${table.name}.${column.name}`, reason }, key.at)
    }
    return [names]
  })
}

function unitPlace(table: CatalogTable, placed: readonly PlacedTable[]): Span {
  return placed.find(({ spec }) => spec.name === table.name)?.unit.at ?? { start: 0, end: 0 }
}
