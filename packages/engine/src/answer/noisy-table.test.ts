import { rational } from "@dosimeter/core/exact"
import { intervalOfCell } from "@dosimeter/answers/intervals/interval-of-cell"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { Released } from "@dosimeter/proof/algebra/rel"
import { expect, test } from "vitest"
import { DrawNumbers, noisyTable } from "./noisy-table.ts"
import type { Noise } from "../release/measurements/noisy-cell.ts"

const integer = { type: { kind: "integer" }, nullable: false } as const
const leaf: Released = {
  kind: "released",
  release: 0,
  columns: [
    { id: 1, name: "code", domain: integer },
    { id: 2, name: "people", domain: integer },
  ],
}
const release: Release = {
  extracts: [],
  prepared: [],
  bounds: { groupsPerUnit: 1n, rowsPerGroup: 1n, groupsProof: undefined, rowsProof: undefined },
  keys: { kind: "none" },
  measurements: [],
  readings: [{ kind: "key-count", label: "people" }],
  columns: [1, 2],
}

function intervalOf(
  value: bigint,
  noise: Noise,
): { readonly low: number; readonly high: number } | undefined {
  const number = (n: bigint) => ({ kind: "number", value: rational(n) }) as const
  const rows = [{ keys: [number(7n)], cells: [{ value: number(value), noise }] }]
  const table = noisyTable(leaf, rows, { release, shownFrom: undefined, draws: new DrawNumbers() })
  const cell = table.rows[0]?.[1]
  return cell === undefined ? undefined : intervalOfCell(cell, 0.95)
}

test("[P2] a count that just reached the threshold may be of anybody; far above it is like any other", () => {
  const plain: Noise = { law: "gaussian", amount: rational(20n), grid: rational(1n) }
  const selected: Noise = { ...plain, shownFrom: 25n }
  expect(intervalOf(25n, plain)).toEqual({ low: 16, high: 34 })
  expect(intervalOf(25n, selected)?.low).toBe(1)
  expect(intervalOf(90n, selected)).toEqual(intervalOf(90n, plain))
})
