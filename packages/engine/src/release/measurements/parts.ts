// The parts of a table, and the margins that are put together from them.

import { assert } from "@dosimeter/core/errors"
import { multiply, numberUp, rational } from "@dosimeter/core/exact"
import { marginPartVariances, marginVariance } from "@dosimeter/core/mechanisms"
import { cellsOfParts, marginOfCells, marginTermCount, marginTerms, wholeCells } from "@dosimeter/core/post"
import { areWhole, bitsFor, finerBits, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import type { Draw, NoisyCell } from "./noisy-cell.ts"
import { groupedCell, type DrawnLinear } from "./drawn.ts"
import type { NoiseSource } from "./noise-source.ts"

type Parts = LinearMeasurement<"parts">

/** Tables with more terms than this keep only the variances of their cells. */
const termsMax = 150_000

/**
 * The noisy parts.
 *
 * Guarantee: the whole table goes through the source once, with the measurement's own spec.
 * Needs: as releaseTables; `exact` has the one column of the measurement, over all combinations of keys.
 * Proof: it is called once; all else is computed from what comes out, from lists and from groupings.
 * Numerics: whole steps of 2^-bits of the grid, so that margins add up exactly.
 * Source: core's margins.
 */
export function drawParts(
  measurement: Parts,
  exact: readonly (readonly bigint[])[],
  source: NoiseSource,
): DrawnLinear {
  const noisy = source(measurement.strategy.spec, exact[0] ?? missing())
  return {
    noisy,
    cells: () => missing(),
    groupings: (keys) => marginsOf(measurement, noisy, keys),
  }
}

function marginsOf(
  measurement: Parts,
  noisy: readonly (readonly bigint[])[],
  keys: GroupedKeys,
): readonly (readonly NoisyCell[])[] {
  const { strategy, grid } = measurement
  const { spec } = strategy
  const { sizes } = spec
  const { sets } = keys.groupings
  const bits = bitsFor(grid)
  const parts = spec.parts.map(({ attributes, variance }, index) => ({
    attributes,
    coefficients: noisy[index] ?? missing(),
    draws: marginPartVariances(sizes, { attributes, variance }).map((amount): Draw => ({
      law: "gaussian",
      amount,
      grid,
    })),
  }))
  const cells = cellsOfParts(sizes, parts, bits)
  const whole = areWhole(measurement, keys.groupings)
    ? wholeCells(sizes, cells, bits + finerBits(grid))
    : undefined
  const count = sets.reduce((sum, set) => sum + marginTermCount(sizes, parts, set), 0)
  return sets.map((set) => {
    const sums = marginOfCells(sizes, cells, set)
    const shown = whole === undefined ? undefined : marginOfCells(sizes, whole, set)
    const steps = rational(BigInt(cells.length / sums.length), 1n << BigInt(bits))
    const rounding = numberUp(multiply(steps, grid))
    const terms = count > termsMax ? undefined : marginTerms(sizes, parts, set)
    const variance = marginVariance(spec, set)
    return sums.map((sum, place) =>
      groupedCell(
        multiply(rational(sum, 1n << BigInt(bits)), grid),
        shown === undefined ? undefined : rational(shown[place] ?? missing()),
        terms === undefined
          ? { kind: "normal", variance, grid, rounding }
          : {
              kind: "draws",
              rounding,
              terms: (terms[place] ?? missing()).map((term) => ({
                draw: parts[term.part]?.draws[term.place] ?? missing(),
                divisor: term.divisor,
              })),
            },
      ),
    )
  })
}

function missing(): never {
  assert(false, "every margin has a cell for every combination")
}
