// An explainable model as plain data: what is shown, stored and used for predictions. Everything in it is
// noisy or public.

import type { ColumnSpec } from "../columns/columns.ts"
import type { Quality } from "../regression/quality.ts"
import { predictShapes, type ShapeModel } from "./shape-model.ts"

/** The effect of one feature on the score. */
export interface BoostedShape {
  readonly feature: string
  /** The bin of every cell; the last cell is a missing value. */
  readonly bins: readonly number[]
  /** Of numbers: the lower edge of each bin but the last, and the declared end. */
  readonly edges: readonly number[]
  /** Of each bin; the last one is of missing values. */
  readonly effect: readonly number[]
  /** What noise did to each effect: a standard deviation, to first order. */
  readonly noise: readonly number[]
  /** The same for the people who happen to be in the data. */
  readonly sample: readonly number[]
  /** Noisy people in each bin. */
  readonly people: readonly number[]
}

/** A model that was released. */
export interface BoostedModel {
  readonly kind: "boosted"
  readonly features: readonly ColumnSpec[]
  readonly target: ColumnSpec
  readonly intercept: number
  readonly shapes: readonly BoostedShape[]
  /** About how many rows it was fitted to: a noisy number. */
  readonly rows: number
  readonly quality: Quality
  readonly settings: { readonly epochs: number; readonly bins: number }
}

/** The plain data of a model of single features. */
export function boostedModel(
  { features, target, intercept, shapes }: ShapeModel,
  more: Pick<BoostedModel, "rows" | "quality" | "settings">,
): BoostedModel {
  return {
    kind: "boosted",
    features,
    target,
    intercept,
    shapes: shapes.map(
      ({ features: [feature = ""], places: [bins], edges, effect, noise, sample, people }) => ({
        feature,
        bins: [...(bins ?? [])],
        edges,
        effect: [...effect],
        noise: [...noise],
        sample: [...sample],
        people: [...people],
      }),
    ),
    ...more,
  }
}

/** What it says of one row, NaN where a value is missing: the chance of the second class, or a number. */
export function predictBoosted(model: BoostedModel, row: readonly number[]): number {
  const { features, target, intercept, shapes } = model
  const own: ShapeModel = {
    kind: "shapes",
    features,
    target,
    intercept,
    shapes: shapes.map(({ feature, bins, edges, effect, noise, sample, people }) => ({
      features: [feature],
      places: [Uint16Array.from(bins)],
      edges,
      effect: Float64Array.from(effect),
      noise: Float64Array.from(noise),
      sample: Float64Array.from(sample),
      people: Float64Array.from(people),
    })),
  }
  const values = features.map((_, at) => Float64Array.of(row[at] ?? Number.NaN))
  return predictShapes(own, { rows: 1, features: values })[0] ?? Number.NaN
}
