// What is asked, within the owner's terms.

import { compare, rational, showParameter, type Rational } from "@dosimeter/core"
import type { Ask, Terms } from "../catalog/terms.ts"
import { fail } from "../errors.ts"
import type { Rel } from "../ir/rel.ts"
import { inputsOf } from "../ir/walk.ts"

/** What is asked for, or the owner's defaults; refused beyond the owner's limits. */
export function within(
  terms: Terms,
  ask: Ask,
): { epsilon: Rational; groupsPerUnit: bigint; rowsPerGroup: bigint } {
  const { question, bounding } = terms
  const epsilon = ask.epsilon ?? question.epsilonDefault
  const groupsPerUnit = ask.groupsPerUnit ?? bounding.groupsPerUnit
  const rowsPerGroup = ask.rowsPerGroup ?? bounding.rowsPerGroup
  if (epsilon.numerator <= 0n || groupsPerUnit <= 0n || rowsPerGroup <= 0n) {
    fail("ask/not-positive", { name: epsilon.numerator <= 0n ? "epsilon" : "a contribution bound" })
  }
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

/** The largest number of a column in a relation. */
export function lastColumn(rel: Rel): number {
  const own = rel.columns.reduce((most, { id }) => Math.max(most, id), 0)
  return inputsOf(rel).reduce((most, input) => Math.max(most, lastColumn(input)), own)
}
