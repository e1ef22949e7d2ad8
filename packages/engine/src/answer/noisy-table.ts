// Released rows as a table for post-processing: every draw of noise by its own number.

import { assert } from "@dosimeter/core/errors"
import { compare, rational } from "@dosimeter/core/exact"
import { mixedSpread, spreadOf } from "@dosimeter/answers/cells/spread"
import { regionSpread } from "@dosimeter/answers/cells/region-spread"
import { selectedSpread } from "@dosimeter/answers/cells/selected-spread"
import type { Cell, Row, Table } from "@dosimeter/answers/cells/table"
import { isCounted } from "@dosimeter/answers/reuse/kept-facts"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { NoiseBase } from "@dosimeter/core/post"
import type { Released } from "@dosimeter/proof/algebra/rel"
import { mixedCell, sharesOf } from "./mixed-cell.ts"
import type { Noise, NoisyCell, NoisyDraw, NoisyRow } from "../release/measurements/noisy-cell.ts"

/** Gives every draw of an answer a number of its own. */
export class DrawNumbers {
  #next = 0

  /** A new number. */
  next(): number {
    this.#next += 1
    return this.#next
  }
}

/**
 * The table of one release. Counts below the house's threshold are marked; they are shown as such, not as
 * numbers.
 */
export function noisyTable(
  leaf: Released,
  rows: readonly NoisyRow[],
  options: { readonly release: Release; readonly shownFrom: bigint | undefined; readonly draws: DrawNumbers },
): Table {
  const { release, shownFrom, draws } = options
  const isCount = release.readings.map((reading) => isCounted(reading, release))
  const shares = sharesOf(draws)
  return {
    columns: leaf.columns,
    rows: rows.map(({ keys, cells }): Row => {
      assert(keys.length + cells.length === leaf.columns.length, "a release fills its columns")
      // Columns that are read from the same draw have the same noise: the same cell object.
      const numbers = new Map<NoisyCell | NoisyDraw, number>()
      const numberOf = (drawn: NoisyCell | NoisyDraw): number => {
        const number = numbers.get(drawn) ?? draws.next()
        numbers.set(drawn, number)
        return number
      }
      const values = cells.map((cell, index): Cell => {
        if (cell.mixture !== undefined) {
          const isLittle = shownFrom !== undefined && isCount[index] === true && isBelow(cell, shownFrom)
          return mixedCell(cell, cell.mixture, { shares, state: isLittle ? "below-threshold" : "released" })
        }
        const isSmall = shownFrom !== undefined && isCount[index] === true && isBelow(cell, shownFrom)
        return { ...toCell(cell, numberOf), state: isSmall ? "below-threshold" : "released" }
      })
      return [...keys.map((value): Cell => ({ value, state: "released" })), ...values]
    }),
  }
}

function toCell(cell: NoisyCell, numberOf: (drawn: NoisyCell | NoisyDraw) => number): Omit<Cell, "state"> {
  const { value, noise, mixed } = cell
  if (value.kind === "number" && mixed !== undefined) {
    const parts = mixed.parts.map(({ draw, factor }) => ({
      base: baseOf(draw.noise, numberOf(draw)),
      factor,
    }))
    const spread = mixedSpread(parts, mixed.centre)
    return spread === undefined ? { value } : { value, spread }
  }
  if (cell.region !== undefined) return { value, spread: regionSpread(cell.region) }
  if (noise === undefined || value.kind !== "number") return { value, spread: { kind: "vague" } }
  const base = baseOf(noise, numberOf(cell))
  const { shownFrom, lowerChance } = noise
  if (shownFrom !== undefined) {
    return { value, spread: selectedSpread(base, value.value, { shownFrom, lowerChance }) }
  }
  return { value, spread: spreadOf(base, value.value) }
}

function baseOf(noise: Noise, id: number): NoiseBase {
  const { grid } = noise
  return noise.law === "laplace"
    ? { law: "laplace", id, grid, scale: noise.amount }
    : { law: "gaussian", id, grid, variance: noise.amount }
}

function isBelow({ value }: NoisyCell, least: bigint): boolean {
  return value.kind === "number" && compare(value.value, rational(least)) < 0
}
