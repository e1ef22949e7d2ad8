// Advice on a loss as people read it: what to take, who needs and who allows how much, and what others took.

import { numberUp, showParameter } from "@dosimeter/core"
import { publishedDeployments, type Advice, type AskedOf, type NoisePlan } from "@dosimeter/core/meaning"
import { pad, wrap } from "./layout.ts"
import { costNumber, shortNumber } from "./numbers.ts"

/** The advice with its paragraph for a board. */
export function showAdvice(advice: Advice, paragraph: string): string {
  const { plan, other, optimum, unit } = advice
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
    ...(optimum === undefined
      ? []
      : [
          `cheapest  epsilon ${showParameter(optimum.epsilon)} with Laplace noise: error ` +
            `${shortNumber(optimum.errorPart)} + privacy ${shortNumber(optimum.privacyPart)} at your prices`,
        ]),
    "",
    ...bandLines(plan),
    "",
    `${nameOf(other)} noise instead: ${other.kind === "range" ? "meets every wish" : "does not meet every wish"}, ` +
      `epsilon ${showParameter(other.epsilon)}, standard deviation ${shortNumber(other.error.standardDeviation)}`,
    "",
    "for the board",
    wrap(`  ${paragraph}`, 98, "  "),
    "",
    "what others have published (compare the unit before the number)",
    ...publishedDeployments.map(
      ({ name, by, unit: hidden, epsilon, delta, model }) =>
        `  ${pad(`${epsilon}`, 5, "right")}  ${pad(hidden, 10, "left")}  ${by}: ${name}` +
        ` (${model}${delta === undefined ? "" : `, delta ${delta}`})`,
    ),
    `  sources: ${[...new Set(publishedDeployments.map(({ source }) => source))].join(" ")}`,
  ]
  return `${lines.join("\n")}\n`
}

const columns = 40

/** One line a wish on a logarithmic axis: from its epsilon on, or up to it. */
function bandLines({ asked, noise }: NoisePlan): readonly string[] {
  const ends = asked.map(({ epsilon }) => Math.log(numberUp(epsilon)))
  const [low, high] = [Math.min(...ends) - 1, Math.max(...ends) + 1]
  const placeOf = ({ epsilon }: AskedOf): number =>
    Math.round(((Math.log(numberUp(epsilon)) - low) / (high - low)) * columns)
  const rows = asked.map((one) => {
    const place = placeOf(one)
    const isNeed = one.side === "accuracy"
    const line = isNeed
      ? `${" ".repeat(place)}${"#".repeat(columns - place)}`
      : `${"#".repeat(place)}${" ".repeat(columns - place)}`
    return `  |${line}|  ${isNeed ? "needs" : "allows"} ${showParameter(one.epsilon)}  ${one.requirement.kind}`
  })
  return [
    `who needs and who allows how much, ${noise === "laplace" ? "Laplace" : "Gaussian"} noise:`,
    ...rows,
  ]
}

function nameOf({ noise }: NoisePlan): string {
  return noise === "laplace" ? "Laplace" : "Gaussian"
}

/** The advice as plain data: decimals as texts, so that nothing is rounded. */
export function adviceValue(advice: Advice): object {
  const { plan, other, unit, relativeError, overAllReleases, optimum } = advice
  return {
    format: "dosimeter-advice/1",
    unit,
    plan: planValue(plan),
    other: planValue(other),
    relativeError,
    overAllReleases: showParameter(overAllReleases),
    ...(optimum === undefined
      ? {}
      : { optimum: { epsilon: showParameter(optimum.epsilon), total: optimum.total } }),
    published: publishedDeployments,
  }
}

function planValue(plan: NoisePlan): object {
  const { noise, kind, asked, epsilon, delta, perRelease, error, releasesThatFit } = plan
  return {
    noise,
    kind,
    epsilon: showParameter(epsilon),
    delta: showParameter(delta),
    [noise === "laplace" ? "epsilonPerRelease" : "rhoPerRelease"]: numberUp(perRelease),
    standardDeviation: error.standardDeviation,
    halfWidth: Number(error.halfWidth),
    asked: asked.map(({ side, requirement, epsilon: at }) => ({
      side,
      kind: requirement.kind,
      epsilon: showParameter(at),
    })),
    ...(releasesThatFit === undefined ? {} : { releasesThatFit: Number(releasesThatFit) }),
  }
}
