// PostgreSQL as a database of the engine: read by a role that may do nothing else, one transaction a query.

import type { PostgresSource } from "@dosimeter/policy/file/policy"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import { fail } from "../../errors.ts"
import { readAddress } from "../../postgres/postgres-address.ts"
import type { Database, OpenOptions, OpenSource } from "../database.ts"
import { checkEngine } from "./check-engine.ts"
import { checkLists, checkServer } from "./check-server.ts"
import { asking, connectionOf } from "./connect.ts"
import { discover, type Ask } from "./discover.ts"
import { postgresBackend, readPublic } from "./postgres-backend.ts"
import { copiesIn, type PostgresCopies } from "./postgres-copies.ts"
import { RunningQueries } from "./running-queries.ts"
import { seeData, type AskTogether, type SeenRows } from "./seen-data.ts"
import { seesThrough } from "./seen-through.ts"
import { Sessions } from "./sessions.ts"
import { UnitLists } from "./unit-lists.ts"

/** PostgreSQL over a source. */
export function postgres(source: PostgresSource): Database {
  return {
    dialect: "postgres",
    places: (catalog) => placesOf(source, catalog),
    open: (options) => open(source, options),
  }
}

/** Where rows about people lie: the schemas of their tables. */
function placesOf({ url, schemas }: PostgresSource, { tables }: Catalog): readonly string[] {
  const server = readAddress(url)?.server ?? ""
  const [only] = schemas
  const found = tables.flatMap(({ unit, path }) => {
    const schema = path.length > 1 ? path[0] : only
    return unit.kind === "public" || schema === undefined ? [] : [`postgres ${server} ${schema}`]
  })
  return [...new Set(found)]
}

async function open(source: PostgresSource, options: OpenOptions): Promise<OpenSource> {
  const sessions = new Sessions(connectionOf(source, options.folder))
  const together = asking(sessions)
  try {
    await together((ask) => checkServer(ask, source))
    const isAsked = options.isAsked ?? true
    const seen = isAsked ? await seeData(source, together) : unseen
    return lookedAt(source, { seen, sessions, together, workers: options.limits?.threads })
  } catch (error) {
    sessions.close()
    throw error
  }
}

/** Nobody asks, and nothing is recorded: which data it is does not matter. */
const unseen: SeenRows = { print: "", isSame: async () => true, isSameIn: async () => true }

interface Looked {
  readonly seen: SeenRows
  readonly sessions: Sessions
  readonly together: AskTogether
  readonly workers: number | undefined
}

function lookedAt(source: PostgresSource, { seen, sessions, together, workers }: Looked): OpenSource {
  const { schemas, copies: schema } = source
  const lists = new UnitLists()
  const queries = new RunningQueries({ sessions, lists, seen, workers })
  const opened: PostgresCopies[] = []
  return {
    dialect: "postgres",
    // Copies that somebody has made anew are not those that were opened.
    seen: {
      print: seen.print,
      isSame: async () => {
        for (const copies of opened) if (!(await copies.areSame())) return false
        return seen.isSame()
      },
    },
    checkAssumptions: () => together((ask) => checkEngine(ask)),
    discover: () => together((ask) => discover(ask, schemas)),
    haveRows: (tests) => together((ask) => haveRows(ask, tests, seen)),
    // A server whose encoding is UTF-8 holds no other texts.
    unreadableTexts: async () => [],
    readPublic: (sql, columns) => readPublic(queries, sql, columns),
    copies: ({ dataset }) => {
      if (schema === undefined) return undefined
      const copies = copiesIn({ sessions, together, schema, dataset, seen })
      opened.push(copies)
      return copies
    },
    // Every transaction says what it may do, and the role may do no more.
    lock: async () => undefined,
    serve: async ({ timeoutMs, unitLists }) => {
      if (unitLists) await together((ask) => checkLists(ask))
      return postgresBackend(queries, lists, timeoutMs)
    },
    close: () => queries.close(),
  }
}

async function haveRows(ask: Ask, tests: readonly string[], seen: SeenRows): Promise<readonly boolean[]> {
  if (tests.length === 0) return []
  if (!(await seen.isSameIn(ask))) fail("dataset/changed", {})
  const [row] = await ask(`SELECT ${tests.map((test) => `EXISTS (${test})`).join(", ")}`, [])
  if (!(await seesThrough(ask))) fail("dataset/changed", {})
  // What is not a plain "no" counts as found.
  return tests.map((_, index) => row?.[index] !== "f")
}
