// What a loss means: @dosimeter/core/meaning. Odds, attackers, conversions between measures, and the choice
// of an epsilon.

export {
  adviseEpsilon,
  type Advice,
  type AdviceQuestion,
  type AdviceReason,
  type AdvisedUnit,
} from "./advice.ts"
export { boardFacts, type BoardConflict, type BoardFacts } from "./board-facts.ts"
export { boardParagraph, waysOut } from "./advice-words.ts"
export { balancedAccuracy, membershipAdvantage, truePositiveRate } from "./attacker.ts"
export { bestEpsilon, type BestEpsilon, type PrivacyCost } from "./best-epsilon.ts"
export {
  chooseEpsilon,
  conflictError,
  epsilonFor,
  type EpsilonBound,
  type EpsilonConflict,
  type EpsilonRange,
} from "./choose-epsilon.ts"
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
} from "./conversions.ts"
export { deltaAt } from "./delta-curve.ts"
export type { NoisePlan } from "./noise-plans.ts"
export type { AskedOf, RelaxedWish, Relief } from "./reliefs.ts"
export { publishedDeployments, type PublishedDeployment } from "./deployments.ts"
export { describeLoss, type DescribeOptions } from "./describe-loss.ts"
export { describeRelaxed, describeRequirement } from "./requirement-words.ts"
export { groupFactor, posteriorBounds, type BeliefBounds, type BeliefQuestion } from "./odds.ts"
export type {
  AccuracyRequirement,
  AdvantageAtMost,
  DeviationAtMost,
  EpsilonAtMost,
  IntervalAtMost,
  MeanErrorAtMost,
  MeanNoiseAtLeast,
  NoiseExceeds,
  OddsAtMost,
  PosteriorAtMost,
  PrivacyRequirement,
  Requirement,
  Within,
} from "./requirements.ts"
