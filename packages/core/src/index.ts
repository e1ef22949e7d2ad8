// The main door, @dosimeter/core: what a stranger starts with. A mechanism, what it costs and how wrong it
// is, an account that adds up costs, and what a loss means. Everything else is behind a door of its own.

export {
  DosimeterError,
  renderError,
  type ErrorKind,
  type Issue,
  type Span,
} from "./errors/dosimeter-error.ts"
export type { LossEvent, Planned } from "./accounting/event.ts"
export {
  budgetFor,
  chargesLeft,
  odometerOf,
  openFilter,
  takeCharge,
  type Accounting,
  type Budget,
  type FilterState,
} from "./accounting/filter.ts"
export { whatIf, type AccountantName, type Total } from "./accounting/what-if.ts"
export { exactly, showParameter, type Numeric } from "./exact/decimal.ts"
export { numberUp } from "./exact/dyadic.ts"
export { rational, type Rational } from "./exact/rational.ts"
export {
  chooseEpsilon,
  type EpsilonBound,
  type EpsilonConflict,
  type EpsilonRange,
} from "./meaning/choose-epsilon.ts"
export { describeLoss, type DescribeOptions } from "./meaning/describe-loss.ts"
export type { AccuracyRequirement, PrivacyRequirement, Requirement } from "./meaning/requirements.ts"
export { gaussian, releaseGaussian, type GaussianSpec } from "./mechanisms/additive/gaussian.ts"
export { laplace, laplaceWithin, releaseLaplace, type LaplaceSpec } from "./mechanisms/additive/laplace.ts"
export { eventsOf } from "./mechanisms/events-of.ts"
export { errorOf, lossIn, lossOf, type MechanismSpec } from "./mechanisms/mechanism.ts"
export type { AdditiveError, MechanismError } from "./mechanisms/shared/error.ts"
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
  boundedSensitivity,
  countSensitivity,
  joinSensitivities,
  type ContributionBounds,
  type Sensitivity,
} from "./privacy/sensitivity.ts"
export type { Neighbours, PrivacyUnit } from "./privacy/unit.ts"
export type { RandomBits } from "./random/random-bits.ts"
export { systemBits } from "./random/system-bits.ts"
