// The groups of a release that are public: how many there are, each once.

import { reject } from "../units/reject.ts"
import type { Constant } from "../catalog/constant.ts"
import { constantKey } from "../catalog/constant.ts"
import { groupName } from "../algebra/public-rows.ts"
import type { Release } from "../algebra/release-plan.ts"

/**
 * How many groups are looked at, if that is public.
 *
 * Guarantee: every group of an extract is looked at once at most: what a unit adds to k groups is added to k
 *   numbers.
 * Needs: the engine looks at the combinations of the lists, or at the rows where there are some.
 * Proof: no value is listed twice for a key, so that combinations differ; no row is listed twice.
 * Numerics: none.
 * Source: none.
 */
export function groupsLookedAt({ keys, extracts }: Pick<Release, "keys" | "extracts">): bigint | undefined {
  const widths = extracts.map((extract) => extract.keys.length)
  switch (keys.kind) {
    case "none":
      if (widths.some((width) => width > 0)) return reject("groups without keys")
      return 1n
    case "public":
    case "margins": {
      const rows = keys.kind === "public" ? keys.rows : undefined
      return rows === undefined ? combinationsOf(keys.lists, widths) : rowsOf(rows, widths)
    }
    case "tree":
      return rowsOf(keys.rows, widths)
    case "private":
      return undefined
    case "top":
      return keys.lists === undefined ? undefined : combinationsOf(keys.lists, widths)
    default:
      return keys satisfies never
  }
}

function combinationsOf(lists: readonly (readonly Constant[])[], widths: readonly number[]): bigint {
  if (widths.some((width) => width !== lists.length)) return reject("a key without a list")
  for (const list of lists) {
    if (new Set(list.map(constantKey)).size !== list.length) reject("a value is listed twice")
  }
  return lists.reduce((count, list) => count * BigInt(list.length), 1n)
}

function rowsOf(rows: readonly (readonly Constant[])[], widths: readonly number[]): bigint {
  if (rows.some((row) => widths.some((width) => width !== row.length))) return reject("a group of other keys")
  if (new Set(rows.map(groupName)).size !== rows.length) return reject("a group is listed twice")
  return BigInt(rows.length)
}
