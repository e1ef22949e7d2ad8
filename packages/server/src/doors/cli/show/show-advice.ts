// Advice on a loss as people read it: what to take, who needs and who allows how much, and what others took.

import { numberUp, showParameter } from "@dosimeter/core"
import {
  boardFacts,
  describeRequirement,
  membershipAdvantage,
  publishedDeployments,
  waysOut,
  type Advice,
  type AdviceQuestion,
  type AdviceReason,
  type AskedOf,
  type NoisePlan,
  type Relief,
} from "@dosimeter/core/meaning"
import { pad, wrap } from "./layout.ts"
import { costNumber, shortNumber } from "./numbers.ts"

/** The advice with its paragraph for a board. */
export function showAdvice(advice: Advice, question: AdviceQuestion, paragraph: string): string {
  const { plan, unit } = advice
  const hides = unit === "person" ? "a person in all releases together" : "a person in each release by itself"
  const lines = [
    plan.kind === "range" ? "every wish is met" : "no epsilon meets every wish",
    "",
    `epsilon   ${showParameter(plan.epsilon)}`,
    `delta     ${showParameter(plan.delta)}`,
    `unit      ${hides}`,
    `noise     ${nameOf(plan)}, standard deviation ${shortNumber(plan.error.standardDeviation)}, ` +
      `± ${shortNumber(Number(plan.error.halfWidth))} at 95 %`,
    `split     ${plan.noise === "laplace" ? "epsilon" : "rho"} ${costNumber(numberUp(plan.perRelease))} for each release`,
    `attacker  right at most ${shortNumber(rightness(plan))} % of the time about who is in the data; a coin: 50 %`,
    ...optimumLines(advice, question),
    "",
    ...bandLines(plan),
    "",
    ...wayLines(advice, question),
    ...otherLines(advice),
    "",
    "for the board",
    wrap(`  ${paragraph}`, 98, "  "),
    "",
    "what others have published (compare the unit before the number)",
    ...publishedDeployments.map(
      ({ name, by, unit: hidden, epsilon, delta, model, source }) =>
        `  ${pad(`${epsilon}`, 5, "right")}  ${pad(hidden, 15, "left")}  ${by}: ${name}` +
        ` (${model}${delta === undefined ? "" : `, delta ${delta}`})\n` +
        `${" ".repeat(24)}${source}`,
    ),
  ]
  return `${lines.join("\n")}\n`
}

const reasons: Readonly<Record<AdviceReason, string>> = {
  alone: "it alone meets every wish",
  room: "it leaves the tightest limit the most room, or comes nearest to it",
  error: "its error is the smaller one",
  attacker: "an attacker learns less from it",
}

/** The other noise, and why it was not taken. */
function otherLines({ plan, other, reason }: Advice): readonly string[] {
  return [
    `${nameOf(other)} noise instead: ${other.kind === "range" ? "meets every wish" : "does not meet every wish"}, ` +
      `epsilon ${showParameter(other.epsilon)}, standard deviation ${shortNumber(other.error.standardDeviation)}, ` +
      `attacker right at most ${shortNumber(rightness(other))} %`,
    `${nameOf(plan)} noise is taken because ${reasons[reason]}`,
  ]
}

/** In per cent, rounded up. */
function rightness({ loss }: NoisePlan): number {
  return Math.ceil(500 + 500 * membershipAdvantage(loss)) / 10
}

/** The least total cost at the prices that were stated, and whether the wishes allow it. */
function optimumLines({ optimum, plan, other }: Advice, { prices }: AdviceQuestion): readonly string[] {
  if (optimum === undefined || prices === undefined) return []
  const laplace = plan.noise === "laplace" ? plan : other
  const at = numberUp(optimum.epsilon)
  const [from, to] = [laplace.least, laplace.most].map((end) => end && numberUp(end.epsilon))
  const outside =
    from !== undefined && at < from
      ? "; the wishes about error need more"
      : to !== undefined && at > to
        ? "; the wishes about risk allow less"
        : ""
  const of = (value: AdviceQuestion["count"]): string =>
    typeof value === "object" ? showParameter(value) : `${value}`
  return [
    `cheapest  epsilon ${showParameter(optimum.epsilon)} with Laplace noise: error ${shortNumber(optimum.errorPart)} + ` +
      `privacy ${shortNumber(optimum.privacyPart)} = ${shortNumber(optimum.total)}${outside}`,
    `          at ${of(prices.error)} for an error of 1 in one number, and ${of(prices.privacy.price)} for an epsilon of 1`,
  ]
}

const columns = 40

/** One line a wish on a logarithmic axis, from its epsilon on or up to it; under them what they leave. */
function bandLines(plan: NoisePlan): readonly string[] {
  const { asked, least, most, kind } = plan
  const ends = asked.map(({ epsilon }) => Math.log(numberUp(epsilon)))
  const [low, high] = [Math.min(...ends) - 1, Math.max(...ends) + 1]
  const placeOf = ({ epsilon }: AskedOf): number =>
    Math.round(((Math.log(numberUp(epsilon)) - low) / (high - low)) * columns)
  const bar = (from: number, to: number, sign: string): string =>
    `  |${" ".repeat(from)}${sign.repeat(to - from)}${" ".repeat(columns - to)}|  `
  const rows = asked.map((one) => {
    const isNeed = one.side === "accuracy"
    const line = isNeed ? bar(placeOf(one), columns, "#") : bar(0, placeOf(one), "#")
    return `${line}${isNeed ? "needs" : "allows"} ${showParameter(one.epsilon)}: ${describeRequirement(one.requirement)}`
  })
  const [from, to] = [least === undefined ? 0 : placeOf(least), most === undefined ? columns : placeOf(most)]
  // A band of one epsilon, or a gap that is narrower than a sign, is drawn as one.
  const [start, end] = [Math.min(from, to, columns - 1), Math.max(from, to, Math.min(from, to) + 1)]
  return [
    `who needs and who allows how much, ${nameOf(plan)} noise:`,
    ...rows,
    `${bar(start, Math.min(end, columns), kind === "range" ? "=" : ".")}${leftWords(plan)}`,
  ]
}

/** What all wishes leave. */
function leftWords({ kind, least, most }: NoisePlan): string {
  const [from, to] = [least, most].map((end) => (end === undefined ? "" : showParameter(end.epsilon)))
  if (most === undefined) return `left: epsilon ${from} and more; nobody said how much is tolerable`
  if (least === undefined) return `left: up to epsilon ${to}; nobody said which error is tolerable`
  if (kind === "range") return `left: epsilon ${from === to ? from : `${from} to ${to}`}`
  const times = shortNumber(numberUp(least.epsilon) / numberUp(most.epsilon))
  return `nothing is left: ${from} is needed and ${to} allowed, ${times} times less`
}

/** What would resolve a conflict. */
function wayLines(advice: Advice, question: AdviceQuestion): readonly string[] {
  const { conflict } = boardFacts(advice, question)
  if (conflict === undefined) return []
  return [
    "any one of these resolves it",
    ...waysOut(conflict).map((way) => `  - ${wrap(way, 94, "    ")}`),
    "",
  ]
}

function nameOf({ noise }: NoisePlan): string {
  return noise === "laplace" ? "Laplace" : "Gaussian"
}

/** The advice as plain data: decimals as texts, so that nothing is rounded. */
export function adviceValue(advice: Advice): object {
  const { plan, other, reason, unit, relativeError, overAllReleases, optimum } = advice
  return {
    format: "dosimeter-advice/1",
    unit,
    plan: planValue(plan),
    other: planValue(other),
    relativeError,
    reason,
    overAllReleases: showParameter(overAllReleases),
    ...(optimum === undefined
      ? {}
      : {
          optimum: {
            epsilon: showParameter(optimum.epsilon),
            errorPart: optimum.errorPart,
            privacyPart: optimum.privacyPart,
            total: optimum.total,
          },
        }),
    published: publishedDeployments,
  }
}

function planValue(plan: NoisePlan): object {
  const { noise, kind, asked, least, most, epsilon, delta, perRelease, error, reliefs, releasesThatFit } =
    plan
  return {
    noise,
    kind,
    epsilon: showParameter(epsilon),
    delta: showParameter(delta),
    [noise === "laplace" ? "epsilonPerRelease" : "rhoPerRelease"]: numberUp(perRelease),
    standardDeviation: error.standardDeviation,
    halfWidth: Number(error.halfWidth),
    attackerRight: rightness(plan) / 100,
    asked: asked.map(({ side, requirement, epsilon: at }) => ({
      side,
      kind: requirement.kind,
      epsilon: showParameter(at),
    })),
    // What is left: from the first to the second; in a conflict the first is the larger one.
    ...(least === undefined ? {} : { needed: showParameter(least.epsilon) }),
    ...(most === undefined ? {} : { allowed: showParameter(most.epsilon) }),
    ...(reliefs.length === 0 ? {} : { reliefs: reliefs.map(reliefValue) }),
    ...(releasesThatFit === undefined ? {} : { releasesThatFit: Number(releasesThatFit) }),
  }
}

/** One side's way out: each of its wishes that stands in the way, and what it would have to be instead. */
function reliefValue({ side, epsilon, wishes }: Relief): object {
  return {
    side,
    epsilon: showParameter(epsilon),
    wishes: wishes.map(({ asked: { requirement }, instead }) => ({
      kind: requirement.kind,
      asked: describeRequirement(requirement),
      instead: instead === undefined ? null : describeRequirement(instead),
    })),
  }
}
