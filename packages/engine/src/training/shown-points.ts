// Directions and groups as they are shown, number by number, each with its interval.

import type { CentresModel } from "@dosimeter/ml/clustering/fit-clusters"
import type { ColumnSpec } from "@dosimeter/ml/columns/columns"
import { coordinatesOf, endsOf, unscaled } from "@dosimeter/ml/columns/points"
import type { DirectionsModel } from "@dosimeter/ml/components/fit-components"
import { coordinateNames, type ModelColumn } from "./model-columns.ts"
import type { ShownCoefficient } from "./shown-parts.ts"

/** What each component holds of the variance, and how much of each feature goes into it. */
export function loadingsOf(
  { components }: DirectionsModel,
  inputs: readonly ModelColumn[],
  width: number,
): readonly ShownCoefficient[] {
  const names = coordinateNames(inputs)
  return components.flatMap(({ share, shareErrors, direction, errors }, at) => {
    const lines = [
      { name: "(share of the variance)", value: share, low: 0, ...shareErrors },
      ...direction.map((value, place) => ({
        name: names[place] ?? "",
        value,
        low: -1,
        ...(errors[place] ?? { error: 1, noise: 1 }),
      })),
    ]
    return lines.map(({ low, ...line }) =>
      shown(componentName(at), { ...line, ends: { low, high: 1 } }, width),
    )
  })
}

/** How many people are in each group, and where its centre lies: in the units of the columns. */
export function centresOf(
  { groups, features, noise, left }: CentresModel,
  inputs: readonly ModelColumn[],
  width: number,
): readonly ShownCoefficient[] {
  const names = coordinateNames(inputs)
  const coordinates = coordinatesOf(features)
  return groups.flatMap(({ people, centre }, at) => {
    const size = {
      name: "(people)",
      value: people,
      error: noise.people,
      noise: noise.people,
      ends: { low: 0, high: Infinity },
    }
    const lines = centre.map((value, place) => {
      const feature = features[coordinates[place]?.column ?? 0]
      const ends = endsOf(feature)
      const [low, high] = [unscaled(ends.low, feature), unscaled(ends.high, feature)]
      // So much is a step of the coordinate.
      const step = (high - low) / (ends.high - ends.low)
      const byNoise = Math.hypot(noise.sum, value * noise.people) / Math.max(1, people)
      const chance = deviationOf(value, feature, left[place]) / Math.sqrt(Math.max(1, people))
      return {
        name: names[place] ?? "",
        value: unscaled(value, feature),
        error: step * Math.hypot(byNoise, chance),
        noise: step * byNoise,
        ends: { low, high },
      }
    })
    return [size, ...lines].map((line) => shown(groupName(at), line, width))
  })
}

// How people of a group differ in a coordinate: in a listed value as its share says, in a number as people of
// all groups differ from their centres, and no more than is possible with this mean.
function deviationOf(value: number, feature: ColumnSpec | undefined, pooled = 0): number {
  const { low, high } = endsOf(feature)
  const most = Math.sqrt(Math.max(0, (value - low) * (high - value)))
  return feature?.kind === "category" ? most : Math.min(pooled, most)
}

/** The name of a component. */
export function componentName(place: number): string {
  return `component ${place + 1}`
}

/** The name of a group: they stand in the order of their sizes. */
export function groupName(place: number): string {
  return `group ${place + 1}`
}

function shown(
  output: string,
  line: {
    readonly name: string
    readonly value: number
    readonly error: number
    readonly noise: number
    readonly ends: { readonly low: number; readonly high: number }
  },
  width: number,
): ShownCoefficient {
  const { name, value, error, noise, ends } = line
  return {
    output,
    name,
    value,
    error,
    low: Math.max(ends.low, value - width * error),
    high: Math.min(ends.high, value + width * error),
    noiseShare: noise ** 2 / Math.max(error ** 2, Number.MIN_VALUE),
    isShrunk: false,
  }
}
