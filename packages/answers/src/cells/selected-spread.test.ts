import { exactly, rational } from "@dosimeter/core"
import { selectedInterval } from "@dosimeter/core/post"
import { expect, test } from "vitest"
import { intervalOfCell } from "../intervals/interval-of-cell.ts"
import { selectedSpread } from "./selected-spread.ts"
import { spreadOfCall } from "../intervals/spread-of-call.ts"
import type { Cell } from "./table.ts"

const base = { law: "gaussian", id: 1, grid: rational(1n), variance: exactly("20.25", "variance") } as const
const shown = (value: bigint): Cell => ({
  value: { kind: "number", value: rational(value) },
  spread: selectedSpread(base, rational(value), { shownFrom: 25n, lowerChance: rational(1n, 4n) }),
  state: "released",
})

test("[P2] the interval of a count that came with its key is that of counts that are shown", () => {
  const noise = { law: "gaussian", variance: 20.25 } as const
  for (const value of [24, 25, 30, 60]) {
    const count = { noise, value, threshold: 25, lowerChance: 0.25, least: 1 }
    const { lower, upper } = selectedInterval(count, 0.05)
    expect(intervalOfCell(shown(BigInt(value)), 0.95)).toEqual({ low: lower, high: upper })
  }
  expect(intervalOfCell(shown(25n), 0.95)?.low).toBe(1)
})

test("[P2] what is worked out from such counts goes by their ranges, each with a part of the miss", () => {
  const cells = [shown(30n), shown(60n)]
  const integer = { kind: "integer" } as const
  const types = { types: [integer, integer], result: integer }
  const spread = spreadOfCall({ name: "add", args: cells, types })
  const sum: Cell = {
    value: { kind: "number", value: rational(90n) },
    ...(spread === undefined ? {} : { spread }),
    state: "released",
  }
  const parts = cells.map((cell) => intervalOfCell(cell, 0.975))
  const [low, high] = [
    parts.reduce((total, part) => total + (part?.low ?? 0), 0),
    parts.reduce((total, part) => total + (part?.high ?? 0), 0),
  ]
  expect(intervalOfCell(sum, 0.95)).toEqual({ low, high })
})

test("a confidence beyond what doubles can tell has no bounds", () => {
  expect(intervalOfCell(shown(30n), 1 - 1e-14)).toEqual({ low: -Infinity, high: Infinity })
})
