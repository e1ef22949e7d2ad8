// A boundary of one group for each unit, over a copy of pairs: the total of each unit is clamped and added
// up, as it is over the tables themselves. Nothing is scaled, since one number is cut to a norm by a clamp.

import { rational, zero } from "@dosimeter/core/exact"
import type { LinearMeasurement, Strategy } from "@dosimeter/proof/algebra/measurement"
import { aggregateRel, integerLiteral, stepsExpr } from "@dosimeter/proof/algebra/make"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import { addedBounds, addedGrid } from "../aggregates/build-moments.ts"
import { chooseAdditive } from "../aggregates/choose-mechanisms.ts"
import { firstLike } from "../aggregates/moment-families.ts"
import { isTotal, type TotalAggregate } from "../extracts/partial-of.ts"
import { keyLists, publicKeys } from "../keys/key-lists.ts"
import type { Draft } from "./draft.ts"
import type { ScaledOptions } from "./scaled-draft.ts"
import { unitTotals } from "./unit-totals.ts"

/**
 * The draft, where all aggregates add up totals in the one group of a unit and a copy holds them; otherwise
 * undefined.
 */
export function clampedDraft(asked: Boundary, options: ScaledOptions): Draft | undefined {
  const { proven, neighbours, ids } = options
  const { oneGroup, oneRow, unit, rowsPerGroup, groupsPerUnit } = proven.bounding
  const lists = asked.keys.length === 0 ? undefined : keyLists(asked)
  if (!oneGroup || oneRow || unit === undefined) return undefined
  if (asked.keys.length > 0 && lists === undefined) return undefined
  const all = asked.aggregates.filter(isTotal)
  if (all.length === 0 || all.length < asked.aggregates.length) return undefined
  // What is asked for twice is paid for once.
  const totals = all.filter((one, index) => firstLike(one, all) === index)
  const { rows, labels } = unitTotals(asked, { unit, totals }, options)
  if (labels.length === 0) return undefined
  const clamps = totals.map((one) => clampOf(one, rowsPerGroup))
  const items = totals.map(({ label: name }, index) => ({
    name,
    function: "sum" as const,
    argument: stepsExpr(rows.totals[index] ?? integerLiteral(0n), rational(1n), clamps[index] ?? none),
  }))
  const rel = aggregateRel(rows.rel, asked.keys, items, ids)
  const values = rel.columns.slice(asked.keys.length).map(({ id }) => id)
  const bounds = { groupsPerUnit, groupsInAll: lists === undefined ? 1n : BigInt(lists.count), neighbours }
  const placeOf = (aggregate: TotalAggregate): number =>
    totals.indexOf(all[firstLike(aggregate, all)] ?? aggregate)
  const measured = (aggregate: TotalAggregate, strategy: Strategy): LinearMeasurement => ({
    kind: "linear",
    label: aggregate.label,
    extract: 0,
    columns: [
      {
        id: values[placeOf(aggregate)] ?? -1,
        of: aggregate.kind === "sum" ? "values" : aggregate.kind === "rows" ? "rows" : "units",
      },
    ],
    grid: aggregate.kind === "sum" ? addedGrid(aggregate) : rational(1n),
    strategy,
  })
  const { groupsProof, rowsProof } = proven
  return {
    parts: totals.length,
    partWeights: (weights) =>
      totals.map((_, place) =>
        Math.max(...all.map((one, index) => (placeOf(one) === place ? (weights[index] ?? 1) : 0))),
      ),
    selectsKeys: false,
    finish: (allowance, parts) => ({
      extracts: [{ rel, keys: asked.keys, values }],
      prepared: labels,
      bounds: { groupsPerUnit, rowsPerGroup, groupsProof, rowsProof },
      keys: lists === undefined ? { kind: "none" } : publicKeys(lists),
      measurements: totals.map((aggregate, index) => {
        const part = "numerator" in parts ? parts : (parts[index] ?? zero)
        const spec = chooseAdditive({ ...bounds, ...(clamps[index] ?? none) }, allowance, part)
        return measured(aggregate, { kind: "identity", spec })
      }),
      readings: all.map((aggregate) => ({
        kind: "linear",
        label: aggregate.label,
        measurement: placeOf(aggregate),
        column: 0,
        isWhole: true,
      })),
      columns: asked.columns.map(({ id }) => id),
    }),
  }
}

const none = { lower: 0n, upper: 0n }

// The most that the rows of a unit that count may add up to.
function clampOf(
  aggregate: TotalAggregate,
  rowsPerGroup: bigint,
): { readonly lower: bigint; readonly upper: bigint } {
  if (aggregate.kind === "persons") return { lower: 0n, upper: 1n }
  if (aggregate.kind === "rows") return { lower: 0n, upper: rowsPerGroup }
  const { lower, upper } = addedBounds(aggregate)
  return {
    lower: lower < 0n ? lower * rowsPerGroup : 0n,
    upper: upper > 0n ? upper * rowsPerGroup : 0n,
  }
}
