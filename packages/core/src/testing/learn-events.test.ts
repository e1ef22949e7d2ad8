import { expect, test } from "vitest"
import { learnEvents, type Outcome } from "./learn-events.ts"

const repeat = (times: readonly (readonly [Outcome, number])[]): readonly Outcome[] =>
  times.flatMap(([outcome, count]) => Array.from({ length: count }, () => outcome))

const named = (events: ReturnType<typeof learnEvents>, start: string) =>
  events.find(({ name }) => name.startsWith(start))

test("picks the single outcome, the union and the tail of best ratio, and what only one side has", () => {
  const events = learnEvents({
    onD: repeat([
      [1, 100],
      [2, 500],
      [3, 390],
      [9, 10],
    ]),
    onNeighbour: repeat([
      [1, 100],
      [2, 800],
      [3, 100],
    ]),
    delta: 0,
  })
  expect(events).toHaveLength(4)
  expect(events[0]?.name).toBe("outcome 3")
  const union = named(events, "the 2 outcomes")
  expect([1, 2, 3, 9, 77].map((outcome) => union?.contains(outcome))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ])
  const tail = named(events, "outcomes >= 3")
  expect([2, 3n, 10].map((outcome) => tail?.contains(outcome))).toEqual([false, true, true])
  const unseen = named(events, "outcomes never seen")
  expect([1, 3, 9, 77].map((outcome) => unseen?.contains(outcome))).toEqual([false, false, true, true])
})

test('makes no tails of words, and takes 5, 5n and "5" for the same outcome', () => {
  const events = learnEvents({
    onD: repeat([
      ["yes", 300],
      [5, 100],
      [5n, 100],
    ]),
    onNeighbour: repeat([
      ["no", 300],
      ["5", 200],
    ]),
    delta: 0,
  })
  expect(events.map(({ name }) => name.split(" ")[0])).toEqual(["outcome", "the", "outcomes"])
  expect(events[0]?.contains("yes")).toBe(true)
  expect(named(events, "outcomes never")?.contains(5)).toBe(false)
})

test("prefers an event that delta does not explain", () => {
  const from = {
    onD: repeat([
      ["rare", 200],
      ["common", 800],
    ]),
    onNeighbour: repeat([
      ["common", 300],
      ["other", 700],
    ]),
  }
  expect(learnEvents({ ...from, delta: 0 })[0]?.name).toBe("outcome rare")
  expect(learnEvents({ ...from, delta: 0.2 })[0]?.name).toBe("outcome common")
})
