// The collector's side of the local model: @dosimeter/core/collect. Counters from reports, estimates from
// counters, and what a study will be worth before it begins.

export {
  chooseProtocol,
  describeChoice,
  type Domain,
  type ProtocolChoice,
  type RankedProtocol,
  type StudyPlan,
  type Trust,
} from "./choose-protocol.ts"
export { countersFor, tallyLength, type Counters, type CountingOptions, type Tally } from "./counters.ts"
export {
  estimateFrequencies,
  standingCounts,
  type FrequencyEstimates,
  type ShareEstimate,
} from "./frequencies.ts"
export {
  estimateKeyValues,
  estimateMean,
  readingVariance,
  type KeyEstimate,
  type MeanEstimate,
} from "./means.ts"
export { frequencyVariance, predictError, unitVariance, type Prediction } from "./predict.ts"
export { estimateRanges, type RangeEstimates, type RangeShare } from "./ranges.ts"
export { robustnessOf, type Robustness } from "./robustness.ts"
export { shuffledLoss, type Crowd, type ShuffledLoss } from "./shuffle.ts"
export { findWords, keepLikely, type WordEstimate, type WordOptions } from "./words.ts"
