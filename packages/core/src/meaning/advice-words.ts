// Advice on a loss as a paragraph for an ethics board: what is asked, what is promised, how sure that is, and
// what is left to decide. Every figure is the plan's own, rounded against it.

import { showParameter } from "../exact/decimal.ts"
import { compare, rational } from "../exact/rational.ts"
import type { Advice, AdviceQuestion } from "./advice.ts"
import type { NoisePlan } from "./noise-plans.ts"
import { describeLoss } from "./describe-loss.ts"
import { showDemand } from "./requirement-words.ts"
import { wordsUp } from "./words.ts"

/** The paragraph, in sentences. */
export function boardParagraph(advice: Advice, question: AdviceQuestion): readonly string[] {
  const { plan, unit, relativeError } = advice
  const { groups, releases, population, count } = question
  const { halfWidth, standardDeviation } = plan.error
  const isOnce = showNumber(releases) === "1"
  const covered = isOnce
    ? "it"
    : unit === "person"
      ? `all ${showNumber(releases)} releases together`
      : "each release by itself"
  const promised = plan.noise === "laplace" ? [] : [`, with a delta of ${showParameter(plan.delta)}`]
  return [
    `It is asked to publish ${counted(groups, "number")} ${isOnce ? "once" : `${showNumber(releases)} times`}, ` +
      `about ${showNumber(count)} of ${showNumber(population)} people${isOnce ? "" : " each time"}.`,
    `${plan.kind === "range" ? "We propose" : "The most that is allowed is"} ${plan.noise === "laplace" ? "Laplace" : "Gaussian"} noise at epsilon ` +
      `${showParameter(plan.epsilon)}${promised.join("")}, which hides what one person adds to ${covered}.`,
    `Each number is then within ${halfWidth} of the exact one in 95 % of cases (standard deviation ` +
      `${wordsUp(standardDeviation)}), or ${wordsUp(100 * relativeError)} % of an average number.`,
    ...describeLoss(plan.loss, plan.noise === "laplace" ? {} : { failure: plan.delta }),
    ...(compare(advice.overAllReleases, plan.epsilon) === 0
      ? []
      : [
          `Over all ${showNumber(releases)} releases a person who is in each of them loses epsilon ` +
            `${showParameter(advice.overAllReleases)} in all.`,
        ]),
    ...conflictSentences(plan),
  ]
}

/** What cannot be met, and what would reconcile it. */
function conflictSentences({ kind, least, most, error, releasesThatFit }: NoisePlan): readonly string[] {
  if (kind === "range" || least === undefined || most === undefined) return []
  const demands = [least, most].map(({ requirement, epsilon }) => showDemand(requirement, epsilon))
  const fewer =
    releasesThatFit === undefined || releasesThatFit === 0n
      ? []
      : [`or publish ${releasesThatFit} release${releasesThatFit === 1n ? "" : "s"} at most`]
  return [
    `This does not meet every wish: ${demands.join("; but ")}.`,
    `To resolve this, accept a standard deviation of ${wordsUp(error.standardDeviation)}, ` +
      `${[...fewer, `or allow epsilon ${showParameter(least.epsilon)}`].join(", ")}.`,
  ]
}

function counted(value: AdviceQuestion["count"], what: string): string {
  const text = showNumber(value)
  return text === "1" ? `one ${what}` : `${text} ${what}s`
}

function showNumber(value: AdviceQuestion["count"]): string {
  const text =
    typeof value === "object" ? showParameter(rational(value.numerator, value.denominator)) : `${value}`
  return /^\d+$/.test(text) ? Number(text).toLocaleString("en") : text
}
