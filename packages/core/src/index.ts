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
export type { LossLaw, LossPair } from "./accounting/loss-law.ts"
export { showShare, usedOf, type Used } from "./accounting/meter.ts"
export { optimalToDelta, optimalToEpsilon, type RepeatedLoss } from "./accounting/optimal-composition.ts"
export { PldAccount, type Bounds, type CountedPair, type PldBatch } from "./accounting/pld.ts"
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
export { exactly, parseDecimal, showParameter, type Numeric } from "./exact/decimal.ts"
export {
  numberDown,
  numberNear,
  numberNearest,
  numberUp,
  rationalOfNumber,
  roundDown,
  roundUp,
} from "./exact/dyadic.ts"
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
} from "./mechanisms/above-threshold.ts"
export type {
  AdditiveError,
  ChoiceError,
  KeyError,
  MechanismError,
  RankError,
  ReportError,
  TotalError,
} from "./mechanisms/error.ts"
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
} from "./mechanisms/gaussian.ts"
export {
  gaussianKeys,
  gaussianKeysOfVariance,
  laplaceKeys,
  optimalKeys,
  releaseKeys,
  type KeyOptions,
  type KeySpec,
  type ShownKey,
} from "./mechanisms/key-selection.ts"
export {
  laplace,
  laplaceOfScale,
  laplaceWithin,
  releaseLaplace,
  type LaplaceSpec,
} from "./mechanisms/laplace.ts"
export {
  marginError,
  marginPartVariances,
  margins,
  marginVariance,
  releaseMargins,
  type MarginPart,
  type MarginsSpec,
  type WantedMargin,
} from "./mechanisms/margins.ts"
export { errorOf, lossIn, lossOf, type MechanismSpec } from "./mechanisms/mechanism.ts"
export {
  releaseTree,
  tree,
  treeDrawVariances,
  treeNodeError,
  treeVariances,
  type TreeOptions,
  type TreeSpec,
} from "./mechanisms/tree.ts"
export {
  bestShares,
  plainShares,
  sumVariance,
  type LevelShares,
  type SharesOptions,
} from "./mechanisms/tree-shares.ts"
export {
  endShift,
  quantiles,
  quantilesOfRho,
  releaseQuantiles,
  type QuantileEnds,
  type QuantilesSpec,
} from "./mechanisms/quantile.ts"
export { distinctPlaces, drawsOf, rankVariances, type QuantileTree } from "./mechanisms/quantile-tree.ts"
export {
  countedEnds,
  releaseCountedEnds,
  type CountedEnds,
  type CountedHistogram,
  type CountedInterval,
  type CountedSpend,
} from "./mechanisms/counted-ends.ts"
export type { RowsNoise } from "./mechanisms/proven-ends.ts"
export {
  hasEnds,
  releaseQuantileEnds,
  type QuantileInterval,
  type QuantilesWithEnds,
} from "./mechanisms/quantile-ends.ts"
export {
  estimateCounts,
  randomizedResponse,
  randomizedResponseOfTruth,
  releaseRandomizedResponse,
  type RandomizedResponseSpec,
} from "./mechanisms/randomized-response.ts"
export {
  releaseMeasurement,
  releaseRunningTotal,
  runningTotal,
  runningTotalOfRho,
  type RunningTotalSpec,
  type TotalRun,
} from "./mechanisms/running-total.ts"
export {
  releaseSelection,
  releaseTopK,
  selection,
  topK,
  type SelectionMethod,
  type SelectionSpec,
  type TopKSpec,
} from "./mechanisms/selection.ts"
export { releaseTopKeys, topKeys, type TopKeysSpec } from "./mechanisms/top-keys.ts"
export {
  releaseWeightedKeys,
  weightedKeys,
  weightedKeysOfMu,
  type KeyWeight,
  type WeightedKeysSpec,
} from "./mechanisms/weighted-keys.ts"
export {
  changesOf,
  measuredSum,
  spreadOf,
  totalNodes,
  totalReader,
  type TotalForm,
} from "./mechanisms/total-forms.ts"
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
} from "./postprocess/arithmetic.ts"
export {
  gaussianEstimate,
  intervalOf,
  laplaceEstimate,
  publicEstimate,
  type Estimate,
  type Exactness,
  type Interval,
  type NoiseLaw,
} from "./postprocess/estimate.ts"
export { differenceOfRatios, ratioOfRatios } from "./postprocess/compared-ratios.ts"
export { isotonic, type IsotonicOptions } from "./postprocess/isotonic.ts"
export { chiSquareTail, logRankTest, type LogRank } from "./postprocess/log-rank.ts"
export {
  independentNumbers,
  mixedWidth,
  pickNumbers,
  publicNumbers,
  type MixedVariance,
  type NoisyNumbers,
} from "./postprocess/noisy-numbers.ts"
export { sampledRatio, type SampledEstimate, type SamplingLaw } from "./postprocess/sampled-ratio.ts"
export { survivalCurve, type SurvivalPoint } from "./postprocess/survival.ts"
export { weightedRate, type WeightedStrata } from "./postprocess/weighted-rate.ts"
export {
  componentOf,
  covarianceAt,
  jointOf,
  type Covariance,
  type JointEstimate,
} from "./postprocess/joint.ts"
export {
  imposeEqualities,
  leastSquares,
  leastSquaresOf,
  type ConstrainedValues,
  type LinearConstraint,
  type LinearConstraints,
} from "./postprocess/least-squares.ts"
export {
  cellsOfParts,
  marginOfCells,
  marginTermCount,
  marginTerms,
  placeInMargin,
  type PartTerm,
  type PartValues,
} from "./postprocess/margin-cells.ts"
export { marginSums, type SumTerm } from "./postprocess/margin-sums.ts"
export { wholeCells } from "./postprocess/whole-margins.ts"
export { treeRounding, treeTerms, treeValues, wholeTree, type TreeTerm } from "./postprocess/tree-cells.ts"
export { splitsOf, type Split } from "./exact/split-basis.ts"
export {
  leavesBelow,
  levelSizes,
  siblingSplits,
  sumsByLevel,
  type WeightedTree,
} from "./exact/weighted-tree.ts"
export { reconcileMargins, type Marginal } from "./postprocess/margins.ts"
export { mergeEstimates, mergeJoint } from "./postprocess/merge.ts"
export {
  clampAtZero,
  clampEstimate,
  clampingBias,
  cutInterval,
  type ClampedEstimate,
} from "./postprocess/nonnegative.ts"
export { respectChain, respectOrder } from "./postprocess/orderings.ts"
export {
  ratePer,
  ratioOf,
  standardisedRate,
  type Quotient,
  type RatioEstimate,
  type Stratum,
} from "./postprocess/rates.ts"
export {
  roundEstimate,
  roundInterval,
  roundKeepingTotal,
  roundToGrid,
  roundToIntegers,
} from "./postprocess/rounding.ts"
export { selectedInterval, type SelectedCount } from "./postprocess/selected-interval.ts"
export { cutBelowNoise, projectOntoSimplex } from "./postprocess/simplex.ts"
export {
  reconcileNested,
  reconcileTree,
  type ConsistentNode,
  type MeasuredTree,
  type TreeNode,
} from "./postprocess/tree.ts"
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
