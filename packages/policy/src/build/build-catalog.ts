// Tables as written, put together with the source's facts: columns with their domains, keys, and the path
// from each table to its unit.

import type { Span } from "@dosimeter/core"
import {
  columnNamed,
  type CatalogColumn,
  type CatalogTable,
  type TableUnit,
} from "@dosimeter/proof/catalog/catalog"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { withCopyKeys } from "./build-copy-keys.ts"
import { buildDomain } from "./build-domain.ts"
import { checkUnits } from "./check-units.ts"
import { suggest } from "../file/closest.ts"
import type { Claim, Withheld } from "../file/policy.ts"
import type { Report } from "../file/report.ts"
import { resolvePaths, type PlacedTable, type ResolvedUnit } from "./resolve-paths.ts"
import type { ColumnFacts, SourceFacts, TableFacts } from "../file/source-facts.ts"
import { findNamed, parseTarget, type ColumnSpec, type TableSpec } from "../file/specs.ts"

/** The tables of a catalog, and what is to be known about them besides. */
export interface BuiltTables {
  readonly tables: readonly CatalogTable[]
  readonly claims: readonly Claim[]
  readonly withheld: readonly Withheld[]
  readonly absent: readonly string[]
}

/** Builds all tables. Problems go to the report; what has one is left out. */
export function buildTables(
  specs: readonly TableSpec[],
  facts: SourceFacts | undefined,
  report: Report,
): BuiltTables {
  const offered = specs.filter((spec) => spec.withheld === undefined)
  const found = offered.map((spec) => ({ spec, facts: factsOf(spec, facts, report) }))
  const present = found.filter(({ facts: own }) => facts === undefined || own !== undefined)
  const absent = found.filter((table) => !present.includes(table)).map(({ spec }) => spec.name)
  const units = resolvePaths(
    present.map(({ spec }) => spec),
    report,
  )
  const placed = present.flatMap((table) => {
    const unit = units.get(table.spec.name)
    return unit === undefined ? [] : [{ ...table, unit }]
  })
  const unitType = knownUnitType(placed)
  const tables = reachable(placed.map((table) => buildTable(table, placed, { unitType, report })))
  const checked = checkUnits(tables, placed, report)
  const linked = checked
    .map((table) => withReferences(table, { tables: checked, placed, report }))
    .map((table) => withCopyKeys(table, specs, report))
  const withheld = specs.flatMap(({ name, withheld: reason }): readonly Withheld[] => {
    if (reason !== undefined) return [{ table: name, reason }]
    if (absent.includes(name) || linked.some((table) => table.name === name)) return []
    return [{ table: name, reason: "the source lacks a table or column that leads to its unit" }]
  })
  return { tables: linked, claims: claimsOf(linked, placed), withheld, absent }
}

/** The tables whose every step to the unit is there. What a site wrote itself was reported before. */
function reachable(tables: readonly CatalogTable[]): readonly CatalogTable[] {
  const kept = tables.filter((table) => {
    if (table.unit.kind !== "path") return true
    const [hop] = table.unit.hops
    if (columnNamed(table, hop?.column ?? table.unit.column) === undefined) return false
    const target = tables.find(({ name }) => name === hop?.table)
    return hop === undefined || (target !== undefined && columnNamed(target, hop.key) !== undefined)
  })
  return kept.length === tables.length ? kept : reachable(kept)
}

/** The facts of a table. One that only the pack knows may be missing; one that the site names may not. */
function factsOf(spec: TableSpec, facts: SourceFacts | undefined, report: Report): TableFacts | undefined {
  if (facts === undefined) return undefined
  const path = spec.source ?? [spec.name]
  const wanted = path.at(-1) ?? spec.name
  const schema = path.at(-2)
  const inSchema = facts.tables.filter(
    (table) => schema === undefined || sameName(table.path.at(-2) ?? "", schema),
  )
  const own = inSchema.find(({ name }) => name === wanted) ?? onlyLike(inSchema, wanted)
  if (own === undefined && spec.origin === "site") {
    const known = suggest(
      wanted,
      facts.tables.map(({ name }) => name),
    )
    report.add("policy/not-in-source", { what: `table ${path.join(".")}`, known }, spec.at)
  }
  return own
}

/** The one whose name differs in case only, if there is one and not more. */
function onlyLike<T extends { readonly name: string }>(all: readonly T[], name: string): T | undefined {
  const like = all.filter((one) => sameName(one.name, name))
  return like.length === 1 ? like[0] : undefined
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** The type of units' ids, from any table that says it. */
function knownUnitType(placed: readonly PlacedTable[]): SqlType | undefined {
  for (const { spec, facts, unit } of placed) {
    if (unit.kind !== "path" || unit.hops.length > 0) continue
    const column = spec.columns.find(({ name }) => name === unit.column)
    const known = column?.type?.text
    if (known === "integer" || known === "text") return { kind: known }
    const stored = facts === undefined ? undefined : columnFacts(unit.column, column, facts)?.type
    if (stored?.kind === "integer" || stored?.kind === "text") return stored
  }
  return undefined
}

interface BuildContext {
  readonly unitType: SqlType | undefined
  readonly report: Report
}

function buildTable(
  table: PlacedTable,
  placed: readonly PlacedTable[],
  { unitType, report }: BuildContext,
): CatalogTable {
  const { spec, facts, unit } = table
  const ids = idColumns(table, placed)
  const columns = [...spec.columns, ...impliedColumns(table, ids)].flatMap((column) => {
    if (column.broken === true) return []
    const own = facts === undefined ? undefined : columnFacts(column.name, column, facts)
    if (facts !== undefined && own === undefined) {
      reportMissing(spec, column, { facts, report })
      return []
    }
    const fallback = fallbackType(column, { isId: ids.has(column.name), unitType })
    const label = `${spec.name}.${column.name}`
    const domain = buildDomain({ spec: column, facts: own, label, fallback, report })
    if (domain === undefined) return []
    const isOwner = unit.kind === "path" && (unit.hops[0]?.column ?? unit.column) === column.name
    const built: CatalogColumn = {
      name: column.name,
      source: own?.name ?? column.source?.text ?? column.name,
      // Rows without a unit are not read.
      domain: isOwner ? { ...domain, nullable: false } : domain,
      access: column.access ?? "allowed",
    }
    return [built]
  })
  const path = facts?.path ?? spec.source ?? [spec.name]
  return { name: spec.name, path, unit: unitOf(unit), columns, keys: [] }
}

/**
 * The type to take where nothing says one. An id is like the other ids of units; failing that it is a text,
 * as which any id can be read without loss. Of a denied column nobody can ask what it is.
 */
function fallbackType(
  { access }: ColumnSpec,
  { isId, unitType }: { readonly isId: boolean; readonly unitType: SqlType | undefined },
): SqlType | undefined {
  if (isId) return unitType ?? { kind: "text" }
  return access === "denied" ? { kind: "text" } : undefined
}

function unitOf(unit: ResolvedUnit): TableUnit {
  return unit.kind === "path" ? { kind: "path", hops: unit.hops, column: unit.column } : { kind: unit.kind }
}

/** The columns of a table that lead to its unit or that other tables' paths lead to. */
function idColumns(table: PlacedTable, placed: readonly PlacedTable[]): ReadonlySet<string> {
  const { spec, unit } = table
  const own = unit.kind === "path" ? [unit.hops[0]?.column ?? unit.column] : []
  const asked = placed.flatMap(({ unit: other }) =>
    other.kind === "path" ? other.hops.filter((hop) => hop.table === spec.name).map(({ key }) => key) : [],
  )
  return new Set([...own, ...asked])
}

/** Columns that nobody described and that are needed; of a public table, all that the source has. */
function impliedColumns({ spec, facts, unit }: PlacedTable, ids: ReadonlySet<string>): readonly ColumnSpec[] {
  const implied = new Map<string, ColumnSpec>()
  const imply = (name: string, at: Span): void => {
    if (!spec.columns.some((column) => column.name === name) && !implied.has(name)) {
      implied.set(name, { name, at, origin: "implied" })
    }
  }
  for (const name of ids) imply(name, unit.at)
  if (facts !== undefined)
    for (const key of spec.keys) for (const { text, at } of key.columns) imply(text, at)
  if (unit.kind === "public" && spec.origin === "site" && spec.columns.length === 0) {
    for (const { name, type } of facts?.columns ?? [])
      if (type !== undefined) imply(name.toLowerCase(), unit.at)
  }
  return [...implied.values()]
}

function columnFacts(name: string, spec: ColumnSpec | undefined, facts: TableFacts): ColumnFacts | undefined {
  const wanted = spec?.source?.text ?? name
  return facts.columns.find((column) => column.name === wanted) ?? onlyLike(facts.columns, wanted)
}

function reportMissing(
  table: TableSpec,
  column: ColumnSpec,
  { facts, report }: { readonly facts: TableFacts; readonly report: Report },
): void {
  if (column.origin === "pack") return
  const known = suggest(
    column.name,
    facts.columns.map(({ name }) => name),
  )
  const what = `column ${column.source?.text ?? column.name} in the table ${table.name}`
  report.add("policy/not-in-source", { what, known }, column.at)
}

function withReferences(
  table: CatalogTable,
  context: {
    readonly tables: readonly CatalogTable[]
    readonly placed: readonly PlacedTable[]
    readonly report: Report
  },
): CatalogTable {
  const specs = context.placed.find(({ spec }) => spec.name === table.name)?.spec.columns ?? []
  const columns = table.columns.map((column) => {
    const spec = specs.find(({ name }) => name === column.name)
    const references = spec === undefined ? undefined : referenceOf(spec, table, context)
    return references === undefined ? column : { ...column, references }
  })
  return { ...table, columns: columns.map((column) => withOverlongTexts(column, table)) }
}

/** An overlong text that tells rows apart is read as NULL, since cutting it could make two of them one. */
function withOverlongTexts(column: CatalogColumn, { unit, keys }: CatalogTable): CatalogColumn {
  const { name, domain, references } = column
  const isOwner = unit.kind === "path" && (unit.hops[0]?.column ?? unit.column) === name
  const tellsApart = references !== undefined || keys.some((key) => key.includes(name))
  if (domain.type.kind !== "text" || isOwner || !tellsApart) return column
  return { ...column, domain: { ...domain, nullable: true } }
}

function referenceOf(
  spec: ColumnSpec,
  table: CatalogTable,
  { tables, report }: { readonly tables: readonly CatalogTable[]; readonly report: Report },
): CatalogColumn["references"] {
  const written = spec.references
  if (written === undefined) return undefined
  const label = `${table.name}.${spec.name}`
  const target = parseTarget(written.text)
  const found = target === undefined ? undefined : findNamed(tables, target.table)
  const column =
    target === undefined || found === undefined ? undefined : findNamed(found.columns, target.column)
  if (found?.name === table.name && column?.name === spec.name) return undefined
  if (found !== undefined && column !== undefined) return { table: found.name, column: column.name }
  // A pack refers to tables that a site may not have.
  if (spec.origin === "pack") return undefined
  if (target === undefined) {
    const facts = {
      where: `the reference of ${label}`,
      got: written.text,
      expected: "a column such as visits.id",
    }
    report.add("policy/wrong-value", facts, written.at)
  } else if (found === undefined) {
    const known = suggest(
      target.table,
      tables.map(({ name }) => name),
    )
    report.add(
      "policy/unknown-table",
      { table: target.table, where: `the reference of ${label}`, known },
      written.at,
    )
  } else {
    const known = suggest(
      target.column,
      found.columns.map(({ name }) => name),
    )
    report.add("policy/unknown-column", { table: found.name, column: target.column, known }, written.at)
  }
  return undefined
}

/** Keys and NOT NULLs that the database does not enforce by itself, or not for texts as they are read. */
function claimsOf(tables: readonly CatalogTable[], placed: readonly PlacedTable[]): readonly Claim[] {
  return tables.flatMap((table): readonly Claim[] => {
    const own = placed.find(({ spec }) => spec.name === table.name)
    const enforced = (own?.facts?.keys ?? []).map((key) => key.map((name) => name.toLowerCase()))
    const isText = (name: string): boolean => columnNamed(table, name)?.domain.type.kind === "text"
    const unique = table.keys
      .filter(
        (key) => key.some(isText) || !enforced.some((known) => known.every((name) => key.includes(name))),
      )
      .map((columns): Claim => ({ kind: "unique", table: table.name, columns }))
    // Rows without a unit are not read.
    const isOwner = (name: string): boolean =>
      table.unit.kind === "path" && (table.unit.hops[0]?.column ?? table.unit.column) === name
    // A database that enforces NOT NULL still stores NaN, which is read as NULL.
    const isEnforced = (source: string): boolean => {
      const known = own?.facts?.columns.find(({ name }) => name === source)
      return known?.nullable === false && known.type?.kind !== "float"
    }
    const notNull = table.columns
      .filter(({ name, domain }) => !domain.nullable && !isOwner(name))
      .filter(({ source }) => !isEnforced(source))
      .map(({ name }) => name)
    const nulls: readonly Claim[] =
      notNull.length === 0 ? [] : [{ kind: "not-null", table: table.name, columns: notNull }]
    return [...unique, ...nulls]
  })
}
