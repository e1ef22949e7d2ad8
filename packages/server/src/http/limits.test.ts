import { DosimeterError } from "@dosimeter/core"
import { expect, test } from "vitest"
import { openSqliteState } from "../governance/sqlite-state.ts"
import { Tokens } from "../governance/tokens.ts"
import { retryAfterOf, statusOf } from "./http-error.ts"
import { QuestionQueue } from "../governance/question-queue.ts"
import { RateLimits } from "./rate-limits.ts"

async function errorOf(work: Promise<unknown>): Promise<DosimeterError | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error instanceof DosimeterError ? error : undefined),
  )
}

test("so many questions run at once, some wait, and the rest is turned away", async () => {
  const queue = new QuestionQueue({ runningMax: 2, waitingMax: 1 })
  const finish: (() => void)[] = []
  const work = () =>
    queue.run(
      () =>
        new Promise<void>((resolve) => {
          finish.push(resolve)
        }),
    )
  const running = [work(), work(), work()]
  expect([queue.running, finish.length]).toEqual([2, 2])
  const busy = await errorOf(work())
  expect(busy?.code).toBe("request/busy")
  expect([statusOf(busy), retryAfterOf(busy)]).toEqual([503, 2])
  finish[0]?.()
  await running[0]
  expect([queue.running, finish.length]).toEqual([2, 3])
  for (const done of finish) done()
  await Promise.all(running)
  expect(queue.running).toBe(0)
})

test("who leaves the line is not asked, and the next one comes", async () => {
  const queue = new QuestionQueue({ runningMax: 1, waitingMax: 5 })
  let finish = (): void => {}
  const asked: string[] = []
  const first = queue.run(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve
      }),
  )
  const leaving = new AbortController()
  const gone = errorOf(queue.run(async () => asked.push("gone"), leaving.signal))
  const staying = new AbortController()
  const stays = queue.run(async () => asked.push("stays"), staying.signal)
  leaving.abort()
  expect((await gone)?.code).toBe("request/left")
  finish()
  await Promise.all([first, stays])
  // Later it is the question's own business.
  staying.abort()
  expect([asked, queue.running]).toEqual([["stays"], 0])
})

test("what is asked twice under one key at once is asked once", async () => {
  const queue = new QuestionQueue()
  let times = 0
  const work = async (): Promise<number> => {
    times += 1
    return times
  }
  expect(await Promise.all([queue.once("k", "a", work), queue.once("k", "a", work)])).toEqual([1, 1])
  expect(await Promise.all([queue.once("k", "a", work), queue.once("k", "b", work)])).toEqual([2, 3])
  expect(await queue.once(undefined, "a", work)).toBe(4)
})

test("a bucket fills again with time, and nobody else's is touched", () => {
  let now = 0
  const rates = new RateLimits({ perMinute: 60 }, () => now)
  for (let times = 0; times < 60; times += 1) expect(rates.take("ada")).toBe(0)
  expect(rates.take("ada")).toBe(1)
  expect(rates.take("bob")).toBe(0)
  now += 1000
  expect(rates.take("ada")).toBe(0)
  expect(rates.take("ada")).toBe(1)
})

test("token/bad-name and token/bad-days", async () => {
  const store = openSqliteState(":memory:")
  const tokens = new Tokens(store)
  const account = { name: "ada", role: "analyst" } as const
  expect((await errorOf(tokens.add({ name: "Two Words", account })))?.code).toBe("token/bad-name")
  expect((await errorOf(tokens.add({ name: "long", account, days: 1000 })))?.code).toBe("token/bad-days")
  await store.close()
})
