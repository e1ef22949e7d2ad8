import { beforeAll, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { randomClaims } from "./testing/units/random-claims.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

test("[W1] no unit has more rows, or longer texts, than is claimed", async () => {
  const found = [await randomClaims("schema 0", 15, grammar), await randomClaims("schema 5", 15, grammar)]
  expect(found.flatMap(({ broken }) => broken)).toEqual([])
  expect(found.some(({ cut }) => cut > 0)).toBe(true)
})
