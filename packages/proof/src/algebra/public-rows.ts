// The groups of public keys, in order.

import { unreachable } from "@dosimeter/core/errors"
import { constantKey, type Constant } from "../catalog/constant.ts"
import type { KeyPlan } from "./release-plan.ts"

/** All listed combinations of public keys; one of nothing where there are no keys. */
export function publicRows(keys: KeyPlan): readonly (readonly Constant[])[] {
  switch (keys.kind) {
    case "none":
      return [[]]
    case "public":
      return keys.rows ?? combinations(keys.lists)
    case "private":
    case "top":
      return []
    default:
      return unreachable(keys)
  }
}

/** All combinations of listed keys, in order; one of nothing where there are no lists. */
export function combinations(lists: readonly (readonly Constant[])[]): readonly (readonly Constant[])[] {
  return lists.reduce<readonly (readonly Constant[])[]>(
    (rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])),
    [[]],
  )
}

/** A text that is equal for equal groups and for no others. */
export function groupName(keys: readonly Constant[]): string {
  return JSON.stringify(keys.map(constantKey))
}
