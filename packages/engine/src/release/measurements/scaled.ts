// Groups of weighed sums: numbers of all columns get their noise in one call.

import { assert } from "@dosimeter/core/errors"
import { add, divide, floor, multiply, rational } from "@dosimeter/core/exact"
import { releaseGaussian, releaseLaplace } from "@dosimeter/core/mechanisms"
import type { RandomBits } from "@dosimeter/core/noise"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { noiseOf, withinReach, type DrawnLinear } from "./drawn.ts"

/**
 * The noisy numbers of all groups and columns.
 *
 * Guarantee: the loss is lossOf(spec).
 * Needs: as releaseTables; `exact` has the columns of the measurement, a number for each group.
 * Proof: all numbers go through the release function of the measurement's own spec in one call, so every
 *   number has noise of its own, for the vector whose norm checkScaled covers; cells are computed from what
 *   comes out.
 * Numerics: integers; a value is noisy integer times worth, rounded to whole steps where it is shown.
 * Source: the mechanisms of core.
 */
export function drawScaled(
  measurement: LinearMeasurement<"scaled">,
  exact: readonly (readonly bigint[])[],
  rng: RandomBits,
): DrawnLinear {
  const { spec, worths, steps } = measurement.strategy
  const flat = exact.flat()
  const drawn = spec.kind === "laplace" ? releaseLaplace(spec, flat, rng) : releaseGaussian(spec, flat, rng)
  const groups = exact[0]?.length ?? 0
  const noise = noiseOf(spec, rational(1n))
  const draws = exact.map((_, column) =>
    drawn.slice(column * groups, (column + 1) * groups).map((number) => ({ steps: number, noise })),
  )
  return {
    noisy: draws.map((column) => column.map((draw) => draw.steps)),
    cells: ({ column, isWhole }) => {
      const [worth, step, of] = [worths[column], steps[column], measurement.columns[column]]
      assert(worth !== undefined && step !== undefined && of !== undefined, "every column has a worth")
      return (draws[column] ?? []).map((draw) => {
        const centre = withinReach(multiply(rational(draw.steps), worth), step, of)
        const nearest = multiply(rational(floor(add(divide(centre, step), rational(1n, 2n)))), step)
        const value = { kind: "number", value: isWhole ? nearest : centre } as const
        return { value, mixed: { parts: [{ draw, factor: worth }], centre } }
      })
    },
    groupings: () => missing(),
  }
}

function missing(): never {
  assert(false, "groupings are sums of one column")
}
