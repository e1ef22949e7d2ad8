// The table that is measured: one row for each combination of quasi-identifiers and sensitive values, with
// the number of people. Everything else is counted from it, so the data is read once.

import { writeName } from "@dosimeter/proof/spell/literal"
import type { ExactRows } from "../../dataset/duckdb/exact-rows.ts"
import type { RiskColumn } from "./column-profiles.ts"

/** What is asked about a table. */
export interface RiskColumns {
  readonly quasi: readonly RiskColumn[]
  readonly sensitive: readonly RiskColumn[]
  /** The column that tells whose a row is, where one person may have several. */
  readonly person: string | undefined
}

/**
 * The cells, in the temporary table `cells`: columns q0, q1, …, then s0, s1, … as hashes, `class` and n; and
 * in `classes` q0, q1, …, `class` and n.
 */
export interface Cells {
  readonly rows: ExactRows
  readonly columns: RiskColumns
  /** q0, q1, … */
  readonly quasi: readonly string[]
  /** s0, s1, … */
  readonly sensitive: readonly string[]
  readonly people: number
  readonly count: number
  /** People with several values of a quasi-identifier, the least of which is taken. */
  readonly varying: number
}

/** Makes them from a table. */
export async function makeCells(rows: ExactRows, from: string, columns: RiskColumns): Promise<Cells> {
  const quasi = columns.quasi.map((_, index) => `q${index}`)
  const sensitive = columns.sensitive.map((_, index) => `s${index}`)
  const all = [...quasi, ...sensitive]
  // The hash stands for the class, so that joins compare one number; it tells NULL from every value.
  await rows.ask(`CREATE TEMP TABLE cells AS SELECT *, hash(${quasi.join(", ")}) AS class
    FROM (SELECT ${all.join(", ")}, count(*) AS n FROM ${peopleOf(from, columns)} GROUP BY ${all.join(", ")})`)
  const [[people = 0, count = 0] = []] = await rows.ask("SELECT coalesce(sum(n), 0), count(*) FROM cells")
  const own = quasi.map((name) => `any_value(${name}) AS ${name}`)
  // A value that is missing is missing in all of a class, so any value of it is its own.
  await rows.ask(
    `CREATE TEMP TABLE classes AS SELECT class, ${own.join(", ")}, sum(n) AS n FROM cells GROUP BY class`,
  )
  const varying = columns.person === undefined ? 0 : await varyingOf(rows, from, columns)
  return { rows, columns, quasi, sensitive, people: Number(people), count: Number(count), varying }
}

/** One row a person: quasi-identifiers as they are, sensitive values as hashes or texts. For FROM. */
export function peopleOf(
  from: string,
  { quasi, sensitive, person }: RiskColumns,
  told: "hashes" | "texts" = "hashes",
): string {
  const own = quasi.map(({ name, type }, index) => {
    const value = isPlain(type) ? writeName(name) : textOf(name)
    return `${person === undefined ? value : `min(${value})`} AS q${index}`
  })
  const values = sensitive.map(({ name }, index) => {
    const value = person === undefined ? textOf(name) : allValues(name)
    return `${told === "texts" ? value : `hash(${value}, ${value} IS NULL)`} AS s${index}`
  })
  const grouped =
    person === undefined ? "" : ` WHERE ${writeName(person)} IS NOT NULL GROUP BY ${writeName(person)}`
  return `(SELECT ${[...own, ...values].join(", ")} FROM ${from}${grouped}) AS people`
}

/** All different values of a person, as one text. */
export function allValues(name: string): string {
  return `string_agg(DISTINCT ${textOf(name)}, ' + ' ORDER BY ${textOf(name)})`
}

/** A column as a text. */
export function textOf(name: string): string {
  return `CAST(${writeName(name)} AS VARCHAR)`
}

function isPlain(type: string): boolean {
  return (
    /^(U?(TINY|SMALL|BIG|HUGE)?INT|FLOAT|DOUBLE|DECIMAL|VARCHAR|BOOLEAN|DATE|TIMESTAMP)/.test(type) &&
    !type.endsWith("]")
  )
}

async function varyingOf(rows: ExactRows, from: string, columns: RiskColumns): Promise<number> {
  const { quasi, person = "" } = columns
  const differ = quasi.map(({ name }) => `min(${textOf(name)}) <> max(${textOf(name)})`)
  const [[varying = 0] = []] = await rows.ask(
    `SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${writeName(person)} IS NOT NULL
     GROUP BY ${writeName(person)} HAVING ${differ.join(" OR ")})`,
  )
  return Number(varying)
}
