// Groups with noise of their own, in words.

import { multiply, numberNear, numberUp, rational } from "@dosimeter/core/exact"
import { errorOf, laplace, type GaussianSpec, type LaplaceSpec } from "@dosimeter/core/mechanisms"
import { groupingSizes, hasGroupings, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import { eachGrouping } from "./groupings.ts"
import { showNumber } from "./show-number.ts"
import { mostAdded, noiseWords, withinWords, type MeasurementWords, type WordsContext } from "./common.ts"

type Identity = LinearMeasurement<"identity">

/** The noise of each group; of several groupings, of the groups that they are sums of. */
export function identityWords(measurement: Identity, context: WordsContext): MeasurementWords {
  const { keys } = context.release
  if (hasGroupings(keys)) return groupedWords(measurement, keys, context)
  const { strategy, grid } = measurement
  const { spec } = strategy
  const { confidence, unitName } = context.plan
  const { halfWidth } = errorOf(spec, confidence)
  const { name, size } = noiseWords(spec)
  const change = numberNear(multiply(rational(mostAdded(spec)), grid))
  const noise = `${name} ${showNumber(size * numberNear(grid))}${whyGaussian(spec)}`
  return {
    mechanism: `${noise}; one ${unitName} adds at most ${showNumber(change)}`,
    error: withinWords(multiply(rational(halfWidth), grid), confidence),
  }
}

// Where epsilons are added up, Laplace noise is what one would expect.
function whyGaussian(spec: LaplaceSpec | GaussianSpec): string {
  if (spec.kind !== "gaussian" || spec.epsilon === undefined) return ""
  const { sensitivity, epsilon, variance } = spec
  const other = errorOf(laplace({ sensitivity, epsilon }), rational(1n, 2n)).standardDeviation ** 2
  return ` (variance ${showNumber(numberUp(variance))}, and ${showNumber(other)} of Laplace noise at this epsilon)`
}

function groupedWords(
  { strategy: { spec }, grid, extract }: Identity,
  keys: GroupedKeys,
  { release, plan }: WordsContext,
): MeasurementWords {
  const { standardDeviation } = errorOf(spec, plan.confidence)
  const step = numberNear(grid)
  const isTree = keys.rows !== undefined
  const errors = groupingSizes(keys).map(({ most }) => {
    const width = showNumber(standardDeviation * Math.sqrt(most) * step)
    return isTree && most > 1 ? `at most ${width}` : width
  })
  const { name } = noiseWords(spec)
  const size = spec.kind === "laplace" ? numberNear(spec.scale) : Math.sqrt(numberNear(spec.variance))
  const groups = publicRows(keys).length
  const where = isTree
    ? `${groups} leaves; all else is their sums`
    : `${groups} cells; margins are their sums`
  return {
    mechanism: `${name} ${showNumber(size * step)} in each of ${where}`,
    error: `standard deviation ${eachGrouping(keys, release, { extract, errors })}`,
  }
}
