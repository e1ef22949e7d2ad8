// Guesses over HTTP: as many are checked as may be wrong, and the right person still comes in.

import { afterAll, beforeAll, expect, test } from "vitest"
import { TryLimits } from "../../limits/try-limits.ts"
import { adaPassword, httpLab, type HttpLab } from "../../testing/http-lab.ts"

let lab: HttpLab
let url = ""

beforeAll(async () => {
  lab = await httpLab()
  // No time goes by: what is refused stays refused, however busy the machine is.
  url = await lab.door({ limits: new TryLimits(() => 0) })
})
afterAll(() => lab.close())

async function signIn(name: string, password: string, cookie = ""): Promise<Response> {
  const headers = { "Content-Type": "application/json", ...(cookie === "" ? {} : { Cookie: cookie }) }
  return fetch(`${url}/api/v1/sign-in`, { method: "POST", headers, body: JSON.stringify({ name, password }) })
}

test("of 60 guesses at once five are checked; a known browser and other people come in all the same", async () => {
  const before = await signIn("ada", adaPassword)
  const cookies = before.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "")
  const device = cookies.find((line) => line.startsWith("dosimeter-device=")) ?? ""
  expect([before.status, device]).toEqual([200, expect.stringMatching(/^dosimeter-device=[\w-]+\.[\w-]+$/)])
  const guesses = await Promise.all(
    Array.from({ length: 60 }, async () => (await signIn("ada", "wrong")).status),
  )
  expect(guesses.filter((status) => status === 401)).toHaveLength(5)
  expect(guesses.filter((status) => status === 429)).toHaveLength(55)
  expect((await signIn("ada", adaPassword)).status).toBe(429)
  expect((await signIn("ada", adaPassword, device)).status).toBe(200)
  // Nobody else's browser, and no other name's.
  expect((await signIn("ada", adaPassword, `${device}x`)).status).toBe(429)
  expect((await signIn("olga", adaPassword)).status).toBe(200)
  // A token is no guess.
  const headers = { Authorization: `Bearer ${lab.tokenOf("analyst")}` }
  expect((await fetch(`${url}/api/v1/me`, { headers })).status).toBe(200)
})
