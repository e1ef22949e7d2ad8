// YAML (or JSON) text to a small tree in which every scalar keeps its text, so that numbers can be read
// exactly, and everything keeps its place. Anchors, aliases, tags and merge keys are refused: a policy says
// what it means where it stands, and none of them can make a small file large.

import type { Span } from "@dosimeter/core"
import { isAlias, isMap, isScalar, isSeq, parseDocument, Scalar } from "yaml"
import { utf8Length } from "@dosimeter/language/text/source"
import type { Report } from "./report.ts"

/** A part of a policy. */
export type PolicyNode = MapNode | ListNode | ScalarNode

/** Keys and values in the order of the text. Keys may repeat; `fieldsOf` refuses that. */
export interface MapNode {
  readonly kind: "map"
  readonly entries: readonly MapEntry[]
  readonly at: Span
}

/** One key with its value. */
export interface MapEntry {
  readonly key: ScalarNode
  readonly value: PolicyNode
}

/** A list. */
export interface ListNode {
  readonly kind: "list"
  readonly items: readonly PolicyNode[]
  readonly at: Span
}

/** A word, number or text, as it was written. Nothing at all is the empty word. */
export interface ScalarNode {
  readonly kind: "scalar"
  readonly text: string
  readonly quoted: boolean
  readonly at: Span
}

/** The longest policy that is read, in bytes. */
export const policyLengthMax = 1_000_000
const depthMax = 64

/** The tree of a policy, or undefined if it has none; then the report says why. */
export function readTree(text: string, report: Report): PolicyNode | undefined {
  const nowhere: Span = { start: 0, end: 0 }
  const length = utf8Length(text)
  if (length > policyLengthMax) {
    report.add("policy/too-long", { got: `${length}`, limit: `${policyLengthMax}` }, nowhere)
    return undefined
  }
  const deep = tooDeepAt(text)
  if (deep !== undefined) {
    report.add("policy/too-deep", {}, { start: deep, end: deep + 1 })
    return undefined
  }
  const document = parseDocument(text, {
    schema: "failsafe",
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "error",
  })
  for (const { code, pos } of document.errors) {
    report.add("policy/syntax", { reason: syntaxReason(code) }, { start: pos[0], end: pos[1] })
  }
  const tree = convert(document.contents, nowhere, report)
  return report.count > 0 ? undefined : tree
}

/** A scalar that stands for nothing: `key:` with no value after it, `null` or `~`. */
export function isNothing(node: PolicyNode): boolean {
  return node.kind === "scalar" && !node.quoted && ["", "null", "~"].includes(node.text)
}

/** What a node looks like, for messages. Policies hold no data, so their words may be quoted. */
export function showNode(node: PolicyNode): string {
  if (node.kind === "map") return "a group of keys"
  if (node.kind === "list") return "a list"
  if (isNothing(node)) return "empty"
  const text = node.text.length <= 40 ? node.text : `${node.text.slice(0, 37)}...`
  const shown = text.replace(/\s+/g, " ")
  return node.quoted ? `the text "${shown}"` : shown
}

function convert(node: unknown, outer: Span, report: Report): PolicyNode {
  const at = spanOf(node) ?? outer
  if (!isScalar(node)) refuseExtras(node, at, report)
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => ({
      key: scalarOf(key, at, report),
      value: convert(value, spanOf(key) ?? at, report),
    }))
    return { kind: "map", entries, at }
  }
  if (isSeq(node)) {
    return { kind: "list", items: node.items.map((item) => convert(item, at, report)), at }
  }
  return scalarOf(node, at, report)
}

function scalarOf(node: unknown, outer: Span, report: Report): ScalarNode {
  const at = spanOf(node) ?? outer
  if (!isScalar(node)) return { kind: "scalar", text: "", quoted: false, at }
  refuseExtras(node, at, report)
  const text = typeof node.value === "string" ? node.value : (node.source ?? "")
  return { kind: "scalar", text, quoted: node.type !== undefined && node.type !== Scalar.PLAIN, at }
}

function refuseExtras(node: unknown, at: Span, report: Report): void {
  if (isAlias(node)) report.add("policy/unsupported-yaml", { what: "an alias" }, at)
  if (!isMap(node) && !isSeq(node) && !isScalar(node)) return
  if (node.anchor !== undefined) report.add("policy/unsupported-yaml", { what: "an anchor" }, at)
  if (node.tag !== undefined) report.add("policy/unsupported-yaml", { what: "a tag" }, at)
}

function spanOf(node: unknown): Span | undefined {
  if (!isMap(node) && !isSeq(node) && !isScalar(node) && !isAlias(node)) return undefined
  const { range } = node
  return range === undefined || range === null ? undefined : { start: range[0], end: range[1] }
}

/**
 * Where brackets or compact lists are nested beyond all use, or undefined. The library recurses, so this is
 * asked before it runs. Nesting by indentation needs ever longer lines and ends with the length of the text.
 */
function tooDeepAt(text: string): number | undefined {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === "[" || character === "{") depth += 1
    if (character === "]" || character === "}") depth = Math.max(0, depth - 1)
    if (depth > depthMax) return index
  }
  const indents = /^(?:[ \t]*[-?:](?=[ \t]))+/gm
  for (const { index, 0: marks } of text.matchAll(indents)) {
    if (marks.replace(/[ \t]/g, "").length > depthMax) return index
  }
  const margin = /^[ ]+/gm
  for (const { index, 0: spaces } of text.matchAll(margin)) {
    if (spaces.length > depthMax * 8) return index
  }
  return undefined
}

function syntaxReason(code: string): string {
  return syntaxReasons.get(code) ?? code.toLowerCase().replaceAll("_", " ")
}

const syntaxReasons: ReadonlyMap<string, string> = new Map([
  ["BAD_INDENT", "this line is indented too little or too much, or a bracket is open"],
  ["BAD_SCALAR_START", "a value cannot begin with this character unless it is quoted"],
  ["BLOCK_AS_IMPLICIT_KEY", "a value cannot begin on the line of another key"],
  ["BLOCK_IN_FLOW", "indented lines cannot stand inside brackets"],
  ["COMMENT_SPACE", "a comment needs a space before its #"],
  ["MISSING_CHAR", "a colon, comma, quote or bracket is missing"],
  ["MULTILINE_IMPLICIT_KEY", "a key must stand on one line"],
  ["MULTIPLE_DOCS", "a policy is one document, without --- inside"],
  ["NON_STRING_KEY", "a key must be a word"],
  ["TAB_AS_INDENT", "lines are indented with spaces, not tabs"],
  ["UNEXPECTED_TOKEN", "this does not belong here"],
])
