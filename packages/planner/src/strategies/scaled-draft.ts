// A boundary of sums and counts whose units are scaled to one norm, as the draft of a release. Where groups
// come from the data, they are selected by a table of their own, in which units weigh alike in all of their
// groups: a threshold that is proven for equal weights is none for parts of a vector.

import type { Accounting } from "@dosimeter/core/accounting"
import { assert } from "@dosimeter/core/errors"
import { zero, type Rational } from "@dosimeter/core/exact"
import type { Neighbours } from "@dosimeter/core/mechanisms"
import type { ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary, BoundaryAggregate } from "@dosimeter/proof/algebra/rel"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import type { ProvenBounding } from "../extracts/bounding-of.ts"
import type { Bounding } from "../extracts/build-extract.ts"
import { keyLists, publicKeys } from "../keys/key-lists.ts"
import type { Allowance } from "../loss/share-out.ts"
import { weightOfAll } from "../loss/weigh.ts"
import type { Draft } from "./draft.ts"
import { ReleaseDraft } from "./plan-release.ts"
import { scaledTable, type ScaledTable } from "./scaled-table.ts"
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
  /** Whether norms are yet to be learnt: whatever can be scaled is scaled then, and nothing is dropped. */
  readonly learnsNorm?: true
}

/**
 * The draft, where all aggregates are counts, sums and averages, and a unit may be in several groups, or has
 * totals of rows in one whose norm is learnt; otherwise undefined. `onPairs`: only if a copy of pairs is read.
 */
export function scaledDraft(
  asked: Boundary,
  options: SelectionOptions & ScaledOptions & { readonly onPairs: boolean },
): Draft | undefined {
  const { proven, accounting } = options
  const lists = asked.keys.length === 0 ? undefined : keyLists(asked)
  const groups = asked.keys.length === 0 ? 1 : lists?.count
  if (proven.bounding.oneGroup && !scalesTotals(asked, options, groups)) return undefined
  const table = scaledTable(asked, { ...options, bounding: boundingWithin(proven, groups) })
  if (table === undefined || (options.onPairs && table.labels.length === 0)) return undefined
  const selection = groups === undefined ? new ReleaseDraft(keysAlone(asked), options) : undefined
  const places = asked.aggregates.map(table.place)
  return {
    subject: { ...table.subject, groups },
    parts: selection === undefined ? 1 : 2,
    // A vector is measured as if each of its columns had a part of its own.
    partWeights: (aggregates) => [
      ...(selection === undefined ? [] : [1]),
      weightOfAll(table.weights(aggregates), accounting),
    ],
    selectsKeys: selection !== undefined,
    finish: (allowance, parts) => {
      const each = "numerator" in parts ? [parts, parts] : [...parts]
      const shown =
        groups === undefined
          ? selectedBy(selection, allowance, each.shift() ?? zero)
          : { extracts: [], prepared: [], keys: lists === undefined ? noKeys : publicKeys(lists) }
      const measurement = table.measurement(allowance, each[0] ?? zero)
      return {
        extracts: [...shown.extracts, table.extract],
        prepared: [...new Set([...shown.prepared, ...table.labels])].toSorted(),
        bounds: boundsOf(table, proven, boundingWithin(proven, groups)),
        keys: shown.keys,
        measurements: [{ ...measurement, extract: shown.extracts.length }],
        readings: asked.aggregates.map(({ label }, index) => {
          const { column = -1, isWhole = true } = places[index] ?? {}
          return { kind: "linear", label, measurement: 0, column, isWhole }
        }),
        columns: asked.columns.map(({ id }) => id),
      }
    },
  }
}

const noKeys: Release["keys"] = { kind: "none" }

/**
 * Whether totals of units in one group are scaled, which is to clamp them by a norm that is learnt: counts of
 * rows and sums, in groups that are public. Counts of units need no norm, and averages by themselves are of
 * some rows.
 */
function scalesTotals(
  { aggregates }: Boundary,
  { proven, learnt, learnsNorm }: ScaledOptions,
  groups: number | undefined,
): boolean {
  if (groups === undefined || proven.bounding.oneRow) return false
  if (learnt === undefined && learnsNorm === undefined) return false
  const ofRows = (one: BoundaryAggregate): boolean => one.kind === "rows" || one.kind === "sum"
  const isTotal = (one: BoundaryAggregate): boolean =>
    one.kind === "sum" ? one.manner === "total" : one.kind === "rows" && one.divisorOf === undefined
  return aggregates.every(ofRows) && aggregates.some(isTotal)
}

/** What keys that come from the data are selected with. */
export type SelectionOptions = ConstructorParameters<typeof ReleaseDraft>[1]

// Nobody can be in more groups than there are.
function boundingWithin({ bounding }: ProvenBounding, groups: number | undefined): Bounding {
  const most = bounding.groupsPerUnit
  if (groups === undefined || most < BigInt(groups)) return bounding
  return { ...bounding, groupsPerUnit: BigInt(groups) }
}

// The same groups with nothing measured in them.
function keysAlone(asked: Boundary): Boundary {
  return { ...asked, aggregates: [], columns: asked.columns.slice(0, asked.keys.length) }
}

function selectedBy(
  selection: ReleaseDraft | undefined,
  allowance: Allowance,
  part: Rational,
): Pick<Release, "extracts" | "prepared" | "keys"> {
  assert(selection !== undefined, "keys that are not listed are selected")
  return selection.finish(allowance, [part])
}

function boundsOf(
  { norm, bound, beyond, isCap }: ScaledTable,
  { groupsProof, rowsProof }: ProvenBounding,
  { groupsPerUnit, rowsPerGroup }: Bounding,
): Release["bounds"] {
  const scaled = {
    norm,
    bound,
    ...(beyond === undefined ? {} : { beyond }),
    ...(isCap ? { isCap } : {}),
  }
  return { groupsPerUnit, rowsPerGroup, groupsProof, rowsProof, scaled }
}
