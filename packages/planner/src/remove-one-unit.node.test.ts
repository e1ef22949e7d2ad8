// Whatever can be asked changes by no more than is claimed when a person comes, goes or changes: a sample of
// remove-one-unit-kinds.deep.test.ts, which also sees that every kind of node, aggregate and key occurs.

import { beforeAll, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { askQuestions } from "./testing/units/question-campaign.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

test.each(["schema 1", "schema 2"])(
  "[Q1] [Q2] [Q6] nobody changes more than is claimed: %s",
  async (seed) => {
    const campaign = { seed, grammar, accepted: 10, claims: seed === "schema 2", cover: () => {} }
    const { accepted, problems } = await askQuestions(campaign)
    expect(problems.join("\n")).toBe("")
    expect(accepted).toBeGreaterThan(5)
  },
)
