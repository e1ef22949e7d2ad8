// A planned release as if it were released: its facts and the law of its noise, with zeros for values. Enough
// to say what can be worked out from it, and how well.

import { rational, type Rational } from "@dosimeter/core"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { MeasurePlan, Release } from "@dosimeter/proof/algebra/release-plan"
import { choiceError, noiseOf, type Candidate } from "@dosimeter/answers/reuse/choose-sources"
import type { KeptColumn, KeptNumbers, KeptTable } from "@dosimeter/answers/reuse/derived-table"
import { keptFacts, widthOf } from "@dosimeter/answers/reuse/kept-facts"
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
  const { keys, measures } = release
  if (keys.kind !== "none" && keys.kind !== "public" && keys.kind !== "private") return undefined
  // Which keys will be selected is not known: one group stands for all.
  const rows =
    keys.kind === "private" ? [meaning.keys.map(() => ({ kind: "null" }) as const)] : publicRows(keys)
  const columns = measures.flatMap((measure, index): (KeptColumn | undefined)[] =>
    Array.from({ length: widthOf(measure) }, () => {
      const noise = noiseOf(measure, release)
      if (noise !== undefined) {
        return { kind: "noisy", ...apart(noise, payerOf(measure, index)), values: rows.map(() => zero) }
      }
      const error = choiceError(measure, confidence)
      if (error === undefined) return undefined
      const values = rows.map(() => ({ kind: "number", value: zero }) as const)
      return { kind: "chosen", error, values, regions: undefined, event: 0 }
    }),
  )
  if (!columns.every((column) => column !== undefined)) return undefined
  return { facts: keptFacts(meaning, release, confidence), keys: rows, columns }
}

/** The measure whose draws are read. */
function payerOf(measure: MeasurePlan, index: number): number {
  return measure.kind === "moment-read" || measure.kind === "same" ? measure.measure : index
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

// Measures have draws of their own; columns that are read from one of them share these.
function apart(noise: Pick<KeptNumbers, "terms" | "slack">, payer: number): typeof noise {
  return {
    ...noise,
    terms: noise.terms.map((term, index) => ({ ...term, draw: payer * drawsMax + index })),
  }
}
