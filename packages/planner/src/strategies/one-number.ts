// Keys that come from the data, and COUNT(*): bought apart (keys by the number of units, the count with noise
// of its own), or read from one noisy number, the count itself, which is held against a threshold. Apart
// shows smaller groups; one number has less noise, because all of the loss is in it.

import { rational } from "@dosimeter/core/exact"
import { errorOf } from "@dosimeter/core/mechanisms"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { keyCountError } from "../aggregates/errors/reading-errors.ts"
import { halfShown } from "../keys/choose-keys.ts"
import { partsOfLoss } from "../loss/weigh.ts"
import type { Allowance } from "../loss/share-out.ts"
import type { Draft } from "./draft.ts"
import type { ReleaseDraft } from "./plan-release.ts"

/** The draft that is taken, and what is said of it. */
export interface KeysDraft {
  readonly draft: Draft
  readonly notes: readonly string[]
}

/** What decides between the two. */
export interface KeysWish {
  readonly allowance: Allowance
  /** How much the error of the count matters, beside that of the keys. */
  readonly weight: number
  /** What the question asks for; what is better, if it says nothing. */
  readonly keys: "more" | "counts" | undefined
}

/**
 * Takes the draft that was asked for, or the one in which weight times error, added up over keys and counts,
 * is smaller: each error as a multiple of what all of the loss would give it by itself, as the loss is shared
 * out too (partsOfLoss). The error of keys is the size of a group that is shown half of the time. A group is
 * taken to have one row of each unit, which is cautious about one number: more rows show it sooner. On 1,000
 * codes by Zipf's law what is taken also has the smaller error over all groups, with 0 for those that are not
 * shown (one-number-errors.node.test.ts).
 */
export function countsOrKeys(apart: ReleaseDraft, joined: ReleaseDraft, wish: KeysWish): KeysDraft {
  const { allowance, weight, keys } = wish
  const parts = partsOfLoss(apart.partWeights([weight]), allowance.amount, allowance.accounting)
  const best = sizesOf(apart.finish(allowance, allowance.amount))
  const two = sizesOf(apart.finish(allowance, parts))
  const one = sizesOf(joined.finish(allowance, allowance.amount))
  const cost = ({ shown, noise }: Sizes): number => shown / best.shown + (weight * noise) / best.noise
  const isOne = keys === undefined ? cost(one) <= cost(two) : keys === "counts"
  const [taken, other] = isOne ? [one, two] : [two, one]
  const noise = `${(other.noise / taken.noise).toPrecision(2)} times the noise`
  const size = `${(other.shown / taken.shown).toPrecision(2)} times as many units to be shown`
  const note = `${isOne ? joinedWords : apartWords}, counts would have about ${noise}, and a group would need about ${size}, if each has one row in it`
  return { draft: isOne ? joined : apart, notes: [note] }
}

const joinedWords = "keys and counts come from one noisy number; bought apart (keys: more)"
const apartWords = "keys and counts are bought apart; from one noisy number (keys: counts)"

interface Sizes {
  /** Of a group that is shown half of the time. */
  readonly shown: number
  /** Half the width of the interval of a count at 95 %. */
  readonly noise: number
}

const usual = rational(19n, 20n)

function sizesOf(release: Release): Sizes {
  const { keys, measurements } = release
  const shown = keys.kind === "private" ? Number(halfShown(keys.spec)) : 0
  const [count] = measurements
  const ofKeys = keyCountError(release, usual)?.halfWidth
  if (count?.kind !== "linear" || count.strategy.kind !== "identity") {
    return { shown, noise: Number(ofKeys ?? 0n) }
  }
  return { shown, noise: Number(errorOf(count.strategy.spec, usual).halfWidth) }
}
