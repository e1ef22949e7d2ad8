// What a standing approval is for: questions that fit, and never a model.

import { rational } from "@dosimeter/core/exact"
import type { JobDocument, JobOffer } from "@dosimeter/engine"
import { expect, test } from "vitest"
import { isFor, type Standing } from "./standing.ts"

const standing: Standing = {
  id: 1,
  pattern: "*",
  epsilonEach: "1",
  epsilon: "10",
  delta: "1e-3",
  sitesMin: 3,
  until: "2099-12-31",
  madeBy: "carl",
  madeAt: "2026-11-19T00:00:00.000Z",
  used: { jobs: 0, epsilon: rational(0n), delta: rational(0n) },
}
const document: JobDocument = {
  format: "dosimeter-job/1",
  study: "heart",
  purpose: "to plan",
  sql: "SELECT age, ill FROM patients",
  ask: {
    epsilon: "1",
    delta: "1/100000000",
    confidence: "19/20",
    groupsPerUnit: "1",
    rowsPerGroup: "1",
    shownFrom: "0",
  },
  loss: { accounting: "zcdp", amount: "1/100", delta: "0" },
  layout: "0".repeat(64),
  mode: "summed",
  sites: ["north", "south", "west"].map((name) => ({ name, key: name })),
  threshold: 3,
  honest: 2,
  colluding: 1,
  coordinator: "key",
  created: "2026-11-19T00:00:00.000Z",
  deadlines: { approval: "2026-11-20T00:00:00.000Z", stepSeconds: 60, end: "2026-11-21T00:00:00.000Z" },
  nonce: "0".repeat(64),
}
const offerOf = (own: JobDocument): JobOffer => ({
  job: "0".repeat(64),
  document: own,
  words: [],
  facts: { numbers: 1, unit: "patient" },
  charge: own.loss,
  epsilon: "1",
  delta: "1e-8",
  columns: [],
})
const today = "2026-11-19T12:00:00.000Z"

test("a pattern of everything is for every question within its budget, and for no model", () => {
  expect(isFor(standing, offerOf(document), today)).toBe(true)
  expect(isFor({ ...standing, epsilonEach: "0.9" }, offerOf(document), today)).toBe(false)
  expect(isFor(standing, offerOf({ ...document, sites: document.sites.slice(0, 2) }), today)).toBe(false)
  const model = { kind: "linear", target: "ill", rounds: 10 } as const
  expect(isFor(standing, offerOf({ ...document, model }), today)).toBe(false)
})
