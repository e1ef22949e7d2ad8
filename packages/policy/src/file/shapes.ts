// Reads the groups, numbers and words of a policy's tree. Each reader gives undefined where there is nothing
// to give, and has then said why in the report.

import type { Span } from "@dosimeter/core"
import { compare, exactly, showParameter, type Rational } from "@dosimeter/core/exact"
import { suggest } from "./closest.ts"
import type { Report } from "./report.ts"
import { isNothing, showNode, type MapEntry, type PolicyNode, type ScalarNode } from "./tree.ts"

/** A group of keys with its values. */
export interface Fields {
  /** Such as "budget" or "the table visits". */
  readonly where: string
  /** Where to point when something is missing: the key that the group belongs to. */
  readonly at: Span
  readonly entries: ReadonlyMap<string, MapEntry>
  readonly report: Report
}

/** The fields of a group, or undefined if it is none. Unknown and repeated keys are reported. */
export function fieldsOf(
  node: PolicyNode,
  shape: { readonly where: string; readonly known: readonly string[]; readonly at: Span },
  report: Report,
): Fields | undefined {
  const { where, known, at } = shape
  if (node.kind !== "map") {
    const expected = `a group with ${known.join(", ")}`
    report.add("policy/wrong-value", { where, got: showNode(node), expected }, node.at)
    return undefined
  }
  const entries = new Map<string, MapEntry>()
  for (const entry of node.entries) {
    const key = entry.key.text
    if (!known.includes(key)) {
      const facts = { key: showNode(entry.key), where, known: suggest(key, known) }
      report.add("policy/unknown-key", facts, entry.key.at)
    } else if (entries.has(key)) {
      report.add("policy/duplicate", { what: `${key} of ${where}` }, entry.key.at)
    } else entries.set(key, entry)
  }
  return { where, at, entries, report }
}

/** The value of a key that may be left out. */
export function optional(fields: Fields, key: string): PolicyNode | undefined {
  const value = fields.entries.get(key)?.value
  return value === undefined || isNothing(value) ? undefined : value
}

/** The value of a key that must be there; `example` is what could be written. */
export function required(fields: Fields, key: string, example: string): PolicyNode | undefined {
  const value = optional(fields, key)
  if (value === undefined) {
    const at = fields.entries.get(key)?.key.at ?? fields.at
    fields.report.add("policy/missing", { key, where: fields.where, example }, at)
  }
  return value
}

/** A number, read exactly from its text. */
export function numberIn(node: PolicyNode, where: string, report: Report): Rational | undefined {
  const value = node.kind === "scalar" && !node.quoted ? numberOf(node.text) : undefined
  if (value === undefined) {
    const facts = { where, got: showNode(node), expected: "a number such as 0.5 or 1e-9" }
    report.add("policy/wrong-value", facts, node.at)
  }
  return value
}

/** A number between two ends, which count as inside unless the range is open. */
export function numberWithin(
  node: PolicyNode,
  where: string,
  range: { readonly min: string; readonly max: string; readonly open?: true },
  report: Report,
): Rational | undefined {
  const value = numberIn(node, where, report)
  if (value === undefined) return undefined
  const [min, max] = [exactly(range.min, "min"), exactly(range.max, "max")]
  const tooLow = range.open === true ? compare(value, min) <= 0 : compare(value, min) < 0
  const tooHigh = range.open === true ? compare(value, max) >= 0 : compare(value, max) > 0
  if (!tooLow && !tooHigh) return value
  const words =
    range.open === true ? `between ${range.min} and ${range.max}` : `from ${range.min} to ${range.max}`
  report.add("policy/out-of-range", { where, got: showParameter(value), range: words }, node.at)
  return undefined
}

/** A whole number from `min` to `max`. */
export function wholeIn(
  node: PolicyNode,
  where: string,
  range: { readonly min: bigint; readonly max: bigint },
  report: Report,
): bigint | undefined {
  const value = numberIn(node, where, report)
  if (value === undefined) return undefined
  if (value.denominator === 1n && value.numerator >= range.min && value.numerator <= range.max) {
    return value.numerator
  }
  const facts = {
    where,
    got: showParameter(value),
    range: `a whole number from ${range.min} to ${range.max}`,
  }
  report.add("policy/out-of-range", facts, node.at)
  return undefined
}

/** One of a few words. */
export function wordIn<Word extends string>(
  node: PolicyNode,
  where: string,
  words: readonly Word[],
  report: Report,
): Word | undefined {
  const found = node.kind === "scalar" ? words.find((word) => word === node.text) : undefined
  if (found === undefined) {
    const expected = node.kind === "scalar" ? suggest(node.text, words) : words.join(" or ")
    report.add("policy/wrong-value", { where, got: showNode(node), expected }, node.at)
  }
  return found
}

/** Yes or no. */
export function yesOrNo(node: PolicyNode, where: string, report: Report): boolean | undefined {
  const word = wordIn(node, where, ["true", "false"], report)
  return word === undefined ? undefined : word === "true"
}

/** A text or word that is not empty. */
export function textIn(node: PolicyNode, where: string, report: Report): ScalarNode | undefined {
  if (node.kind === "scalar" && node.text !== "" && !isNothing(node)) return node
  report.add("policy/wrong-value", { where, got: showNode(node), expected: "a name" }, node.at)
  return undefined
}

/** A list of texts; a single one counts as a list of one. */
export function textsIn(node: PolicyNode, where: string, report: Report): readonly ScalarNode[] {
  const items = node.kind === "list" ? node.items : [node]
  return items.flatMap((item) => textIn(item, where, report) ?? [])
}

/** The number that a text is, if it is one. What `exactly` would refuse does not pass. */
export function numberOf(text: string): Rational | undefined {
  const decimal = /^[+-]?\d{1,100}(\.\d{1,100})?([eE][+-]?\d{1,2})?$/
  const fraction = /^[+-]?\d{1,100}\/0*[1-9]\d{0,99}$/
  return decimal.test(text) || fraction.test(text) ? exactly(text, "number") : undefined
}
