import { afterEach, expect, test, vi } from "vitest"
import { reach } from "./reach.ts"
import { askInSteps, attemptKey, call, type StepName } from "./server.ts"
import { troubleOf } from "./trouble.ts"

afterEach(() => vi.unstubAllGlobals())

const failed = new TypeError("Failed to fetch")
const offline = { kind: "unavailable", code: "web/offline" }

async function troubleBy(work: () => Promise<unknown>) {
  return troubleOf(await work().catch((error: unknown) => error))
}

/** A body of which the beginning arrives before the connection breaks. */
function broken(beginning: string): ReadableStream<Uint8Array> {
  let isFirst = true
  return new ReadableStream({
    pull: (controller) => {
      if (isFirst) controller.enqueue(new TextEncoder().encode(beginning))
      else controller.error(new TypeError("network error"))
      isFirst = false
    },
  })
}

test("a request that nobody answers is a server that cannot be reached", async () => {
  vi.stubGlobal("fetch", async () => Promise.reject(failed))
  expect(await troubleBy(async () => call("whoAmI"))).toMatchObject({ ...offline, message: failed.message })
})

test("a reply that breaks off is a server that cannot be reached", async () => {
  vi.stubGlobal("fetch", async () => new Response(broken('{"name":'), { status: 200 }))
  expect(await troubleBy(async () => call("whoAmI"))).toMatchObject(offline)
})

test("a reply without content has none, though browsers give it an empty body", async () => {
  const empty = new Response(null, { status: 204 })
  Object.defineProperty(empty, "body", { value: new ReadableStream({ start: (body) => body.close() }) })
  vi.stubGlobal("fetch", async () => empty)
  expect((await reach("/", {})).status).toBe(204)
})

test("a request that is stopped on purpose is not offline", async () => {
  const stopped = new DOMException("stopped", "AbortError")
  vi.stubGlobal("fetch", async () => Promise.reject(stopped))
  await expect(reach("/", {})).rejects.toBe(stopped)
})

test("a reply of another shape than the contract's is a bug, not offline", async () => {
  vi.stubGlobal("fetch", async () => new Response('{"name": 3}', { status: 200 }))
  expect(await troubleBy(async () => call("whoAmI"))).toMatchObject({ kind: "bug", code: "web/unexpected" })
})

test("a mistake in what follows a step is a bug, not offline", async () => {
  const events = { headers: { "Content-Type": "text/event-stream" } }
  vi.stubGlobal("fetch", async () => new Response("event: planned\ndata: {}\n\n", events))
  const onStep = (): void => {
    throw new TypeError("undefined is not a function")
  }
  const trouble = await troubleBy(async () => askInSteps({ sql: "SELECT 1" }, { key: attemptKey(), onStep }))
  expect(trouble).toMatchObject({ kind: "bug", code: "web/unexpected" })
})

test("steps that break off say that the answer can be asked for again, free", async () => {
  const events = { headers: { "Content-Type": "text/event-stream; charset=utf-8" } }
  vi.stubGlobal("fetch", async () => new Response(broken("event: charged\ndata: {}\n\n"), events))
  const steps: StepName[] = []
  const options = { key: attemptKey(), onStep: (step: StepName) => void steps.push(step) }
  const trouble = await troubleBy(async () => askInSteps({ sql: "SELECT 1" }, options))
  expect(steps).toEqual(["charged"])
  expect(trouble).toMatchObject({ kind: "unavailable", code: "web/no-answer" })
})

test("status, headers and an empty body are handed on as they came", async () => {
  vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }))
  expect((await reach("/", {})).status).toBe(204)
  vi.stubGlobal("fetch", async () => new Response("busy", { status: 429, headers: { "Retry-After": "3" } }))
  const response = await reach("/", {})
  expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([
    429,
    "3",
    "busy",
  ])
})
