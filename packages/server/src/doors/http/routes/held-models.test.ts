// Models of a study with an airlock, over HTTP: nobody reads one, or is told that there is one, before
// somebody else has approved it; and another study reads only what it has asked itself.

import { afterAll, beforeAll, expect, test } from "vitest"
import { TryLimits } from "../../../limits/try-limits.ts"
import { Tokens } from "../../../people/tokens.ts"
import { openSmallHouse, people, type SmallHouse } from "../../../testing/small-house.ts"
import { ApiError, Client } from "../contract/client.ts"
import type { HttpServer } from "../http-server.ts"
import { openHttpDoor } from "../open-http-door.ts"

let house: SmallHouse
let door: HttpServer
const clients = new Map<string, Client>()

beforeAll(async () => {
  house = await openSmallHouse()
  const { questions, accounts, store, folder } = house
  await house.openStudy("held", { airlock: true })
  await house.openStudy("other", { people: ["bob"] })
  const limits = new TryLimits()
  const shared = { questions, accounts, store, folder, limits, needsStudies: true, setUpCode: undefined }
  door = await openHttpDoor({ ...shared, host: "127.0.0.1", port: 0 })
  for (const account of Object.values(people)) {
    const { secret } = await new Tokens(store).add({ name: "test", account })
    clients.set(account.name, new Client({ url: `http://127.0.0.1:${door.port}`, token: secret }))
  }
})
afterAll(async () => {
  await door.close()
  await house.close()
})

const as = (name: keyof typeof people): Client => {
  const client = clients.get(name)
  if (client === undefined) throw new Error(`${name} has no token`)
  return client
}
const body = {
  model: "bayes",
  target: "sex",
  sql: "SELECT sex, EXTRACT(MONTH FROM admitted) AS month FROM patients -- for Mr Doe",
  epsilon: "0.5",
}

async function problemOf(work: Promise<unknown>): Promise<readonly [number, string]> {
  return work.then(
    () => [200, ""] as const,
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return [error.status, error.problem.code] as const
    },
  )
}

test("[G3] a model that waits is read by nobody and listed nowhere, and another study reads its own alone", async () => {
  const own = { ...body, study: "held" }
  const others = { ...body, sql: body.sql.replace("Mr Doe", "us"), study: "other" }
  const waits = [202, "airlock/waiting"]
  expect(await problemOf(as("ada").call("trainModel", { body: own }))).toEqual(waits)
  const steps = []
  for await (const { event, data } of as("ada").stepsOf("trainModel", { body: own }))
    steps.push([event, event === "problem" ? Reflect.get(Object(data), "code") : ""])
  expect(steps).toEqual([
    ["planned", ""],
    ["problem", "airlock/waiting"],
  ])
  const [held] = (await as("carl").call("listHeld")).items
  const params = { position: held?.release ?? "" }
  for (const name of ["ada", "carl", "olga"] as const) {
    expect((await as(name).call("listModels")).items, name).toEqual([])
    expect(await problemOf(as(name).call("getModel", { params })), name).toEqual(waits)
  }
  expect((await as("ada").call("priceModel", { body: own })).free).toBe(false)
  expect((await as("bob").call("priceModel", { body: others })).free).toBe(false)
  expect(await problemOf(as("bob").call("trainModel", { body: others }))).toEqual(waits)
  expect(await problemOf(as("bob").call("getModel", { params }))).toEqual([404, "release/unknown"])
  const review = { decision: "approve", reasons: "counts of a large ward" } as const
  await as("carl").call("reviewHeld", { params: { release: params.position }, body: review })
  const card = await as("ada").call("getModel", { params })
  expect([card.model, card.question]).toEqual(["bayes", body.sql])
  expect((await as("ada").call("listModels")).items).toMatchObject([{ charge: card.charge, study: "held" }])
  // The other study may have the same model now, but sees neither the release nor what was written for it.
  expect((await as("bob").call("listModels")).items).toEqual([])
  expect(await problemOf(as("bob").call("getModel", { params }))).toEqual([404, "release/unknown"])
  const same = await as("bob").call("trainModel", { body: others })
  expect([same.origin, same.charge, same.coefficients]).toEqual(["recorded", card.charge, card.coefficients])
  expect(JSON.stringify(same)).not.toContain("Mr Doe")
})
