// Ranges and quantiles of an ordered value: a tree over its places, of which each person reports one level,
// drawn by chance. A range is then a few nodes instead of many places.

import type { Numeric } from "../exact/decimal.ts"
import type { OneOf } from "./one-of.ts"
import { projectiveProtocol } from "./projective.ts"
import type { FrequencyProtocol } from "./protocol.ts"
import { subsetProtocol } from "./subset.ts"
import { checkCategory, countOf } from "./threshold.ts"

/** Places from 0 to `places` - 1; level l of the tree has its nodes `spans[l]` places wide. */
export interface RangeProtocol {
  readonly places: number
  readonly spans: readonly number[]
  readonly protocol: OneOf<FrequencyProtocol>
}

/** The most places. */
const placesMax = 2 ** 16
/** Up to here reports are sets, which is the most accurate; beyond, points. */
const subsetsUpTo = 1024

/** A protocol for ranges over so many places. Eight children a node is best once levels are reconciled. */
export function rangeProtocol(options: {
  readonly places: Numeric
  readonly epsilon: Numeric
  readonly fanout?: number
}): RangeProtocol {
  const places = countOf(options.places, { name: "places", least: 2, most: placesMax })
  const fanout = countOf(options.fanout ?? 8, { name: "fanout", least: 2, most: places })
  const spans: number[] = []
  for (let span = 1; span < places; span *= fanout) spans.unshift(span)
  const parts = spans.map((span) =>
    frequencyProtocol({ values: Math.ceil(places / span), epsilon: options.epsilon }),
  )
  return { places, spans, protocol: { kind: "one-of", parts } }
}

/** What to encode for a place: its node at every level. */
export function rangeAnswer(range: RangeProtocol, place: number): { readonly answers: readonly number[] } {
  checkCategory(place, range.places)
  return { answers: range.spans.map((span) => Math.floor(place / span)) }
}

/** The most accurate protocol for known values. */
export function frequencyProtocol(options: {
  readonly values: number
  readonly epsilon: Numeric
}): FrequencyProtocol {
  return options.values <= subsetsUpTo ? subsetProtocol(options) : projectiveProtocol(options)
}
