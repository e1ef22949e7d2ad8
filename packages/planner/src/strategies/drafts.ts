// Boundaries become drafts of releases: one each, but for those of a family that can be measured together.

import type { Boundary, Rel } from "@dosimeter/proof/algebra/rel"
import { bestDraft } from "./best-draft.ts"
import { boundingOf } from "../extracts/bounding-of.ts"
import type { DraftOptions, PlacedDraft } from "./draft.ts"
import { keyLists } from "../keys/key-lists.ts"
import { aggregateWeights } from "../loss/weigh.ts"
import { marginsDraft } from "./margins-draft.ts"

/** The drafts of some boundaries. */
export function draftsOf(boundaries: readonly Boundary[], options: DraftOptions): readonly PlacedDraft[] {
  // Statements that are planned together may have families of the same number, but not of the same rows.
  const families = new Map<Rel, readonly Boundary[]>()
  for (const boundary of boundaries) {
    if (boundary.family === undefined) continue
    families.set(boundary.input, [...(families.get(boundary.input) ?? []), boundary])
  }
  const together = new Map([...families].map(([input, family]) => [input, marginsDraft(family, options)]))
  return boundaries.flatMap((boundary): readonly PlacedDraft[] => {
    const joint = boundary.family === undefined ? undefined : together.get(boundary.input)
    if (joint === undefined) return [alone(boundary, options)]
    return families.get(boundary.input)?.[0] === boundary ? [joint] : []
  })
}

/** Whether the keys of a boundary come from the data. */
export function selectsKeys(boundary: Boundary): boolean {
  return boundary.keys.length > 0 && keyLists(boundary) === undefined
}

function alone(boundary: Boundary, options: DraftOptions): PlacedDraft {
  const { tops, allowance, confidence, keys } = options
  const proven = boundingOf(boundary, options.wanted)
  const weights = aggregateWeights(boundary, options.weights)
  const { deltaForNoise } = options
  const wish = { top: tops.get(boundary), allowance, confidence, keys, weights, deltaForNoise }
  const learnt = options.norms?.get(boundary)
  const own = { ...options, proven, weights, ...(learnt === undefined ? {} : { learnt }) }
  return {
    answers: [boundary],
    ...bestDraft(boundary, own, wish),
    rowsOf: (asked, release) =>
      asked === boundary ? { kind: "released", release, columns: boundary.columns } : undefined,
  }
}
