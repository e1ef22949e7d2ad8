// The long form of remove-one-unit.node.test.ts: more schemas (CAMPAIGN_SEED=anything draws others), and
// every claim about every column of every relation held against the values that are there. A failure names
// its seeds.

import { beforeAll, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { askQuestions } from "./testing/units/question-campaign.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

const run = process.env["CAMPAIGN_SEED"] ?? "the usual"
const seeds = [
  ...Array.from({ length: 40 }, (_, index) => `deep ${index}`),
  ...Array.from({ length: 20 }, (_, index) => `${run} ${index}`),
]

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

test.each(seeds)("[Q1] [Q2] [Q3] [Q6] nobody changes more than is claimed: %s", async (seed) => {
  const { accepted, refused, problems } = await askQuestions({
    seed,
    grammar,
    accepted: 15,
    claims: true,
    cover: () => {},
  })
  process.stderr.write(`${seed}: ${accepted} questions, ${refused} refused, ${problems.length} problems\n`)
  expect(problems.join("\n")).toBe("")
})
