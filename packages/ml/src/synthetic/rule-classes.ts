// Which values of a column are alike to all rules: values that some rule tells apart are never grouped.

import type { Impossible } from "./fit-model.ts"
import type { Attribute, Rule } from "./rounds.ts"

/** A number for each value that says what it meets in which rules: values of one number are alike to all. */
export function classesOf(
  attribute: number,
  attributes: readonly Attribute[],
  rules: readonly Rule[],
): readonly number[] {
  const own = rules.filter((rule) => rule.attributes.includes(attribute))
  const known = new Map<string, number>()
  return Array.from({ length: attributes[attribute]?.size ?? 0 }, (_, value) => {
    const text = own
      .map(({ attributes: places, isImpossible }) => {
        const lists = places.map((one) =>
          one === attribute
            ? [value]
            : Array.from({ length: attributes[one]?.size ?? 0 }, (_one, code) => code),
        )
        return combinations(lists)
          .map((codes) => (isImpossible(codes) ? "1" : "0"))
          .join("")
      })
      .join(" ")
    const number = known.get(text) ?? known.size
    known.set(text, number)
    return number
  })
}

/** All combinations of one number of each list, the last list fastest. */
export function combinations(lists: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return lists.reduce<readonly (readonly number[])[]>(
    (all, list) => all.flatMap((before) => list.map((one) => [...before, one])),
    [[]],
  )
}

/** What rules forbid where values are grouped: cells of a table over the groups of a rule's attributes. */
export function impossibleCells(
  rules: readonly Rule[],
  groups: readonly (readonly number[])[],
): readonly Impossible[] {
  return rules.map(({ attributes, isImpossible }) => {
    const ordered = attributes.toSorted((a, b) => a - b)
    // Values of a group are alike to every rule, so the first of them speaks for all.
    const firsts = ordered.map((attribute) => {
      const own = groups[attribute] ?? []
      return Array.from({ length: Math.max(-1, ...own) + 1 }, (_, group) => own.indexOf(group))
    })
    const cells = new Set<number>()
    for (const [cell, codes] of combinations(firsts).entries()) {
      const given = attributes.map((attribute) => codes[ordered.indexOf(attribute)] ?? 0)
      if (isImpossible(given)) cells.add(cell)
    }
    return { attributes: ordered, cells }
  })
}
