// Ranges, quantiles and the whole distribution of an ordered value: the levels of a tree, reconciled.

import { fail } from "../errors/errors.ts"
import type { RangeProtocol } from "../local/range.ts"
import { openUnit } from "../post/estimates/check.ts"
import type { Estimate } from "../post/estimates/estimate.ts"
import { normalUpper } from "../post/estimates/normal-quantile.ts"
import { reconcileTree } from "../post/consistency/reconcile-tree.ts"
import { at } from "../post/estimates/vector.ts"
import type { Tally } from "./counters.ts"
import { estimateFrequencies } from "./frequencies.ts"

/** A share with its interval. */
export interface RangeShare {
  readonly share: number
  readonly variance: number
  readonly lower: number
  readonly upper: number
}

/** What can be asked of an ordered value. */
export interface RangeEstimates {
  readonly reports: number
  /** The share of each place; they add up to one, and may be negative. */
  readonly places: readonly number[]
  /** The share of people from place `from` up to and with place `to`. */
  readonly range: (from: number, to: number) => RangeShare
  /** The first place at which the share of people up to and with it reaches `fraction`. */
  readonly quantile: (fraction: number) => number
}

/**
 * Estimates ranges from the counters of each level.
 *
 * Every level is an unbiased estimate of its nodes, from other people than the other levels. The root is one,
 * exactly, and each node becomes the sum of its children by least squares (reconcileTree). Estimates of one
 * level share noise a little, which the reconciliation leaves out of account: they stay unbiased. The
 * variance of a range adds up those of its nodes, which leaves out what they share as well; intervals are
 * normal and approximate.
 */
export function estimateRanges(
  range: RangeProtocol,
  tallies: readonly Tally[],
  { confidence }: { readonly confidence: number },
): RangeEstimates {
  const width = normalUpper((1 - openUnit(confidence, "confidence")) / 2)
  const nodes = measuredNodes(range, tallies)
  const reconciled = reconcileTree(nodes)
  const first = levelStarts(range)
  const node = (level: number, index: number): Estimate =>
    reconciled[at(first, level) + index] ?? fail("bug/invariant", { what: "a node of the tree is there" })
  const last = range.spans.length - 1
  const places = Array.from({ length: range.places }, (_, place) => node(last, place).value)
  return {
    reports: tallies.reduce((sum, { reports }) => sum + reports, 0),
    places,
    range: (from, to) => {
      if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to < range.places)) {
        fail("parameter/out-of-range", {
          name: "the range",
          got: `${from} to ${to}`,
          range: `0 to ${range.places - 1}`,
        })
      }
      const share = places.slice(from, to + 1).reduce((sum, value) => sum + value, 0)
      const variance = coverOf(range, from, to)
        .map(({ level, index }) => node(level, index).variance)
        .reduce((sum, value) => sum + value, 0)
      const reach = width * Math.sqrt(variance)
      return {
        share,
        variance,
        lower: Math.max(0, Math.min(1, share - reach)),
        upper: Math.min(1, Math.max(0, share + reach)),
      }
    },
    quantile: (fraction) => {
      openUnit(fraction, "fraction")
      let sum = 0
      // The running share may dip where noise is negative; the highest so far is what counts.
      for (const [place, value] of places.entries()) {
        sum += value
        if (sum >= fraction) return place
      }
      return range.places - 1
    },
  }
}

/** The fewest nodes whose places are exactly those from `from` to `to`. */
export function coverOf(
  range: RangeProtocol,
  from: number,
  to: number,
): readonly { readonly level: number; readonly index: number }[] {
  const nodes: { readonly level: number; readonly index: number }[] = []
  for (let place = from; place <= to;) {
    const level = range.spans.findIndex((span) => {
      const end = Math.min(place + span, range.places)
      return place % span === 0 && end <= to + 1
    })
    const span = at(range.spans, level)
    nodes.push({ level, index: place / span })
    place += span
  }
  return nodes
}

function measuredNodes(
  range: RangeProtocol,
  tallies: readonly Tally[],
): { readonly parents: readonly number[]; readonly nodes: readonly Estimate[] } {
  const parents = [-1]
  const nodes: Estimate[] = [{ value: 1, variance: 0, law: "gaussian" }]
  const starts = levelStarts(range)
  for (const [level, protocol] of range.protocol.parts.entries()) {
    const tally = tallies[level]
    if (tally === undefined || !(tally.reports > 0)) return fail("parameter/empty", { name: "reports" })
    const { raw } = estimateFrequencies(protocol, tally, { confidence: 0.95 })
    const span = at(range.spans, level)
    for (const [index, { share, variance }] of raw.entries()) {
      const above =
        level === 0 ? 0 : at(starts, level - 1) + Math.floor((index * span) / at(range.spans, level - 1))
      parents.push(above)
      nodes.push({ value: share, variance, law: "other" })
    }
  }
  return { parents, nodes }
}

/** Where each level begins among the nodes; node 0 is the root. */
function levelStarts(range: RangeProtocol): readonly number[] {
  let next = 1
  return range.spans.map((span) => {
    const start = next
    next += Math.ceil(range.places / span)
    return start
  })
}
