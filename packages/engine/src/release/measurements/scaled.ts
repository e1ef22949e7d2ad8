// Groups of weighed sums: numbers of all columns get their noise in one call.

import { assert } from "@dosimeter/core/errors"
import { add, divide, floor, multiply, rational, zero } from "@dosimeter/core/exact"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { scaledTerms } from "@dosimeter/proof/algebra/scaled-reading"
import { noiseOf, withinReach, type DrawnLinear } from "./drawn.ts"
import type { NoiseSource } from "./noise-source.ts"

/**
 * The noisy numbers of all groups and columns.
 *
 * Guarantee: every number goes through the source once, with the measurement's own spec.
 * Needs: as releaseTables; `exact` has the columns of the measurement, a number for each group.
 * Proof: all numbers go through the source in one call, so every number has noise of its own, for the vector
 *   whose norm checkScaled covers; cells are computed from what comes out.
 * Numerics: integers; a value is noisy integer times worth, or a sum of such products for moments, rounded to
 *   whole steps where it is shown.
 * Source: the mechanisms of core.
 */
export function drawScaled(
  measurement: LinearMeasurement<"scaled">,
  exact: readonly (readonly bigint[])[],
  source: NoiseSource,
): DrawnLinear {
  const { spec, steps } = measurement.strategy
  const [drawn = []] = source(spec, exact.flat())
  const groups = exact[0]?.length ?? 0
  const noise = noiseOf(spec, rational(1n))
  const draws = exact.map((_, column) =>
    drawn.slice(column * groups, (column + 1) * groups).map((number) => ({ steps: number, noise })),
  )
  return {
    noisy: draws.map((column) => column.map((draw) => draw.steps)),
    cells: ({ column, isWhole }) => {
      const [step, of] = [steps[column], measurement.columns[column]]
      const terms = scaledTerms(measurement, column)
      assert(terms.length > 0 && step !== undefined && of !== undefined, "every column has a worth")
      return (draws[column] ?? []).map((_, group) => {
        const parts = terms.flatMap(({ draw: place, factor }) => {
          const draw = draws[place]?.[group]
          return draw === undefined ? [] : [{ draw, factor }]
        })
        const raw = parts.map(({ draw, factor }) => multiply(rational(draw.steps), factor)).reduce(add, zero)
        const centre = withinReach(raw, step, of)
        const nearest = multiply(rational(floor(add(divide(centre, step), rational(1n, 2n)))), step)
        const value = { kind: "number", value: isWhole ? nearest : centre } as const
        return { value, mixed: { parts, centre } }
      })
    },
    groupings: () => missing(),
  }
}

function missing(): never {
  assert(false, "groupings are sums of one column")
}
