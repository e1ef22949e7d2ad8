// Advice on a loss as a paragraph for an ethics board: what is asked, what is promised and what is not, how
// sure that is, and what is left to decide. Every figure is the plan's own, rounded against it.

import { showParameter } from "../exact/decimal.ts"
import type { Advice, AdviceQuestion } from "./advice.ts"
import { boardFacts, type BoardConflict, type BoardFacts } from "./board-facts.ts"
import { describeLoss } from "./describe-loss.ts"
import type { Relief } from "./reliefs.ts"
import { describeRelaxed, describeRequirement, showDemand } from "./requirement-words.ts"

/** The paragraph, in sentences. */
export function boardParagraph(advice: Advice, question: AdviceQuestion): readonly string[] {
  const { plan } = advice
  const facts = boardFacts(advice, question)
  return [
    ...askedSentences(facts),
    ...promiseSentences(facts),
    `Each number is then within ${facts.half} of the exact one in 95 % of cases (standard deviation ` +
      `${facts.deviation}), or ${facts.share} of an average number.`,
    ...describeLoss(plan.loss, plan.noise === "laplace" ? {} : { failure: plan.delta }),
    ...(facts.overAll === undefined
      ? []
      : [
          `Over all ${facts.releases} releases a person who is in each of them loses epsilon ${facts.overAll} in all` +
            `${facts.delta === undefined ? "" : `, at the same delta`}.`,
        ]),
    "This holds whatever else an attacker knows. It does not hide what is true of people in general, and every " +
      "further release about the same people adds to it.",
    ...(facts.conflict === undefined ? [] : conflictSentences(facts.conflict)),
  ]
}

function askedSentences(facts: BoardFacts): readonly string[] {
  const { numbers, releases, isOnce, count, population, numbersPerPerson } = facts
  const what = numbers === "1" ? "one number" : `${numbers} numbers`
  const times = isOnce ? "once" : `${releases} times`
  const asked = `It is asked to publish ${what} ${times}, about ${count} of ${population} people${isOnce ? "" : " each time"}.`
  if (numbers === "1") return [asked]
  const limit = numbersPerPerson === "1" ? "one of these numbers" : `${numbersPerPerson} of these numbers`
  return [
    asked,
    `One person counts in ${limit} at most${isOnce ? "" : ", each time"}; what goes beyond is left out.`,
  ]
}

function promiseSentences(facts: BoardFacts): readonly string[] {
  const { isOnce, releases, unit, isProposed, noise, epsilon, delta } = facts
  const covered = isOnce
    ? "it"
    : unit === "person"
      ? `all ${releases} releases together`
      : "each release by itself"
  return [
    `${isProposed ? "We propose" : "The most that is allowed is"} ${noise === "laplace" ? "Laplace" : "Gaussian"} noise at epsilon ` +
      `${epsilon}${delta === undefined ? "" : `, with a delta of ${delta}`}, which hides what one person adds to ${covered}.`,
  ]
}

function conflictSentences(conflict: BoardConflict): readonly string[] {
  const demands = [conflict.needs, conflict.allows].map(({ requirement, epsilon }) =>
    showDemand(requirement, epsilon),
  )
  return [
    `This does not meet every wish, and no epsilon would: ${demands.join("; but ")}.`,
    `To resolve this, ${waysOut(conflict).join("; or ")}.`,
  ]
}

/** Each way out of a conflict, as what somebody would have to do. Any one of them is enough. */
export function waysOut({ reliefs, releases, canHideLess }: BoardConflict): readonly string[] {
  return [
    ...reliefs.map(reliefWords),
    ...(releases === undefined ? [] : [`publish ${releases} release${releases === "1" ? "" : "s"} at most`]),
    ...(canHideLess ? ["hide a person in each release by itself, which promises less"] : []),
  ]
}

function reliefWords({ side, epsilon, wishes }: Relief): string {
  const verb = side === "accuracy" ? "accept" : "allow"
  const relaxed = wishes.flatMap(({ asked, instead }) =>
    instead === undefined ? [] : [describeRelaxed(asked.requirement, instead)],
  )
  const dropped = wishes.flatMap(({ asked, instead }) =>
    instead === undefined ? [describeRequirement(asked.requirement)] : [],
  )
  const parts = [
    ...(relaxed.length === 0 ? [] : [`${verb} ${relaxed.join(" and ")}`]),
    ...(dropped.length === 0 ? [] : [`do without ${dropped.join(" and ")}`]),
  ]
  return `${parts.join(" and ")} (epsilon ${showParameter(epsilon)})`
}
