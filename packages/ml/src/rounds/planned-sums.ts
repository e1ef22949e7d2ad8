// The sums that a training has planned, by their kinds, and the answers to them.

import { assert } from "@dosimeter/core/errors"

interface OfKind {
  readonly kind: string
  readonly length: number
}

/** The sums of a kind. */
export function sumsOf<Sums extends OfKind>(
  { sums }: { readonly sums: readonly Sums[] },
  kind: Sums["kind"],
): Sums {
  const found = sums.find((one) => one.kind === kind)
  assert(found !== undefined, "a training has all its sums")
  return found
}

/** Noisy sums, if they have as many numbers as those of that kind. */
export function checkedSums<Sums extends OfKind>(
  plan: { readonly sums: readonly Sums[] },
  kind: Sums["kind"],
  noisy: readonly bigint[],
): readonly bigint[] {
  assert(noisy.length === sumsOf(plan, kind).length, "noisy sums are those that were asked for")
  return noisy
}
