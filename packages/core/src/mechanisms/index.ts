// Mechanisms: @dosimeter/core/mechanisms. Specifications, their releases, losses and errors, and the bounds
// of what one unit changes.

export { splitsOf, type Split } from "../exact/split-basis.ts"
export {
  leavesBelow,
  levelSizes,
  siblingSplits,
  sumsByLevel,
  type WeightedTree,
} from "../exact/weighted-tree.ts"
export {
  gaussian,
  gaussianAt,
  gaussianClassic,
  gaussianOfMu,
  gaussianOfRho,
  gaussianOfVariance,
  releaseGaussian,
  type GaussianSpec,
} from "./additive/gaussian.ts"
export {
  laplace,
  laplaceOfScale,
  laplaceWithin,
  releaseLaplace,
  type LaplaceSpec,
} from "./additive/laplace.ts"
export {
  releaseMeasurement,
  releaseRunningTotal,
  runningTotal,
  runningTotalOfRho,
  type RunningTotalSpec,
  type TotalRun,
} from "./additive/running-total.ts"
export {
  changesOf,
  measuredSum,
  spreadOf,
  totalNodes,
  totalReader,
  type TotalForm,
} from "./additive/total-forms.ts"
export type { AnyKeySpec } from "./any-keys.ts"
export {
  aboveThreshold,
  releaseAboveThreshold,
  type AboveThresholdSpec,
  type ThresholdRun,
} from "./choices/above-threshold.ts"
export {
  estimateCounts,
  randomizedResponse,
  randomizedResponseOfTruth,
  releaseRandomizedResponse,
  type RandomizedResponseSpec,
} from "./choices/randomized-response.ts"
export {
  releaseSelection,
  releaseTopK,
  selection,
  topK,
  type SelectionMethod,
  type SelectionSpec,
  type TopKSpec,
} from "./choices/selection.ts"
export { eventsOf } from "./events-of.ts"
export {
  gaussianKeys,
  gaussianKeysOfVariance,
  laplaceKeys,
  optimalKeys,
  releaseKeys,
  type CountedKeyOptions,
  type KeyOptions,
  type KeySpec,
  type ShownKey,
} from "./keys/key-selection.ts"
export { releaseTopKeys, topKeys, type TopKeysSpec } from "./keys/top-keys.ts"
export {
  releaseWeightedKeys,
  weightedKeys,
  weightedKeysOfMu,
  type KeyWeight,
  type WeightedKeysSpec,
} from "./keys/weighted-keys.ts"
export { errorOf, lossIn, lossOf, type MechanismSpec } from "./mechanism.ts"
export {
  countedEnds,
  releaseCountedEnds,
  type CountedEnds,
  type CountedHistogram,
  type CountedInterval,
  type CountedSpend,
} from "./quantiles/counted-ends.ts"
export type { RowsNoise } from "./quantiles/proven-ends.ts"
export {
  hasEnds,
  releaseQuantileEnds,
  type QuantileInterval,
  type QuantilesWithEnds,
} from "./quantiles/quantile-ends.ts"
export { distinctPlaces, drawsOf, rankVariances, type QuantileTree } from "./quantiles/quantile-tree.ts"
export {
  endShift,
  quantiles,
  quantilesOfRho,
  releaseQuantiles,
  type QuantileEnds,
  type QuantilesSpec,
} from "./quantiles/quantile.ts"
export type {
  AdditiveError,
  ChoiceError,
  KeyError,
  MechanismError,
  RankError,
  ReportError,
  TotalError,
} from "./shared/error.ts"
export {
  marginError,
  marginPartVariances,
  margins,
  marginVariance,
  releaseMargins,
  type MarginPart,
  type MarginsSpec,
  type WantedMargin,
} from "./tables/margins.ts"
export { squaredLevels, squaredMargins, type SquaredMargin, type SquaredSums } from "./tables/squared-sums.ts"
export {
  bestShares,
  plainShares,
  sumVariance,
  type LevelShares,
  type SharesOptions,
} from "./tables/tree-shares.ts"
export {
  releaseTree,
  tree,
  treeDrawVariances,
  treeNodeError,
  treeVariances,
  type TreeOptions,
  type TreeSpec,
} from "./tables/tree.ts"
export {
  showLoss,
  type ApproxLoss,
  type GdpLoss,
  type Loss,
  type Losses,
  type Measure,
  type PureLoss,
  type ZcdpLoss,
} from "../privacy/loss.ts"
export {
  momentCoordinates,
  momentDegree,
  momentFactors,
  momentNorm,
  momentSensitivity,
  type MomentBasis,
  type MomentBounds,
} from "../privacy/moments.ts"
export {
  boundedSensitivity,
  normSensitivity,
  countSensitivity,
  joinSensitivities,
  l1Of,
  l2SquaredOf,
  type ChangeBlock,
  type ContributionBounds,
  type Norm,
  type Sensitivity,
} from "../privacy/sensitivity.ts"
export type { Neighbours, PrivacyUnit } from "../privacy/unit.ts"
