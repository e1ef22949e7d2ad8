// Bounds that nobody declared, learnt before a question is asked: a share of its loss tells how many rows a
// value has and where nearly all of them lie, or in how many groups people are. Each step is a question of
// its own: charged before it reads.

import { DosimeterError } from "@dosimeter/core/errors"
import {
  add,
  compare,
  divide,
  lnNear,
  maximum,
  multiply,
  numberNear,
  one,
  rational,
  showParameter,
  subtract,
  type Rational,
} from "@dosimeter/core/exact"
import { drawsOf } from "@dosimeter/core/mechanisms"
import { compile, type Compiled, type CompileOptions, type Planned } from "@dosimeter/planner/compile"
import { learnableGroups } from "@dosimeter/planner/learn/learn-groups"
import { learnableValues, type LearnableValue } from "@dosimeter/planner/learn/learn"
import { hasChoice } from "@dosimeter/proof/algebra/measurement"
import { epsilonLeast, type Ask } from "@dosimeter/proof/catalog/terms"
import type { LearntRange } from "@dosimeter/language/bind/scope/auto-value"
import { fail } from "../errors.ts"
import { checkShare, partOf, shareLeast } from "./bounds-share.ts"
import { fitQuestion, type FittedQuestion } from "./fit-question.ts"
import type { Recorded } from "../record/recorded.ts"

/** Bounds of one value, and the two answers that they were learnt from. */
export interface LearntBounds {
  readonly label: string
  readonly low: number
  readonly high: number
  readonly stages: readonly Recorded[]
  /** Whether it is the norm that units are scaled to, which the receipt tells too. */
  readonly isNorm?: true
}

/** An answer, and what was asked before it. */
export interface LearntAnswer extends Recorded {
  readonly learnt: readonly LearntBounds[]
  /** Ladders of norms that were asked first, and in which too few units are seen to choose a norm. */
  readonly unread?: readonly Recorded[]
}

/** A question with learnt bounds: what is left to spend on it, and how it is compiled. */
export interface BoundedQuestion {
  readonly compiled: Compiled
  /** With the bounds, and with what is left to spend. */
  readonly options: CompileOptions
  readonly learnt: readonly LearntBounds[]
}

/** A value whose bounds are learnt, and the two questions about its rows before anything is known. */
export interface LearningValue {
  readonly value: LearnableValue
  readonly rows: Planned
  readonly sizes: Planned
}

/** What is learnt and asked, before anything is paid. */
export interface LearningPlan {
  readonly values: readonly LearningValue[]
  /** The question inside bounds that stand for those to come: its columns and its loss are the same. */
  readonly trial: Compiled
  /** For each value: where the sizes of its rows lie. */
  readonly sizesAsk: Ask
  /** In how many groups units are, if that is learnt. */
  readonly groups: Planned | undefined
  /** For the question itself: inside the bounds of the trial it fits beside all stages. */
  readonly ask: Ask
  /** The question with what is left, inside the bounds of the trial. */
  readonly rest: CompileOptions
}

/** Of what is spent on a value, the part that counts its rows. */
const rowsPart = rational(1n, 10n)
const shareDefault = rational(1n, 5n)
/** Quartiles stand for the fractions that are looked for once the number of rows is known. */
const quartiles = [rational(1n, 4n), rational(3n, 4n)] as const
/** From the widest bounds that can be learnt to those of the trial. */
const halvingsMax = 50
/** How often a bound may come out beyond all rows. */
const miss = 0.001

/**
 * How the loss of a question is shared out; undefined if there is nothing to learn. The shares are of the
 * account's own measure, and together with the question they cost no more than it would alone. A share that
 * is given is for ladders of norms, too, which follow.
 */
export function planLearning(
  sql: string,
  options: CompileOptions,
  { ladders = 0 }: { readonly ladders?: number } = {},
): LearningPlan | undefined {
  const { ask = {}, terms } = options
  const { scope, autoGroups, boundsShare, plain } = wantedOf(options)
  if (scope === undefined && !autoGroups) return undefined
  checkShare(boundsShare)
  const values = scope === undefined ? [] : learnableValues(sql, { ...options, ask: plain, scope })
  const trials = { ...options, ask: plain, ranges: rangesOf(values) }
  const groupsOf = autoGroups ? learnableGroups(sql, trials) : undefined
  const learnt = values.length + (groupsOf === undefined ? 0 : 1)
  // Nothing to learn: the question is asked as it is.
  if (learnt === 0) return undefined
  const epsilon = ask.epsilon ?? terms.question.epsilonDefault
  const part = (share: Rational): Ask => ({
    ...plain,
    epsilon: partOf(epsilon, share, terms.budget.accounting),
  })
  const followed = isShareGiven(options) ? ladders : 0
  const each = divide(boundsShare, rational(BigInt(learnt + followed)))
  const spentShare = multiply(each, rational(BigInt(learnt)))
  const rowsAsk = part(multiply(each, rowsPart))
  const sizesAsk = part(multiply(each, subtract(one, rowsPart)))
  const itself = part(subtract(one, spentShare))
  checkParts([rowsAsk, sizesAsk, part(each), itself], epsilon)
  const stages = values.map((value) => ({
    value,
    rows: value.rows(rowsAsk),
    sizes: value.sizes(quartiles, sizesAsk),
  }))
  const groups = groupsOf?.(part(each))
  const trial = compile(sql, trials)
  const spent = stagesOf({ values: stages, groups })
    .map(({ plan }) => plan.charge.amount)
    .reduce(add)
  const fitted = fitQuestion((less) => compile(sql, { ...trials, ask: { ...itself, epsilon: less } }), {
    epsilon: itself.epsilon ?? epsilon,
    most: subtract(trial.plan.charge.amount, spent),
    accounting: terms.budget.accounting,
  })
  if (fitted === undefined) return fail("bounds/too-little", { epsilon: showParameter(epsilon) })
  const left = { ...itself, epsilon: fitted.epsilon }
  const shareLeft = divide(multiply(each, rational(BigInt(followed))), subtract(one, spentShare))
  const rest = followed === 0 ? left : { ...left, boundsShare: maximum(shareLeast, shareLeft) }
  return { trial, values: stages, groups, sizesAsk, ask: left, rest: { ...trials, ask: rest } }
}

function isShareGiven({ ask = {}, terms }: CompileOptions): boolean {
  return (ask.boundsShare ?? terms.bounding.boundsShare) !== undefined
}

// Whatever is refused about the parts is said of the whole, before anything is paid.
function checkParts(asks: readonly Ask[], epsilon: Rational): void {
  const isTooLittle = asks.some((ask) => ask.epsilon !== undefined && compare(ask.epsilon, epsilonLeast) < 0)
  if (isTooLittle) fail("bounds/too-little", { epsilon: showParameter(epsilon) })
}

/** What is asked before the question itself, in this order; sizes in other fractions, which are constants. */
export function stagesOf({ values, groups }: Pick<LearningPlan, "values" | "groups">): readonly Planned[] {
  return [...values.flatMap(({ rows, sizes }) => [rows, sizes]), ...(groups === undefined ? [] : [groups])]
}

/** What the question wants to learn, or the policy where it says nothing. Bounds that it gives are kept. */
function wantedOf({ ask = {}, terms, catalog }: CompileOptions): {
  readonly scope: "undeclared" | "policy" | "all" | undefined
  readonly autoGroups: boolean
  readonly boundsShare: Rational
  readonly plain: Ask
} {
  const { bounds, boundsShare, autoGroups, ...plain } = ask
  const isAuto = catalog.tables.some(({ columns }) =>
    columns.some(({ domain }) => domain.autoBounds === true),
  )
  const byPolicy = isAuto ? "policy" : undefined
  const groupsByPolicy = terms.bounding.autoGroups === true && ask.groupsPerUnit === undefined
  return {
    scope: bounds === "declared" ? undefined : (bounds ?? byPolicy),
    autoGroups: autoGroups ?? groupsByPolicy,
    boundsShare: boundsShare ?? terms.bounding.boundsShare ?? shareDefault,
    plain,
  }
}

/** The bounds to go on with until some are learnt. */
function rangesOf(values: readonly LearnableValue[]): ReadonlyMap<string, LearntRange> {
  return new Map(values.flatMap(({ places, trial }) => places.map((place) => [place, trial] as const)))
}

/** Learns, by asking; then the question itself can be compiled. */
export async function learnBounds(
  sql: string,
  options: CompileOptions,
  { plan, run }: { readonly plan: LearningPlan; readonly run: (planned: Planned) => Promise<Recorded> },
): Promise<BoundedQuestion> {
  const ranges = new Map<string, LearntRange>()
  const stages = new Map<LearnableValue, readonly Recorded[]>()
  const groups: LearntBounds[] = []
  let spent = rational(0n)
  const ask = async (stage: Planned): Promise<Recorded> => {
    spent = add(spent, stage.plan.charge.amount)
    return run(stage)
  }
  for (const { value, rows: rowsStage, sizes: sizesStage } of plan.values) {
    const rows = await ask(rowsStage)
    const fraction = fractionOf(sizesStage, numbersIn(rows)[0] ?? 0)
    const sizes = await ask(value.sizes([fraction, subtract(one, fraction)], plan.sizesAsk))
    const [low = 0, high = 0] = numbersIn(sizes)
    const range = value.range(BigInt(Math.trunc(low)), BigInt(Math.trunc(high)))
    for (const place of value.places) ranges.set(place, range)
    stages.set(value, [rows, sizes])
  }
  let bounded = plan.ask
  if (plan.groups !== undefined) {
    const stage = await ask(plan.groups)
    const most = numbersIn(stage)[0] ?? 1
    bounded = { ...bounded, groupsPerUnit: BigInt(Math.max(1, Math.trunc(most))) }
    groups.push({
      label: `groups of each ${options.catalog.unitName}`,
      low: 1,
      high: Number(bounded.groupsPerUnit),
      stages: [stage],
    })
  }
  const values = plan.values.map(({ value }) => value)
  const used = answerable(sql, { ...options, ask: bounded, ranges }, values)
  const learnt = values.map((value): LearntBounds => {
    const { low, high } = used.get(value.places[0] ?? "") ?? value.trial
    const ends = { low: numberNear(low), high: numberNear(high) }
    return { label: value.label, ...ends, stages: stages.get(value) ?? [] }
  })
  const { compiled, epsilon } = compileWithin(sql, { ...options, ranges: used }, bounded, spent)
  const rest = { ...plan.rest.ask, ...bounded, epsilon }
  return { compiled, learnt: [...learnt, ...groups], options: { ...options, ranges: used, ask: rest } }
}

/**
 * The bounds that were learnt, or narrower ones where the question cannot be answered inside so wide ones: it
 * is paid for in part, and was planned inside the bounds of the trial, so there is an answer. What was learnt
 * is released, and so is whatever follows from it. What can be answered can be answered inside narrower
 * bounds, so the least number of halvings is found by halving the numbers that are left.
 */
function answerable(
  sql: string,
  options: CompileOptions & { readonly ranges: ReadonlyMap<string, LearntRange> },
  values: readonly LearnableValue[],
): ReadonlyMap<string, LearntRange> {
  const narrowed = (halvings: number): ReadonlyMap<string, LearntRange> => {
    const factor = rational(1n, 1n << BigInt(halvings))
    return new Map(
      [...options.ranges].map(([place, { low, high }]) => [
        place,
        { low: multiply(low, factor), high: multiply(high, factor) },
      ]),
    )
  }
  const isAnswerable = (halvings: number): boolean => {
    // Caught to try narrower bounds. What has another reason is thrown again with the bounds of the trial.
    try {
      compile(sql, { ...options, ranges: narrowed(halvings) })
      return true
    } catch (error) {
      if (!(error instanceof DosimeterError) || error.kind === "bug") throw error
      return false
    }
  }
  if (isAnswerable(0)) return options.ranges
  if (!isAnswerable(halvingsMax)) return rangesOf(values)
  let [tooWide, enough] = [0, halvingsMax]
  while (enough - tooWide > 1) {
    const middle = Math.floor((tooWide + enough) / 2)
    if (isAnswerable(middle)) enough = middle
    else tooWide = middle
  }
  return narrowed(enough)
}

/**
 * The question with learnt bounds, so that all stages cost no more than the question would have alone. Inside
 * the bounds of the trial there was such an epsilon; where none is found inside those that were learnt, the
 * question is asked with the least, and costs next to nothing.
 */
function compileWithin(sql: string, options: CompileOptions, ask: Ask, spent: Rational): FittedQuestion {
  const { bounds: _bounds, boundsShare: _share, autoGroups: _groups, ...whole } = options.ask ?? {}
  const compileAt = (epsilon: Rational): Compiled => compile(sql, { ...options, ask: { ...ask, epsilon } })
  const fitted = fitQuestion(compileAt, {
    epsilon: ask.epsilon ?? epsilonLeast,
    most: subtract(compile(sql, { ...options, ask: whole }).plan.charge.amount, spent),
    accounting: options.terms.budget.accounting,
  })
  return fitted ?? { compiled: compileAt(epsilonLeast), epsilon: epsilonLeast }
}

/**
 * The fraction of rows beyond a bound: so many rows that the draw does not fall beyond them all, and no more.
 * That is about what the noise of a sum is worth, too: a bound with a few rows above it costs least.
 */
function fractionOf(sizes: Planned, rows: number): Rational {
  const [quarter] = quartiles
  const measurement = sizes.plan.releases[0]?.measurements[0]
  if (!hasChoice(measurement, "quantiles")) return quarter
  const { cells, rowsPerUnit, tree } = measurement.choice.spec
  const least = Math.min(...drawsOf(tree).map(({ epsilon }) => numberNear(epsilon)))
  const perRow = least / (2 * Number(rowsPerUnit))
  const beyond = Math.ceil(lnNear(Number(cells) / miss) / perRow)
  if (!(rows > 4 * beyond)) return quarter
  return rational(BigInt(beyond), BigInt(Math.round(rows)))
}

function numbersIn({ answer }: Recorded): readonly number[] {
  return (answer.rows[0] ?? []).flatMap(({ value }) => (typeof value === "number" ? [value] : []))
}
