// Sums of one table in many ways at once: its margins, or the levels of a tree.

import type { Rational } from "../exact/rational.ts"
import type { Losses } from "../privacy/loss.ts"
import type { TotalError } from "./shared/error.ts"
import { marginsError, marginsLoss, type MarginsSpec } from "./tables/margins.ts"
import { treeError, treeLoss, type TreeSpec } from "./tables/tree.ts"

/** Noise on the parts of a table, or on the comparisons of a tree. */
export type TableSumsSpec = MarginsSpec | TreeSpec

/**
 * What a release of such sums loses.
 *
 * Guarantee: that of marginsLoss or treeLoss.
 * Needs: theirs.
 * Proof: theirs; this only chooses.
 * Numerics: theirs.
 * Source: theirs.
 */
export function tableSumsLoss(spec: TableSumsSpec): Losses {
  return spec.kind === "tree" ? treeLoss(spec) : marginsLoss(spec)
}

/** The error of the sum that has most. */
export function tableSumsError(spec: TableSumsSpec, miss: Rational): TotalError {
  return spec.kind === "tree" ? treeError(spec, miss) : marginsError(spec, miss)
}
