// Consent, airlock, budgets and the audit trail with the state in a real PostgreSQL.

import { DosimeterError } from "@dosimeter/core"
import { findPostgres, type PostgresCluster } from "@dosimeter/engine/testing/postgres"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openSmallHouse, people, type SmallHouse } from "../testing/small-house.ts"
import { auditHead, compareHead } from "../audit/audit-anchor.ts"
import { searchAudit, verifyAudit } from "../audit/audit.ts"
import { budgetRaises } from "../studies/budget-raises.ts"
import { linkParticipant } from "../people/participants.ts"
import { openPostgresState } from "./postgres-state.ts"

const found = findPostgres()
const { carl, olga, pat } = people
let cluster: PostgresCluster
let house: SmallHouse

beforeAll(async () => {
  if ("missing" in found) return
  cluster = found.open()
  const store = await openPostgresState(await cluster.database(), "ward")
  house = await openSmallHouse("consent: required\n", store)
  await house.openStudy("heart", { airlock: true })
})

afterAll(async () => {
  if ("missing" in found) return
  await house.close()
  await cluster.stop()
})

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : String(error)),
  )
}

describe.skipIf("missing" in found)("with PostgreSQL", () => {
  const sql = "SELECT COUNT(*) FROM patients"

  test("[G1] [G3] people agree, a release waits, somebody withdraws, and the next is another", async () => {
    const day = "2026-01-01"
    const all = Array.from({ length: 20 }, (_, id) => `${id}`).map(
      (participant) => ({ participant, purpose: "DUO:0000042", decision: "given", decidedAt: day }) as const,
    )
    expect(await house.consents.add(all, { source: "file", actor: olga })).toBe(20)
    expect(await codeOf(house.questions.ask("ada", { sql }))).toBe("airlock/waiting")
    const [held] = await house.airlock.list("heart")
    const review = { decision: "approve", reasons: "fine" } as const
    await house.airlock.review(held?.charge ?? "", review, carl)
    expect((await house.questions.ask("ada", { sql })).origin).toBe("recorded")
    await linkParticipant(house.store, "pat", "8")
    const decidedAt = new Date().toISOString()
    const own = [{ participant: "8", purpose: "DUO:0000006", decision: "withdrawn", decidedAt } as const]
    expect(await house.consents.add(own, { source: "portal", actor: pat })).toBe(1)
    expect(await codeOf(house.questions.ask("ada", { sql }))).toBe("airlock/waiting")
    expect((await house.airlock.list()).map(({ state }) => state)).toEqual(["approved", "waiting"])
    expect(await house.consents.of("8")).toHaveLength(2)
  })

  test("[G2] [G4] budgets and the audit trail", async () => {
    const { store, engine } = house
    const raises = budgetRaises({ store, ledger: engine.ledger, policy: engine.policy })
    const more = { account: "study:heart", epsilon: "3", delta: "1e-7", reasons: "more" } as const
    const { id } = await raises.request(more, olga)
    expect(await raises.decide(id, { decision: "agree", reasons: "yes" }, carl)).toBe("granted")
    await house.questions.settled()
    expect((await searchAudit(store, { what: "question-answered" })).length).toBe(3)
    const [last, before] = await searchAudit(store, { order: "newest", limit: 2 })
    expect(await searchAudit(store, { order: "newest", after: last?.position ?? 0, limit: 1 })).toEqual([
      before,
    ])
    expect(await verifyAudit(store)).toBeUndefined()
    const { position, hash } = await auditHead(store)
    expect(await compareHead(store, `${position}:${hash}`)).toBeUndefined()
    expect(await compareHead(store, `${position}:00`)).toBe(position)
    expect(await compareHead(store, "nonsense")).toBe(0)
  })
})
