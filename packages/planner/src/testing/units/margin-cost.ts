// What a change of a table costs in a release of its margins, worked out from the definition of its parts
// alone.

import { add, divide, multiply, rational, zero, type Rational } from "@dosimeter/core/exact"
import type { MarginsSpec } from "@dosimeter/core/mechanisms"

/** A cell that changed: where it is, and by how much. */
export interface ChangedCell {
  readonly places: readonly number[]
  readonly amount: bigint
}

/**
 * The sum over parts of d' P d / s: for two cells their entry of P is the product over the attributes of the
 * part of 1 - 1/c where they agree and -1/c where they do not.
 */
export function marginCost({ sizes, parts }: MarginsSpec, changed: readonly ChangedCell[]): Rational {
  const entry = (attributes: readonly number[], a: ChangedCell, b: ChangedCell): Rational =>
    attributes
      .map((axis) => {
        const size = sizes[axis] ?? 1n
        return rational(a.places[axis] === b.places[axis] ? size - 1n : -1n, size)
      })
      .reduce(multiply, rational(a.amount * b.amount))
  return parts
    .map(({ attributes, variance }) => {
      const pairs = changed.flatMap((a) => changed.map((b) => entry(attributes, a, b)))
      return divide(pairs.reduce(add, zero), variance)
    })
    .reduce(add, zero)
}

/** All combinations of some lists, with their places. */
export function combinationsOf<Value>(
  lists: readonly (readonly Value[])[],
): readonly { readonly values: readonly Value[]; readonly places: readonly number[] }[] {
  return lists.reduce<readonly { readonly values: readonly Value[]; readonly places: readonly number[] }[]>(
    (rows, list) =>
      rows.flatMap(({ values, places }) =>
        list.map((value, place) => ({ values: [...values, value], places: [...places, place] })),
      ),
    [{ values: [], places: [] }],
  )
}
