// What a campaign has found: for every question raw estimates with intervals, the shares made to add up, and
// how far fakes could have moved them.

import { estimateFrequencies, estimateMean, robustnessOf, unitVariance } from "@dosimeter/core/collect"
import type { Tally } from "@dosimeter/core/collect"
import type { SingleProtocol } from "@dosimeter/core/local"
import type { Campaign, CampaignQuestion } from "./campaign.ts"

/** The share of one option. */
export interface OptionEstimate {
  readonly option: string
  /** Unbiased; it may be negative. */
  readonly share: number
  readonly lower: number
  readonly upper: number
  /** Not negative, and all of them add up to one. */
  readonly consistent: number
}

/** What is known about a question so far. */
export interface QuestionEstimate {
  readonly name: string
  readonly text: string
  readonly kind: CampaignQuestion["kind"]
  readonly reports: number
  /** Of a choice; empty before there are reports. */
  readonly options: readonly OptionEstimate[]
  /** Of a number; null before there are two reports. */
  readonly mean: { readonly mean: number; readonly lower: number; readonly upper: number } | null
  /** The standard error of a rare option or of the mean, in its units. */
  readonly standardError: number | null
  /** How much the estimates could be too high or too low if one report in a hundred is a fake. */
  readonly ifOnePercentAreFakes: { readonly tooHigh: number; readonly tooLow: number }
}

/** The estimates of all questions. */
export function campaignEstimates(
  campaign: Campaign,
  tallies: readonly Tally[],
  confidence: number,
): readonly QuestionEstimate[] {
  const parts = campaign.protocol.kind === "one-of" ? campaign.protocol.parts : [campaign.protocol]
  return campaign.questions.flatMap((question, index) => {
    const [protocol, tally] = [parts[index], tallies[index]]
    if (protocol === undefined || tally === undefined) return []
    return [questionEstimate(question, { protocol, tally, confidence })]
  })
}

function questionEstimate(
  question: CampaignQuestion,
  of: { readonly protocol: SingleProtocol; readonly tally: Tally; readonly confidence: number },
): QuestionEstimate {
  const { protocol, tally, confidence } = of
  const { reports } = tally
  // A mean of -1 to 1 in the units of the question.
  const unit = question.kind === "number" ? (question.high - question.low) / 2 : 1
  const { up, down } = robustnessOf(protocol, { fakes: 1, people: 100 })
  // A fake also replaces an honest report, which is worth 0 to 1 of a share, -1 to 1 of a mean.
  const [most, least] = [1 / 100, question.kind === "number" ? -1 / 100 : 0]
  const base = {
    name: question.name,
    text: question.text,
    kind: question.kind,
    reports,
    standardError: reports > 0 ? unit * Math.sqrt(unitVariance(protocol) / reports) : null,
    ifOnePercentAreFakes: { tooHigh: unit * (up - least), tooLow: unit * (down + most) },
  }
  if (question.kind === "number") {
    const { low, high } = question
    const isKnown = protocol.kind === "mean" && reports > 1
    const found = isKnown ? estimateMean(protocol, tally, { low, high, confidence }) : undefined
    const mean = found === undefined ? null : { mean: found.mean, lower: found.lower, upper: found.upper }
    return { ...base, options: [], mean }
  }
  if (protocol.kind === "mean" || protocol.kind === "key-value" || reports === 0) {
    return { ...base, options: [], mean: null }
  }
  const { raw, consistent } = estimateFrequencies(protocol, tally, { confidence })
  const options = question.options.flatMap((option, index) => {
    const estimate = raw[index]
    if (estimate === undefined) return []
    const { share, lower, upper } = estimate
    return [{ option, share, lower, upper, consistent: consistent[index] ?? 0 }]
  })
  return { ...base, options, mean: null }
}
