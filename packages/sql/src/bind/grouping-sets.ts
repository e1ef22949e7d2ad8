// Which groupings GROUP BY asks for: ROLLUP, CUBE and GROUPING SETS written out, as PostgreSQL does it.
// Several items multiply, and what stands twice is asked for twice.

import type { Expression, GroupItem } from "../parse/ast.ts"
import { limitTo } from "./context.ts"

/** More groupings than this are refused. */
const setsMax = 128

/** The keys of each grouping. */
export function groupingSets(groupBy: readonly GroupItem[]): readonly (readonly Expression[])[] {
  return groupBy.reduce<readonly (readonly Expression[])[]>(
    (sets, item) => {
      const own = setsOf(item)
      limitSets(sets.length * own.length, item)
      return sets.flatMap((set) => own.map((more) => [...set, ...more]))
    },
    [[]],
  )
}

function setsOf(item: GroupItem): readonly (readonly Expression[])[] {
  if (item.kind !== "grouping-set") return [[item]]
  const { type } = item
  switch (type) {
    case "empty":
      return [[]]
    case "sets": {
      const sets = item.items.flatMap((one) => (one.kind === "grouping-set" ? setsOf(one) : [elementOf(one)]))
      limitSets(sets.length, item)
      return sets
    }
    case "rollup": {
      const elements = item.items.map(elementOf)
      return Array.from({ length: elements.length + 1 }, (_, cut) =>
        elements.slice(0, elements.length - cut).flat(),
      )
    }
    case "cube": {
      const elements = item.items.map(elementOf)
      limitSets(2 ** elements.length, item)
      return elements.reduceRight<readonly (readonly Expression[])[]>(
        (sets, element) => [...sets.map((set) => [...element, ...set]), ...sets],
        [[]],
      )
    }
    default:
      return type satisfies never
  }
}

/** (a, b) is one element of two columns. */
function elementOf(item: GroupItem): readonly Expression[] {
  if (item.kind === "grouping-set") return setsOf(item)[0] ?? []
  return item.kind === "row" ? item.items : [item]
}

function limitSets(count: number, { at }: GroupItem): void {
  limitTo(setsMax, count, { what: "grouping sets", remedy: "name the sets that are needed", at })
}
