// The figures of docs/accuracy.md on what no rule can do better.

import { expect, test } from "vitest"
import { leastRatio } from "./hidden-people.ts"

const hidden = { share: 0.2, people: 26, norm: 100, prior: 0.7 } as const

test("with few groups people whom a ladder does not see cost any rule more than a third", () => {
  expect(leastRatio({ ...hidden, groups: 12 })).toBeCloseTo(1.48, 2)
  expect(leastRatio({ ...hidden, groups: 20 })).toBeCloseTo(1.35, 2)
})

test("nobody hidden costs the ladder's share, and so do people who are plainly there", () => {
  const cost = 1 / Math.sqrt(1 - 0.2)
  expect(leastRatio({ ...hidden, groups: 12, people: 0 })).toBeCloseTo(cost, 2)
  expect(leastRatio({ ...hidden, groups: 12, people: 400 })).toBeCloseTo(cost, 1)
})
