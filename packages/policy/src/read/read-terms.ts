// The owner's terms: budget, price of a question, bounding, limits. Whatever privacy depends on must be
// written out; there is no default for it.

import { budgetFor } from "@dosimeter/core"
import { shareForCharges } from "@dosimeter/core/accounting"
import { compare, divide, exactly, rational, showParameter, zero, type Rational } from "@dosimeter/core/exact"
import type { Accounting, Budget, Neighbours, Span } from "@dosimeter/core"
import type { Terms } from "@dosimeter/proof/catalog/terms"
import { groupKeys } from "../file/keys.ts"
import type { Limits, NamedBudget } from "../file/policy.ts"
import { namedEntries } from "./read-tables.ts"
import type { Report } from "../file/report.ts"
import {
  fieldsOf,
  numberWithin,
  optional,
  required,
  wholeIn,
  wordIn,
  yesOrNo,
  type Fields,
} from "../file/shapes.ts"
import type { PolicyNode } from "../file/tree.ts"

const shareRange = { min: "0.01", max: "0.9" }
const epsilonRange = { min: "0.000001", max: "1000" }
/** A delta of one in a thousand lets a mechanism publish one person in a thousand as they are. */
const deltaRange = { min: "1e-60", max: "0.001" }
/** None: no question with private groups is answered. What turns the sum into epsilon keeps a tenth. */
const keysShareRange = { min: "0", max: "0.9" }
const boundMax = 65_535n
/** The most a question may choose where the owner says nothing: more means more noise, not less privacy. */
const maxDefaults = { groups: 100n, rows: 1000n }
/** Where nothing is said, or `auto` cannot be learnt first: in series, in plans of several questions. */
const groupsElse = 3n
/** Where the owner says nothing: for what cannot be scaled to a norm, or where none is learnt. */
const rowsElse = 5n
const usualBounding: Terms["bounding"] = {
  groupsPerUnit: groupsElse,
  rowsPerGroup: rowsElse,
  groupsPerUnitMax: maxDefaults.groups,
  rowsPerGroupMax: maxDefaults.rows,
}
/** More rows than this of one person are no cap worth declaring. */
const rowsPerUnitMax = 1_000_000_000n

/**
 * The terms of a policy, or undefined if something is wrong or missing; then the report says what. Where the
 * owner does not say which share of delta is for key selection, it is `keysShare`.
 */
export function readTerms(fields: Fields, keysShare: string): Terms | undefined {
  const budget = readBudget(fields, keysShare)
  const question = readQuestion(fields, budget)
  const bounding = readBounding(fields)
  const shown = optional(fields, "shown_from")
  const shownFrom =
    shown === undefined
      ? undefined
      : wholeIn(shown, "shown_from", { min: 1n, max: 1_000_000n }, fields.report)
  const rawNode = optional(fields, "raw_values")
  const raw = rawNode === undefined ? false : yesOrNo(rawNode, "raw_values", fields.report)
  const slot = optional(fields, "slot_ms")
  const slotMs =
    slot === undefined ? undefined : wholeIn(slot, "slot_ms", { min: 1n, max: 600_000n }, fields.report)
  if (budget === undefined || question === undefined || bounding === undefined) return undefined
  return {
    budget,
    question,
    bounding,
    ...(shownFrom === undefined ? {} : { shownFrom }),
    ...(raw === true ? { raw } : {}),
    ...(slotMs === undefined ? {} : { slotMs: Number(slotMs) }),
  }
}

/** Budgets of studies and analysts, each inside the dataset's. */
export function readLimits(fields: Fields, budget: Budget | undefined): Limits {
  const node = optional(fields, "limits")
  const limits = node === undefined ? undefined : group(fields, "limits", node)
  const named = (key: "studies" | "analysts"): readonly NamedBudget[] => {
    const list = limits === undefined ? undefined : optional(limits, key)
    if (list === undefined) return []
    return namedEntries(list, `limits of ${key}`, fields.report).flatMap(({ entry }) => {
      const { text: name, at } = entry.key
      const shape = { where: `the limit of ${name}`, known: groupKeys.limit, at }
      const own = fieldsOf(entry.value, shape, fields.report)
      const limit = own === undefined || budget === undefined ? undefined : readLoss(own, likeBudget(budget))
      if (own === undefined || budget === undefined || limit === undefined) return []
      checkInside(own, limit, budget)
      return [{ name, budget: limit }]
    })
  }
  return { studies: named("studies"), analysts: named("analysts") }
}

function readBudget(fields: Fields, keysShare: string): Budget | undefined {
  const node = required(fields, "budget", "budget: { epsilon: 3, delta: 1e-9, accounting: zcdp }")
  const own = node === undefined ? undefined : group(fields, "budget", node)
  if (own === undefined) return undefined
  const word = required(own, "accounting", "accounting: zcdp (or pure, or gdp)")
  const words: readonly Accounting[] = ["pure", "zcdp", "gdp"]
  const accounting = word === undefined ? undefined : wordIn(word, "accounting", words, fields.report)
  const share = readKeysShare(own, accounting) ?? exactly(keysShare, "keys_share")
  return readLoss(own, { accounting, share })
}

/** How a budget adds up, and which share of its delta is for key selection. */
interface Manner {
  readonly accounting: Accounting | undefined
  readonly share: Rational
}

/** Budgets inside the dataset's add up and are split as it is. */
function likeBudget(budget: Budget): Manner {
  const { accounting } = budget
  return { accounting, share: accounting === "pure" ? zero : shareForCharges(budget) }
}

function readKeysShare(budget: Fields, accounting: Accounting | undefined): Rational | undefined {
  const node = optional(budget, "keys_share")
  if (node === undefined) return undefined
  if (accounting !== "pure") return numberWithin(node, "keys_share", keysShareRange, budget.report)
  const expected = "left out: with pure accounting all of delta is for key selection and noise"
  const got = node.kind === "scalar" ? node.text : "given"
  budget.report.add("policy/wrong-value", { where: "keys_share", got, expected }, node.at)
  return undefined
}

/** Epsilon and delta as a budget. Only pure accounting can do without a delta. */
function readLoss(fields: Fields, { accounting, share }: Manner): Budget | undefined {
  const epsilonNode = required(fields, "epsilon", "epsilon: 3")
  const epsilon =
    epsilonNode === undefined
      ? undefined
      : numberWithin(epsilonNode, label(fields, "epsilon"), epsilonRange, fields.report)
  const delta = readDelta(fields, accounting === "pure")
  if (accounting === undefined || epsilon === undefined || delta === undefined) return undefined
  return budgetFor({
    epsilon,
    delta: delta.numerator === 0n ? 0 : delta,
    accounting,
    deltaForCharges: share,
  })
}

function readDelta(fields: Fields, mayBeZero: boolean): Rational | undefined {
  const node = mayBeZero
    ? optional(fields, "delta")
    : required(fields, "delta", "delta: 1e-9, far below one in the number of persons")
  if (node === undefined) return mayBeZero ? zero : undefined
  if (mayBeZero && node.kind === "scalar" && node.text === "0") return zero
  return numberWithin(node, label(fields, "delta"), deltaRange, fields.report)
}

function readQuestion(fields: Fields, budget: Budget | undefined): Terms["question"] | undefined {
  const example = "question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-10 }"
  const node = required(fields, "question", example)
  const own = node === undefined ? undefined : group(fields, "question", node)
  if (own === undefined) return undefined
  const epsilon = readQuestionEpsilon(own, budget)
  const delta = readDelta(own, budget?.accounting === "pure")
  const deltaAt = own.entries.get("delta")?.value.at ?? own.at
  if (delta !== undefined && budget !== undefined) {
    const isPure = budget.limit.measure === "pure"
    const most = isPure ? budget.delta : divide(budget.delta, rational(2n))
    const other = isPure ? "the budget's delta" : "half of the budget's delta"
    checkAtMost(fields.report, { where: "delta of question", got: delta, other, limit: most, at: deltaAt })
  }
  const confidenceNode = optional(own, "confidence")
  const confidence =
    confidenceNode === undefined
      ? exactly("0.95", "confidence")
      : numberWithin(confidenceNode, "confidence", { min: "0", max: "1", open: true }, fields.report)
  if (epsilon === undefined || delta === undefined || confidence === undefined) return undefined
  return { ...epsilon, delta, confidence }
}

/** A single number is both the default and the most. */
function readQuestionEpsilon(
  question: Fields,
  budget: Budget | undefined,
): Pick<Terms["question"], "epsilonDefault" | "epsilonMax"> | undefined {
  const { report } = question
  const node = required(question, "epsilon", "epsilon: { default: 0.5, max: 1 }")
  if (node === undefined) return undefined
  const own = node.kind === "map" ? group(question, "epsilon", node) : undefined
  const read = (key: "default" | "max"): Rational | undefined => {
    const value = own === undefined ? node : required(own, key, `${key}: 0.5`)
    return value === undefined
      ? undefined
      : numberWithin(value, `the ${key} epsilon of a question`, epsilonRange, report)
  }
  const max = read("max")
  const usual = own === undefined ? max : read("default")
  if (max === undefined || usual === undefined) return undefined
  const placeOf = (key: string): Span => own?.entries.get(key)?.value.at ?? node.at
  checkAtMost(report, {
    where: "the default epsilon of a question",
    got: usual,
    other: "its max",
    limit: max,
    at: placeOf("default"),
  })
  if (budget !== undefined) {
    const where = "the max epsilon of a question"
    checkAtMost(report, {
      where,
      got: max,
      other: "the whole budget",
      limit: budget.epsilon,
      at: placeOf("max"),
    })
  }
  return { epsilonDefault: usual, epsilonMax: max }
}

function readBounding(fields: Fields): Terms["bounding"] | undefined {
  const node = optional(fields, "bounding")
  const own = node === undefined ? undefined : group(fields, "bounding", node)
  if (own === undefined) return node === undefined ? usualBounding : undefined
  const read = (key: string, value: PolicyNode | undefined): bigint | undefined =>
    value === undefined ? undefined : wholeIn(value, key, { min: 1n, max: boundMax }, fields.report)
  const groupsNode = optional(own, "groups_per_unit")
  const isAuto = groupsNode?.kind === "scalar" && groupsNode.text === "auto"
  const pair = (key: string, usual: bigint, most: bigint): readonly [bigint, bigint] | undefined => {
    const isElse = own.entries.get(key) === undefined || (isAuto && key === "groups_per_unit")
    const bound = isElse ? usual : read(key, optional(own, key))
    const max = read(`max_${key}`, optional(own, `max_${key}`))
    if (bound === undefined) return undefined
    const limit = max ?? (bound > most ? bound : most)
    if (isElse) return [bound < limit ? bound : limit, limit]
    if (bound > limit) {
      const facts = { where: key, got: `${bound}`, other: `max_${key}`, limit: `${limit}` }
      fields.report.add("policy/above-limit", facts, own.entries.get(key)?.value.at ?? own.at)
    }
    return [bound, limit]
  }
  const groups = pair("groups_per_unit", groupsElse, maxDefaults.groups)
  const rows = pair("rows_per_group", rowsElse, maxDefaults.rows)
  const norms = readNorms(own)
  if (groups === undefined || rows === undefined) return undefined
  return {
    groupsPerUnit: groups[0],
    rowsPerGroup: rows[0],
    groupsPerUnitMax: groups[1],
    rowsPerGroupMax: rows[1],
    ...(isAuto ? { autoGroups: true } : {}),
    ...norms,
  }
}

// How the norm is found that units are scaled to.
function readNorms(own: Fields): Partial<Terms["bounding"]> {
  const { report } = own
  const shareNode = optional(own, "bounds_share")
  const boundsShare =
    shareNode === undefined ? undefined : numberWithin(shareNode, "bounds_share", shareRange, report)
  const normNode = optional(own, "norm")
  const norm = normNode === undefined ? undefined : wordIn(normNode, "norm", ["auto", "fixed"], report)
  const aimNode = optional(own, "aim")
  const aim =
    aimNode === undefined ? undefined : wordIn(aimNode, "aim", ["least-error", "below-noise"], report)
  const rowsNode = optional(own, "rows_per_unit")
  const rowsPerUnit =
    rowsNode === undefined
      ? undefined
      : wholeIn(rowsNode, "rows_per_unit", { min: 1n, max: rowsPerUnitMax }, report)
  return {
    ...(boundsShare === undefined ? {} : { boundsShare }),
    ...(norm === "fixed" ? { norm } : {}),
    ...(aim === undefined ? {} : { aim }),
    ...(rowsPerUnit === undefined ? {} : { rowsPerUnit }),
  }
}

function group(fields: Fields, key: keyof typeof groupKeys, node: PolicyNode): Fields | undefined {
  const at = fields.entries.get(key)?.key.at ?? fields.at
  return fieldsOf(node, { where: key, known: groupKeys[key], at }, fields.report)
}

function label(fields: Fields, key: string): string {
  return `${key} of ${fields.where}`
}

function checkInside(own: Fields, limit: Budget, budget: Budget): void {
  const pairs = [
    ["epsilon", limit.epsilon, budget.epsilon],
    ["delta", limit.delta, budget.delta],
  ] as const
  for (const [key, got, most] of pairs) {
    const at = own.entries.get(key)?.value.at ?? own.at
    const other = "that of the dataset's budget"
    checkAtMost(own.report, { where: label(own, key), got, other, limit: most, at })
  }
}

interface Comparison {
  readonly where: string
  readonly got: Rational
  readonly other: string
  readonly limit: Rational
  readonly at: Span
}

function checkAtMost(report: Report, { where, got, other, limit, at }: Comparison): void {
  if (compare(got, limit) <= 0) return
  report.add("policy/above-limit", { where, got: showParameter(got), other, limit: showParameter(limit) }, at)
}

/** Which datasets are neighbours. */
export function readNeighbours(fields: Fields): Neighbours | undefined {
  const node = required(fields, "neighbours", "neighbours: add-or-remove (or replace)")
  const words: readonly Neighbours[] = ["add-or-remove", "replace"]
  return node === undefined ? undefined : wordIn(node, "neighbours", words, fields.report)
}
