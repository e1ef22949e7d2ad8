import { beforeAll, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { randomClaims } from "./testing/units/random-claims.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const seeds = Array.from({ length: 40 }, (_, index) => `deep ${index}`)

test.each(seeds)("[W1] claims of work hold: %s", async (seed) => {
  expect((await randomClaims(seed, 40, grammar)).broken).toEqual([])
})
