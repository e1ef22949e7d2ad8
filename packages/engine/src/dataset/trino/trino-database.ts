// Trino as a database of the engine: a cluster that is asked over HTTP, as a user that needs to read only.

import type { TrinoSource } from "@dosimeter/policy/file/policy"
import type { CatalogColumn, CatalogTable } from "@dosimeter/proof/catalog/catalog"
import { writeName } from "@dosimeter/proof/spell/literal"
import { fail } from "../../errors.ts"
import type { Database, OpenSource } from "../database.ts"
import { checkTrino } from "./check-trino.ts"
import { discover } from "./discover.ts"
import { reach } from "./reach.ts"
import { trinoAddress } from "./trino-address.ts"
import { readPublic, trinoBackend } from "./trino-backend.ts"
import { copiesIn, type TrinoCopies } from "./trino-copies.ts"
import { TrinoClient } from "./trino-client.ts"
import { TrinoQueries } from "./trino-queries.ts"
import { seeData } from "./trino-versions.ts"
import { TrinoLists } from "./unit-lists.ts"

/** Trino over a source. */
export function trino(source: TrinoSource): Database {
  return {
    dialect: "trino",
    places: (_, folder) => [trinoAddress(source, folder).place],
    open: async ({ folder, isAsked = true }) => {
      const address = trinoAddress(source, folder)
      const client = new TrinoClient(address)
      const queries = new TrinoQueries(client)
      try {
        await reach(client, address)
        return lookedAt(source, queries, isAsked ? await seeData(queries, source) : unseen)
      } catch (error) {
        await queries.close()
        throw error
      }
    },
  }
}

/** Nobody asks, and nothing is recorded: which data it is does not matter. */
const unseen: OpenSource["seen"] = { print: "", isSame: async () => true }

function lookedAt(source: TrinoSource, queries: TrinoQueries, seen: OpenSource["seen"]): OpenSource {
  const opened: TrinoCopies[] = []
  return {
    dialect: "trino",
    // Copies that somebody has made anew are not those that were opened.
    seen: {
      print: seen.print,
      isSame: async () => {
        for (const copies of opened) if (!(await copies.areSame())) return false
        return seen.isSame()
      },
    },
    checkAssumptions: () => checkTrino(queries),
    discover: () => discover(queries, source.schema),
    haveRows: (printed) => haveRows(queries, printed),
    unreadableTexts: (table, columns) => unreadableTexts(queries, table, columns),
    readPublic: (sql, columns) => readPublic(queries, sql, columns),
    copies: (place) => {
      if (source.copies === undefined) return undefined
      const copies = copiesIn(queries, source.copies, place)
      opened.push(copies)
      return copies
    },
    // Every statement runs in a read-only transaction, from the first on.
    lock: async () => undefined,
    serve: async ({ timeoutMs, unitLists }) => {
      const lists = unitLists ? new TrinoLists(queries, source.copies) : undefined
      return trinoBackend(queries, { timeoutMs, lists })
    },
    close: () => queries.close(),
  }
}

async function haveRows(queries: TrinoQueries, printed: readonly string[]): Promise<readonly boolean[]> {
  if (printed.length === 0) return []
  const tests = printed.map((query) => `EXISTS (${query})`)
  const rows = await queries.ask({ text: `SELECT ${tests.join(", ")}`, parameters: [] })
  // What is not a plain "no" counts as found.
  return printed.map((_, index) => rows[0]?.[index] !== false)
}

/** Bytes that are no text come back as others when they are read as one. */
async function unreadableTexts(
  queries: TrinoQueries,
  { name, path }: CatalogTable,
  columns: readonly CatalogColumn[],
): Promise<readonly CatalogColumn[]> {
  if (columns.length === 0) return []
  const tests = columns.map(({ source }) => {
    const bytes = `to_utf8(CAST(${writeName(source)} AS VARCHAR))`
    return `count_if(to_utf8(from_utf8(${bytes})) <> ${bytes}) > 0`
  })
  const text = `SELECT ${tests.join(", ")} FROM ${path.map(writeName).join(".")}`
  const rows = await queries
    .ask({ text, parameters: [] })
    .catch(() => fail("dataset/unreadable", { file: name, format: "a table" }))
  return columns.filter((_, index) => rows[0]?.[index] !== false)
}
