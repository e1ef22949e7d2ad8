import { DosimeterError } from "@dosimeter/core"
import { expect, test } from "vitest"
import { openSqliteState } from "../state/sqlite-state.ts"
import { Tokens } from "../people/tokens.ts"
import { retryAfterOf, statusOf } from "../doors/http/request/http-error.ts"
import { QuestionQueue } from "./question-queue.ts"
import { RateLimits } from "../limits/rate-limits.ts"

async function errorOf(work: Promise<unknown>): Promise<DosimeterError | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error instanceof DosimeterError ? error : undefined),
  )
}

test("so many questions run at once, some wait, and the rest is turned away", async () => {
  const queue = new QuestionQueue({ runningMax: 2, waitingMax: 1, runningEach: 2, waitingEach: 2 })
  const finish: (() => void)[] = []
  const work = () =>
    queue.run(
      "ada",
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
    "ada",
    () =>
      new Promise<void>((resolve) => {
        finish = resolve
      }),
  )
  const leaving = new AbortController()
  const gone = errorOf(queue.run("ada", async () => asked.push("gone"), leaving.signal))
  const staying = new AbortController()
  const stays = queue.run("ada", async () => asked.push("stays"), staying.signal)
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
  expect(
    await Promise.all([
      queue.once("ada", { key: "k", what: "a" }, work),
      queue.once("ada", { key: "k", what: "a" }, work),
    ]),
  ).toEqual([1, 1])
  expect(
    await Promise.all([
      queue.once("ada", { key: "k", what: "a" }, work),
      queue.once("ada", { key: "k", what: "b" }, work),
    ]),
  ).toEqual([2, 3])
  expect(await queue.once("ada", { key: undefined, what: "a" }, work)).toBe(4)
})

test("200 questions of one person hold another up for one turn of each place at most", async () => {
  const queue = new QuestionQueue()
  const started: string[] = []
  const finish: (() => void)[] = []
  const ask = async (person: string): Promise<void> =>
    queue.run(person, async () => {
      started.push(person)
      await new Promise<void>((resolve) => {
        finish.push(resolve)
      })
    })
  const asked = Array.from({ length: 200 }, () => ask("ada"))
  // One person never has all places.
  expect([started.length, queue.running]).toEqual([4, 4])
  asked.push(...["ben", "cleo", "dan", "eve"].map(ask))
  expect(queue.running).toBe(8)
  const before = started.length
  asked.push(ask("fay"))
  while (!started.includes("fay")) {
    finish.shift()?.()
    await new Promise(setImmediate)
  }
  expect(started.indexOf("fay") - before).toBeLessThanOrEqual(9)
  while (finish.length > 0) {
    finish.shift()?.()
    await new Promise(setImmediate)
  }
  await Promise.all(asked)
  expect([started.length, queue.running]).toEqual([205, 0])
})

test("one person's line has an end of its own, and somebody with nothing in it is not turned away", async () => {
  const queue = new QuestionQueue({ runningMax: 2, waitingMax: 4, waitingEach: 3 })
  const finish: (() => void)[] = []
  const ask = async (person: string): Promise<void> =>
    queue.run(
      person,
      () =>
        new Promise<void>((resolve) => {
          finish.push(resolve)
        }),
    )
  const asked = [ask("ada"), ask("ada"), ask("ada"), ask("ada")]
  const more = await errorOf(ask("ada"))
  expect([more?.code, statusOf(more)]).toEqual(["request/too-many-waiting", 429])
  asked.push(ask("ben"), ask("ben"))
  expect((await errorOf(ask("ben")))?.code).toBe("request/busy")
  asked.push(ask("cleo"))
  for (let turn = 0; turn < 7; turn += 1) {
    finish.shift()?.()
    await new Promise(setImmediate)
  }
  await Promise.all(asked)
  expect(queue.running).toBe(0)
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
