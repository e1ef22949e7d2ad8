// After the release: @dosimeter/core/post. Estimates with intervals, numbers that must agree, tables from
// their parts, figures about a population. Costs nothing: it sees what is already released.

export { nearestWithTotal, wholeFromZero, type NoisyWhole } from "./consistency/from-zero.ts"
export { isotonic, type IsotonicOptions } from "./consistency/isotonic.ts"
export {
  imposeEqualities,
  leastSquares,
  leastSquaresOf,
  type ConstrainedValues,
  type LinearConstraint,
  type LinearConstraints,
} from "./consistency/least-squares.ts"
export { mergeEstimates, mergeJoint } from "./consistency/merge.ts"
export { respectChain, respectOrder } from "./consistency/orderings.ts"
export { reconcileMargins, type ReleasedMargin } from "./consistency/reconcile-margins.ts"
export {
  reconcileNested,
  reconcileTree,
  type ConsistentNode,
  type MeasuredTree,
  type TreeNode,
} from "./consistency/reconcile-tree.ts"
export { cutBelowNoise, projectOntoSimplex } from "./consistency/simplex.ts"
export {
  addEstimates,
  combineEstimates,
  combineJoint,
  scaleEstimate,
  shiftEstimate,
  subtractEstimates,
} from "./estimates/arithmetic.ts"
export {
  gaussianEstimate,
  intervalOf,
  laplaceEstimate,
  publicEstimate,
  type Estimate,
  type Exactness,
  type Interval,
  type NoiseLaw,
} from "./estimates/estimate.ts"
export { componentOf, covarianceAt, jointOf, type Covariance, type JointEstimate } from "./estimates/joint.ts"
export {
  independentNumbers,
  mixedWidth,
  pickNumbers,
  publicNumbers,
  totalVariance,
  type MixedVariance,
  type NoisyNumbers,
} from "./estimates/noisy-numbers.ts"
export {
  clampAtZero,
  clampEstimate,
  clampingBias,
  cutInterval,
  type ClampedEstimate,
} from "./estimates/nonnegative.ts"
export {
  roundEstimate,
  roundInterval,
  roundKeepingTotal,
  roundToGrid,
  roundToIntegers,
} from "./estimates/rounding.ts"
export { selectedInterval, type SelectedCount } from "./estimates/selected-interval.ts"
export { differenceOfRatios, ratioOfRatios } from "./population/compared-ratios.ts"
export { hazardRatio } from "./population/hazard-ratio.ts"
export { chiSquareTail, logRankTest, type LogRank } from "./population/log-rank.ts"
export {
  ratePer,
  ratioOf,
  standardisedRate,
  type Quotient,
  type RatioEstimate,
  type Stratum,
} from "./population/rates.ts"
export { sampledRatio, type SampledEstimate, type SamplingLaw } from "./population/sampled-ratio.ts"
export { studentWidth } from "./population/student-t.ts"
export { survivalCurve, type SurvivalPoint } from "./population/survival.ts"
export { weightedRate, type WeightedStrata } from "./population/weighted-rate.ts"
export {
  cellsOfParts,
  marginOfCells,
  marginTermCount,
  marginTerms,
  placeInMargin,
  type PartTerm,
  type PartValues,
} from "./tables/margin-cells.ts"
export { marginSums, type SumTerm } from "./tables/margin-sums.ts"
export { tableFromZero, type TableMargin } from "./tables/margins-from-zero.ts"
export { treeRounding, treeTerms, treeValues, wholeTree, type TreeTerm } from "./tables/tree-cells.ts"
export { wholeCells } from "./tables/whole-margins.ts"
export { formVariance, formWidth } from "./noise/form-size.ts"
export { halfWidthOf, missMin, normalWidth, roundingSpread, type HalfWidth } from "./noise/half-width.ts"
export { laplaceSumQuantile } from "./noise/laplace-sum.ts"
export {
  addForms,
  crossSums,
  formOf,
  formSums,
  negateForm,
  onlyTerm,
  scaleForm,
  termForm,
  termsOf,
  type LinearForm,
} from "./noise/linear-form.ts"
export type { NoiseBase } from "./noise/noise-base.ts"
export { sliceNoise } from "./noise/noise-slice.ts"
export type { NoiseSums } from "./noise/noise-sums.ts"
export {
  metaAnalysis,
  type MetaAnalysis,
  type PooledEstimate,
  type SiteEstimate,
} from "./population/meta-analysis.ts"
