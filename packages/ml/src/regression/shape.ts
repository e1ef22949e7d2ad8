// What a regression is of, as plain data: the family, the features with their declared ranges, the target.
// All of it is public.

import { fail } from "../errors.ts"

/** Which regression. */
export type Family = "linear" | "logistic" | "multinomial" | "poisson"

/** A column with the range that it was declared to keep. */
export interface Ranged {
  readonly name: string
  readonly low: number
  readonly high: number
}

/** A regression before it is fitted. */
export interface ModelShape {
  readonly family: Family
  readonly features: readonly Ranged[]
  /** Linear and Poisson: its range. Logistic: 0 to 1. Multinomial: 0 to the number of classes less one. */
  readonly target: Ranged
  /** The most rows that one unit has. */
  readonly rowsPerUnit: number
}

/** How many linear predictors a model has: the classes of a multinomial but the first, or one. */
export function outputsOf({ family, target }: Pick<ModelShape, "family" | "target">): number {
  return family === "multinomial" ? target.high : 1
}

/** The numbers of each linear predictor: the intercept first, then a coefficient for each feature. */
export function widthOf({ features }: Pick<ModelShape, "features">): number {
  return features.length + 1
}

/** Refuses a shape that no model can be fitted to, before anything is charged. */
export function checkShape(shape: ModelShape): void {
  const { features, target } = shape
  if (features.length === 0) fail("model/no-features", {})
  for (const { name, low, high } of [...features, target]) {
    if (!Number.isFinite(low) || !Number.isFinite(high)) fail("model/unbounded-feature", { name })
    if (!(low < high)) fail("model/constant-feature", { name })
  }
  if (features.length > featuresMax) {
    fail("model/too-many-features", { got: `${features.length}`, limit: `${featuresMax}` })
  }
  const wanted = targetsOf[shape.family]
  if (!wanted.keeps(target)) fail("model/wrong-target", { family: shape.family, needs: wanted.words })
}

/** Beyond so many the sums of a round no longer fit what is quick. */
const featuresMax = 1000
const classesMax = 50
const poissonMax = 1000

const targetsOf: Readonly<
  Record<Family, { readonly words: string; readonly keeps: (range: Ranged) => boolean }>
> = {
  linear: { words: "a number with a declared range", keeps: () => true },
  logistic: { words: "true and false, or 0 and 1", keeps: ({ low, high }) => low === 0 && high === 1 },
  multinomial: {
    words: `a listed value, of 2 to ${classesMax} values`,
    keeps: ({ low, high }) => low === 0 && Number.isInteger(high) && high >= 1 && high < classesMax,
  },
  poisson: {
    words: `a count whose declared range is from 0 to at most ${poissonMax}`,
    keeps: ({ low, high }) => low >= 0 && high <= poissonMax,
  },
}

/**
 * A feature as models see it: what is 0 or 1 stays, any other range becomes -1 to 1. Values outside are moved
 * to its ends; what is no number is in the middle.
 */
export function scaledFeature({ low, high }: Ranged, value: number): number {
  if (low === 0 && high === 1) return Number.isNaN(value) ? 0.5 : Math.min(1, Math.max(0, value))
  const scaled = (2 * value - low - high) / (high - low)
  return Number.isNaN(scaled) ? 0 : Math.min(1, Math.max(-1, scaled))
}

/** The slope and the offset of `scaledFeature` inside the range. */
export function scalingOf({ low, high }: Ranged): { readonly slope: number; readonly offset: number } {
  if (low === 0 && high === 1) return { slope: 1, offset: 0 }
  return { slope: 2 / (high - low), offset: -(low + high) / (high - low) }
}

/** A linear model fits its target on the scale of -1 to 1; other families take it as it is. */
export function scaledTarget({ family, target }: ModelShape, value: number): number {
  if (family === "linear") return scaledFeature(target, value)
  return Math.min(target.high, Math.max(target.low, value))
}
