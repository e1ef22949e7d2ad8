// What is wanted of a question: what it asks for, or the owner's defaults, within the owner's limits.

import { compare, divide, rational, showParameter, subtract, type Rational } from "@dosimeter/core/exact"
import { epsilonLeast, type Ask, type Terms } from "@dosimeter/proof/catalog/terms"
import { fail } from "../errors.ts"
import type { Boundary } from "@dosimeter/proof/algebra/rel"

/** What is asked for, or the owner's defaults; refused beyond the owner's limits. */
export function resolveAsk(
  terms: Terms,
  ask: Ask,
): { epsilon: Rational; groupsPerUnit: bigint; rowsPerGroup: bigint } {
  const { question, bounding } = terms
  const epsilon = ask.epsilon ?? question.epsilonDefault
  const groupsPerUnit = ask.groupsPerUnit ?? bounding.groupsPerUnit
  const rowsPerGroup = ask.rowsPerGroup ?? bounding.rowsPerGroup
  if (epsilon.numerator <= 0n) fail("ask/not-positive", { name: "epsilon" })
  if (groupsPerUnit <= 0n) fail("ask/not-positive", { name: "groups_per_unit" })
  if (rowsPerGroup <= 0n) fail("ask/not-positive", { name: "rows_per_group" })
  checkLeast("epsilon", epsilon, epsilonLeast)
  const limits = [
    ["epsilon", epsilon, question.epsilonMax],
    ["groups_per_unit", rational(groupsPerUnit), rational(bounding.groupsPerUnitMax)],
    ["rows_per_group", rational(rowsPerGroup), rational(bounding.rowsPerGroupMax)],
  ] as const
  for (const [name, got, limit] of limits) {
    if (compare(got, limit) <= 0) continue
    fail("ask/too-large", { name, got: showParameter(got), limit: showParameter(limit) })
  }
  return { epsilon, groupsPerUnit, rowsPerGroup }
}

/** Refuses a parameter below the least: it would tell nothing, and take long. */
export function checkLeast(name: string, got: Rational, least: Rational): void {
  if (compare(got, least) >= 0) return
  fail("ask/too-small", { name, got: showParameter(got), least: showParameter(least) })
}

/**
 * How often an interval of quantiles may fail: so seldom that a function of two aggregates still has an
 * interval, where there are two.
 */
export function quantileMissOf(
  boundaries: readonly Boundary[],
  terms: Terms,
  ask: Ask,
): Rational | undefined {
  if (ask.quantileIntervals === false) return undefined
  const aggregates = boundaries.reduce((sum, boundary) => sum + boundary.aggregates.length, 0)
  return divide(subtract(rational(1n), terms.question.confidence), rational(aggregates > 1 ? 2n : 1n))
}
