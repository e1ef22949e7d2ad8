// The collector in a PostgreSQL that several servers share.

import { findPostgres, type PostgresCluster } from "@dosimeter/engine/testing/postgres"
import { makeReport, readProtocol, releaseReport } from "@dosimeter/core/local"
import { seededBits } from "@dosimeter/core/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openPostgresState } from "../state/postgres-state.ts"
import { Campaigns } from "./campaigns.ts"

const found = findPostgres()
let cluster: PostgresCluster | undefined
beforeAll(() => {
  if ("open" in found) cluster = found.open()
})
afterAll(() => cluster?.stop())

describe.skipIf("missing" in found)("campaigns in a shared store", () => {
  test("[L5] a report that several servers are sent at once counts once", async () => {
    const url = (await cluster?.database()) ?? ""
    const stores = await Promise.all([0, 1].map(() => openPostgresState(url, "shared")))
    const servers = stores.map((store) => new Campaigns(store))
    const [first] = servers
    if (first === undefined) throw new Error("two were opened")
    const question = { kind: "choice", name: "fever", text: "Fever?", options: ["no", "yes"] } as const
    const plan = { id: "winter", title: "W", summary: "S", epsilon: "2", people: 1000, halfWidthMax: 0.2 }
    await first.create({ ...plan, reportsMax: 250, questions: [question] }, "olga")
    const { protocol } = await first.move("winter", "publish", "olga")
    const read = readProtocol(JSON.parse(JSON.stringify(protocol)))
    const rng = seededBits("shared")
    const batches = Array.from({ length: 6 }, () =>
      Array.from({ length: 40 }, () => makeReport(read, releaseReport(read, 1, rng), rng)),
    )
    const outcomes = await Promise.all(
      servers.flatMap((server) => batches.map((batch) => server.collect("winter", batch))),
    )
    const sum = (pick: (outcome: (typeof outcomes)[number]) => number): number =>
      outcomes.reduce((total, outcome) => total + pick(outcome), 0)
    expect([sum((one) => one.accepted), sum((one) => one.repeated), sum((one) => one.refused)]).toEqual([
      240, 240, 0,
    ])
    const tallies = await first.tallies("winter")
    expect(tallies.reduce((total, tally) => total + tally.reports, 0)).toBe(240)
    for (const store of stores) await store.close()
  })
})
