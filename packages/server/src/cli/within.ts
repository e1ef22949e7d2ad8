// The smallest epsilon that gives a wanted error. Only the planner is asked, which reads no data and is free.

import {
  compare,
  errorOf as mechanismErrorOf,
  gaussianOfVariance,
  laplaceOfScale,
  countSensitivity,
  maximum,
  multiply,
  numberUp,
  rational,
  rationalOfNumber,
  showParameter,
  zero,
  type Rational,
} from "@dosimeter/core"
import type { AnswerTable, Engine, Explained, QuestionOptions } from "@dosimeter/engine"
import type { Release, VerifiedPlan } from "@dosimeter/sql"
import { fail } from "../errors.ts"
import { shortNumber } from "./numbers.ts"

/** The least epsilon of two or three digits whose answer is within the error, at the policy's confidence. */
export async function epsilonWithin(
  sql: string,
  within: Rational,
  { engine, options }: { readonly engine: Engine; readonly options: QuestionOptions },
): Promise<Rational> {
  const { epsilonMax } = engine.policy.terms.question
  const errorAt = async (epsilon: Rational): Promise<Rational> =>
    halfWidthOf(await engine.explain(sql, { ...options, ask: { ...options.ask, epsilon } }))
  const best = await errorAt(epsilonMax)
  if (compare(best, within) > 0) {
    fail("cli/within-unreachable", {
      within: showParameter(within),
      reachable: shortNumber(numberUp(best)).replaceAll(",", ""),
      epsilon: showParameter(epsilonMax),
    })
  }
  let enough = epsilonMax
  for (const step of [10n, 2n]) {
    // First by tens, then by halves, while it is still enough.
    for (let tries = 0; tries < 12; tries += 1) {
      const less = multiply(enough, rational(1n, step))
      if (compare(await errorAt(less), within) > 0) break
      enough = less
    }
  }
  return refine(enough, async (epsilon) => compare(await errorAt(epsilon), within) <= 0)
}

/**
 * The same for a share of the answer, in two stages: a tenth of what a question may cost tells about how
 * large the answer is, and is charged; then the least epsilon for that share of the nearer end of its
 * interval.
 */
export async function epsilonWithinShare(
  sql: string,
  share: Rational,
  { engine, options }: { readonly engine: Engine; readonly options: QuestionOptions },
): Promise<Rational> {
  const epsilon = multiply(engine.policy.terms.question.epsilonMax, rational(1n, 10n))
  const first = { ...options, ask: { ...options.ask, epsilon } }
  // Whatever can be refused is refused before it costs anything.
  const explained = await engine.explain(sql, first)
  halfWidthOf(explained)
  if (explained.columns.some(({ kind }) => kind === "key")) fail("cli/within-share", {})
  const { answer } = await engine.ask(sql, first)
  const { rows } = JSON.parse(answer) as AnswerTable
  const sizes = rows
    .flat()
    .flatMap(({ low, high }) =>
      typeof low === "number" && typeof high === "number" ? [Math.max(low, -high)] : [],
    )
  const size = Math.min(...sizes)
  if (!(size > 0) || !Number.isFinite(size)) {
    fail("cli/within-small", { epsilon: showParameter(epsilon) })
  }
  return epsilonWithin(sql, multiply(share, rationalOfNumber(size)), { engine, options })
}

/** From an epsilon that is enough while its half is not, to the least of few digits that is. */
async function refine(
  enough: Rational,
  isEnough: (epsilon: Rational) => Promise<boolean>,
): Promise<Rational> {
  const top = numberUp(enough)
  const unit = 10 ** (Math.floor(Math.log10(top)) - 2)
  let low = Math.floor(top / 2 / unit)
  let high = Math.ceil(top / unit)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await isEnough(decimalOf(middle, unit))) high = middle
    else low = middle
  }
  const found = decimalOf(high, unit)
  return compare(found, enough) <= 0 ? found : enough
}

function decimalOf(count: number, unit: number): Rational {
  return multiply(rational(BigInt(count)), rationalOfUnit(unit))
}

/** A power of ten, exactly. */
function rationalOfUnit(unit: number): Rational {
  const power = Math.round(Math.log10(unit))
  return power >= 0 ? rational(10n ** BigInt(power)) : rational(1n, 10n ** BigInt(-power))
}

/** The largest half width among the answer's numbers; refused if one has none that is known before. */
function halfWidthOf({ plan, columns }: Explained): Rational {
  for (const { name, kind, mechanism = "" } of columns) {
    const known = kind === "key" || (kind === "noisy" && /laplace|gaussian/.test(mechanism))
    if (!known) fail("cli/within-unknown", { column: name })
  }
  return plan.releases.map((release) => widthOfRelease(release, plan)).reduce(maximum, zero)
}

function widthOfRelease({ measures, keys }: Release, { confidence }: VerifiedPlan): Rational {
  const widths = measures.map((measure): Rational => {
    if (measure.kind === "additive") {
      const { halfWidth } = mechanismErrorOf(measure.spec, confidence)
      return multiply(rational(halfWidth), measure.grid)
    }
    if (measure.kind !== "key-count" || keys.kind !== "private") return zero
    // The counts that come with the keys have the noise of the selection.
    const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
    const { spec } = keys
    if (spec.kind === "keys-optimal") return zero
    const noise =
      spec.kind === "keys-laplace"
        ? laplaceOfScale({ sensitivity, scale: spec.scale })
        : gaussianOfVariance({ sensitivity, variance: spec.variance })
    return rational(mechanismErrorOf(noise, confidence).halfWidth)
  })
  return widths.reduce(maximum, zero)
}
