// Accounts of loss: @dosimeter/core/accounting. Filters, composition, calibration, and what a planned batch
// loses by each accountant.

export {
  calibrateGaussian,
  calibrateLaplace,
  calibratePureLoss,
  calibrateSampledGaussian,
  type Target,
} from "./calibrate.ts"
export { composeAdvanced, composeBasic, composeParallel, groupLoss, subsampleLoss } from "./compose.ts"
export { optimalToDelta, optimalToEpsilon, type RepeatedLoss } from "./conversions/optimal-composition.ts"
export type { LossLaw, LossPair } from "./distributions/loss-law.ts"
export { PldAccount, type Bounds, type CountedPair, type PldBatch } from "./distributions/pld.ts"
export type { LossEvent, Planned } from "./event.ts"
export {
  amountLimit,
  budgetFor,
  chargeAmount,
  chargesLeft,
  deltaLimit,
  odometerOf,
  openFilter,
  raisedBudget,
  shareForCharges,
  takeCharge,
  usualShareForCharges,
  type Accounting,
  type Budget,
  type FilterState,
} from "./filter.ts"
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
} from "./laws.ts"
export { showShare, usedOf, type Used } from "./meter.ts"
export { addCurves, gridCurve, renyiEpsilonAt, renyiToEpsilon, type RenyiCurve } from "./renyi.ts"
export { accountByPld, howManyFit, totalBy, whatIf, type AccountantName, type Total } from "./what-if.ts"
