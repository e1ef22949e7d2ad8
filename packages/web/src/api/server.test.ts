import { afterEach, expect, test, vi } from "vitest"
import { askInSteps, attemptKey, call, isSignedOut, onSignedOut, type StepName } from "./server.ts"
import { troubleOf } from "./trouble.ts"

afterEach(() => vi.unstubAllGlobals())

/** Lets the server reply with this. */
function replyWith(body: string, init: ResponseInit = {}): void {
  vi.stubGlobal("fetch", async () => new Response(body, init))
}

const events = { headers: { "Content-Type": "text/event-stream" } }
const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const body = { sql: "SELECT COUNT(*) FROM person" }

async function ask(): Promise<{ readonly steps: readonly StepName[]; readonly outcome: unknown }> {
  const steps: StepName[] = []
  const options = { key: attemptKey(), onStep: (step: StepName) => void steps.push(step) }
  const outcome: unknown = await askInSteps(body, options).catch(troubleOf)
  return { steps, outcome }
}

test("steps are told as they happen, and the answer ends them", async () => {
  const text = [
    event("planned", {}),
    event("charged", {}),
    event("reading", {}),
    event("released", { rows: [] }),
  ]
  replyWith(text.join(""), events)
  expect(await ask()).toEqual({ steps: ["planned", "charged", "reading"], outcome: { rows: [] } })
})

test("a refusal in the middle is what the server says", async () => {
  const refused = { kind: "refused", code: "budget/exhausted", message: "no", help: null }
  replyWith(event("planned", {}) + event("problem", refused), events)
  const { steps, outcome } = await ask()
  expect(steps).toEqual(["planned"])
  expect(outcome).toMatchObject({ kind: "refused", code: "budget/exhausted", help: undefined })
})

test("a connection that ends before the answer says that it can be asked for again, free", async () => {
  replyWith(event("planned", {}) + event("charged", {}), events)
  const { steps, outcome } = await ask()
  expect(steps).toEqual(["planned", "charged"])
  expect(outcome).toMatchObject({
    kind: "unavailable",
    code: "web/no-answer",
    help: expect.stringContaining("free"),
  })
})

test("whoever is not signed in any more is told once, at every screen that listens", async () => {
  const listener = vi.fn<() => void>()
  const stop = onSignedOut(listener)
  const problem = {
    kind: "refused",
    code: "request/not-signed-in",
    message: "nobody is signed in",
    help: null,
  }
  replyWith(JSON.stringify(problem), { status: 401 })
  const error: unknown = await call("whoAmI", {}).catch((reason: unknown) => reason)
  expect(isSignedOut(error)).toBe(true)
  expect(listener).toHaveBeenCalledTimes(1)
  stop()
  await call("whoAmI", {}).catch(() => undefined)
  expect(listener).toHaveBeenCalledTimes(1)
})

test("a wrong password ends no session", async () => {
  const listener = vi.fn<() => void>()
  const stop = onSignedOut(listener)
  const problem = { kind: "refused", code: "account/wrong-password", message: "wrong", help: null }
  replyWith(JSON.stringify(problem), { status: 401 })
  expect(troubleOf(await call("whoAmI", {}).catch((reason: unknown) => reason)).code).toBe(
    "account/wrong-password",
  )
  expect(listener).not.toHaveBeenCalled()
  stop()
})

test("every attempt has a name of its own", () => {
  const keys = Array.from({ length: 50 }, attemptKey)
  expect(new Set(keys).size).toBe(50)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
})
