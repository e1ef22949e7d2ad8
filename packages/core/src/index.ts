// The public names of @dosimeter/core, and nothing else.

export {
  calibrateGaussian,
  calibrateLaplace,
  calibratePureLoss,
  calibrateSampledGaussian,
  type Target,
} from "./accounting/calibrate.ts"
export {
  composeAdvanced,
  composeBasic,
  composeParallel,
  groupLoss,
  subsampleLoss,
} from "./accounting/compose.ts"
export type { LossEvent, Planned } from "./accounting/event.ts"
export {
  budgetFor,
  chargeAmount,
  chargesLeft,
  odometerOf,
  openFilter,
  takeCharge,
  type Accounting,
  type Budget,
  type FilterState,
} from "./accounting/filter.ts"
export {
  approxToMu,
  approxToRho,
  gdpToDelta,
  gdpToEpsilon,
  laplaceToZcdp,
  pureToGdp,
  pureToZcdp,
  zcdpToDelta,
  zcdpToEpsilon,
} from "./meaning/conversions.ts"
export {
  approxPair,
  gaussianPair,
  laplacePair,
  laplaceRenyi,
  pureRenyi,
  responsePair,
  sampledGaussianPair,
  sampledGaussianRenyi,
  zcdpRenyi,
  type SampledGaussian,
} from "./accounting/laws.ts"
export type { LossLaw, LossPair } from "./accounting/distributions/loss-law.ts"
export { showShare, usedOf, type Used } from "./accounting/meter.ts"
export {
  optimalToDelta,
  optimalToEpsilon,
  type RepeatedLoss,
} from "./accounting/conversions/optimal-composition.ts"
export { PldAccount, type Bounds, type CountedPair, type PldBatch } from "./accounting/distributions/pld.ts"
export { addCurves, gridCurve, renyiEpsilonAt, renyiToEpsilon, type RenyiCurve } from "./accounting/renyi.ts"
export {
  accountByPld,
  howManyFit,
  totalBy,
  whatIf,
  type AccountantName,
  type Total,
} from "./accounting/what-if.ts"
export {
  DosimeterError,
  renderError,
  type ErrorKind,
  type Issue,
  type Span,
} from "./errors/dosimeter-error.ts"
export {
  defineError,
  errorMaker,
  makeError,
  type ErrorDefinition,
  type ErrorMaker,
  type Fail,
} from "./errors/define-errors.ts"
export { coreErrors, type CoreErrorCode } from "./errors/errors.ts"
export { assert } from "./errors/assert.ts"
export { decimalExponent, exactly, parseDecimal, showParameter, type Numeric } from "./exact/decimal.ts"
export {
  numberDown,
  numberNear,
  numberNearest,
  numberUp,
  rationalOfNumber,
  roundDown,
  roundUp,
} from "./exact/dyadic.ts"
export { expm1Near, expNear, ln1pNear, lnNear, tanhNear } from "./exact/elementary.ts"
export { sqrtDown, sqrtUp } from "./exact/log.ts"
export {
  add,
  ceil,
  compare,
  divide,
  floor,
  isPositive,
  maximum,
  minimum,
  multiply,
  negate,
  one,
  rational,
  showRational,
  square,
  subtract,
  zero,
  type Rational,
} from "./exact/rational.ts"
export { balancedAccuracy, membershipAdvantage, truePositiveRate } from "./meaning/attacker.ts"
export { bestEpsilon, type BestEpsilon, type PrivacyCost } from "./meaning/best-epsilon.ts"
export {
  chooseEpsilon,
  conflictError,
  epsilonFor,
  type EpsilonBound,
  type EpsilonConflict,
  type EpsilonRange,
} from "./meaning/choose-epsilon.ts"
export { deltaAt } from "./meaning/delta-curve.ts"
export { describeLoss, type DescribeOptions } from "./meaning/describe-loss.ts"
export { groupFactor, posteriorBounds, type BeliefBounds, type BeliefQuestion } from "./meaning/odds.ts"
export type {
  AccuracyRequirement,
  AdvantageAtMost,
  EpsilonAtMost,
  IntervalAtMost,
  MeanErrorAtMost,
  MeanNoiseAtLeast,
  NoiseExceeds,
  PosteriorAtMost,
  PrivacyRequirement,
  Requirement,
  Within,
} from "./meaning/requirements.ts"
export type { AnyKeySpec } from "./mechanisms/any-keys.ts"
export {
  aboveThreshold,
  releaseAboveThreshold,
  type AboveThresholdSpec,
  type ThresholdRun,
} from "./mechanisms/choices/above-threshold.ts"
export type {
  AdditiveError,
  ChoiceError,
  KeyError,
  MechanismError,
  RankError,
  ReportError,
  TotalError,
} from "./mechanisms/shared/error.ts"
export { eventsOf } from "./mechanisms/events-of.ts"
export {
  gaussian,
  gaussianAt,
  gaussianClassic,
  gaussianOfMu,
  gaussianOfRho,
  gaussianOfVariance,
  releaseGaussian,
  type GaussianSpec,
} from "./mechanisms/additive/gaussian.ts"
export {
  gaussianKeys,
  gaussianKeysOfVariance,
  laplaceKeys,
  optimalKeys,
  releaseKeys,
  type KeyOptions,
  type KeySpec,
  type ShownKey,
} from "./mechanisms/keys/key-selection.ts"
export {
  laplace,
  laplaceOfScale,
  laplaceWithin,
  releaseLaplace,
  type LaplaceSpec,
} from "./mechanisms/additive/laplace.ts"
export {
  marginError,
  marginPartVariances,
  margins,
  marginVariance,
  releaseMargins,
  type MarginPart,
  type MarginsSpec,
  type WantedMargin,
} from "./mechanisms/tables/margins.ts"
export { errorOf, lossIn, lossOf, type MechanismSpec } from "./mechanisms/mechanism.ts"
export {
  releaseTree,
  tree,
  treeDrawVariances,
  treeNodeError,
  treeVariances,
  type TreeOptions,
  type TreeSpec,
} from "./mechanisms/tables/tree.ts"
export {
  bestShares,
  plainShares,
  sumVariance,
  type LevelShares,
  type SharesOptions,
} from "./mechanisms/tables/tree-shares.ts"
export {
  endShift,
  quantiles,
  quantilesOfRho,
  releaseQuantiles,
  type QuantileEnds,
  type QuantilesSpec,
} from "./mechanisms/quantiles/quantile.ts"
export {
  distinctPlaces,
  drawsOf,
  rankVariances,
  type QuantileTree,
} from "./mechanisms/quantiles/quantile-tree.ts"
export {
  countedEnds,
  releaseCountedEnds,
  type CountedEnds,
  type CountedHistogram,
  type CountedInterval,
  type CountedSpend,
} from "./mechanisms/quantiles/counted-ends.ts"
export type { RowsNoise } from "./mechanisms/quantiles/proven-ends.ts"
export {
  hasEnds,
  releaseQuantileEnds,
  type QuantileInterval,
  type QuantilesWithEnds,
} from "./mechanisms/quantiles/quantile-ends.ts"
export {
  estimateCounts,
  randomizedResponse,
  randomizedResponseOfTruth,
  releaseRandomizedResponse,
  type RandomizedResponseSpec,
} from "./mechanisms/choices/randomized-response.ts"
export {
  releaseMeasurement,
  releaseRunningTotal,
  runningTotal,
  runningTotalOfRho,
  type RunningTotalSpec,
  type TotalRun,
} from "./mechanisms/additive/running-total.ts"
export {
  releaseSelection,
  releaseTopK,
  selection,
  topK,
  type SelectionMethod,
  type SelectionSpec,
  type TopKSpec,
} from "./mechanisms/choices/selection.ts"
export { releaseTopKeys, topKeys, type TopKeysSpec } from "./mechanisms/keys/top-keys.ts"
export {
  releaseWeightedKeys,
  weightedKeys,
  weightedKeysOfMu,
  type KeyWeight,
  type WeightedKeysSpec,
} from "./mechanisms/keys/weighted-keys.ts"
export {
  changesOf,
  measuredSum,
  spreadOf,
  totalNodes,
  totalReader,
  type TotalForm,
} from "./mechanisms/additive/total-forms.ts"
export { sampleNoisyArgmax, sampleSoftmax, type Candidates } from "./noise/argmax.ts"
export { sampleBinomial } from "./noise/binomial.ts"
export { fillDiscreteLaplace, sampleDiscreteLaplace } from "./noise/discrete-laplace.ts"
export { fillGeometric, sampleGeometric } from "./noise/geometric.ts"
export type { NoiseArray, Spill } from "./noise/noise-array.ts"
export { fillPoisson, fillSkellam, samplePoisson, sampleSkellam } from "./noise/poisson.ts"
export { fillRoundedGaussian, sampleRoundedGaussian } from "./noise/rounded-gaussian.ts"
export {
  addEstimates,
  combineEstimates,
  combineJoint,
  scaleEstimate,
  shiftEstimate,
  subtractEstimates,
} from "./post/estimates/arithmetic.ts"
export {
  gaussianEstimate,
  intervalOf,
  laplaceEstimate,
  publicEstimate,
  type Estimate,
  type Exactness,
  type Interval,
  type NoiseLaw,
} from "./post/estimates/estimate.ts"
export { differenceOfRatios, ratioOfRatios } from "./post/population/compared-ratios.ts"
export { isotonic, type IsotonicOptions } from "./post/consistency/isotonic.ts"
export { chiSquareTail, logRankTest, type LogRank } from "./post/population/log-rank.ts"
export {
  independentNumbers,
  mixedWidth,
  pickNumbers,
  publicNumbers,
  type MixedVariance,
  type NoisyNumbers,
} from "./post/estimates/noisy-numbers.ts"
export { sampledRatio, type SampledEstimate, type SamplingLaw } from "./post/population/sampled-ratio.ts"
export { survivalCurve, type SurvivalPoint } from "./post/population/survival.ts"
export { weightedRate, type WeightedStrata } from "./post/population/weighted-rate.ts"
export {
  componentOf,
  covarianceAt,
  jointOf,
  type Covariance,
  type JointEstimate,
} from "./post/estimates/joint.ts"
export {
  imposeEqualities,
  leastSquares,
  leastSquaresOf,
  type ConstrainedValues,
  type LinearConstraint,
  type LinearConstraints,
} from "./post/consistency/least-squares.ts"
export {
  cellsOfParts,
  marginOfCells,
  marginTermCount,
  marginTerms,
  placeInMargin,
  type PartTerm,
  type PartValues,
} from "./post/tables/margin-cells.ts"
export { marginSums, type SumTerm } from "./post/tables/margin-sums.ts"
export { wholeCells } from "./post/tables/whole-margins.ts"
export { treeRounding, treeTerms, treeValues, wholeTree, type TreeTerm } from "./post/tables/tree-cells.ts"
export { splitsOf, type Split } from "./exact/split-basis.ts"
export {
  leavesBelow,
  levelSizes,
  siblingSplits,
  sumsByLevel,
  type WeightedTree,
} from "./exact/weighted-tree.ts"
export { reconcileMargins, type Marginal } from "./post/consistency/reconcile-margins.ts"
export { mergeEstimates, mergeJoint } from "./post/consistency/merge.ts"
export {
  clampAtZero,
  clampEstimate,
  clampingBias,
  cutInterval,
  type ClampedEstimate,
} from "./post/estimates/nonnegative.ts"
export { respectChain, respectOrder } from "./post/consistency/orderings.ts"
export {
  ratePer,
  ratioOf,
  standardisedRate,
  type Quotient,
  type RatioEstimate,
  type Stratum,
} from "./post/population/rates.ts"
export {
  roundEstimate,
  roundInterval,
  roundKeepingTotal,
  roundToGrid,
  roundToIntegers,
} from "./post/estimates/rounding.ts"
export { selectedInterval, type SelectedCount } from "./post/estimates/selected-interval.ts"
export { cutBelowNoise, projectOntoSimplex } from "./post/consistency/simplex.ts"
export {
  reconcileNested,
  reconcileTree,
  type ConsistentNode,
  type MeasuredTree,
  type TreeNode,
} from "./post/consistency/reconcile-tree.ts"
export {
  showLoss,
  type ApproxLoss,
  type GdpLoss,
  type Loss,
  type Losses,
  type Measure,
  type PureLoss,
  type ZcdpLoss,
} from "./privacy/loss.ts"
export {
  momentCoordinates,
  momentDegree,
  momentFactors,
  momentNorm,
  momentSensitivity,
  type MomentBasis,
  type MomentBounds,
} from "./privacy/moments.ts"
export {
  boundedSensitivity,
  countSensitivity,
  joinSensitivities,
  l1Of,
  l2SquaredOf,
  type ChangeBlock,
  type ContributionBounds,
  type Sensitivity,
} from "./privacy/sensitivity.ts"
export type { Neighbours, PrivacyUnit } from "./privacy/unit.ts"
export { bernoulli, bernoulliExp, fillBernoulliBits } from "./random/bernoulli.ts"
export type { RandomBits } from "./random/random-bits.ts"
export { systemBits } from "./random/system-bits.ts"
export { shuffled, shuffledIndices, uniformBelow, uniformBelowBig } from "./random/uniform.ts"
