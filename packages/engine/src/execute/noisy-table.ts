// Released rows as a table for post-processing: every draw of noise by its own number.

import { assert, compare, rational } from "@dosimeter/core"
import {
  regionSpread,
  selectedSpread,
  spreadOf,
  type Cell,
  type MeasurePlan,
  type Release,
  type Released,
  type Row,
  type Table,
} from "@dosimeter/sql"
import { mixedCell, sharesOf } from "./mixed-cell.ts"
import type { NoisyCell, NoisyRow } from "./release.ts"

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
  const isCount = countColumns(release.measures)
  const shares = sharesOf(draws)
  return {
    columns: leaf.columns,
    rows: rows.map(({ keys, cells }): Row => {
      assert(keys.length + cells.length === leaf.columns.length, "a release fills its columns")
      // A measure that repeats an earlier one has the same noise: the same cell object.
      const numbers = new Map<NoisyCell, number>()
      const values = cells.map((cell, index): Cell => {
        if (cell.mixture !== undefined) {
          const isLittle = shownFrom !== undefined && isCount[index] === true && isBelow(cell, shownFrom)
          return mixedCell(cell, cell.mixture, { shares, state: isLittle ? "below-threshold" : "released" })
        }
        const number = numbers.get(cell) ?? draws.next()
        numbers.set(cell, number)
        const isSmall = shownFrom !== undefined && isCount[index] === true && isBelow(cell, shownFrom)
        return { ...toCell(cell, number), state: isSmall ? "below-threshold" : "released" }
      })
      return [...keys.map((value): Cell => ({ value, state: "released" })), ...values]
    }),
  }
}

function toCell({ value, noise, region }: NoisyCell, id: number): Omit<Cell, "state"> {
  if (region !== undefined) return { value, spread: regionSpread(region) }
  if (noise === undefined || value.kind !== "number") return { value, spread: { kind: "vague" } }
  const { grid } = noise
  const base =
    noise.law === "laplace"
      ? ({ law: "laplace", id, grid, scale: noise.amount } as const)
      : ({ law: "gaussian", id, grid, variance: noise.amount } as const)
  const { shownFrom } = noise
  if (shownFrom !== undefined) return { value, spread: selectedSpread(base, value.value, shownFrom) }
  return { value, spread: spreadOf(base, value.value) }
}

function isBelow({ value }: NoisyCell, least: bigint): boolean {
  return value.kind === "number" && compare(value.value, rational(least)) < 0
}

function countColumns(measures: readonly MeasurePlan[]): readonly boolean[] {
  return measures.flatMap((measure): boolean[] => {
    switch (measure.kind) {
      case "additive":
      case "margins":
        return [measure.of === "units" || measure.of === "rows"]
      case "key-count":
        return [true]
      case "quantiles":
        return measure.spec.quantiles.map(() => false)
      case "mode":
        return [false]
      case "same":
        return [countColumns(measures.slice(0, measure.measure + 1)).at(-1) ?? false]
      default:
        return measure satisfies never
    }
  })
}
