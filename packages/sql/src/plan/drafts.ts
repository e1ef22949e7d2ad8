// Boundaries become drafts of releases: one each, but for those of a family that can be measured together.

import type { Boundary } from "../ir/rel.ts"
import { boundingOf } from "./bounding-of.ts"
import type { DraftOptions, PlacedDraft } from "./draft.ts"
import { marginsDraft } from "./margins-draft.ts"
import { ReleaseDraft } from "./plan-release.ts"

/** The drafts of some boundaries. */
export function draftsOf(boundaries: readonly Boundary[], options: DraftOptions): readonly PlacedDraft[] {
  const families = new Map<number, readonly Boundary[]>()
  for (const boundary of boundaries) {
    const { family } = boundary
    if (family !== undefined) families.set(family, [...(families.get(family) ?? []), boundary])
  }
  const together = new Map([...families].map(([number, family]) => [number, marginsDraft(family, options)]))
  return boundaries.flatMap((boundary): readonly PlacedDraft[] => {
    const number = boundary.family ?? -1
    const joint = together.get(number)
    if (joint === undefined) return [alone(boundary, options)]
    return families.get(number)?.[0] === boundary ? [joint] : []
  })
}

function alone(boundary: Boundary, options: DraftOptions): PlacedDraft {
  const proven = boundingOf(boundary, options.wanted)
  return {
    draft: new ReleaseDraft(boundary, { ...options, proven }),
    rowsOf: (asked, release) =>
      asked === boundary ? { kind: "released", release, columns: boundary.columns } : undefined,
  }
}
