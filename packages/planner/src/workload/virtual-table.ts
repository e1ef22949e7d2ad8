// A planned release as if it were released: its facts and the law of its noise, with zeros for values. Enough
// to say what can be worked out from it, and how well.

import { rational, type Rational } from "@dosimeter/core/exact"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { Candidate } from "@dosimeter/answers/reuse/choose-sources"
import { choiceError, noiseOf } from "@dosimeter/answers/measurements/reading-noise"
import type { NumberNoise } from "@dosimeter/answers/measurements/noise-law"
import type { KeptColumn, KeptTable } from "@dosimeter/answers/reuse/derived-table"
import { keptFacts } from "@dosimeter/answers/reuse/kept-facts"
import type { Meaning } from "@dosimeter/answers/reuse/meaning"

/**
 * The table of a release that is planned; undefined if the noise of a column is not known beforehand, or if
 * it has the largest groups only.
 */
export function virtualTable(
  release: Release,
  meaning: Meaning,
  confidence: Rational,
): KeptTable | undefined {
  const { keys, readings, measurements } = release
  if (keys.kind === "top" || hasGroupings(keys)) return undefined
  // Which keys will be selected is not known: one group stands for all.
  const rows =
    keys.kind === "private" ? [meaning.keys.map(() => ({ kind: "null" }) as const)] : publicRows(keys)
  const columns = readings.map((reading): KeptColumn | undefined => {
    const noise = noiseOf(reading, release)
    if (noise !== undefined) {
      // Counts that come with the keys have the draws of the selection.
      const source = "measurement" in reading ? reading.measurement : measurements.length
      return { kind: "noisy", ...apart(noise, source), values: rows.map(() => zero) }
    }
    const error = choiceError(reading, release, confidence)
    if (error === undefined) return undefined
    const values = rows.map(() => ({ kind: "number", value: zero }) as const)
    return { kind: "chosen", error, values, regions: undefined, event: 0 }
  })
  if (!columns.every((column) => column !== undefined)) return undefined
  return { facts: keptFacts(meaning, release, confidence), keys: rows, columns }
}

/** Planned tables as candidates, each by its place, with draws of their own. */
export function virtualCandidates(tables: readonly (KeptTable | undefined)[]): readonly Candidate[] {
  let next = 0
  return tables.flatMap((table, place): Candidate[] => {
    if (table === undefined) return []
    const first = next
    const rows = table.keys.length
    next += table.columns.length * drawsMax * rows
    return [{ table, charge: BigInt(place), drawOf: (draw, row) => first + draw * rows + row }]
  })
}

/** No column reads as many draws. */
const drawsMax = 8

const zero = rational(0n)

// Measurements have draws of their own; columns that are read from one of them share these.
function apart(noise: NumberNoise, source: number): typeof noise {
  return {
    ...noise,
    terms: noise.terms.map((term, index) => ({ ...term, draw: source * drawsMax + index })),
  }
}
