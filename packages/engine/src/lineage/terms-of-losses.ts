// What a loss means under a policy, as texts that the ledger holds: for whom it is counted (neighbours, unit,
// whose the rows of each table are), how it adds up, and where the data is. The version of the data is no
// part of it: versions change, and the people stay.

import type { CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { Policy, Source } from "@dosimeter/policy/file/policy"
import { isAbsolute, normalize, sep } from "node:path"
import type { LossTerms } from "../ledger/entries/entry.ts"
import { sourceTerm } from "../ledger/entries/loss-terms.ts"
import { readAddress } from "../postgres/postgres-address.ts"

/** The terms of a policy's losses. */
export function termsOfLosses({ source, catalog, terms }: Policy): LossTerms {
  // By the name that the database knows: another name for questions is no other table.
  const tables = catalog.tables.map((table) => [`table ${table.path.join(".")}`, whose(table)] as const)
  return {
    neighbours: catalog.neighbours,
    unit: unitOf(catalog.tables),
    accounting: terms.budget.accounting,
    [sourceTerm]: showSource(source),
    ...Object.fromEntries(tables),
  }
}

/** Whether losses are counted for people or for single rows. What a unit is called does not matter. */
function unitOf(tables: readonly CatalogTable[]): string {
  const kinds = tables.flatMap(({ unit: { kind } }) =>
    kind === "public" ? [] : [kind === "row" ? "row" : "person"],
  )
  return [...new Set(kinds)].toSorted().join(" and ")
}

function whose({ unit }: CatalogTable): string {
  if (unit.kind !== "path") return unit.kind
  const hops = unit.hops.map(({ column, table, key }) => `${column} = ${table}.${key}, `).join("")
  return `${hops}${unit.column}`
}

/** As the policy says it, in one spelling: a folder that moves with its policy stays the same source. */
function showSource(source: Source): string {
  switch (source.kind) {
    case "duckdb":
      return `duckdb ${plainPath(source.file)}`
    case "parquet":
    case "csv":
    case "ndjson":
      return `${source.kind} ${source.globs.map(plainPath).toSorted().join(", ")}`
    case "postgres":
      // Neither role nor version: those who read, and the data itself, change; the people stay.
      return `postgres ${readAddress(source.url)?.server ?? ""} ${source.schemas.toSorted().join(", ")}`
    case "trino":
      return `trino ${new URL(source.url).host.toLowerCase()} ${source.catalog}.${source.schema}`
    default:
      return source satisfies never
  }
}

function plainPath(path: string): string {
  const plain = normalize(path).split(sep).join("/")
  return isAbsolute(path) ? plain : plain.replace(/^(\.\/)+/, "")
}
