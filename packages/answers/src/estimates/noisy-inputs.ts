// Cells as the numbers that estimates about a population start from: values with the draws of noise in them.

import { numberNear } from "@dosimeter/core/exact"
import { type MixedVariance, type NoisyNumbers, termsOf, type NoiseBase } from "@dosimeter/core/post"
import { linearOf } from "../cells/spread.ts"
import type { Cell } from "../cells/table.ts"

/** The cells as numbers with noise; undefined unless each is one, and a sum of draws at most. */
export function noisyNumbersOf(cells: readonly Cell[]): NoisyNumbers | undefined {
  const draws = new Map<number, number>()
  const variances: MixedVariance[] = []
  const values: number[] = []
  const terms: (readonly Term[])[] = []
  for (const cell of cells) {
    const linear = linearOf(cell)
    if (linear === undefined || cell.value.kind !== "number") return undefined
    // As measured: estimates know of the noise, and numbers that were raised to 0 would mislead them.
    values.push(numberNear(linear.centre))
    terms.push(
      linear.form === undefined
        ? []
        : Array.from(termsOf(linear.form), ({ base, coefficient }): Term => {
            const draw = draws.get(base.id) ?? draws.size
            draws.set(base.id, draw)
            variances[draw] ??= varianceOf(base)
            return { draw, factor: numberNear(coefficient) }
          }),
    )
  }
  return { values, varianceOf: (coefficients) => combined(terms, variances, coefficients) }
}

interface Term {
  readonly draw: number
  readonly factor: number
}

/** Roundings of normal noise to its grid count as uniform; discrete Laplace noise as continuous. */
function varianceOf(base: NoiseBase): MixedVariance {
  const step = numberNear(base.grid) ** 2
  return base.law === "gaussian"
    ? { normal: step * (numberNear(base.variance) + 1 / 12), laplace: 0 }
    : { normal: 0, laplace: step * 2 * numberNear(base.scale) ** 2 }
}

function combined(
  terms: readonly (readonly Term[])[],
  variances: readonly MixedVariance[],
  coefficients: readonly number[],
): MixedVariance {
  const sums = new Float64Array(variances.length)
  for (const [index, list] of terms.entries()) {
    const coefficient = coefficients[index] ?? Number.NaN
    if (coefficient === 0) continue
    for (const { draw, factor } of list) sums[draw] = (sums[draw] ?? 0) + coefficient * factor
  }
  let [normal, laplace] = [0, 0]
  for (const [draw, variance] of variances.entries()) {
    const square = (sums[draw] ?? 0) ** 2
    normal += square * variance.normal
    laplace += square * variance.laplace
  }
  return { normal, laplace }
}

/** Sums of some of the numbers: one for each list of places. */
export function summedNumbers(
  { values, varianceOf: inner }: NoisyNumbers,
  slots: readonly (readonly number[])[],
): NoisyNumbers {
  return {
    values: slots.map((places) => places.reduce((sum, place) => sum + (values[place] ?? Number.NaN), 0)),
    varianceOf: (coefficients) => {
      const spread = values.map(() => 0)
      for (const [index, places] of slots.entries()) {
        for (const place of places) spread[place] = (spread[place] ?? 0) + (coefficients[index] ?? Number.NaN)
      }
      return inner(spread)
    },
  }
}
