// The inbox of a site over HTTP: who may look, who decides, and what is kept of it.

import { afterAll, beforeAll, expect, test } from "vitest"
import { coordinatorName, sealed } from "@dosimeter/engine"
import { letterTo } from "../../../federation/mail/envelope-letter.ts"
import { keepLetters } from "../../../federation/mail/letters.ts"
import { NodeWork } from "../../../federation/node/work.ts"
import { ApiError } from "../contract/client.ts"
import { CoordinatorLab, LetterSite, NodeLab } from "../../../testing/consortium.ts"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "accepted",
    (error: unknown) => (error instanceof ApiError ? error.problem.code : String(error)),
  )
}

let lab: HttpLab
let study: CoordinatorLab
let node: NodeLab
const jobs: string[] = []

beforeAll(async () => {
  lab = await httpLab()
  study = new CoordinatorLab()
  node = new NodeLab("north")
  for (const sql of ["SELECT COUNT(*) FROM person", "SELECT COUNT(*) FROM death"]) {
    const { job, document } = study.document([node], sql)
    const body = document
    const message = sealed(
      { job, step: "job", from: coordinatorName, to: "north", sequence: 0, body },
      study.signer,
    )
    const letter = { ...letterTo(message), peer: coordinatorName }
    await lab.store.transaction((access) => keepLetters(access, "in", [letter], "2026-11-18T00:00:00.000Z"))
    jobs.push(job)
  }
  const work = new NodeWork({ store: lab.store, note: () => {}, site: new LetterSite("north", node.signer) })
  while (await work.step());
})

afterAll(async () => {
  await lab.close()
  await study.close()
  await node.close()
})

test("a house of no study says so, and whose screens those are", async () => {
  expect(await lab.as("auditor").call("getMembership")).toEqual({ membership: null, peers: [], views: [] })
  expect(await lab.as("auditor").call("whoAmI")).toMatchObject({ place: "house" })
})

test("jobs are listed with their price for whoever may see studies, and decided by the committee alone", async () => {
  const { items } = await lab.as("analyst").call("listInbox")
  expect(items.map(({ id }) => id).toSorted()).toEqual(jobs.toSorted())
  expect(items[0]).toMatchObject({
    state: "offered",
    epsilon: "0.1",
    facts: { numbers: 1, unit: "patient" },
    sites: ["north"],
  })
  const [first = "", second = ""] = jobs
  const approve = {
    params: { job: first.slice(0, 12) },
    body: { decision: "approve", reasons: "fair" },
  } as const
  expect(await codeOf(lab.as("participant").call("listInbox"))).toBe("account/no-right")
  expect(await codeOf(lab.as("analyst").call("decideJob", approve))).toBe("account/no-right")
  expect(await lab.as("committee").call("decideJob", approve)).toMatchObject({
    state: "approved",
    decidedBy: "carl",
    isActedOn: false,
  })
  expect(await codeOf(lab.as("committee").call("decideJob", approve))).toBe("federation/decided")
  const refuse = { params: { job: second }, body: { decision: "refuse", reasons: " " } } as const
  expect(await codeOf(lab.as("owner").call("decideJob", refuse))).toBe("federation/no-reasons")
  const unknown = { params: { job: "f".repeat(12) }, body: refuse.body }
  expect(await codeOf(lab.as("owner").call("decideJob", unknown))).toBe("federation/no-job")
})

test("what is agreed to beforehand is kept, listed and ended", async () => {
  const body = {
    pattern: "SELECT COUNT(*) FROM *",
    epsilonEach: "0.1",
    epsilon: "1",
    delta: "1e-7",
    sitesMin: 3,
    until: "2099-06-30",
  }
  expect(await codeOf(lab.as("analyst").call("addStanding", { body }))).toBe("account/no-right")
  const { id } = await lab.as("committee").call("addStanding", { body })
  const { items } = await lab.as("auditor").call("listStanding")
  expect(items).toMatchObject([{ ...body, id, madeBy: "carl", endedAt: null, used: { jobs: 0 } }])
  const end = { params: { id: `${id}` } }
  await lab.as("owner").call("endStanding", end)
  expect(await codeOf(lab.as("owner").call("endStanding", end))).toBe("federation/no-standing")
})
