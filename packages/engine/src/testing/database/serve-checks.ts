// A database that is served: failures that say nothing, limits of time, lists of units, shut doors, closing.

import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { writeName } from "@dosimeter/proof/spell/literal"
import { setTimeout } from "node:timers/promises"
import { expect } from "vitest"
import type { Backend, ExtractQuery } from "../../dataset/backend.ts"
import { openTable } from "../exact-tables.ts"
import type { Check } from "./check.ts"
import type { MadeTable } from "./member.ts"
import { canary, refused, type Workbench } from "./workbench.ts"

const people: MadeTable = {
  name: "people",
  columns: [
    ["id", "integer"],
    ["name", "text"],
  ],
  rows: Array.from({ length: 3000 }, (_, id) => [BigInt(id), `${canary} ${id}`]),
}
const tables = "  people:\n    unit: id\n    columns:\n      name: text\n"

const count: RelColumn = { id: 1, name: "n", domain: { type: { kind: "integer" }, nullable: false } }
const ward: RelColumn = { id: 2, name: "ward", domain: { type: { kind: "text" }, nullable: true } }

const counting = (text: string): ExtractQuery => ({
  sql: { text, parameters: [] },
  columns: [count],
  keyCount: 0,
  groupCount: 0,
})
const grouping = (text: string): ExtractQuery => ({
  sql: { text, parameters: [] },
  columns: [ward, count],
  keyCount: 1,
  groupCount: 1,
})
/** 81 million millions of rows, and nothing that tells beforehand how many of them count. */
const endless = (people: string): ExtractQuery =>
  counting(
    `SELECT COUNT(*) FROM ${people} a, ${people} b, ${people} c, ${people} d WHERE a.id * b.id + c.id < d.id * 7 + b.id`,
  )
const small = (people: string): ExtractQuery => counting(`SELECT COUNT(*) FROM ${people}`)

interface Served {
  readonly backend: Backend
  /** The table of people, as SQL names it. */
  readonly named: string
}

async function served(bench: Workbench, timeoutMs = 600_000): Promise<Served> {
  const made = await bench.make([people])
  const opened = await bench.open(made)
  return { backend: await opened.serve({ timeoutMs, unitLists: true }), named: made.named("people") }
}

/** How a query ends, if it ends in time. What does not is stopped by `stop`, or by its own limit. */
async function ending(bench: Workbench, work: Promise<unknown>, stop: AbortController): Promise<string> {
  const late = new AbortController()
  const waited = setTimeout(bench.patienceMs, "still running", { signal: late.signal })
  const end = await Promise.race([refused(work), waited])
  late.abort()
  stop.abort()
  await work.catch(() => undefined)
  return end
}

async function counted(backend: Backend, query: ExtractQuery): Promise<bigint | undefined> {
  const table = await backend.run(query, { secret: "" })
  return openTable(table).rows[0]?.values[0]
}

const listed = ({ backend, named }: Served, name: string, column: string): ExtractQuery => {
  const path = backend.unitListPath(name).map(writeName).join(".")
  return counting(`SELECT COUNT(*) FROM ${named} WHERE ${column} IN (SELECT unit FROM ${path})`)
}

const failureChecks: readonly Check[] = [
  {
    name: "what the driver says of a failure stays inside",
    run: async (bench) => {
      const made = await bench.make([people])
      const opened = await bench.open(made)
      const named = made.named("people")
      const bad = `SELECT 1 FROM ${named} WHERE CAST(name AS INTEGER) = 1`
      expect(await refused(opened.haveRows([bad]))).toBe("backend/failed")
      expect(await refused(opened.readPublic({ text: bad, parameters: [] }, [count]))).toBe("backend/failed")
      const backend = await opened.serve({ timeoutMs: 600_000, unitLists: true })
      for (const text of [bad, `SELECT COUNT(*) FROM ${named} WHERE "${canary}" = 1`, `SELEC '${canary}'`]) {
        expect(await refused(backend.run(counting(text), { secret: canary }))).toBe("backend/failed")
        expect(await refused(backend.readPublic({ text, parameters: [] }, [count]))).toBe("backend/failed")
      }
    },
  },
  {
    name: "no Secret is made of an extract that cannot be",
    run: async (bench) => {
      const { backend } = await served(bench)
      const run = (query: ExtractQuery): Promise<string> => refused(backend.run(query, { secret: "" }))
      const impossible = "backend/impossible-extract"
      expect(await run(grouping("SELECT 'a', 1 UNION ALL SELECT 'a', 2"))).toBe(impossible)
      expect(await run(counting("SELECT 1 UNION ALL SELECT 2"))).toBe(impossible)
      expect(await run(counting("SELECT 1 WHERE 1 = 0"))).toBe(impossible)
      expect(await run(counting("SELECT CAST(1.5 AS DECIMAL(3, 1))"))).toBe(impossible)
      const fine = await backend.run(grouping("SELECT 'a', 1 UNION ALL SELECT 'A', 2"), { secret: "" })
      expect(openTable(fine).rows).toHaveLength(2)
    },
  },
  {
    name: "a query ends at its limit of time, and others go on",
    run: async (bench) => {
      const { backend, named } = await served(bench, 100)
      const stop = new AbortController()
      const work = backend.run(endless(named), { secret: "", signal: stop.signal })
      expect(await ending(bench, work, stop)).toBe("backend/too-slow")
      const other = await served(bench)
      expect(await counted(other.backend, small(other.named))).toBe(3000n)
    },
  },
  {
    name: "a query ends when it is cancelled, before it began too, and others go on",
    run: async (bench) => {
      const { backend, named } = await served(bench, 2 * bench.patienceMs)
      const stop = new AbortController()
      const work = backend.run(endless(named), { secret: "", signal: AbortSignal.timeout(100) })
      // The limit is there for a database that does not listen.
      expect(await ending(bench, work, stop)).toBe("backend/cancelled")
      const never = backend.run(endless(named), { secret: "", signal: AbortSignal.abort() })
      expect(await ending(bench, never, stop)).toBe("backend/cancelled")
      expect(await counted(backend, small(named))).toBe(3000n)
    },
  },
]

const doorChecks: readonly Check[] = [
  {
    name: "lists of units hold the ids that they are given, each once, until they are dropped",
    run: async (bench) => {
      const all = await served(bench)
      const { backend } = all
      const beyond = [`${2n ** 63n}`, "x", "", "1.5", "1e2", "'; DROP TABLE people; --"]
      await backend.makeUnitList({ name: "numbers", type: "integer", ids: ["7", "8", "7", "-1", ...beyond] })
      const names = [`${canary} 3`, `${canary} 3`, "'; DROP TABLE people; --", "\uFEFF", "nobody"]
      await backend.makeUnitList({ name: "names", type: "text", ids: names })
      expect(await counted(backend, listed(all, "numbers", "id"))).toBe(2n)
      expect(await counted(backend, listed(all, "names", "name"))).toBe(1n)
      await backend.dropUnitList("numbers")
      expect(await refused(backend.run(listed(all, "numbers", "id"), { secret: "" }))).toBe("backend/failed")
      expect(await counted(backend, listed(all, "names", "name"))).toBe(1n)
      await backend.dropUnitList("numbers")
      await backend.makeUnitList({ name: "numbers", type: "integer", ids: [] })
      expect(await counted(backend, listed(all, "numbers", "id"))).toBe(0n)
    },
  },
  {
    name: "nothing of the source can be written",
    run: async (bench) => {
      const made = await bench.make([people])
      const opened = await bench.open(made)
      const backend = await opened.serve({ timeoutMs: 600_000, unitLists: true })
      const named = made.named("people")
      for (const text of [
        `INSERT INTO ${named} VALUES (1, 'x')`,
        `UPDATE ${named} SET name = 'x'`,
        `DELETE FROM ${named}`,
        `DROP TABLE ${named}`,
        `ALTER TABLE ${named} ADD COLUMN x INTEGER`,
      ]) {
        expect(await refused(backend.readPublic({ text, parameters: [] }, [])), text).toBe("backend/failed")
      }
      expect(await counted(backend, small(named))).toBe(3000n)
      expect(await opened.seen.isSame()).toBe(true)
    },
  },
  {
    name: "a source can be opened twice at once, and closed one by one",
    run: async (bench) => {
      const made = await bench.make([people])
      const [first, second] = await Promise.all([
        bench.dataset(made, { tables }),
        bench.dataset(made, { tables }),
      ])
      const sql = "SELECT COUNT(*) FROM people"
      expect(await bench.rows(first, sql)).toEqual(["0 3000"])
      expect(first.version.name).toBe(second.version.name)
      await first.backend.close()
      expect(await bench.rows(second, sql)).toEqual(["0 3000"])
    },
  },
  {
    name: "closing stops what runs",
    run: async (bench) => {
      const { backend, named } = await served(bench, 2 * bench.patienceMs)
      const ended = ending(bench, backend.run(endless(named), { secret: "" }), new AbortController())
      await setTimeout(100)
      await backend.close()
      expect(await ended).toBe("backend/cancelled")
    },
  },
  {
    name: "what is closed answers nothing, and may be closed again",
    run: async (bench) => {
      const made = await bench.make([people])
      const opened = await bench.open(made)
      const backend = await opened.serve({ timeoutMs: 600_000, unitLists: false })
      const all = small(made.named("people"))
      expect(await counted(backend, all)).toBe(3000n)
      await backend.close()
      expect(await refused(backend.run(all, { secret: "" }))).toBe("backend/failed")
      await backend.close()
      await opened.close()
    },
  },
]

/** The checks. */
export const serveChecks: readonly Check[] = [...failureChecks, ...doorChecks]
