// Tools for testing mechanisms and samplers: @dosimeter/core/testing. For tests only; nothing here is part of
// the trusted base, and none of its bits may ever become noise.

export { drainAlpha, spendAlpha } from "./alpha-budget.ts"
export { bitSourceOf, type BitSource } from "./bit-source.ts"
export { dyadicToNumber, enumerateBits, type BitTree, type Dyadic } from "./bit-tree.ts"
export { checkPrivacy, expectViolation, type PrivacyCheck, type PrivacyFinding } from "./check-privacy.ts"
export {
  checkSampler,
  checkUniformBits,
  type CheckBits,
  type DrawsMany,
  type DrawsOne,
  type SamplerCheck,
  type SamplerFit,
} from "./check-sampler.ts"
export { clopperPearson, type BinomialBounds } from "./clopper-pearson.ts"
export { dkwThreshold, empiricalDistance, lawDistance } from "./dkw.ts"
export {
  discreteGaussianCdf,
  discreteLaplaceCdf,
  discreteLaplacePmf,
  geometricCdf,
  normalCdf,
  roundedGaussianCdf,
  roundedGaussianPmf,
  type IntegerCdf,
} from "./laws.ts"
export type { Outcome } from "./learn-events.ts"
export { isLongForm, sampleOf } from "./suite/long-form.ts"
export { withoutRandomText } from "./suite/random-text.ts"
export { privacyVerdict, type EventCounts, type PrivacyVerdict } from "./privacy-verdict.ts"
export {
  referenceBernoulli,
  referenceBernoulliExp,
  referenceDiscreteGaussian,
  referenceDiscreteLaplace,
  referenceGeometric,
  referenceRoundedGaussian,
  referenceUniformBelow,
  type Fraction,
} from "./reference-samplers.ts"
export { OutOfBits, replayBits, type ReplayBits } from "./replay-bits.ts"
export { freshSeed, seededBits, type SeededBits } from "./seeded-bits.ts"
export {
  checkRecord,
  numberExpected,
  numberInput,
  parseNumber,
  recordsOf,
  type RecordCheck,
  type Result,
  type Tolerance,
  type VectorRecord,
} from "./vectors.ts"
