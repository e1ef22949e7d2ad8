// DuckDB and PostgreSQL (as WebAssembly) in one process, with the same hostile table in both: what one
// printed relation gives in each.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { PGlite } from "@electric-sql/pglite"
import { rational, type Rational } from "@dosimeter/core"
import { firstDay, firstMicro, lastDay, lastMicro } from "../catalog/civil-date.ts"
import type { CatalogColumn, CatalogTable } from "../catalog/catalog.ts"
import type { Domain, Range } from "../catalog/domain.ts"
import type { Rel, Scan } from "../algebra/rel.ts"
import { printRel } from "../print/print.ts"

/** A cell as text, or NULL. */
export type TextCell = string | null

/** A connection to an empty DuckDB in memory. */
export async function openDuckdb(): Promise<DuckDBConnection> {
  return (await DuckDBInstance.create(":memory:", { threads: "1" })).connect()
}

/** A range, declared or not. */
export function testRange(min: Rational | bigint, max: Rational | bigint, declared = true): Range {
  const end = (value: Rational | bigint): Range["min"] => ({
    value: typeof value === "bigint" ? rational(value) : value,
    declared,
  })
  return { min: end(min), max: end(max) }
}

const integer = { kind: "integer" } as const
const float = { kind: "float" } as const
const million = 10n ** 30n

interface HostileColumn {
  readonly stored: string
  readonly domain: Domain
  /** SQL of each value; doubles as texts. */
  readonly values: readonly string[]
}

const integers = "0 1 -1 2 3 -3 7 -7 10 12 -12 100 499 500 501 65536".split(" ")
const wide = "2147483647 -2147483648".split(" ")
const widest = "9223372036854775807 -9223372036854775808 9007199254740993 4294967296 -1000000000000".split(
  " ",
)
const decimals = "0 0.01 -0.01 0.05 1.25 -1.25 2.5 -2.5 0.5 -0.5 1.005 99.99 499.995".split(" ")
const floats = (
  "NaN Infinity -Infinity -0 0 5e-324 -1e-300 1e-200 1e-30 1e-12 0.1 -0.1 0.5 -0.5 1.5 2.5 -2.5 " +
  "0.49999999999999994 1 -1 2 3.7 -3.7 100 1e15 9007199254740993 1e19 -1e19 1e30 1e100 " +
  "1.7976931348623157e308 -1.7e308 123.456"
).split(" ")
const texts = [
  ..."|a|A|abc|ABC|a b| abc |b|ab|aab|zz|é|É|Zé|😀|a😀b|e\u0301|'|''|\"|\\|\\\\|%|_|a%b|a_b|a\\%b".split("|"),
  ..."--|;|/*|\n|a\nb|\t|v|n|0|12| 12 |-7|+5|1.5|.5|1e3|NaN|1e400|99999999999999999999".split("|"),
  ..."2020-02-29|2019-02-29|2020-01-31 23:59:59.5|0000-01-01|true|off|yes|2020-1-1|İ|ß|\u0001".split("|"),
  "~|",
  "x".repeat(300),
]
const dates = (
  "0001-01-01|0001-12-31|1899-12-31|1900-01-01|1969-12-31|1970-01-01|1999-12-31|2000-01-01|2000-01-31|" +
  "2000-02-28|2000-02-29|2000-03-01|2000-03-31|2001-02-28|2004-02-29|2020-12-31|2024-02-29|2026-11-15|" +
  "2027-01-01|9999-01-01|9999-12-30|9999-12-31|infinity|-infinity|12000-01-01|0100-01-01 (BC)"
).split("|")
const times = [" 00:00:00", " 23:59:59.999999", " 12:30:45.5", " 00:00:00.000001"]

const numberText = (values: readonly string[]): readonly string[] => values.map((value) => `'${value}'`)
const quoted = (values: readonly string[]): readonly string[] =>
  values.map((value) => `'${value.replaceAll("'", "''")}'`)

const columns: Readonly<Record<string, HostileColumn>> = {
  small: {
    stored: "INTEGER",
    domain: { type: integer, nullable: true, range: testRange(0n, 500n) },
    values: [...integers, ...wide],
  },
  plain: {
    stored: "INTEGER",
    domain: { type: integer, nullable: true, range: testRange(-(2n ** 31n), 2n ** 31n - 1n, false) },
    values: [...integers, ...wide],
  },
  long: {
    stored: "BIGINT",
    domain: { type: integer, nullable: true, range: testRange(-(2n ** 63n), 2n ** 63n - 1n, false) },
    values: [...integers, ...wide, ...widest],
  },
  price: {
    stored: "DECIMAL(12, 3)",
    domain: { type: { kind: "decimal", scale: 2 }, nullable: true, range: testRange(0n, 500n) },
    values: [...decimals, "123456789.125", "-123456789.125"],
  },
  exact: {
    stored: "DECIMAL(18, 6)",
    domain: {
      type: { kind: "decimal", scale: 6 },
      nullable: true,
      range: testRange(-999_999_999_999n, 999_999_999_999n, false),
    },
    values: [...decimals, "123456789012.999999", "-123456789012.5"],
  },
  double: {
    stored: "DOUBLE PRECISION",
    domain: { type: float, nullable: true, range: testRange(-million, million, false) },
    values: numberText(floats),
  },
  weight: {
    stored: "DOUBLE PRECISION",
    domain: { type: float, nullable: true, range: testRange(rational(-5n, 2n), 300n) },
    values: numberText(floats),
  },
  cost: {
    stored: "DOUBLE PRECISION",
    domain: {
      type: { kind: "decimal", scale: 2 },
      nullable: true,
      range: testRange(rational(-1n, 2n), 1000n),
    },
    values: numberText(floats),
  },
  word: {
    stored: "VARCHAR",
    domain: { type: { kind: "text" }, nullable: true },
    values: quoted(texts),
  },
  other: {
    stored: "VARCHAR",
    domain: { type: { kind: "text" }, nullable: true, freeText: true },
    values: quoted(texts),
  },
  flag: {
    stored: "BOOLEAN",
    domain: { type: { kind: "boolean" }, nullable: true },
    values: ["TRUE", "FALSE"],
  },
  born: {
    stored: "DATE",
    domain: { type: { kind: "date" }, nullable: true, range: testRange(firstDay, lastDay, false) },
    values: quoted(dates),
  },
  seen: {
    stored: "DATE",
    domain: { type: { kind: "date" }, nullable: true, range: testRange(-25_567n, 20_000n) },
    values: quoted(dates),
  },
  moment: {
    stored: "TIMESTAMP",
    domain: { type: { kind: "timestamp" }, nullable: true, range: testRange(firstMicro, lastMicro, false) },
    values: quoted(
      dates.flatMap((day) => (/^[0-9-]+$/.test(day) ? times.map((time) => `${day}${time}`) : [day])),
    ),
  },
}

const catalogColumns: readonly CatalogColumn[] = [
  { name: "id", source: "id", domain: idDomain(), access: "allowed" },
  ...Object.entries(columns).flatMap(([name, { domain }]): readonly CatalogColumn[] =>
    ["", "_2"].map((suffix) => ({ name: name + suffix, source: name + suffix, domain, access: "allowed" })),
  ),
]

function idDomain(): Domain {
  return { type: integer, nullable: false, range: testRange(0n, 1_000_000n) }
}

/** The hostile table: an id, and two columns of each kind (the second with _2 after its name). */
export const hostileTable: CatalogTable = {
  name: "hostile",
  path: ["hostile"],
  unit: { kind: "public" },
  columns: catalogColumns,
  keys: [["id"]],
}

/** A scan of some columns of a table; their numbers count up from `first`. */
export function scanOf(table: CatalogTable, names: readonly string[], first = 1): Scan {
  const sources = names.map((name) => {
    const found = table.columns.find((column) => column.name === name)
    if (found === undefined) throw new Error(`there is no column ${name}`)
    return found
  })
  return {
    kind: "scan",
    table,
    sources,
    columns: sources.map(({ name, domain }, index) => ({ id: first + index, name, domain })),
  }
}

/** Both databases. */
export class TwoDatabases {
  readonly #duck: DuckDBConnection
  readonly #postgres: PGlite

  private constructor(duck: DuckDBConnection, pg: PGlite) {
    this.#duck = duck
    this.#postgres = pg
  }

  /** Opens both with the hostile table of so many rows. */
  static async open(rows: number): Promise<TwoDatabases> {
    const both = new TwoDatabases(await openDuckdb(), await PGlite.create())
    await both.execute(`CREATE TABLE hostile (id INTEGER, ${definitions()})`)
    await both.execute(`INSERT INTO hostile VALUES ${lines(rows).join(", ")}`)
    return both
  }

  /** Runs statements in both. */
  async execute(sql: string): Promise<void> {
    await this.#duck.run(sql)
    await this.#postgres.exec(sql.replace(/(0100-01-01)( [0-9:.]+)? \(BC\)'/g, "$1$2 BC'"))
  }

  /** What a relation gives in each, as texts, in the order of all columns. */
  async run(rel: Rel): Promise<{
    readonly duckdb: readonly (readonly TextCell[])[]
    readonly postgres: readonly (readonly TextCell[])[]
  }> {
    const [duck, pg] = [printRel(rel, "duckdb"), printRel(rel, "postgres")]
    const texts = rel.columns.map(({ id }) => `CAST("c${id}" AS VARCHAR)`).join(", ")
    const around = (text: string, order: string): string =>
      `SELECT ${texts} FROM (${text}) AS q ORDER BY ${order}`
    const places = rel.columns.map((_, index) => `${index + 1}`)
    const reader = await this.#duck.runAndReadAll(
      around(duck.text, places.map((place) => `${place} NULLS LAST`).join(", ")),
      duck.parameters.map(() => secret),
    )
    const answer = await this.#postgres.query<TextCell[]>(
      around(
        pg.text,
        texts === ""
          ? "1"
          : rel.columns.map(({ id }) => `CAST("c${id}" AS TEXT) COLLATE "C" NULLS LAST`).join(", "),
      ),
      pg.parameters.map(() => secret),
      { rowMode: "array" },
    )
    const rows = reader.getRows().map((row) => row.map((cell) => (cell === null ? null : String(cell))))
    return { duckdb: rows, postgres: answer.rows }
  }

  async close(): Promise<void> {
    this.#duck.closeSync()
    await this.#postgres.close()
  }
}

const secret = "0123456789abcdef"

function definitions(): string {
  return Object.entries(columns)
    .flatMap(([name, { stored }]) => [`${name} ${stored}`, `${name}_2 ${stored}`])
    .join(", ")
}

/** Rows that pair values in an arbitrary fixed order; every seventh value or so is NULL. */
function lines(rows: number): readonly string[] {
  let state = 12_345n
  const draw = (below: number): number => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return Number((state >> 33n) % BigInt(below))
  }
  const pick = ({ values, stored }: HostileColumn, index: number): string => {
    const value = index < values.length ? values[index] : values[draw(values.length)]
    const cast = stored.startsWith("DOUBLE") || stored === "DATE" || stored === "TIMESTAMP"
    return draw(8) === 0 && index >= values.length
      ? "NULL"
      : cast
        ? `CAST(${value} AS ${stored})`
        : (value ?? "NULL")
  }
  return Array.from({ length: rows }, (_, index) => {
    const cells = Object.values(columns).flatMap((column) => [
      pick(column, index),
      pick(column, index + 10_000),
    ])
    return `(${[index, ...cells].join(", ")})`
  })
}
