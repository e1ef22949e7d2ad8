// What is wrong with rules together, told before anything is measured: by declared values alone. A model that
// no row fits, or that is too large to be fitted, must never be found out after the charge.

import { fail } from "../errors.ts"
import { forbid } from "./fit-model.ts"
import { GraphicalModel } from "./graphical-model.ts"
import { groupsAtMost } from "./group-values.ts"
import { junctionTree } from "./junction-tree.ts"
import type { Attribute, Rule } from "./rounds.ts"
import { classesOf, impossibleCells } from "./rule-classes.ts"

/** Cells of the cliques that rules alone make, at most: twice what pairs are chosen up to. */
const ruleCellsMax = 2 ** 17
/** Combinations of values that one rule speaks of, at most. */
const combinationsMax = 2 ** 20

/** Refuses rules that no row can keep, and rules that tie too much together. */
export function checkRules(attributes: readonly Attribute[], rules: readonly Rule[]): void {
  const sizeOf = (attribute: number): number => attributes[attribute]?.size ?? 1
  for (const { attributes: pair } of rules) {
    const count = pair.reduce((product, one) => product * sizeOf(one), 1)
    if (count > combinationsMax) return fail("synthetic/rules-too-wide", {})
  }
  const classes = attributes.map((_, attribute) => classesOf(attribute, attributes, rules))
  const together = rules.map((rule) => rule.attributes)
  const most = mostGroups(attributes, rules)
  if (junctionTree(most, together).cells > ruleCellsMax) return fail("synthetic/rules-too-wide", {})
  const sizes = classes.map((own) => Math.max(-1, ...own) + 1)
  const model = new GraphicalModel(sizes, junctionTree(sizes, together))
  const base = model.empty()
  forbid(model, impossibleCells(rules, classes), base)
  if (!model.canBe(base)) fail("synthetic/rules-contradict", {})
}

/** How many groups each attribute has at most, whatever is measured. */
export function mostGroups(attributes: readonly Attribute[], rules: readonly Rule[]): readonly number[] {
  return attributes.map((one, place) =>
    groupsAtMost({ ...one, classes: classesOf(place, attributes, rules) }),
  )
}
