// Columns as a regression takes them: a flag for each category, numbers in their ranges.

import type { ColumnSpec, Examples, ModelShape, RowValues } from "@dosimeter/ml"

/** The shape of a linear or logistic regression of some columns. */
export function shapeOf(features: readonly ColumnSpec[], target: ColumnSpec): ModelShape {
  const ranged = features.flatMap((feature) =>
    feature.kind === "number"
      ? [{ name: feature.name, low: feature.low, high: feature.high }]
      : Array.from({ length: feature.categories }, (_, at) => ({
          name: `${feature.name} ${at}`,
          low: 0,
          high: 1,
        })),
  )
  return target.kind === "number"
    ? { family: "linear", features: ranged, target, rowsPerUnit: 1 }
    : { family: "logistic", features: ranged, target: { name: target.name, low: 0, high: 1 }, rowsPerUnit: 1 }
}

/** One unit a row. A missing category has no flag. */
export function unitsOf(features: readonly ColumnSpec[], data: Examples): readonly (readonly RowValues[])[] {
  return Array.from({ length: data.rows }, (_, row) => [
    {
      features: features.flatMap((feature, place) => {
        const value = data.features[place]?.[row] ?? NaN
        if (feature.kind === "number") return [value]
        return Array.from({ length: feature.categories }, (__, at) => (value === at ? 1 : 0))
      }),
      target: data.target[row] ?? NaN,
    },
  ])
}
