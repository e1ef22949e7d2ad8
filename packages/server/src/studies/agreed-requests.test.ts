// Both kinds of requests take the same steps: each test here runs for more budget and for a lost anchor.

import { DosimeterError } from "@dosimeter/core"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { searchAudit } from "../audit/audit.ts"
import { openSmallHouse, people, type SmallHouse } from "../testing/small-house.ts"
import type { AgreedRequests } from "./agreed-requests.ts"
import { budgetRaises } from "./budget-raises.ts"
import { ledgerDecisions } from "./ledger-decisions.ts"
import type { Actor } from "./study-state.ts"

const { bob, carl, dana, olga } = people
const eve = { name: "eve", role: "owner" } as const
let house: SmallHouse

beforeEach(async () => {
  house = await openSmallHouse("anchor: ward.anchor\n")
})
afterEach(() => house.close())

/** The requests of a kind, with what is asked for left to it. */
interface Kind {
  readonly area: "raise" | "decision"
  readonly deeds: readonly [requested: string, decided: string]
  readonly one: string
  /** The entry of the ledger, once a request is granted. */
  readonly entry: string
  open(): Promise<Requests>
}

type Requests = Pick<AgreedRequests<{ readonly reasons: string }, unknown>, "request" | "decide" | "list">

const kinds: readonly Kind[] = [
  {
    area: "raise",
    deeds: ["budget-requested", "budget-decided"],
    one: "budget request",
    entry: "budget",
    open: async () => {
      await house.openStudy("heart")
      const { store, engine } = house
      const raises = budgetRaises({ store, ledger: engine.ledger, policy: engine.policy })
      const more = { account: "study:heart", epsilon: "3", delta: "1e-7" } as const
      return {
        request: ({ reasons }, actor) => raises.request({ ...more, reasons }, actor),
        decide: (id, said, actor) => raises.decide(id, said, actor),
        list: () => raises.list(),
      }
    },
  },
  {
    area: "decision",
    deeds: ["ledger-decision-requested", "ledger-decided"],
    one: "ledger decision",
    entry: "acknowledgement",
    open: async () => {
      rmSync(join(house.folder, "ward.anchor"))
      const { policy, ledger, decide } = house.engine
      return ledgerDecisions(house.store, { policy, trouble: () => ledger.trouble(), decide })
    },
  },
]

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : String(error)),
  )
}

const reasons = "it is needed"
const agree = { decision: "agree", reasons: "it is worth it" } as const

async function entriesOfLedger(): Promise<number> {
  return (await house.engine.ledger.entries(1n, 100)).length
}

describe.each(kinds)("$area", ({ area, deeds, one, entry, open }) => {
  test("[G2] two people decide, and both are in the ledger and in the audit trail", async () => {
    const requests = await open()
    const before = await entriesOfLedger()
    const { id, agreements } = await requests.request({ reasons }, olga)
    expect(agreements).toMatchObject([{ name: "olga", decision: "agree", reasons }])
    expect(await codeOf(requests.decide(id, agree, olga))).toBe(`${area}/agreed-already`)
    // Two owners are not enough: one of the two is of the committee.
    expect(await requests.decide(id, agree, eve)).toBe("open")
    expect(await entriesOfLedger()).toBe(before)
    expect(await requests.decide(id, agree, carl)).toBe("granted")
    const last = (await house.engine.ledger.entries(1n, 100)).at(-1)?.entry
    expect(last).toMatchObject({ kind: entry, by: ["olga", "eve", "carl"], why: reasons })
    expect(await codeOf(requests.decide(id, agree, dana))).toBe(`${area}/unknown`)
    expect(await requests.list()).toMatchObject([{ id, state: "granted", requestedBy: "olga", reasons }])
    const trail = await searchAudit(house.store, {})
    const own = trail.filter(({ what }) => deeds.includes(what))
    expect(own).toMatchObject([
      { who: "olga", what: deeds[0], facts: { request: `${id}`, reasons } },
      { who: "eve", what: deeds[1], facts: { request: `${id}`, decision: "agree", outcome: "open" } },
      { who: "carl", what: deeds[1], facts: { request: `${id}`, decision: "agree", outcome: "granted" } },
    ])
  })

  test("[G2] one refusal refuses, with its reasons in the audit trail", async () => {
    const requests = await open()
    const before = await entriesOfLedger()
    const { id } = await requests.request({ reasons }, carl)
    const refuse = { decision: "refuse", reasons: "let us wait" } as const
    expect(await requests.decide(id, refuse, olga)).toBe("refused")
    expect(await codeOf(requests.decide(id, agree, dana))).toBe(`${area}/unknown`)
    expect(await entriesOfLedger()).toBe(before)
    const [deed] = await searchAudit(house.store, { what: deeds[1] })
    expect(deed).toMatchObject({ who: "olga", facts: { ...refuse, outcome: "refused" } })
  })

  test("who may not decide, and what has no reasons, is refused and leaves nothing", async () => {
    const requests = await open()
    expect(await codeOf(requests.request({ reasons: " " }, olga))).toBe("raise/no-reasons")
    expect(await codeOf(requests.request({ reasons }, bob))).toBe(`${area}/not-allowed`)
    expect(await codeOf(requests.decide(1, agree, olga))).toBe(`${area}/unknown`)
    expect(await requests.list()).toEqual([])
    const { id } = await requests.request({ reasons }, olga)
    expect(await codeOf(requests.decide(id, agree, bob))).toBe(`${area}/not-allowed`)
    expect(await codeOf(requests.decide(id, { ...agree, reasons: "" }, carl))).toBe("raise/no-reasons")
    expect(await requests.list()).toMatchObject([{ state: "open", agreements: [{ name: "olga" }] }])
  })

  test("[G2] two accounts in one hand are not two people", async () => {
    const requests = await open()
    const puppet: Actor = { name: "petra", role: "committee" }
    await house.accounts.add(puppet.name, puppet.role, "four words are best", { by: olga.name })
    const { id } = await requests.request({ reasons }, olga)
    expect(await codeOf(requests.decide(id, agree, puppet))).toBe("people/not-separate")
    expect(await requests.list()).toMatchObject([{ state: "open", agreements: [{ name: "olga" }] }])
    const [deed] = await searchAudit(house.store, { what: "decision-not-separate" })
    expect(deed).toMatchObject({ who: "petra", about: `${one} ${id}` })
  })
})
