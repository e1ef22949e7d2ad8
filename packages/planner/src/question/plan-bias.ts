// What bounding and clamping take away, estimated beside an answer: a share of the loss for releases of their
// own, and what is worked out from them.

import {
  maximum,
  multiply,
  negate,
  one,
  rational,
  rationalOfNumber,
  showParameter,
  subtract,
  compare,
  divide,
  type Rational,
} from "@dosimeter/core/exact"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { literalDomain } from "@dosimeter/proof/catalog/literal-domain"
import { fail } from "../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { rowsMax } from "@dosimeter/proof/algebra/item-domain"
import {
  callExpr,
  columnExpr,
  columnIdsAfter,
  columnIn,
  projectRel,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Boundary, BoundaryAggregate, Project, Rel } from "@dosimeter/proof/algebra/rel"
import type { BiasItem, BiasPlan, KeyFact, Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { biasAggregates, type BiasAggregates, type BiasName } from "./bias-boundary.ts"
import { selectsKeys } from "../strategies/drafts.ts"
import { plan, specsOf, type BoundStatement, type PlanOptions } from "./plan.ts"
import { boundariesOf } from "./replace-boundaries.ts"
import { allowanceOf, chargeOf } from "../loss/share-out.ts"
import { checkLeast, resolveAsk } from "../loss/resolve-ask.ts"

/** The plan of a statement, with a share of its loss for what is left out of it. */
export function planWithBias(statement: BoundStatement, options: PlanOptions, share: Rational): ReleasePlan {
  if (share.numerator <= 0n) fail("ask/not-positive", { name: "the share for bias" })
  checkLeast("the share for bias", share, rational(1n, 1000n))
  const half = rational(1n, 2n)
  if (compare(share, half) > 0) {
    fail("ask/too-large", { name: "the share for bias", got: showParameter(share), limit: "0.5" })
  }
  const selects = boundariesOf(statement.rel).some(selectsKeys)
  const shared = { delta: one, selectsKeys: selects }
  const main = plan(statement, { ...options, share: { ...shared, amount: subtract(one, share) } })
  const { questions, unknown } = biasQuestions(statement.rel, main)
  const partly = unknown ? [notTold] : []
  if (questions.length === 0) {
    const whole = plan(statement, options)
    return { ...whole, notes: [...whole.notes, unknown ? notTold : nothingLeftOut] }
  }
  const {
    epsilon: spent,
    groupsPerUnit: _groups,
    rowsPerGroup: _rows,
  } = resolveAsk(options.terms, options.ask)
  const { weights: _weights, ...ask } = options.ask
  const amount = divide(share, rational(BigInt(questions.length)))
  const extra = questions.map(({ rel, items }) => {
    const bound = { rel, outputNames: items.map(() => "bias"), notes: [] }
    const { releases, post, reliesOn } = plan(bound, { ...options, ask, share: { ...shared, amount } })
    return { releases, post, reliesOn, items }
  })
  const releases = [...main.releases, ...extra.flatMap((one) => one.releases)]
  const { budget, question } = options.terms
  const { keysDelta } = options.ask
  const asked = { epsilon: spent, delta: question.delta, selectsKeys: selects, keysDelta }
  const allowance = allowanceOf(budget, asked)
  return {
    ...main,
    releases,
    charge: chargeOf(releases.flatMap(specsOf), allowance),
    notes: [
      ...main.notes,
      `${showParameter(share)} of the loss estimates what is left out and clamped`,
      ...partly,
    ],
    reliesOn: distinct([...main.reliesOn, ...extra.flatMap(({ reliesOn }) => reliesOn)]),
    bias: extra.map(({ post, items }, index): BiasPlan => ({
      post: readingFrom(post, main.releases.length + index),
      items,
    })),
  }
}

const nothingLeftOut = "nothing of anybody is left out, and no value is clamped"
const notTold = "what bounds leave out of some groups cannot be estimated"

function distinct(facts: readonly KeyFact[]): readonly KeyFact[] {
  const name = ({ table, columns }: KeyFact): string => `${table}(${columns.join(", ")})`
  return [...new Map(facts.map((fact) => [name(fact), fact])).values()]
}

/** What is worked out from the only release of a question, where that is another one of the plan. */
function readingFrom(post: Rel, release: number): Rel {
  if (post.kind === "released") return { ...post, release }
  return post.kind === "project" ? { ...post, input: readingFrom(post.input, release) } : post
}

interface BiasQuestion {
  readonly rel: Project
  readonly items: readonly BiasItem[]
}

function biasQuestions(
  rel: Rel,
  { releases, unitName }: ReleasePlan,
): { readonly questions: readonly BiasQuestion[]; readonly unknown: boolean } {
  const ids = columnIdsAfter(rel)
  const answered = boundariesAnswered(releases, boundariesOf(rel))
  const questions: BiasQuestion[] = []
  let unknown = false
  for (const [index, release] of releases.entries()) {
    if (release.extracts.length === 0) continue
    const { bounds } = release
    const boundary = answered[index]
    const bias = boundary === undefined ? "unknown" : biasAggregates(boundary, bounds, { ids, unitName })
    if (bias === "unknown") unknown = true
    if (typeof bias === "string" || boundary === undefined) continue
    questions.push(questionOf(bias, { boundary, bounds, ids, unitName }))
  }
  return { questions, unknown }
}

/** What each release answers; of groupings that are measured together, one by all of their keys. */
function boundariesAnswered(
  releases: readonly Release[],
  boundaries: readonly Boundary[],
): readonly (Boundary | undefined)[] {
  const own = releases.map(({ columns }) =>
    boundaries.find((boundary) => boundary.columns.every(({ id }, index) => id === columns[index])),
  )
  const families = new Map<Rel, Boundary>()
  for (const boundary of boundaries) {
    if (own.includes(boundary)) continue
    const { keys = [] } = families.get(boundary.input) ?? {}
    families.set(boundary.input, { ...boundary, keys: [...new Set([...keys, ...boundary.keys])] })
  }
  const together = [...families.values()]
  return own.map((boundary) => boundary ?? together.shift())
}

interface QuestionFacts {
  readonly boundary: Boundary
  readonly bounds: Release["bounds"]
  readonly ids: ColumnIds
  readonly unitName: string
}

/** Noisy sums to divide and to compare: they need not be whole. */
const noisy: Domain = {
  type: { kind: "float" },
  nullable: false,
  range: {
    min: { value: negate(rational(rowsMax)), declared: false },
    max: { value: rational(rowsMax), declared: false },
  },
}

function questionOf(bias: BiasAggregates, facts: QuestionFacts): BiasQuestion {
  const { ids } = facts
  const names = [...bias.aggregates.keys()]
  const columns = names.map((name) => ({ id: ids.next(), name, domain: noisy }))
  const boundary: Boundary = {
    kind: "boundary",
    input: bias.input,
    keys: [],
    aggregates: [...bias.aggregates.values()],
    columns,
  }
  const read = (name: BiasName): Expr =>
    columnExpr(columnIn(boundary, columns[names.indexOf(name)]?.id ?? -1))
  const outputs = [...sharesOf(bias, read, facts), ...totalsOf(bias, read, facts)]
  return {
    rel: projectRel(
      boundary,
      outputs.map(({ value }) => ({ name: "bias", value })),
      ids,
    ),
    items: outputs.map(({ item }) => item),
  }
}

interface Output {
  readonly value: Expr
  readonly item: BiasItem
}

type Read = (name: BiasName) => Expr

function sharesOf({ isCut, values }: BiasAggregates, read: Read, facts: QuestionFacts): readonly Output[] {
  const { bounds, unitName } = facts
  const outputs: Output[] = []
  const share = (out: Expr, all: Expr, text: string): void => {
    const ratio = callExpr("divide", [out, all])
    outputs.push({
      value: callExpr("clamp", [ratio, number(rational(0n)), number(one)]),
      item: { kind: "share", text },
    })
  }
  if (isCut.groups) {
    const k = bounds.groupsPerUnit
    const text = `{} units (${unitName}) are in more than ${k} ${k === 1n ? "group" : "groups"}`
    outputs.push({ value: positive(read("over")), item: { kind: "amount", text } })
    const [out, kept] = [read("groups-out"), read("groups-kept")]
    share(
      out,
      callExpr("add", [kept, out]),
      `{} of the groups that a ${unitName} is in are left out (${k} a ${unitName} count, and up to ${k} more are looked at)`,
    )
  }
  if (isCut.rows) {
    const r = bounds.rowsPerGroup
    const [out, kept] = [read("rows-out"), read("rows-kept")]
    share(
      out,
      callExpr("add", [kept, out]),
      `{} of the rows are left out (${r} a group count, and up to ${r} more are looked at)`,
    )
  }
  for (const [index, { label, low, high }] of values.entries()) {
    const all = read(`value-all-${index}`)
    share(
      read(`value-low-${index}`),
      all,
      `{} of the values of ${label} are ${showParameter(low)} or below, and count as that`,
    )
    share(
      read(`value-high-${index}`),
      all,
      `{} of the values of ${label} are ${showParameter(high)} or above, and count as that`,
    )
  }
  return outputs
}

// Each group that is left out has at most so many rows that would have counted, and each row a value.
function totalsOf(
  { isCut }: BiasAggregates,
  read: Read,
  { boundary, bounds }: QuestionFacts,
): readonly Output[] {
  if (!isCut.groups && !isCut.rows) return []
  const times = (value: Expr, factor: Rational): Expr => callExpr("multiply", [value, number(factor)])
  const groups = isCut.groups ? [read("groups-out")] : []
  const rows = [
    ...groups.map((out) => times(out, rational(bounds.rowsPerGroup))),
    ...(isCut.rows ? [read("rows-out")] : []),
  ]
  return boundary.aggregates.flatMap((aggregate): readonly Output[] => {
    const counted = aggregate.kind === "persons" ? groups : rows
    const [first, ...others] = counted
    const size = sizeOf(aggregate)
    if (first === undefined || size === undefined) return []
    const lost = others.reduce((sum, part) => callExpr("add", [sum, part]), first)
    const text = `${aggregate.label}, all groups together, may be ${size.word} by up to {} for what is left out`
    return [{ value: positive(times(lost, size.factor)), item: { kind: "amount", text } }]
  })
}

/**
 * The most that one row adds to an aggregate, and how rows that are left out move it; undefined where they do
 * not move it by a sum.
 */
function sizeOf(
  aggregate: BoundaryAggregate,
): { readonly factor: Rational; readonly word: string } | undefined {
  if (aggregate.kind === "persons" || (aggregate.kind === "rows" && aggregate.divisorOf === undefined)) {
    return { factor: one, word: "low" }
  }
  if (aggregate.kind !== "sum" || aggregate.manner !== "total") return undefined
  const { lower, upper, grid } = aggregate
  const factor = multiply(maximum(rational(upper), rational(-lower)), grid)
  return { factor, word: lower >= 0n ? "low" : "off" }
}

function positive(value: Expr): Expr {
  return callExpr("clamp", [value, number(rational(0n)), number(rational(10n ** 30n))])
}

function number(value: Rational): Expr {
  const near = {
    kind: "number",
    value: rationalOfNumber(Number(value.numerator) / Number(value.denominator)),
  } as const
  return { kind: "literal", value: near, domain: literalDomain(near, { kind: "float" }) }
}
