// The share of a question's loss that a ladder of norms is worth.

import type { Accounting } from "@dosimeter/core/accounting"
import { manyGroups } from "./choose-norm.ts"

/**
 * The share, by how many numbers a vector has: with few of them only few people are above the best norm, and
 * a small share does not see those. Nor does it where groups come from the data (undefined): of a few
 * thousand people often fewer are shown, and what is left out would be told by a range too wide to be of use.
 */
export function ladderShare(accounting: Accounting, groups: number | undefined): number {
  if (groups !== undefined && groups >= manyGroups) return 0.05
  return accounting === "pure" ? 0.12 : 0.2
}
