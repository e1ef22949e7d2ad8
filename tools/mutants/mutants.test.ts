// The table of planted bugs is well formed. Whether they are caught is a step of its own: run-mutants.ts.

import { expect, test } from "vitest"
import { mutants } from "./mutants.ts"
import { mutate } from "./mutate-plugin.ts"
import { rowProblem } from "./run-mutants.ts"

test("every row fits the present sources, and names differ", () => {
  const problems = mutants.map((mutant) => `${mutant.name}: ${rowProblem(mutant) ?? "fits"}`)
  expect(problems).toEqual(mutants.map(({ name }) => `${name}: fits`))
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})

test("a bug is planted only where it is meant to be", () => {
  const row = { name: "x", file: "a.ts", find: "<=", replace: "<", tests: [] }
  expect(mutate(row, "a <= b")).toBe("a < b")
  expect(() => mutate(row, "a < b")).toThrow("occurs 0 times")
  expect(() => mutate(row, "a <= b <= c")).toThrow("occurs 2 times")
})
