// Public group keys: all combinations of listed values come back, whatever the data holds.

import { compare, rational, type Rational } from "@dosimeter/core/exact"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { literalDomain } from "@dosimeter/proof/catalog/literal-domain"
import { compareConstants, listedGroupsMax, valuesOf } from "@dosimeter/proof/catalog/values-of"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr, columnExpr, columnIn, filterRel } from "@dosimeter/proof/algebra/make"
import type { Boundary, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import type { PublicKeys } from "@dosimeter/proof/algebra/release-plan"
import { cellsMax } from "./column-cells.ts"
import { narrowed, type KeyLists } from "./narrow-lists.ts"
import { possibleGroups, type PossibleGroups } from "./possible-groups.ts"
import { countOfBlocks, keyBlocks, rowsOfBlocks } from "./possible-rows.ts"

export type { KeyLists } from "./narrow-lists.ts"

/**
 * The values of each key, if all are public and not too many together; without the groups that a condition
 * of the question makes impossible. Combinations are counted before the next list is written out: a list that
 * could only be too many is not made.
 */
export function keyLists(boundary: Boundary): KeyLists | undefined {
  const known = found.get(boundary)
  if (known !== undefined) return known.lists
  const lists = listsOf(boundary)
  found.set(boundary, { lists })
  return lists
}

// A boundary is asked for its lists several times while a question is planned.
const found = new WeakMap<Boundary, { readonly lists: KeyLists | undefined }>()

function listsOf(boundary: Boundary): KeyLists | undefined {
  const possible = possibleGroups(boundary)
  const lists: (readonly Constant[])[] = []
  // Levels of a tree may have fewer combinations than their lists: they are counted at the end.
  let combinations = 1
  for (const [place, key] of boundary.keys.entries()) {
    const { domain } = columnIn(boundary.input, key)
    const isFree = domain.tree === undefined
    const limit = isFree ? Math.floor(listedGroupsMax / Math.max(1, combinations)) : listedGroupsMax
    const list = listOf(domain, { limit, place, possible })
    if (list === undefined) return undefined
    if (isFree) combinations *= list.length
    if (combinations > listedGroupsMax) return undefined
    lists.push(list)
  }
  const blocks = keyBlocks(boundary, lists)
  if (possible !== undefined) return narrowed({ lists, blocks }, possible)
  const count =
    blocks === undefined ? lists.reduce((product, list) => product * list.length, 1) : countOfBlocks(blocks)
  return count > listedGroupsMax ? undefined : { lists, blocks, count }
}

interface ListOf {
  readonly limit: number
  readonly place: number
  readonly possible: PossibleGroups | undefined
}

// The values of one key. A long list may be short enough once conditions were looked at.
function listOf(domain: Domain, of: ListOf): readonly Constant[] | undefined {
  const { limit, place, possible } = of
  const narrows = possible?.isAbout(place) === true ? possible : undefined
  const values = valuesOf(domain, narrows === undefined ? limit : cellsMax) ?? askedValues(domain, of)
  if (values === undefined) return undefined
  const list: readonly Constant[] = domain.nullable ? [...values, { kind: "null" }] : values
  return narrows === undefined ? list : list.filter((value) => narrows.mayBe(new Map([[place, value]])))
}

/**
 * The values that the question lists for a key, of those that its type and its range can have: what the
 * analyst wrote is public, and rows with other values do not count.
 */
function askedValues(domain: Domain, { limit, place, possible }: ListOf): readonly Constant[] | undefined {
  const listed = possible?.listedAt(place)
  const isPlain = domain.type.kind === "text" || domain.type.kind === "integer" || domain.type.kind === "date"
  if (listed === undefined || !isPlain || listed.length > limit) return undefined
  const own = new Map(listed.filter((value) => canBe(value, domain)).map((one) => [constantKey(one), one]))
  return [...own.values()].toSorted(compareConstants)
}

// Whether a column of the domain can hold a value.
function canBe(value: Constant, { type, range }: Domain): boolean {
  const isInside = (at: Rational): boolean =>
    range === undefined || (compare(range.min.value, at) <= 0 && compare(at, range.max.value) <= 0)
  switch (value.kind) {
    case "number":
      return type.kind === "integer" && value.value.denominator === 1n && isInside(value.value)
    case "date":
      return type.kind === "date" && isInside(rational(value.day))
    case "text":
      return type.kind === "text"
    case "boolean":
    case "timestamp":
    case "interval":
    case "null":
      return false
    default:
      return value satisfies never
  }
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
