// From what people require to an epsilon: the range that satisfies everybody, or the two requirements that
// cannot both be met and what would reconcile them.

import type { DosimeterError } from "../errors/dosimeter-error.ts"
import { errorOf, fail } from "../errors/errors.ts"
import { showParameter, type Numeric } from "../exact/decimal.ts"
import { compare, rational, type Rational } from "../exact/rational.ts"
import { laplace, type LaplaceSpec } from "../mechanisms/additive/laplace.ts"
import { l1Of, type Sensitivity } from "../privacy/sensitivity.ts"
import type { SolveFor } from "./laplace-law.ts"
import { greatestEpsilon, leastEpsilon } from "./requirement-epsilon.ts"
import { describeInstead, showDemand } from "./requirement-words.ts"
import { isAccuracy, practical, readRequirement, type Requirement } from "./requirements.ts"

/** A requirement and the epsilon at which it is just met. */
export interface EpsilonBound {
  readonly epsilon: Rational
  readonly requirement: Requirement<Rational>
}

/** Every requirement is met from `least` to `most`; where nobody set an end it is undefined. */
export interface EpsilonRange {
  readonly kind: "range"
  readonly least: EpsilonBound | undefined
  readonly most: EpsilonBound | undefined
  /** The least that satisfies the analysts; where none asked, the most that the boards allow. */
  readonly chosen: Rational
  readonly spec: LaplaceSpec
}

/** Two requirements that no epsilon meets together. */
export interface EpsilonConflict {
  readonly kind: "conflict"
  /** The analyst's requirement that takes the most. */
  readonly needs: EpsilonBound
  /** The board's requirement that allows the least. */
  readonly allows: EpsilonBound
  /** Both requirements with their epsilons, and the two ways to reconcile them. */
  readonly message: string
  /** The last part of the message: what to accept, or what to allow. */
  readonly remedy: string
}

/** Significant digits of an epsilon to show, and of one to tell a narrow range from a conflict. */
const shortDigits = 4
const longDigits = 12

/** The least epsilon at which the Laplace mechanism is within ±within with at least this confidence. */
export function epsilonFor(options: {
  readonly within: Numeric
  readonly confidence: Numeric
  readonly sensitivity: Sensitivity
}): { readonly epsilon: Rational; readonly spec: LaplaceSpec } {
  const { sensitivity, ...demand } = options
  const requirement = readRequirement({ kind: "within", ...demand })
  const { epsilon } = boundOf(requirement, { l1: practicalL1(sensitivity), digits: shortDigits })
  return { epsilon, spec: laplace({ sensitivity, epsilon }) }
}

/** The epsilons of the Laplace mechanism that meet every requirement, or the conflict between two of them. */
export function chooseEpsilon(options: {
  readonly sensitivity: Sensitivity
  readonly requirements: readonly Requirement[]
}): EpsilonRange | EpsilonConflict {
  const { sensitivity } = options
  const requirements = options.requirements.map(readRequirement)
  const l1 = practicalL1(sensitivity)
  const short = endsOf(requirements, { l1, digits: shortDigits })
  const long = isConflict(short) ? endsOf(requirements, { l1, digits: longDigits }) : short
  if (isConflict(short) && isConflict(long)) return conflictOf(short, l1)
  const { least, most } = long
  const chosen = (least ?? most)?.epsilon ?? fail("parameter/empty", { name: "requirements" })
  return { kind: "range", least, most, chosen, spec: laplace({ sensitivity, epsilon: chosen }) }
}

/** A conflict as an error, for callers that cannot go on without an epsilon. */
export function conflictError(conflict: EpsilonConflict): DosimeterError {
  const { needs, allows, remedy } = conflict
  return errorOf("privacy/requirements-conflict", {
    needs: showDemand(needs.requirement, needs.epsilon),
    allows: showDemand(allows.requirement, allows.epsilon),
    remedy,
  })
}

interface Ends {
  readonly least: EpsilonBound | undefined
  readonly most: EpsilonBound | undefined
}

function endsOf(requirements: readonly Requirement<Rational>[], solve: SolveFor): Ends {
  const bounds = requirements.map((requirement) => boundOf(requirement, solve))
  const extreme = (of: readonly EpsilonBound[], sign: 1 | -1): EpsilonBound | undefined =>
    of.toSorted((a, b) => sign * compare(b.epsilon, a.epsilon))[0]
  return {
    least: extreme(
      bounds.filter(({ requirement }) => isAccuracy(requirement)),
      1,
    ),
    most: extreme(
      bounds.filter(({ requirement }) => !isAccuracy(requirement)),
      -1,
    ),
  }
}

function boundOf(requirement: Requirement<Rational>, solve: SolveFor): EpsilonBound {
  const epsilon = isAccuracy(requirement)
    ? leastEpsilon(requirement, solve)
    : greatestEpsilon(requirement, solve)
  return { epsilon, requirement }
}

interface Crossing {
  readonly least: EpsilonBound
  readonly most: EpsilonBound
}

function isConflict(ends: Ends): ends is Crossing {
  const { least, most } = ends
  return least !== undefined && most !== undefined && compare(least.epsilon, most.epsilon) > 0
}

function conflictOf({ least: needs, most: allows }: Crossing, l1: bigint): EpsilonConflict {
  const accept = describeInstead(needs.requirement, { epsilon: allows.epsilon, l1 })
  const allow = describeInstead(allows.requirement, { epsilon: needs.epsilon, l1 })
  const remedy =
    `accept ${accept}, which epsilon ${showParameter(allows.epsilon)} gives; or allow ${allow}; ` +
    `or ask a question with a smaller sensitivity`
  const demands = [needs, allows].map(({ requirement, epsilon }) => showDemand(requirement, epsilon))
  return {
    kind: "conflict",
    needs,
    allows,
    message: `no epsilon meets both: ${demands.join("; but ")}. To resolve this, ${remedy}.`,
    remedy,
  }
}

function practicalL1(sensitivity: Sensitivity): bigint {
  const l1 = l1Of(sensitivity)
  practical(rational(l1), "the sensitivity")
  return l1
}
