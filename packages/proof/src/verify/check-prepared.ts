// What is claimed of a prepared copy follows from the catalog: it has the unit, the keys and the columns of
// its table, and what was computed from them holds no more than is said.

import { compare } from "@dosimeter/core/exact"
import {
  placeDomain,
  totalDomain,
  type DerivedColumn,
  type PreparedTable,
  type StoredTotal,
} from "../units/prepared-table.ts"
import { reject } from "../units/reject.ts"
import {
  columnNamed,
  type Catalog,
  type CatalogColumn,
  type CatalogTable,
  type PreparedFacts,
  type StoredPlace,
} from "../catalog/catalog.ts"
import { domainOf } from "../algebra/domain-of.ts"
import { columnsIn } from "../algebra/walk.ts"
import { covers } from "./check-domains.ts"

/**
 * Checks one copy. That its rows are those of the table, or its pairs, and its places and totals what they
 * should be, is prepare's work.
 */
export function checkPrepared({ base, table, derived, totals }: PreparedTable, catalog: Catalog): void {
  const { unit, name } = base
  if (!catalog.tables.includes(base)) reject(`a copy of ${name}, which is not in the catalog`)
  const isOf = table.prepared === undefined || isCopyOf(table.prepared, base)
  if (!isOf || table.name !== name || table.unit !== unit) reject(`a copy of ${name} is of another table`)
  const pairs = table.prepared?.pairs
  // Keys of the table say nothing of pairs.
  const keys = pairs === undefined ? table.keys : pairs.tableKeys
  if (keys !== base.keys || (pairs !== undefined && table.keys.length > 0))
    reject(`a copy of ${name} has other keys`)
  if ((pairs === undefined) !== (totals === undefined)) reject(`a copy of ${name} has totals of no pairs`)
  if (unit.kind === "public" || (unit.kind === "path" && unit.hops.length > 0)) {
    reject(`${name} cannot be copied by unit`)
  }
  const places = table.prepared?.places ?? reject(`a copy of ${name} is not prepared`)
  if (unit.kind === "row" && places.length > 0) reject(`rows of ${name} have no place`)
  const computed = [...derived, ...(totals ?? [])].map((one) => one.name)
  const added = new Set([...computed, ...places.map(({ column }) => column)])
  if (added.size !== computed.length + places.length) reject(`a copy of ${name} has a column twice`)
  checkNames(added, base)
  for (const column of table.columns) if (!added.has(column.name)) checkCopied(column, base)
  for (const one of derived) checkDerived(one, { base, table })
  for (const { column, by, counts } of places) {
    checkPlace(columnNamed(table, column) ?? reject(`${name} has a place without a column`), counts)
    if (by.some((key) => columnNamed(table, key) === undefined)) reject(`${name} has a place by nothing`)
  }
  if (pairs !== undefined) checkPairs({ base, table, derived, totals: totals ?? [] }, pairs.by)
}

// What is added goes by its name when a copy is made, and would be taken for the column of that name.
function checkNames(added: ReadonlySet<string>, base: CatalogTable): void {
  const own = new Set(base.columns.map(({ name }) => name.toLowerCase()))
  if ([...added].some((name) => own.has(name.toLowerCase())))
    reject(`a copy of ${base.name} computes what is a column of it`)
}

// A column of a pair is the unit, its group, what these decide, or a total.
function checkPairs(
  { base, table, derived, totals }: Pick<PreparedTable, "base" | "table" | "derived"> & OfTotals,
  by: readonly string[],
): void {
  const { unit, name } = base
  if (unit.kind !== "path" || (table.prepared?.places.length ?? 0) > 0) reject(`${name} has pairs of no unit`)
  const owner = unit.kind === "path" ? unit.column : ""
  const group = new Set([owner, ...by])
  const computed = new Set([...derived, ...totals].map((one) => one.name))
  for (const column of [...by, owner]) {
    const isTotal = totals.some((one) => one.name === column)
    if (isTotal || columnNamed(table, column) === undefined) reject(`${name} has pairs by nothing`)
  }
  for (const column of table.columns) {
    if (!computed.has(column.name) && !group.has(column.name)) reject(`${name} has pairs with a row's column`)
  }
  for (const one of derived) {
    const isOfGroup = [...columnsIn(one.value)].every((id) => group.has(base.columns[id]?.name ?? ""))
    if (!group.has(one.name) && !isOfGroup) reject(`${name} computes ${one.name} from rows, not from pairs`)
  }
  for (const total of totals) checkTotal(total, { base, table })
}

interface OfTotals {
  readonly totals: readonly StoredTotal[]
}

function checkTotal(
  total: StoredTotal,
  { base, table }: { readonly base: CatalogTable; readonly table: CatalogTable },
): void {
  const column = columnNamed(table, total.name) ?? reject(`${base.name} has no total ${total.name}`)
  if (!covers(column.domain, totalDomain(total))) reject(`${base.name}.${total.name} may hold more`)
  if (total.of === undefined) return
  if (total.of.kind !== "steps") reject(`${base.name}.${total.name} is no total of steps`)
  const domains = new Map(base.columns.map(({ domain }, index) => [index, domain]))
  if (!covers(total.of.domain, domainOf(total.of, domains))) reject(`${total.name} adds up more`)
  const denied = [...columnsIn(total.of)].filter((id) => base.columns[id]?.access !== "allowed")
  if (denied.length > 0) reject(`${base.name} adds up ${total.name} of what nobody may see`)
}

// By the names that the database has for them: two tables, or columns, may have one name for analysts.
function isCopyOf({ of, sources }: PreparedFacts, base: CatalogTable): boolean {
  const isSame = sources.every((source, index) => source === base.columns[index]?.source)
  return of === base.path && isSame && sources.length === base.columns.length
}

function checkCopied({ name, domain, access }: CatalogColumn, base: CatalogTable): void {
  const own = columnNamed(base, name) ?? reject(`${base.name} has no column ${name}`)
  if (own.domain !== domain || own.access !== access) reject(`${base.name}.${name} was copied as another`)
}

function checkDerived(
  { name, value }: DerivedColumn,
  { base, table }: { readonly base: CatalogTable; readonly table: CatalogTable },
): void {
  const column = columnNamed(table, name) ?? reject(`${base.name} has nothing computed as ${name}`)
  const domains = new Map(base.columns.map(({ domain }, index) => [index, domain]))
  const denied = [...columnsIn(value)].filter((id) => base.columns[id]?.access !== "allowed")
  if (denied.length > 0) reject(`${base.name} computes ${name} from what nobody may see`)
  if (!covers(column.domain, domainOf(value, domains))) reject(`${base.name}.${name} may hold more`)
}

function checkPlace({ domain, name }: CatalogColumn, counts: StoredPlace["counts"]): void {
  const held = placeDomain(counts)
  if (!covers(domain, held) || domain.range === undefined) reject(`${name} is not a place`)
  if (held.range === undefined || compare(domain.range.max.value, held.range.max.value) !== 0)
    reject(`${name} has another limit`)
}
