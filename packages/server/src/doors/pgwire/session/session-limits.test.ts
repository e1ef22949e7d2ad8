// What one session can make the server do: texts without an end, parameters without number, results that pile
// up. The session is real; the dataset behind it answers at once.

import { describe, expect, test } from "vitest"
import { PgSession } from "./pg-session.ts"
import { SessionSettings } from "./session-settings.ts"
import type { WireDataset } from "./wire-dataset.ts"
import { WireError } from "../wire/wire-error.ts"
import { textResult, type WireResult } from "../wire/wire-result.ts"

const plain = textResult(["a"], [["x"]], "SELECT")

/** A session whose questions are all about catalogs, with the result that is given. */
function sessionOf(result: WireResult = plain, patience?: Promise<void>) {
  const asked: string[] = []
  const sent: Buffer[] = []
  const dataset: WireDataset = {
    admit: async () => {},
    columnsOf: async () => [],
    ask: () => Promise.reject(new Error("not asked here")),
    budget: async () => "",
    catalog: async ({ sql, set, signal }) => {
      if (set !== undefined) asked.push(sql)
      if (patience !== undefined)
        await Promise.race([
          patience,
          new Promise((_resolve, reject) => {
            signal?.addEventListener("abort", () => reject(new WireError("57014", "ended")))
          }),
        ])
      return result
    },
  }
  const session = new PgSession(dataset, new SessionSettings(), async (bytes) => {
    sent.push(Buffer.from(bytes))
  })
  /** The letters of the messages that came, and the states of the errors among them. */
  const query = async (
    sql: string,
  ): Promise<{ readonly kinds: string; readonly states: readonly string[] }> => {
    sent.length = 0
    await session.handle({ kind: "query", sql })
    return told()
  }
  const told = () => {
    const bytes = Buffer.concat(sent)
    let kinds = ""
    const states: string[] = []
    for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
      const kind = String.fromCharCode(bytes[at] ?? 0)
      kinds += kind
      const body = bytes.toString("latin1", at + 5, at + 1 + bytes.readInt32BE(at + 1))
      if (kind === "E") states.push(/\0C([^\0]*)/.exec(body)?.[1] ?? "")
    }
    return { kinds, states }
  }
  return { session, asked, query, told, sent }
}

describe("texts that do not end", () => {
  test.each([
    "SET dosimeter.epsilon = '0.1",
    'SELECT "a',
    "SELECT $a$ b",
    "SHOW timezone; SELECT 'a', 'b",
    "SHOW timezone /* and more",
  ])("%s is an error of syntax, and nothing of it is done", async (sql) => {
    const { query, asked, session } = sessionOf()
    expect(await query(sql)).toEqual({ kinds: "EZ", states: ["42601"] })
    expect(asked).toEqual([])
    expect(session.settings.show("dosimeter.epsilon")).toBe("")
  })

  test("a comment at the end hides no statement", async () => {
    const { query, asked } = sessionOf()
    expect((await query("SELECT 1 -- one")).kinds).toBe("TDCZ")
    expect((await query("-- nothing")).kinds).toBe("IZ")
    expect(asked).toEqual(["SELECT 1 -- one"])
  })
})

describe("parameters", () => {
  test.each([101, 40_000, 90_000_000, 1e21])("$%s is refused before it is counted out", async (number) => {
    const { session, query, told } = sessionOf()
    await session.handle({ kind: "parse", name: "", sql: `SELECT $${BigInt(number)}`, types: [] })
    expect(told()).toEqual({ kinds: "E", states: ["54000"] })
    await session.handle({ kind: "sync" })
    expect((await query(`PREPARE p AS SELECT $${BigInt(number)}`)).states).toEqual(["54000"])
  })

  test("a hundred are described", async () => {
    const { session, told } = sessionOf()
    await session.handle({ kind: "parse", name: "", sql: "SELECT $100", types: [] })
    await session.handle({ kind: "describe", what: "statement", name: "" })
    expect(told()).toEqual({ kinds: "1tT", states: [] })
  })
})

describe("results that are kept", () => {
  const large: WireResult = {
    ...plain,
    rows: Array.from({ length: 1_000 }, () => Array.from({ length: 100 }, () => "")),
  }

  test("cursors may keep some, and no more", async () => {
    const { query } = sessionOf(large)
    const states: string[] = []
    for (let at = 0; at < 10; at += 1) {
      await query(`DECLARE c${at} CURSOR WITH HOLD FOR SELECT 1`)
      states.push(...(await query(`FETCH 1 FROM c${at}`)).states)
    }
    expect(states.length).toBeGreaterThan(3)
    expect(new Set(states)).toEqual(new Set(["53200"]))
    await query("CLOSE ALL")
    await query("DECLARE c CURSOR WITH HOLD FOR SELECT 1")
    expect((await query("FETCH 1 FROM c")).kinds).toBe("TDCZ")
  })

  test("portals keep what is not sent yet", async () => {
    const { session, told, sent } = sessionOf(large)
    await session.handle({ kind: "query", sql: "BEGIN" })
    await session.handle({ kind: "parse", name: "s", sql: "SELECT 1", types: [] })
    const run = async (portal: string, rowsMax: number): Promise<readonly string[]> => {
      sent.length = 0
      await session.handle({
        kind: "bind",
        portal,
        statement: "s",
        formats: [],
        values: [],
        resultFormats: [],
      })
      await session.handle({ kind: "execute", portal, rowsMax })
      return told().states
    }
    for (let at = 0; at < 10; at += 1) expect(await run(`all${at}`, 0)).toEqual([])
    const states: (readonly string[])[] = []
    for (let at = 0; at < 10; at += 1) states.push(await run(`some${at}`, 1))
    expect(states.slice(0, 3)).toEqual([[], [], []])
    expect(states).toContainEqual(["53200"])
  })
})

test("the time limit of a session is one for questions about catalogs too", async () => {
  const { query } = sessionOf(plain, new Promise(() => {}))
  await query("SET statement_timeout = 20")
  expect((await query("SELECT 1")).states).toEqual(["57014"])
})

test("a style of intervals that is none is refused", async () => {
  const { query } = sessionOf()
  expect((await query("SET intervalstyle = 'nonsense'")).states).toEqual(["22023"])
  expect((await query("SET intervalstyle = 'ISO_8601'")).states).toEqual([])
})
