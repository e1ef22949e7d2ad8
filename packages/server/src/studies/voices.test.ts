import { DosimeterError } from "@dosimeter/core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { searchAudit } from "../audit/audit.ts"
import { may, rights, roles } from "../people/roles.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import type { StateStore } from "../state/state-store.ts"
import { spokenProposal } from "./spoken-proposal.ts"
import { Studies, type Study, type StudyProposal } from "./studies.ts"
import type { Actor } from "./study-state.ts"

let store: StateStore
let studies: Studies

beforeEach(() => {
  store = openSqliteState(":memory:")
  studies = new Studies(store, () => new Date("2026-03-01T09:00:00Z"))
})
afterEach(() => store.close())

const ada: Actor = { name: "ada", role: "analyst" }
const coco: Actor = { name: "coco", role: "community" }
const cara: Actor = { name: "cara", role: "community" }
const reviewers: readonly Actor[] = ["carl", "dana"].map((name) => ({ name, role: "committee" }))
const viewer = { name: "coco", neighbours: "add-or-remove" } as const
const heart: StudyProposal = {
  id: "heart",
  title: "Heart failure and readmission",
  summary: "Do people come back after heart failure?",
  purposes: ["DUO:0000006"],
  people: ["bob"],
  starts: "2026-03-01",
  ends: "2026-06-30",
  epsilon: "1",
  delta: "0",
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : "another error"),
  )
}
const oppose = { view: "oppose", comment: "Not about us without us." } as const
async function study(): Promise<Study> {
  const found = await studies.find("heart")
  if (found === undefined) throw new Error("the study is there")
  return found
}

async function submit(people: readonly string[] = ["bob"]): Promise<void> {
  await studies.propose({ ...heart, people }, ada)
  await studies.submit("heart", ada)
}

test("a view stands on the record, can be changed, and every one of them is in the audit trail", async () => {
  await submit()
  await studies.voice("heart", oppose, coco)
  await studies.voice("heart", { view: "support", comment: "With the results." }, cara)
  await studies.voice("heart", { view: "concern", comment: "Better now." }, coco)
  const { voices } = await study()
  expect(voices.map(({ name, view, comment }) => [name, view, comment])).toEqual([
    ["cara", "support", "With the results."],
    ["coco", "concern", "Better now."],
  ])
  const trail = await searchAudit(store, { about: "study heart" })
  expect(trail.filter(({ what }) => what === "study-voiced")).toHaveLength(3)
})

test("the board advises: however it votes, two of the committee decide", async () => {
  await submit()
  for (const actor of [coco, cara]) await studies.voice("heart", oppose, actor)
  expect((await study()).state).toBe("submitted")
  for (const reviewer of reviewers)
    await studies.review("heart", { decision: "approve", reasons: "sound" }, reviewer)
  expect((await study()).state).toBe("approved")
  expect((await study()).voices).toHaveLength(2)
})

test("only the board has a voice, with words, on studies that wait or are open", async () => {
  await studies.propose(heart, ada)
  expect(await codeOf(studies.voice("heart", oppose, coco))).toBe("study/wrong-state")
  await studies.submit("heart", ada)
  for (const role of roles) {
    const code = await codeOf(studies.voice("heart", oppose, { name: "zoe", role }))
    expect(code, role).toBe(role === "community" ? "" : "study/not-allowed")
  }
  expect(await codeOf(studies.voice("heart", { ...oppose, comment: " " }, coco))).toBe("study/no-reasons")
  expect(await codeOf(studies.voice("lungs", oppose, coco))).toBe("study/unknown")
  await studies.close("heart", ada)
  expect(await codeOf(studies.voice("heart", oppose, coco))).toBe("study/wrong-state")
})

test("nobody speaks for the community about a study of their own", async () => {
  await submit(["coco"])
  expect(await codeOf(studies.voice("heart", oppose, coco))).toBe("study/not-allowed")
})

test("the role may speak, and nothing else", async () => {
  expect(rights.filter((right) => may("community", right))).toEqual(["voice"])
  expect(roles.filter((role) => may(role, "voice"))).toEqual(["community"])
  for (const move of ["review", "suspend"] as const) {
    await submit().catch(() => {})
    const work =
      move === "review"
        ? studies.review("heart", { decision: "approve", reasons: "mine" }, coco)
        : studies.suspend("heart", "mine", coco)
    expect(await codeOf(work)).toBe("study/not-allowed")
  }
  expect(await codeOf(studies.propose({ ...heart, id: "own" }, coco))).toBe("study/not-allowed")
})

test("the board sees plain words, no accounts, and no drafts", async () => {
  await studies.propose(heart, ada)
  expect(spokenProposal(await study(), viewer)).toBeUndefined()
  await studies.submit("heart", ada)
  await studies.voice("heart", oppose, cara)
  const spoken = spokenProposal(await study(), viewer)
  expect(spoken).toMatchObject({
    title: heart.title,
    purposes: ["health, medical or biomedical research"],
    people: 2,
    own: null,
    others: [oppose],
  })
  // e^1 / (e^1 + 99).
  expect(spoken?.dose.join(" ")).toContain("A guess that was held at 1 % rises to 2.68 % at most")
  expect(JSON.stringify(spoken)).not.toMatch(/ada|bob|cara/)
})
