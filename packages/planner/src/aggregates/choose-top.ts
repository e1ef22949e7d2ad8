// The k largest groups: chosen first, so that only their numbers are paid for; or the noise of all groups put
// in order, where that is no worse. Choosing costs a part of the loss for itself, and its noise grows with k;
// the noise of all groups grows with the groups per unit.

import { divide, numberUp, one, rational, subtract, type Rational } from "@dosimeter/core/exact"
import {
  errorOf,
  topK,
  topKeys,
  type Neighbours,
  type TopKeysSpec,
  type TopKSpec,
} from "@dosimeter/core/mechanisms"
import { choiceError } from "@dosimeter/answers/measurements/reading-noise"
import type { Reading } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { halfShown } from "../keys/choose-keys.ts"
import { keyCountError, linearHalfWidth, linearStep } from "./errors/reading-errors.ts"
import { epsilonOfDraws, type Allowance } from "../loss/share-out.ts"

export type { TopGroups } from "../keys/find-top.ts"

/** What is chosen by. */
export interface TopBounds {
  readonly k: bigint
  /** The most that one unit adds to the score of a group. */
  readonly upper: bigint
  readonly groupsPerUnit: bigint
  /** How many groups there are, if that is public. */
  readonly groupsInAll: bigint | undefined
  readonly neighbours: Neighbours
}

/** The choice of the k largest groups at this loss. */
export function chooseTop(bounds: TopBounds, allowance: Allowance, amount: Rational): TopKSpec | TopKeysSpec {
  const { k, upper: sensitivity, groupsPerUnit, groupsInAll, neighbours } = bounds
  const epsilon = epsilonOfDraws(allowance, amount, k)
  if (groupsInAll === undefined) {
    return topKeys({ k, epsilon, delta: allowance.deltaForKeys, sensitivity, groupsPerUnit, neighbours })
  }
  const scores = neighbours === "replace" ? "any" : "monotone"
  return topK({ k, epsilon, sensitivity, scores, candidates: groupsInAll })
}

/** The assumed number of groups where the true number is private. */
const groupsSupposed = 1000n

/**
 * Whether choosing first is better: no number that is shown has more noise than if all groups had been
 * measured, and what was chosen is no farther below the best; where keys come from the data, no group is
 * hidden that would have been shown and told from an empty one. All by the errors that the mechanisms state
 * before anything is read.
 */
export function isTopBetter(top: Release, plain: Release, confidence: Rational): boolean {
  if (top.keys.kind !== "top") return false
  const { spec, lists, reading } = top.keys
  const groups = lists === undefined ? groupsSupposed : groupsOf(lists)
  const miss = subtract(one, confidence)
  const noises = top.readings.map((one) => halfWidthOf(one, top, confidence))
  const others = plain.readings.map((one) => halfWidthOf(one, plain, confidence))
  if (noises.some((width, index) => width > (others[index] ?? 0))) return false
  const each = subtract(one, divide(miss, rational(groups)))
  const fallback = plain.readings[reading]
  // The best may have been lowered and another one raised.
  const misplaced = fallback === undefined ? 0 : 2 * halfWidthOf(fallback, plain, each)
  if (shortfallOf(spec, groups, confidence) > misplaced) return false
  if (plain.keys.kind !== "private" || spec.kind !== "top-keys") return true
  const { shownFrom } = errorOf(spec, rational(1n, 2n))
  return Number(shownFrom) <= Math.max(misplaced, Number(halfShown(plain.keys.spec)))
}

/** How far the score of what was chosen may be below the best, with this confidence. */
export function shortfallOf(spec: TopKSpec | TopKeysSpec, groups: bigint, confidence: Rational): number {
  if (spec.kind === "top-k") return Number(errorOf(spec, confidence).shortfall)
  const { k, epsilonPerChoice, sensitivity, neighbours } = spec
  const epsilon = divide(epsilonPerChoice, divide(one, rational(k)))
  const scores = neighbours === "replace" ? "any" : "monotone"
  const candidates = groups > k ? groups + 1n : k + 1n
  return Number(errorOf(topK({ k, epsilon, sensitivity, scores, candidates }), confidence).shortfall)
}

/** The half width of a number with noise, in steps; 0 for what has none that is known before. */
function halfWidthOf(reading: Reading, release: Release, confidence: Rational): number {
  switch (reading.kind) {
    case "linear": {
      // Groupings are not put in order, and so are never compared with a choice of the largest.
      const source = release.measurements[reading.measurement]
      if (source?.kind !== "linear") return 0
      const { column } = reading
      const width = linearHalfWidth(source, { column, isWhole: false }, confidence)
      return width === undefined ? 0 : numberUp(divide(width, linearStep(source, column)))
    }
    case "key-count":
      return Number(keyCountError(release, confidence)?.halfWidth ?? 0n)
    case "chosen":
      return Number(choiceError(reading, release, confidence) ?? 0n)
    default:
      return reading satisfies never
  }
}

function groupsOf(lists: readonly (readonly unknown[])[]): bigint {
  return lists.reduce((count, list) => count * BigInt(list.length), 1n)
}
