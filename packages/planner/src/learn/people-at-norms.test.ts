// Where people stand in a ladder's steps: nobody is lost, nobody leaves the step, and whole numbers are hit.

import { describe, expect, test } from "vitest"
import { lastOccupied, peopleAtNorms } from "./people-at-norms.ts"

const path = [40, 100, 80, 50, 20, 9, 4, 2, 1, 0.7]

describe.each(["l2", "l1"] as const)("by their %s norm", (norm) => {
  test.each([undefined, Math.sqrt(20)])("all people stand inside their steps, longest %s", (longest) => {
    path.slice(0, longest === undefined ? path.length : 6).forEach((people, step) => {
      const alone = path.map((count, each) => (each === step ? count : 0))
      const points = peopleAtNorms(alone, { norm, longest })
      expect(points.reduce((sum, point) => sum + point.people, 0)).toBeCloseTo(people, 9)
      for (const point of points) {
        expect(point.norm).toBeGreaterThan(step === 0 ? 0.99 : 2 ** ((step - 1) / 2))
        expect(point.norm).toBeLessThanOrEqual(Math.min(2 ** (step / 2) + 1e-9, longest ?? Infinity))
      }
    })
  })
})

test("short vectors of whole numbers have the lengths that there are", () => {
  const norms = (step: number, norm: "l1" | "l2"): readonly number[] =>
    peopleAtNorms(
      path.map((count, each) => (each === step ? count : 0)),
      { norm },
    ).map((point) => Number(point.norm.toFixed(6)))
  expect(norms(0, "l2")).toEqual([1])
  expect(norms(1, "l2")).toEqual([1.414214])
  expect(norms(2, "l2")).toEqual([1.732051, 2])
  expect(norms(4, "l1")).toEqual([3, 4])
  expect(norms(9, "l2")).toHaveLength(4)
})

test("where the steps around fall, more people stand low in a step", () => {
  const points = peopleAtNorms([0, 100, 30, 9], { norm: "l2" }).filter(({ norm }) => norm > 1.5)
  expect(points[0]?.people).toBeGreaterThan(points[1]?.people ?? Infinity)
})

test("a ladder of people in twenty groups ends where the root of twenty is", () => {
  expect(lastOccupied(81, { norm: "l2", longest: Math.sqrt(20) })).toBe(5)
  expect(lastOccupied(81, { norm: "l2", longest: 4 })).toBe(4)
  expect(lastOccupied(3, { norm: "l2", longest: 4 })).toBe(2)
  expect(lastOccupied(81, { norm: "l1" })).toBe(80)
})
