// Margins are attacked on neighbouring tables with the loss that lossOf states, and their errors are drawn.

import { expect, test } from "vitest"
import { numberNear, numberUp } from "../../exact/dyadic.ts"
import { multiply, rational } from "../../exact/rational.ts"
import { cellsOfParts, marginOfCells } from "../../post/tables/margin-cells.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { attack } from "../../testing/attack.ts"
import { checkCoverage } from "../../testing/check-coverage.ts"
import { marginError, margins, marginVariance, releaseMargins, type MarginsSpec } from "./margins.ts"

const wanted = [{ attributes: [0, 1] }, { attributes: [0] }, { attributes: [1] }, { attributes: [] }]
const persons = { groupsPerUnit: 1, lower: 0n, upper: 1n, neighbours: "add-or-remove" } as const

test("the loss of a table of two cells holds, and half the noise is caught", () => {
  const spec = margins({ ...persons, sizes: [2], wanted: wanted.slice(1, 2), muSquared: "1/4" })
  // What tells most: the noisy cell that the unit is in.
  const on = (cells: readonly bigint[]) => (used: MarginsSpec, rng: RandomBits) => {
    const released = releaseMargins(used, cells, rng)
    const parts = used.parts.map(({ attributes }, index) => ({
      attributes,
      coefficients: released[index] ?? [],
    }))
    return cellsOfParts(used.sizes, parts, 1)[0] ?? 0n
  }
  const parts = spec.parts.map((part) => ({ ...part, variance: multiply(part.variance, rational(1n, 16n)) }))
  attack("margins", { spec, measure: "gdp", on: [on([40n, 9n]), on([41n, 9n])], broken: { ...spec, parts } })
})

test("[E1] a cell of every margin stays within the error that is stated, and hardly more", () => {
  const sizes = [5n, 3n]
  const spec = margins({ ...persons, sizes, wanted, muSquared: "1/50" })
  const cells = Array.from({ length: 15 }, (_, index) => BigInt(index))
  for (const { attributes } of wanted) {
    const exact = marginOfCells(sizes, cells, attributes)
    const { halfWidth } = marginError(spec, attributes, "0.9")
    const off = (rng: RandomBits): number => {
      const released = releaseMargins(spec, cells, rng)
      const parts = spec.parts.map((part, index) => ({ ...part, coefficients: released[index] ?? [] }))
      const place = exact.length - 1
      const value = marginOfCells(sizes, cellsOfParts(sizes, parts, 12), attributes)[place] ?? 0n
      return numberNear(rational(value - ((exact[place] ?? 0n) << 12n), 1n << 12n))
    }
    const holds = (rng: RandomBits): boolean => Math.abs(off(rng)) <= Number(halfWidth)
    const share = checkCoverage({ name: `margin ${attributes.join()}`, holds, confidence: 0.9, draws: 3000 })
    expect(share).toBeLessThan(0.97)
    expect(Number(halfWidth)).toBeLessThan(1.645 * Math.sqrt(numberUp(marginVariance(spec, attributes))) + 2)
  }
})
