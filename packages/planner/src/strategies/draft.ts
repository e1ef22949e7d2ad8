// What a draft of a release is: tables are chosen, noise waits for its share of the loss.

import type { Accounting, Neighbours, Rational } from "@dosimeter/core"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import type { ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary, Rel } from "@dosimeter/proof/algebra/rel"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { TopGroups } from "../aggregates/choose-top.ts"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { ColumnWeights } from "../loss/weigh.ts"
import type { Allowance } from "../loss/share-out.ts"
import type { LadderSubject } from "./scaled-table.ts"
import type { LearntNorm } from "./scaled-vector.ts"

/** A release that waits for its share of the loss. */
export interface Draft {
  /** How many parts of the loss it needs. */
  readonly parts: number
  /** How much each part counts, given how much the aggregates do. */
  readonly partWeights: (aggregates: readonly number[]) => readonly number[]
  /** Whether its keys come from the data, so that it needs a delta. */
  readonly selectsKeys: boolean
  /** Where units are scaled: what a ladder would be about, and how many groups there are, if public. */
  readonly subject?: LadderSubject & { readonly groups: number | undefined }
  /** The release, with equal parts of the loss or one for each. */
  readonly finish: (allowance: Allowance, parts: Rational | readonly Rational[]) => Release
}

/** A draft, and the rows of each boundary that it answers, given its place in the plan. */
export interface PlacedDraft {
  readonly draft: Draft
  /** The boundaries that it answers. */
  readonly answers: readonly Boundary[]
  readonly rowsOf: (boundary: Boundary, release: number) => Rel | undefined
  /** What the analyst should know of how it was drafted. */
  readonly notes?: readonly string[]
}

/** What drafts are made for. */
export interface DraftOptions {
  readonly wanted: {
    readonly groupsPerUnit: bigint
    readonly rowsPerGroup: bigint
    readonly unitName: string
  }
  readonly neighbours: Neighbours
  readonly accounting: Accounting
  readonly ids: ColumnIds
  readonly prepared: readonly PreparedTable[]
  /** How often an interval of quantiles may fail; undefined where none are wanted. */
  readonly quantileMiss: Rational | undefined
  /** Whether counts of margins become whole numbers from 0. */
  readonly nonNegative: boolean
  /** Boundaries of which only the largest groups are looked at. */
  readonly tops: ReadonlyMap<Boundary, TopGroups>
  /** What Gaussian noise may be charged in a pure account; zero if none may be. */
  readonly deltaForNoise: Rational
  /** Keys from the data, with COUNT(*): smaller groups, or less noise; what is better if undefined. */
  readonly keys: Ask["keys"]
  /** How much columns count. */
  readonly weights: ColumnWeights
  /** What the whole question may lose: for comparing ways to answer. */
  readonly allowance: Allowance
  /** Of the intervals. */
  readonly confidence: Rational
  /** The rows that a unit has at most, where the owner declares it. */
  readonly rowsPerUnit?: bigint
  /** Norms that ladders told, by boundary. */
  readonly norms?: ReadonlyMap<Boundary, LearntNorm>
  /** Whether norms are yet to be learnt: whatever can be scaled is scaled then, and nothing is dropped. */
  readonly learnsNorm?: true
}
