// The table that lists the copies in a schema of ours, and the snapshots of what is there. A copy counts if
// its table still is at the snapshot that was listed with it.

import { writeName } from "@dosimeter/proof/spell/literal"
import { writeText, type TrinoQueries } from "./trino-queries.ts"
import type { OwnSchema } from "./unit-lists.ts"

/** Its name. Copies are named after tables of the catalog: none is named so. */
const listTable = "dosimeter_copies"

/** A copy that is listed. */
export interface ListedCopy {
  /** What all copies of one making have in common. */
  readonly head: string
  readonly label: string
  /** The name of its table. */
  readonly name: string
  /** Stands for the query that it was made by. */
  readonly digest: string
  /** The snapshot of its table. */
  readonly snapshot: string
}

/** The list of one dataset's copies. */
export class CopyList {
  readonly #queries: TrinoQueries
  readonly #place: OwnSchema
  readonly #dataset: string

  constructor(queries: TrinoQueries, place: OwnSchema, dataset: string) {
    this.#queries = queries
    this.#place = place
    this.#dataset = dataset
  }

  /** A table of the schema, as SQL names it. */
  written(table: string): string {
    return [...this.#place, table].map(writeName).join(".")
  }

  /** All that are listed, whether or not their tables still are there. */
  async read(): Promise<readonly ListedCopy[]> {
    if (!(await this.#isThere())) return []
    const text = `SELECT head, label, name, digest, snapshot FROM ${this.written(listTable)}
      WHERE dataset = ${writeText(this.#dataset)} ORDER BY name`
    const rows = await this.#queries.ask({ text, parameters: [] })
    return rows.map((row) => {
      const [head = "", label = "", name = "", digest = "", snapshot = ""] = row.map(String)
      return { head, label, name, digest, snapshot }
    })
  }

  async add({ head, label, name, digest, snapshot }: ListedCopy): Promise<void> {
    await this.#queries.write(
      `CREATE TABLE IF NOT EXISTS ${this.written(listTable)} (dataset VARCHAR, head VARCHAR, label VARCHAR,
        name VARCHAR, digest VARCHAR, snapshot VARCHAR)`,
    )
    const values = [this.#dataset, head, label, name, digest, snapshot].map(writeText).join(", ")
    await this.#queries.write(`INSERT INTO ${this.written(listTable)} VALUES (${values})`)
  }

  /** Takes a copy off the list and its table away. */
  async remove(name: string): Promise<void> {
    const mine = `dataset = ${writeText(this.#dataset)} AND name = ${writeText(name)}`
    if (await this.#isThere())
      await this.#queries.write(`DELETE FROM ${this.written(listTable)} WHERE ${mine}`)
    await this.#queries.write(`DROP TABLE IF EXISTS ${this.written(name)}`)
  }

  /** The snapshot that a table is at; undefined if there is none. */
  async snapshotOf(name: string): Promise<string | undefined> {
    const text = `SELECT CAST(max(snapshot_id) AS VARCHAR) FROM ${this.written(`${name}$refs`)} WHERE name = 'main'`
    const rows = await this.#queries.ask({ text, parameters: [] }).catch(() => [])
    const [found] = rows[0] ?? []
    return typeof found === "string" ? found : undefined
  }

  async bytesOf(name: string): Promise<number> {
    const text = `SELECT CAST(sum(file_size_in_bytes) AS VARCHAR) FROM ${this.written(`${name}$files`)}`
    const rows = await this.#queries.ask({ text, parameters: [] })
    return Number(rows[0]?.[0] ?? 0)
  }

  async #isThere(): Promise<boolean> {
    const [catalog, schema] = this.#place
    const text = `SELECT count(*) FROM ${writeName(catalog)}.information_schema.tables
      WHERE table_schema = ${writeText(schema)} AND table_name = ${writeText(listTable)}`
    const rows = await this.#queries.ask({ text, parameters: [] })
    return rows[0]?.[0] !== 0
  }
}
