import { expect, test } from "vitest"
import { centresOf } from "./shown-points.ts"

test("the share of a listed value in a group varies as shares do, however other groups are", () => {
  const features = [
    { kind: "category", name: "sex", categories: 2 },
    { kind: "number", name: "age", low: 0, high: 100 },
  ] as const
  const inputs = [
    { kind: "listed", name: "sex", values: ["f", "m"], hasMissing: false },
    { kind: "number", name: "age", low: 0, high: 100, hasMissing: false },
  ] as const
  const groups = [
    { people: 900, centre: [0, 0] },
    { people: 100, centre: [0.5, 1] },
  ]
  const quality = { kind: "spread", share: 0.5, shareError: 0.01 } as const
  const noise = { people: 0, sum: 0 }
  const model = { kind: "centres", features, asked: 2, groups, noise, quality, rows: 1000 } as const
  const lines = centresOf({ ...model, left: [0.1, 0.3] }, inputs, 2)
  const errors = lines.flatMap(({ name, error }) => (name === "(people)" ? [] : [error]))
  expect(errors).toEqual([0, (50 * 0.3) / 30, 0.5 / 10, 0])
})
