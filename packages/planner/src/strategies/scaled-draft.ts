// A boundary of sums and counts whose units are scaled to one norm, as the draft of a release.

import type { Accounting } from "@dosimeter/core/accounting"
import { zero } from "@dosimeter/core/exact"
import type { Neighbours } from "@dosimeter/core/mechanisms"
import type { ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import type { ProvenBounding } from "../extracts/bounding-of.ts"
import { keyLists, publicKeys } from "../keys/key-lists.ts"
import { weightOfAll } from "../loss/weigh.ts"
import type { Draft } from "./draft.ts"
import { scaledTable } from "./scaled-table.ts"
import type { LearntNorm } from "./scaled-vector.ts"

/** What such a draft is made for. */
export interface ScaledOptions {
  readonly proven: ProvenBounding
  readonly neighbours: Neighbours
  readonly accounting: Accounting
  readonly ids: ColumnIds
  /** How much each aggregate counts; all alike if it is left out. */
  readonly weights?: readonly number[]
  readonly prepared: readonly PreparedTable[]
  /** The rows that a unit has at most, where the owner declares it. */
  readonly rowsPerUnit?: bigint
  /** The norm that a ladder told; the one of groups and rows if it is left out. */
  readonly learnt?: LearntNorm
}

/**
 * The draft, where all aggregates are counts, sums and averages in listed groups, and a unit may be in
 * several of them; otherwise undefined. `onPairs`: only if a copy of pairs is read.
 */
export function scaledDraft(
  asked: Boundary,
  options: ScaledOptions & { readonly onPairs: boolean },
): Draft | undefined {
  const { proven, accounting } = options
  const lists = asked.keys.length === 0 ? undefined : keyLists(asked)
  if (lists === undefined || proven.bounding.oneGroup) return undefined
  const groupsInAll = BigInt(lists.count)
  const most = proven.bounding.groupsPerUnit
  const bounding = { ...proven.bounding, groupsPerUnit: most < groupsInAll ? most : groupsInAll }
  const table = scaledTable(asked, { ...options, bounding })
  if (table === undefined || (options.onPairs && table.labels.length === 0)) return undefined
  const { norm, bound, extract, labels, beyond, isCap, subject } = table
  const places = asked.aggregates.map(table.place)
  const scaled = {
    norm,
    bound,
    ...(beyond === undefined ? {} : { beyond }),
    ...(isCap ? { isCap } : {}),
  }
  const { groupsPerUnit, rowsPerGroup } = bounding
  const { groupsProof, rowsProof } = proven
  return {
    subject: { ...subject, groups: lists.count },
    parts: 1,
    // A vector is measured as if each of its columns had a part of its own.
    partWeights: (aggregates) => [weightOfAll(table.weights(aggregates), accounting)],
    selectsKeys: false,
    finish: (allowance, parts) => ({
      extracts: [extract],
      prepared: labels,
      bounds: { groupsPerUnit, rowsPerGroup, groupsProof, rowsProof, scaled },
      keys: publicKeys(lists),
      measurements: [table.measurement(allowance, "numerator" in parts ? parts : (parts[0] ?? zero))],
      readings: asked.aggregates.map(({ label }, index) => {
        const { column = -1, isWhole = true } = places[index] ?? {}
        return { kind: "linear", label, measurement: 0, column, isWhole }
      }),
      columns: asked.columns.map(({ id }) => id),
    }),
  }
}
