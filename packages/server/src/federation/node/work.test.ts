// What a node does with letters of a coordinator that lies: what people agree to is what is done.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { coordinatorName, sealed, type SignedJob } from "@dosimeter/engine"
import { searchAudit } from "../../audit/audit.ts"
import { CoordinatorLab, LetterSite, NodeLab } from "../../testing/consortium.ts"
import { Jobs } from "../coordinator/jobs.ts"
import { letterTo } from "../mail/envelope-letter.ts"
import { keepLetters } from "../mail/letters.ts"
import { Inbox } from "./inbox.ts"
import { StandingApprovals } from "./standing.ts"
import { NodeWork } from "./work.ts"

const carl = { name: "carl", role: "committee" } as const
const at = "2026-11-18T00:00:00.000Z"

/** Says which jobs it was told to do. */
class WatchedSite extends LetterSite {
  readonly done: string[] = []

  override async approve(job: string, by: string): ReturnType<LetterSite["approve"]> {
    this.done.push(this.sqlOf(job))
    return super.approve(job, by)
  }
}

let study: CoordinatorLab
beforeAll(() => {
  study = new CoordinatorLab()
})
afterAll(async () => study.close())

let north: NodeLab
let site: WatchedSite
let work: NodeWork
beforeEach(() => {
  north = new NodeLab("north")
  site = new WatchedSite("north", north.signer)
  work = new NodeWork({ store: north.store, note: () => {}, site })
  return async () => north.close()
})

/** What the coordinator sends under the id of a job, and what the node does then. */
async function comes(job: string, body: unknown, sequence = 0): Promise<void> {
  const envelope = { job, step: "job", from: coordinatorName, to: "north", sequence, body }
  const letter = { ...letterTo(sealed(envelope, study.signer)), peer: coordinatorName }
  await north.store.transaction((access) => keepLetters(access, "in", [letter], at))
  while (await work.step());
}

function jobs(): Record<"small" | "large", { readonly job: string; readonly document: SignedJob }> {
  return {
    small: study.document([north], "SELECT COUNT(*) FROM person"),
    large: study.document([north], "SELECT zip, COUNT(*) FROM person GROUP BY zip"),
  }
}

async function agreeToCounts(): Promise<void> {
  const terms = { pattern: "SELECT COUNT(*) FROM person", epsilonEach: "0.1", delta: "0", sitesMin: 1 }
  await new StandingApprovals(north.store).add({ ...terms, epsilon: "1", until: "2099-12-31" }, carl)
}

async function refusals(): Promise<readonly (string | undefined)[]> {
  const found = await searchAudit(north.store, { what: "job-message-refused" })
  return found.map(({ facts }) => facts["why"])
}

test("what a person reads in the inbox is what is done, whatever id a job comes under", async () => {
  const { small, large } = jobs()
  await comes(large.job, small.document)
  await comes(large.job, large.document)
  const inbox = new Inbox(north.store)
  const [shown] = await inbox.list()
  expect(shown?.document.document.sql).toBe("SELECT zip, COUNT(*) FROM person GROUP BY zip")
  await inbox.decide(large.job, { decision: "approve", reasons: "fair" }, carl)
  while (await work.step());
  expect(site.done).toEqual([shown?.document.document.sql])
  expect(await refusals()).toEqual([expect.stringContaining("holds another job than it names")])
})

test("a standing approval of one question approves no other under its id", async () => {
  const { small, large } = jobs()
  await agreeToCounts()
  await comes(small.job, large.document)
  await comes(large.job, large.document, 1)
  await comes(large.job, small.document)
  expect(site.done).toEqual([])
  await comes(small.job, small.document)
  expect(site.done).toEqual(["SELECT COUNT(*) FROM person"])
  expect(await refusals()).toHaveLength(2)
})

test("what was no job is in the audit trail, and the inbox can be read", async () => {
  const { small } = jobs()
  for (const [place, body] of [{}, null, "a job", { document: {}, signature: "" }].entries()) {
    await comes(small.job, body, place)
  }
  expect(await new Inbox(north.store).list()).toEqual([])
  expect(await refusals()).toHaveLength(4)
  const kept = await north.store.all("SELECT body FROM federation_letters WHERE box = 'in'")
  expect(kept.map(({ body }) => body)).toEqual(["", "", "", ""])
})

test("a job that a person refused stays refused, and holds nothing up when it comes again", async () => {
  const { small, large } = jobs()
  await comes(small.job, small.document)
  const inbox = new Inbox(north.store)
  await inbox.decide(small.job, { decision: "refuse", reasons: "not now" }, carl)
  while (await work.step());
  await agreeToCounts()
  await comes(small.job, small.document, 1)
  await comes(large.job, large.document)
  const states = (await inbox.list()).map(({ id, state }) => [id, state])
  expect(new Map(states.map(([id = "", state]) => [id, state]))).toEqual(
    new Map([
      [small.job, "refused"],
      [large.job, "offered"],
    ]),
  )
  expect((await new StandingApprovals(north.store).list()).map(({ used }) => used.jobs)).toEqual([0])
  expect(site.done).toEqual([])
})

test("a letter about no job takes no room at the coordinator either", async () => {
  const { store, signer, coordinator } = study
  const letter = { peer: "north", job: "1".repeat(64), step: "numbers", body: `{"a": "${"b".repeat(1000)}"}` }
  await store.transaction((access) => keepLetters(access, "in", [letter], at))
  const own = { signer } as unknown as ConstructorParameters<typeof Jobs>[0]["study"]
  expect(await new Jobs({ store, bells: coordinator.bells, study: own }).step()).toBe(true)
  expect(await store.all("SELECT body FROM federation_letters")).toEqual([{ body: "" }])
})

test("no site is called as what the clock says is", async () => {
  for (const name of ["clock", "coordinator"]) {
    await expect(study.coordinator.sites.invite(name, "lead")).rejects.toMatchObject({
      code: "federation/bad-site",
    })
  }
})
