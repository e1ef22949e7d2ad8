// Which pairs of attributes are measured closely: those whose rough tables differ most from what the model
// says so far, beyond what noise does, as long as the model stays of a size that can be fitted. Rough
// tables are released already, so that choosing costs nothing more.

import { junctionTree } from "./junction-tree.ts"

/** A pair, and how far the model is off there. */
export interface Candidate {
  readonly attributes: readonly [number, number]
  /** The sum of absolute differences to the rough table, as a share of all rows, less what noise does. */
  readonly missing: number
  /** Of its close table. */
  readonly cells: number
}

/** What may be chosen. */
export interface PairLimits {
  readonly sizes: readonly number[]
  /** What stands together in the model already. */
  readonly together: readonly (readonly number[])[]
  readonly cellsMax: number
  readonly pairsMax: number
  /** The sum of absolute noise in a table of one cell, as a share of all rows, where one pair is measured. */
  readonly noiseOfOne: number
  /** Whether pairs may close no circle. */
  readonly isTree?: boolean
}

/**
 * The pairs, best first. Where k pairs share a loss the noise of each is sqrt(k) times as large: so many are
 * taken that what they add, less their noise, is most.
 */
export function choosePairs(candidates: readonly Candidate[], limits: PairLimits): readonly Candidate[] {
  const { sizes, together, cellsMax, pairsMax, noiseOfOne, isTree = false } = limits
  const order = candidates
    .filter(({ missing }) => missing > 0)
    .toSorted((a, b) => b.missing - a.missing || a.attributes[0] - b.attributes[0])
  const taken: Candidate[] = []
  for (const one of order) {
    if (taken.length >= pairsMax) break
    const wanted = [...together, ...taken.map(({ attributes }) => attributes), one.attributes]
    const fits = junctionTree(sizes, wanted).cells <= cellsMax
    if (fits && !(isTree && closesCircle(wanted))) taken.push(one)
  }
  const worth = taken.map((_, last) => {
    const noise = noiseOfOne * Math.sqrt(last + 1)
    return taken
      .slice(0, last + 1)
      .reduce((sum, { missing, cells }) => sum + Math.max(0, missing - noise * noiseShare * cells), 0)
  })
  const most = Math.max(0, ...worth)
  return most > 0 ? taken.slice(0, worth.indexOf(most) + 1) : []
}

function closesCircle(pairs: readonly (readonly number[])[]): boolean {
  const parts: Set<number>[] = []
  for (const pair of pairs) {
    const touched = parts.filter((part) => pair.some((one) => part.has(one)))
    if (touched.some((part) => pair.every((one) => part.has(one)))) return true
    for (const part of touched) parts.splice(parts.indexOf(part), 1)
    parts.push(new Set([...pair, ...touched.flatMap((part) => [...part])]))
  }
  return false
}

/** Of those that are not measured closely, the ones that fit into the model with their rough tables. */
export function roughPairs(
  candidates: readonly Candidate[],
  { sizes, together, cellsMax }: Pick<PairLimits, "sizes" | "together" | "cellsMax">,
): readonly (readonly [number, number])[] {
  const taken: (readonly [number, number])[] = []
  for (const { attributes, missing } of candidates.toSorted((a, b) => b.missing - a.missing)) {
    if (missing > 0 && junctionTree(sizes, [...together, ...taken, attributes]).cells <= cellsMax) {
      taken.push(attributes)
    }
  }
  return taken
}

/** How much of the noise of a close table is left in the model: fitted with all others, about a half. */
const noiseShare = 0.5
