import { expect, test } from "vitest"
import { rational } from "../exact/rational.ts"
import type { CdfOracle } from "./cdf-oracle.ts"
import { laplaceOracle } from "./cdf-oracles.ts"
import { forgetTables, requireTable, tableFor } from "./table-cache.ts"

const oracle = () => laplaceOracle(rational(1n))
const never = (): CdfOracle => {
  throw new Error("a table was built")
}

test("[N3] a table is built when enough draws were asked for, and then kept", () => {
  const law = (draws: number) => ({ key: "counted", spread: 1, draws })
  expect(tableFor(law(32_767), never)).toBeUndefined()
  const table = tableFor(law(1), oracle)
  expect(table).toBeDefined()
  expect(tableFor(law(1), never)).toBe(table)
  expect(requireTable("counted", never)).toBe(table)
})

test("a wide law never gets a table, a narrow one the sooner", () => {
  expect(tableFor({ key: "wide", spread: 64.5, draws: 1e9 }, never)).toBeUndefined()
  expect(tableFor({ key: "narrow", spread: 0, draws: 16_383 }, never)).toBeUndefined()
  expect(tableFor({ key: "narrow", spread: 0, draws: 1 }, oracle)).toBeDefined()
  expect(tableFor({ key: "broad", spread: 64, draws: 65 * 16_384 - 1 }, never)).toBeUndefined()
})

test("laws that are asked for a little, and many of them, build nothing", () => {
  for (let i = 0; i < 600; i += 1) {
    expect(tableFor({ key: `little ${i}`, spread: 1, draws: 1000 }, never)).toBeUndefined()
  }
})

test("of many tables the least recently used is given up", () => {
  const first = requireTable("first", oracle)
  for (let i = 0; i < 31; i += 1) requireTable(`other ${i}`, oracle)
  expect(tableFor({ key: "first", spread: 1, draws: 1 }, never)).toBe(first)
  requireTable("one more", oracle)
  expect(tableFor({ key: "first", spread: 1, draws: 1 }, never)).toBe(first)
  expect(requireTable("other 0", oracle)).toBeDefined()
  for (let i = 0; i < 32; i += 1) requireTable(`next ${i}`, oracle)
  expect(requireTable("first", oracle)).not.toBe(first)
})

test("what is forgotten is counted from nothing", () => {
  requireTable("kept", oracle)
  expect(tableFor({ key: "half", spread: 0, draws: 16_383 }, never)).toBeUndefined()
  forgetTables()
  expect(tableFor({ key: "kept", spread: 0, draws: 1 }, never)).toBeUndefined()
  expect(tableFor({ key: "half", spread: 0, draws: 1 }, never)).toBeUndefined()
})
