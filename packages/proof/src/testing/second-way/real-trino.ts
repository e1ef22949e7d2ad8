// Trino as a database that claims are held against: the server that DOSIMETER_TEST_TRINO names. It is asked
// by the few lines of its protocol that this needs, which share nothing with the engine's client.

import type { Domain } from "../../catalog/domain.ts"
import { storedValues, type StoredType } from "../hostile-values.ts"
import { holds, integerType, type RealDatabase, type Showing } from "./real-database.ts"

const showing: Showing = {
  dialect: "trino",
  value: (column, { type }) =>
    type.kind === "text" ? `to_hex(to_utf8(CAST(${column} AS VARCHAR)))` : `CAST(${column} AS VARCHAR)`,
  // How long a constant text is belongs to its type.
  type: (column) => `regexp_replace(typeof(${column}), '^varchar\\(\\d+\\)$', 'varchar')`,
  wanted,
  // Parameters have no numbers here, and each is the secret.
  unguarded: (sql) => sql.replaceAll(/\btry\(/g, "(").replaceAll("CAST(? AS VARCHAR)", "'secret'"),
}

/** Opens a schema of its own. */
export async function realTrino(): Promise<RealDatabase> {
  const schema = "second_way"
  // An earlier run may have left it.
  await run(`DROP SCHEMA IF EXISTS memory.${schema} CASCADE`, schema)
  await run(`CREATE SCHEMA memory.${schema}`, schema)
  return {
    showing,
    read: async (sql) => {
      const { rows, width } = await run(sql, schema)
      return Array.from({ length: width }, (_, at) => rows.map((row) => row[at]))
    },
    store: async (type) => {
      const name = storedNames[type]
      if (name === undefined) return false
      const values = storedValues(type).map((value) => `(TRY_CAST(${literal(value, name)} AS ${name}))`)
      await run("DROP TABLE IF EXISTS stored", schema)
      await run(`CREATE TABLE stored AS SELECT x FROM (VALUES ${values.join(", ")}, NULL) AS v (x)`, schema)
      return true
    },
    close: async () => {
      await run("DROP TABLE IF EXISTS stored", schema)
      await run(`DROP SCHEMA memory.${schema}`, schema)
    },
  }
}

interface Page {
  readonly nextUri?: string
  readonly columns?: readonly unknown[]
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: { readonly errorName: string; readonly message: string }
}

/** What came back. */
export interface TrinoRows {
  readonly rows: readonly (readonly unknown[])[]
  readonly width: number
}

/** Runs a statement on the server of the tests, in a schema of its catalog `memory`. */
export async function run(sql: string, schema: string): Promise<TrinoRows> {
  const origin = process.env["DOSIMETER_TEST_TRINO"] ?? ""
  const headers = {
    "X-Trino-User": "test",
    "X-Trino-Catalog": "memory",
    "X-Trino-Schema": schema,
    "X-Trino-Time-Zone": "UTC",
  }
  let page = await pageAt(`${origin}/v1/statement`, { method: "POST", body: sql, headers })
  const rows: (readonly unknown[])[] = []
  let width = 0
  for (;;) {
    if (page.error !== undefined) throw new Error(`${page.error.errorName}: ${page.error.message}`)
    rows.push(...(page.data ?? []))
    width = page.columns?.length ?? width
    if (page.nextUri === undefined) return { rows, width }
    page = await pageAt(page.nextUri, { headers })
  }
}

async function pageAt(url: string, ask: RequestInit): Promise<Page> {
  const page: Page = JSON.parse(await (await fetch(url, ask)).text())
  return page
}

/** What Trino has in place of each stored type; what it does not have, we do not read. */
const storedNames: Readonly<Record<StoredType, string | undefined>> = {
  SMALLINT: "SMALLINT",
  INTEGER: "INTEGER",
  BIGINT: "BIGINT",
  HUGEINT: "DECIMAL(38, 0)",
  UBIGINT: "DECIMAL(20, 0)",
  DOUBLE: "DOUBLE",
  REAL: "REAL",
  "DECIMAL(12,2)": "DECIMAL(12, 2)",
  "DECIMAL(38,10)": "DECIMAL(38, 10)",
  VARCHAR: "VARCHAR",
  "VARCHAR COLLATE NOCASE": undefined,
  BOOLEAN: "BOOLEAN",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP(6)",
  TIMESTAMP_S: "TIMESTAMP(0)",
  TIMESTAMP_NS: undefined,
}

/** Years before the first are negative, and infinity is a word. What is unreadable becomes NULL. */
function literal(value: string, type: string): string {
  const before = /^(\d{4})(-.*) \(BC\)(.*)$/.exec(value)
  const isFloat = type === "DOUBLE" || type === "REAL"
  const [, year = "", rest = "", time = ""] = before ?? []
  const dated = before === null ? value : `-${String(Number(year) - 1).padStart(4, "0")}${rest}${time}`
  const text = isFloat ? dated.replace(/inf(inity)?$/i, "Infinity").replace(/^nan$/i, "NaN") : dated
  return `'${(type === "VARCHAR" ? value : text).replaceAll("'", "''")}'`
}

function wanted({ type, range }: Domain): string {
  switch (type.kind) {
    case "null":
      return "unknown"
    case "boolean":
    case "date":
    case "interval":
      return type.kind
    case "text":
      return "varchar"
    case "float":
      return "double"
    case "timestamp":
      return "timestamp(6)"
    case "integer":
      return integerType(range)?.toLowerCase() ?? "decimal(38,0)"
    case "decimal": {
      const most = (10n ** 18n - 1n) / 10n ** BigInt(type.scale)
      return `decimal(${holds(range, -most, most) ? 18 : 38},${type.scale})`
    }
    default:
      return type satisfies never
  }
}
