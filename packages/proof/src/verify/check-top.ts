// The choice of the largest groups covers what one unit can do to the score that it goes by.

import { unreachable } from "@dosimeter/core/errors"
import type { Neighbours } from "@dosimeter/core/mechanisms"
import { reject } from "../units/reject.ts"
import type { TopPlan } from "../algebra/release-plan.ts"
import type { ProvenExtract } from "./extracts/prove-extract.ts"

/** What is known of the groups that are chosen from. */
export interface TopFacts {
  readonly neighbours: Neighbours
  /** How many groups are listed; undefined where keys come from the data. */
  readonly groups: bigint | undefined
  /** What was proven of the first extract. */
  readonly proven: ProvenExtract
}

/**
 * Checks a choice of the largest groups. A unit adds to the score of each of its groups between 0 and the
 * spec's sensitivity. From a list, how many groups it is in does not matter: every score moves by no more
 * than that, and all in one direction unless units are replaced. From the data, the groups of a unit are
 * bounded: so many may be there for its sake alone.
 */
export function checkTop({ spec, score, lists }: TopPlan, { neighbours, groups, proven }: TopFacts): void {
  const added = proven.contributions.get(score) ?? reject("groups are chosen by a column that is not there")
  if (added.lower < 0n) reject("a unit may lower the score of a group")
  if (added.upper > spec.sensitivity || spec.sensitivity <= 0n) reject("a choice expects less of a unit")
  if (spec.k <= 0n || spec.epsilonPerChoice.numerator <= 0n) reject("a choice without a loss")
  switch (spec.kind) {
    case "top-k":
      if (lists === undefined || groups === undefined)
        return reject("a list is chosen from that is not there")
      if (spec.candidates !== groups || spec.k > groups) return reject("a choice has other candidates")
      if (neighbours === "replace" && spec.scores !== "any")
        return reject("scores of a choice move both ways")
      return
    case "top-keys":
      if (lists !== undefined) return reject("listed groups are chosen as if they came from the data")
      if (spec.neighbours !== neighbours) return reject("a choice has other neighbours")
      if (spec.groupsPerUnit < proven.groupsPerUnit) return reject("a choice expects fewer groups of a unit")
      return
    default:
      return unreachable(spec)
  }
}
