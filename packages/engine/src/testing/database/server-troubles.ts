// What becomes of a question, and of its charge, where a database that is a server is gone, hangs, has moved
// on or has not enough of something. Each such database runs these tests on a real server behind a relay.

import { compare, isPositive, zero, type Rational } from "@dosimeter/core/exact"
import { openEngine, type Engine } from "../../engine.ts"
import type { ExtractQuery } from "../../dataset/backend.ts"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { freshHome } from "../fresh-home.ts"
import type { Relay } from "../relay.ts"
import { failure, refused, Workbench } from "./workbench.ts"
import type { MadeSource, MadeTable, Member } from "./member.ts"

/** A source on a real server, reached through a relay. */
export interface TroubledSource extends MadeSource {
  readonly relay: Relay
  /** Adds a column to a table, as its owner. */
  alter(table: string): Promise<void>
  /** How many statements of the source's role the server works on. */
  running(): Promise<number>
  /** A query that is more than the server gives it. */
  readonly tooLarge: string
}

const people: MadeTable = {
  name: "people",
  columns: [
    ["id", "integer"],
    ["weight", "integer"],
  ],
  rows: Array.from({ length: 3000 }, (_, id) => [BigInt(id), BigInt(id % 100)]),
}

const count: RelColumn = { id: 1, name: "n", domain: { type: { kind: "integer" }, nullable: false } }
const counting = (text: string): ExtractQuery => ({
  sql: { text, parameters: [] },
  columns: [count],
  keyCount: 0,
  groupCount: 0,
})

/** What the tests work with. */
interface Trouble {
  source(): TroubledSource
  opened(seconds?: number): Promise<Engine>
  /** A question that was not asked before; its text is found in what the server is told. */
  fresh(): { readonly sql: string; readonly mark: string }
}

const spent = async (engine: Engine): Promise<Rational> => (await engine.account()).spent

/** Declares the tests. */
export function serverTroubles(make: (tables: readonly MadeTable[]) => Promise<TroubledSource>): void {
  let source: TroubledSource
  let weight = 1000
  beforeAll(async () => {
    freshHome()
    source = await make([people])
  })
  // Whatever a test left behind, and where it failed too.
  beforeEach(() => source.relay.open())
  afterAll(async () => {
    await source.relay.close()
    await source.remove()
  })
  const trouble: Trouble = {
    source: () => source,
    opened: async (seconds = 600) =>
      openEngine({ policy: policyOf(source, seconds), folder: source.folder, prepare: "never" }),
    fresh: () => {
      weight += 1
      return { sql: `SELECT COUNT(*) FROM people WHERE weight < ${weight}`, mark: `${weight}` }
    },
  }
  goneServers(trouble)
  busyServers(trouble)
}

function goneServers({ source, opened, fresh }: Trouble): void {
  test("a server that is gone says so, nothing is charged, and it goes on when the server is back", async () => {
    const engine = await opened()
    await source().relay.shut()
    const { sql } = fresh()
    const error = await failure(engine.ask(sql))
    expect([error.code, await spent(engine)]).toEqual(["dataset/unreachable", zero])
    expect(error.help).not.toContain("stands")
    await source().relay.open()
    expect((await engine.ask(sql)).origin).toBe("released")
    expect(isPositive(await spent(engine))).toBe(true)
    await engine.close()
  })

  test("a server that goes away while it reads leaves a charge that stands, and says so", async () => {
    const engine = await opened()
    const before = await spent(engine)
    const { sql, mark } = fresh()
    source().relay.whenSaid(mark, "shut")
    const error = await failure(engine.ask(sql, { principal: "unlucky" }))
    expect([error.code, error.help?.includes("the charge stands")]).toEqual(["backend/failed", true])
    expect(compare(await spent(engine), before)).toBeGreaterThan(0)
    await source().relay.open()
    expect((await engine.ledger.incidents()).map(({ cause }) => cause)).toEqual(["database"])
    await engine.close()
  })

  test("a server that falls silent is given up at the limit of time, and the charge stands", async () => {
    const engine = await opened(5)
    const before = await spent(engine)
    const { sql, mark } = fresh()
    source().relay.whenSaid(mark, "fall silent")
    const error = await failure(engine.ask(sql, { principal: "patient" }))
    expect([error.code, error.help?.includes("the charge stands")]).toEqual(["backend/too-slow", true])
    expect(compare(await spent(engine), before)).toBeGreaterThan(0)
    await engine.close()
  })
}

function busyServers({ source, opened, fresh }: Trouble): void {
  test("a question that is cancelled is over at the server too", async () => {
    const bench = new Workbench(memberOf(source()))
    const backend = await (await bench.open(source())).serve({ timeoutMs: 600_000, unitLists: false })
    const named = source().named("people")
    const endless = `SELECT COUNT(*) FROM ${named} a, ${named} b, ${named} c, ${named} d
      WHERE a.id * b.id + c.id < d.id * 7 + b.id`
    const stop = new AbortController()
    const work = backend.run(counting(endless), { secret: "", signal: stop.signal })
    await expect.poll(() => source().running()).toBeGreaterThan(0)
    stop.abort()
    expect(await refused(work)).toBe("backend/cancelled")
    await expect.poll(() => source().running()).toBe(0)
    await backend.close()
  })

  test("what is more than the server gives is said, without a word of the server", async () => {
    const bench = new Workbench(memberOf(source()))
    const backend = await (await bench.open(source())).serve({ timeoutMs: 600_000, unitLists: false })
    const work = backend.run(counting(source().tooLarge), { secret: "" })
    expect(await refused(work)).toBe("backend/too-large")
    expect(await refused(backend.run(counting("SELECT nothing"), { secret: "" }))).toBe("backend/failed")
    await backend.close()
  })

  test("a table whose columns have moved on is refused before anything is charged", async () => {
    const engine = await opened()
    const before = await spent(engine)
    await source().alter("people")
    expect(await refused(engine.ask(fresh().sql))).toBe("dataset/changed")
    expect(await spent(engine)).toEqual(before)
    await engine.close()
    const again = await opened()
    expect((await again.ask(fresh().sql)).origin).toBe("released")
    await again.close()
  })
}

function memberOf(source: TroubledSource): Member {
  return { name: "troubled", lacks: [], make: async () => source }
}

function policyOf({ written }: MadeSource, seconds: number): string {
  return `dataset: made
source: ${written}
neighbours: add-or-remove
budget: { epsilon: 100, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 2 }, delta: 1e-8 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed }
resources: { seconds: ${seconds} }
tables:
  people:
    unit: id
    columns:
      weight: { min: 0, max: 5000 }
`
}
