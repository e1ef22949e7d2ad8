// Public group keys: all combinations of listed values come back, whatever the data holds.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import { literalDomain } from "@dosimeter/proof/catalog/literal-domain"
import { listedGroupsMax, valuesOf } from "@dosimeter/proof/catalog/values-of"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr, columnExpr, columnIn, filterRel } from "@dosimeter/proof/algebra/make"
import type { Boundary, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import type { PublicKeys } from "@dosimeter/proof/algebra/release-plan"
import { countOfBlocks, keyBlocks, rowsOfBlocks, type KeyBlock } from "./possible-rows.ts"

/** Public keys: a list for each, and how they combine where some combinations are impossible. */
export interface KeyLists {
  readonly lists: readonly (readonly Constant[])[]
  readonly blocks: readonly KeyBlock[] | undefined
  /** How many combinations there are. */
  readonly count: number
}

/**
 * The values of each key, if all are public and not too many together. Combinations are counted before the
 * next list is written out: a list that could only be too many is not made.
 */
export function keyLists(boundary: Boundary): KeyLists | undefined {
  const lists: (readonly Constant[])[] = []
  // Levels of a tree may have fewer combinations than their lists: they are counted at the end.
  let combinations = 1
  for (const key of boundary.keys) {
    const { domain } = columnIn(boundary.input, key)
    const isFree = domain.tree === undefined
    const limit = isFree ? Math.floor(listedGroupsMax / Math.max(1, combinations)) : listedGroupsMax
    const values = valuesOf(domain, limit)
    if (values === undefined) return undefined
    const list: readonly Constant[] = domain.nullable ? [...values, { kind: "null" }] : values
    if (isFree) combinations *= list.length
    if (combinations > listedGroupsMax) return undefined
    lists.push(list)
  }
  const blocks = keyBlocks(boundary, lists)
  const count =
    blocks === undefined ? lists.reduce((product, list) => product * list.length, 1) : countOfBlocks(blocks)
  return count > listedGroupsMax ? undefined : { lists, blocks, count }
}

/** The plan of public keys: all their combinations, or those that can be. */
export function publicKeys({ lists, blocks }: KeyLists): PublicKeys {
  return blocks === undefined
    ? { kind: "public", lists }
    : { kind: "public", lists, rows: rowsOfBlocks(blocks) }
}

/** The boundary over the rows whose keys are listed. Ranges need no filter: columns are read inside them. */
export function onlyListed(boundary: Boundary): Boundary {
  return { ...boundary, input: whereAll(boundary.input, listedConditions(boundary)) }
}

/** What is true of the rows whose keys are listed, key by key. */
export function listedConditions({ keys, input }: Boundary): readonly Expr[] {
  return keys.flatMap((key) => isListed(columnIn(input, key)))
}

/** The rows that meet all conditions. */
export function whereAll(input: Rel, conditions: readonly Expr[]): Rel {
  const [first, ...rest] = conditions
  if (first === undefined) return input
  return filterRel(input, rest.length === 0 ? first : callExpr("and", conditions))
}

const yes = { kind: "boolean", value: true } as const
const truth: Expr = { kind: "literal", value: yes, domain: literalDomain(yes, { kind: "boolean" }) }

/** Whether a value is NULL or listed, where a list says more than the type. */
export function isListed(column: RelColumn): readonly Expr[] {
  const { values, type, nullable } = column.domain
  if (values === undefined || values.length === 0 || type.kind === "boolean") return []
  const key = columnExpr(column)
  const items = values.map((value): Expr => ({ kind: "literal", value, domain: literalDomain(value, type) }))
  const inList = callExpr("in-list", [key, ...items])
  return [nullable ? callExpr("coalesce", [inList, truth]) : inList]
}
