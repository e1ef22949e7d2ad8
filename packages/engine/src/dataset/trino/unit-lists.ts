// Lists of unit ids in a schema of ours: who agreed to be read. They are made before a question and joined
// with it; nothing is ever read back from them. Each process has lists of its own, and drops them at its end.

import { writeName } from "@dosimeter/proof/spell/literal"
import { randomBytes } from "node:crypto"
import { fail } from "../../errors.ts"
import type { UnitList } from "../backend.ts"
import { writeText, type TrinoQueries } from "./trino-queries.ts"

/** Catalog and schema of our own. */
export type OwnSchema = readonly [catalog: string, schema: string]

/** A statement may have a million characters. */
const charactersMax = 500_000

/** The lists of one process. */
export class TrinoLists {
  readonly #queries: TrinoQueries
  readonly #place: OwnSchema
  readonly #mark = randomBytes(8).toString("hex")
  readonly #made = new Set<string>()

  constructor(queries: TrinoQueries, place: OwnSchema | undefined) {
    this.#queries = queries
    this.#place = place ?? fail("dataset/no-place", { what: "lists of the people who agreed" })
  }

  path(name: string): readonly string[] {
    return [...this.#place, `list_${this.#mark}_${name}`]
  }

  /** Makes a list. What is not an id of its type is nobody's, and left out. */
  async make({ name, type, ids }: UnitList): Promise<void> {
    const table = this.#written(name)
    await this.#queries.write(`CREATE TABLE ${table} (unit ${type === "integer" ? "BIGINT" : "VARCHAR"})`)
    this.#made.add(name)
    const values = [...new Set(ids)].flatMap((id) => valueOf(id, type))
    for (let rest = values; rest.length > 0;) {
      let size = 0
      const fit = rest.findIndex((value) => (size += value.length + 4) > charactersMax)
      const some = fit === -1 ? rest : rest.slice(0, Math.max(1, fit))
      await this.#queries.write(`INSERT INTO ${table} VALUES ${some.map((one) => `(${one})`).join(", ")}`)
      rest = rest.slice(some.length)
    }
  }

  /** Takes a list away. */
  async drop(name: string): Promise<void> {
    await this.#queries.write(`DROP TABLE IF EXISTS ${this.#written(name)}`)
    this.#made.delete(name)
  }

  async dropAll(): Promise<void> {
    for (const name of this.#made) await this.drop(name).catch(() => undefined)
  }

  #written(name: string): string {
    return this.path(name).map(writeName).join(".")
  }
}

function valueOf(id: string, type: UnitList["type"]): readonly string[] {
  if (type === "text") return [writeText(id)]
  const value = /^-?\d{1,19}$/.test(id) ? BigInt(id) : undefined
  return value === undefined || BigInt.asIntN(64, value) !== value ? [] : [`BIGINT '${value}'`]
}
