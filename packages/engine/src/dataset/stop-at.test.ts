import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core"
import { setTimeout } from "node:timers/promises"
import { expect, test } from "vitest"
import { GivenUp, stopAt, type Stoppable } from "./stop-at.ts"

const sessionOf = (connection: DuckDBConnection): Stoppable => ({
  interrupt: () => connection.interrupt(),
  close: () => connection.closeSync(),
})

// DuckDB looks whether it was interrupted between vectors of rows, and never inside one call of a function:
// this one goes back and forth over a text for a while.
const deaf = `SELECT COUNT(*) FROM (SELECT repeat('a', 20000) AS x) WHERE x LIKE '%a%b' ESCAPE '!'`

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof DosimeterError ? error.code : String(error)
}

test("[W2] a query that cannot be interrupted is given up, and others go on", async () => {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" })
  const givenUp = new GivenUp()
  const order: string[] = []
  const slow = await instance.connect()
  // On a fast machine the query itself is done too soon.
  const run = async (): Promise<void> => {
    await Promise.allSettled([slow.runAndReadAll(deaf), setTimeout(3000)])
    order.push("back")
  }
  const code = await codeOf(stopAt(sessionOf(slow), run, { timeoutMs: 20 }, givenUp))
  order.push("given up")
  expect(code).toBe("backend/too-slow")
  const other = await instance.connect()
  const count = await stopAt(
    sessionOf(other),
    async () => (await other.runAndReadAll("SELECT 42")).getRows(),
    { timeoutMs: 600_000 },
    givenUp,
  )
  expect(count).toEqual([[42]])
  await new Promise<void>((resolve) => {
    givenUp.whenBack(resolve)
  })
  instance.closeSync()
  expect(order).toEqual(["given up", "back"])
})

test("what ends in time, fails or was cancelled says so", async () => {
  const instance = await DuckDBInstance.create(":memory:")
  const givenUp = new GivenUp()
  const ask = async (sql: string, options: Parameters<typeof stopAt>[2]): Promise<string> => {
    const connection = await instance.connect()
    return codeOf(stopAt(sessionOf(connection), () => connection.runAndReadAll(sql), options, givenUp))
  }
  const forever = "SELECT COUNT(*) FROM range(1000000000000) WHERE range % 7 = 3"
  expect(await ask("SELECT error('a value of a row')", {})).toBe("backend/failed")
  expect(await ask(forever, { signal: AbortSignal.abort() })).toBe("backend/cancelled")
  expect(await ask(forever, { signal: AbortSignal.timeout(20) })).toBe("backend/cancelled")
  expect(await ask(forever, { timeoutMs: 20 })).toBe("backend/too-slow")
  expect(await ask("SELECT 1", {})).toBe("undefined")
  // At once, unless a busy machine was slow to come back.
  await new Promise<void>((resolve) => {
    givenUp.whenBack(resolve)
  })
  instance.closeSync()
})
