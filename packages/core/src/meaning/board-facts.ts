// What a paragraph for an ethics board says, as texts without sentences: the same facts in every language,
// each rounded against the plan.

import { showParameter } from "../exact/decimal.ts"
import { compare, rational } from "../exact/rational.ts"
import type { Advice, AdviceQuestion } from "./advice.ts"
import { balancedAccuracy, truePositiveRate } from "./attacker.ts"
import { posteriorBounds } from "./odds.ts"
import type { AskedOf, Relief } from "./reliefs.ts"
import { percent, percentDown, percentUp, wordsUp } from "./words.ts"

/** The facts. */
export interface BoardFacts {
  readonly numbers: string
  readonly releases: string
  readonly isOnce: boolean
  readonly count: string
  readonly population: string
  readonly numbersPerPerson: string
  /** What one person adds is hidden in all releases together, or in each by itself. */
  readonly unit: Advice["unit"]
  readonly isProposed: boolean
  readonly noise: "laplace" | "gaussian"
  readonly epsilon: string
  readonly delta: string | undefined
  readonly half: string
  readonly deviation: string
  /** The half-width as a share of an average number. */
  readonly share: string
  /** How far beliefs move; undefined where the loss promises nothing worth the name. */
  readonly beliefs: Beliefs | undefined
  readonly right: string
  /** Of the people in the data, found by somebody who accuses 1 % of the others. */
  readonly found: string
  /** The epsilon of who is in all releases, where it is another one. */
  readonly overAll: string | undefined
  readonly conflict: BoardConflict | undefined
}

interface Beliefs {
  /** The chance that is left out of them. */
  readonly chance: string | undefined
  readonly factor: string
  readonly fromOne: string
  readonly fromHalf: readonly [low: string, high: string]
}

/** Why no epsilon meets every wish, and each way out. */
export interface BoardConflict {
  readonly needs: AskedOf
  readonly allows: AskedOf
  readonly reliefs: readonly Relief[]
  /** So many releases meet every wish; undefined where none would. */
  readonly releases: string | undefined
  /** Whether hiding a person in each release by itself would. */
  readonly canHideLess: boolean
}

/** Odds that change by this much or more are as good as unprotected, as in `describeLoss`. */
const uselessFactor = 1_000_000
const onePercent = rational(1n, 100n)

/** The facts of an advice. */
export function boardFacts(advice: Advice, question: AdviceQuestion): BoardFacts {
  const { plan, unit, relativeError, overAllReleases } = advice
  const { noise, loss, epsilon, delta, error } = plan
  const releases = showNumber(question.releases)
  return {
    numbers: showNumber(question.groups),
    releases,
    isOnce: releases === "1",
    count: showNumber(question.count),
    population: showNumber(question.population),
    numbersPerPerson: showNumber(question.groupsPerPerson),
    unit,
    isProposed: plan.kind === "range",
    noise,
    epsilon: showParameter(epsilon),
    delta: noise === "laplace" ? undefined : showParameter(delta),
    half: `${error.halfWidth}`,
    deviation: wordsUp(error.standardDeviation),
    share: percentUp(relativeError),
    beliefs: beliefsOf(advice),
    right: percentUp(balancedAccuracy(loss)),
    found: percentUp(truePositiveRate({ loss, falsePositiveRate: onePercent })),
    overAll: compare(overAllReleases, epsilon) === 0 ? undefined : showParameter(overAllReleases),
    conflict: conflictOf(advice),
  }
}

function beliefsOf({ plan: { noise, loss, delta } }: Advice): Beliefs | undefined {
  const failure = noise === "laplace" ? {} : { failure: delta }
  const rare = posteriorBounds({ loss, prior: onePercent, ...failure })
  const even = posteriorBounds({ loss, prior: rational(1n, 2n), ...failure })
  if (!(rare.oddsFactor < uselessFactor)) return undefined
  return {
    chance: noise === "laplace" ? undefined : percent(delta),
    factor: wordsUp(rare.oddsFactor),
    fromOne: percentUp(rare.upper),
    fromHalf: [percentDown(even.lower), percentUp(even.upper)],
  }
}

function conflictOf({ plan, unit }: Advice): BoardConflict | undefined {
  const { kind, least, most, reliefs, releasesThatFit = 0n } = plan
  if (kind === "range" || least === undefined || most === undefined) return undefined
  const canBeFewer = releasesThatFit > 0n
  return {
    needs: least,
    allows: most,
    reliefs,
    releases: canBeFewer ? releasesThatFit.toLocaleString("en") : undefined,
    canHideLess: canBeFewer && unit === "person",
  }
}

function showNumber(value: AdviceQuestion["count"]): string {
  const text =
    typeof value === "object" ? showParameter(rational(value.numerator, value.denominator)) : `${value}`
  return /^\d+$/.test(text) ? Number(text).toLocaleString("en") : text
}
