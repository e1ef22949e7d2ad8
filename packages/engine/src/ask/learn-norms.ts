// The norm that units are scaled to, learnt before a question is asked: a share of its loss counts units by
// the norm of all that they add. Such a ladder is a release like others: asked once, it serves all questions
// about the same numbers, whatever they may lose.

import {
  add,
  compare,
  divide,
  exactly,
  numberNear,
  one,
  rational,
  subtract,
  type Rational,
} from "@dosimeter/core/exact"
import { chosenNorm } from "@dosimeter/planner/explain/words/norm-words"
import { compile, type Compiled, type CompileOptions, type Planned } from "@dosimeter/planner/compile"
import { ladderShare } from "@dosimeter/planner/learn/ladder-share"
import { learnableNorms, type LearnableNorm } from "@dosimeter/planner/learn/learn-norm"
import type { ReadLadder } from "@dosimeter/planner/learn/read-ladder"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { epsilonLeast, type NormAim } from "@dosimeter/proof/catalog/terms"
import { checkShare, partOf } from "./bounds-share.ts"
import { fitQuestion, type FittedQuestion } from "./fit-question.ts"

/** A norm to be learnt, and its ladder. */
export interface PlannedLadder {
  readonly norm: LearnableNorm
  readonly ladder: Planned
  /** Of the loss of the question. */
  readonly share: Rational
}

/** What is learnt and asked, before anything is paid. */
export interface NormLearning {
  readonly ladders: readonly PlannedLadder[]
  /** The question with the norm of groups and rows, and with the whole loss: it costs what all of it does. */
  readonly trial: Compiled
  /** The same with what its ladders leave. */
  readonly rest: FittedQuestion
  readonly aim: NormAim
}

/** A ladder of a question, as it was answered. */
export interface AnsweredLadder {
  readonly ladder: PlannedLadder
  /** Its counts; undefined where too few units are seen in them. */
  readonly read: ReadLadder | undefined
  /** Whether it was paid for by this question. */
  readonly isPaid: boolean
}

/** A question with the norms that its ladders told. */
export interface NormedQuestion {
  readonly compiled: Compiled
  readonly norms: readonly ReadNorm[]
}

/** A norm that was read from a ladder, in the units of the answer. */
export interface ReadNorm {
  readonly label: string
  readonly high: number
}

/** The aim where neither the question nor the policy has one: intervals are shown with every answer. */
const aimDefault: NormAim = "below-noise"

/**
 * How the loss of a question is shared out between it and its ladders; undefined if there is no norm to
 * learn. Together they cost no more than the question would alone.
 */
export function planNorms(sql: string, options: CompileOptions): NormLearning | undefined {
  const { ask = {}, terms } = options
  const { accounting } = terms.budget
  if (!isWanted(options)) return undefined
  const { boundsShare: asked, ...plain } = ask
  const boundsShare = asked ?? terms.bounding.boundsShare
  if (boundsShare !== undefined) checkShare(boundsShare)
  const norms = learnableNorms(sql, { ...options, ask: plain })
  if (norms.length === 0) return undefined
  const epsilon = ask.epsilon ?? terms.question.epsilonDefault
  const shares = norms.map(({ groups }) => {
    const share = boundsShare ?? exactly(`${ladderShare(accounting, groups)}`, "share")
    return divide(share, rational(BigInt(norms.length)))
  })
  const parts = [...shares, subtract(one, shares.reduce(add))].map((share) =>
    partOf(epsilon, share, accounting),
  )
  if (parts.some((part) => compare(part, epsilonLeast) < 0)) return undefined
  const ladders = norms.map((norm, place): PlannedLadder => {
    const ladder = norm.ladder({ epsilon: parts[place] ?? epsilonLeast })
    return { norm, ladder, share: shares[place] ?? one }
  })
  // What is too long to be compared is not kept, and so cannot be read.
  if (ladders.some(({ ladder }) => ladder.meanings[0] === undefined)) return undefined
  const whole = { ...options, ask: plain, learnsNorm: true } as const
  const trial = compile(sql, whole)
  const first = parts.at(-1) ?? epsilon
  const rest = fitted(sql, forRest(whole, trial), {
    first,
    most: subtract(trial.plan.charge.amount, spentOn(ladders)),
  })
  if (rest === undefined) return undefined
  const plans = [...ladders.map(({ ladder }) => ladder.plan), rest.compiled.plan]
  const delta = plans.map(({ charge }) => charge.delta).reduce(add)
  if (compare(delta, trial.plan.charge.delta) > 0) return undefined
  return { ladders, trial, rest, aim: aimOf(options) }
}

/** What the norms of a question are for. */
export function aimOf({ ask = {}, terms }: CompileOptions): NormAim {
  return ask.aim ?? terms.bounding.aim ?? aimDefault
}

/** Whether a question's norms are to be learnt. Whoever says how many groups or rows count has their norm. */
export function isWanted({ ask = {}, terms }: CompileOptions): boolean {
  if (ask.autoGroups === true) return false
  if (ask.norm !== undefined) return ask.norm === "auto"
  const isGiven = ask.groupsPerUnit !== undefined || ask.rowsPerGroup !== undefined
  return terms.bounding.norm !== "fixed" && !isGiven
}

/**
 * What is left of a question selects keys with the delta of the whole, and no more: thresholds are whole
 * numbers, so that the same delta for another loss would be a little more of it or less.
 */
function forRest(options: CompileOptions, { plan }: Compiled): CompileOptions {
  const { delta } = plan.charge
  if (!plan.releases.some(({ keys }) => keys.kind === "private") || delta.numerator === 0n) return options
  return { ...options, ask: { ...options.ask, keysDelta: delta } }
}

function spentOn(ladders: readonly PlannedLadder[]): Rational {
  return ladders.map(({ ladder }) => ladder.plan.charge.amount).reduce(add, rational(0n))
}

function fitted(
  sql: string,
  options: CompileOptions,
  { first, most }: { readonly first: Rational; readonly most: Rational },
): FittedQuestion | undefined {
  const { accounting } = options.terms.budget
  const compileAt = (epsilon: Rational): Compiled =>
    compile(sql, { ...options, ask: { ...options.ask, epsilon } })
  return fitQuestion(compileAt, { epsilon: first, most, accounting })
}

/** How a ladder was paid for that is on record. */
export const earlierLadder = "the ladder is an earlier release"

/** Which ladders a question has to leave something for: those that it paid for itself, or all of them. */
export type LadderCost = "paid" | "all"

/**
 * The question with the norms that its ladders told, and with the loss that these leave. Where a ladder tells
 * nothing, the norm is that of groups and rows.
 */
export function withNorms(
  sql: string,
  options: CompileOptions,
  learning: NormLearning,
  { answered, cost }: { readonly answered: readonly AnsweredLadder[]; readonly cost: LadderCost },
): NormedQuestion {
  const { trial, rest, aim } = learning
  const { boundsShare: _share, ...plain } = options.ask ?? {}
  const paid = answered.filter(({ isPaid }) => isPaid || cost === "all").map(({ ladder }) => ladder)
  const { plan } = paid.length === 0 ? trial : rest.compiled
  const norms = answered.flatMap(({ ladder, read }) => {
    const words = paid.includes(ladder)
      ? `the ladder had ${percent(ladder.share)} of the loss`
      : earlierLadder
    const norm = read && ladder.norm.read(read, { plan, aim, paid: words })
    return norm === undefined ? [] : [[ladder.norm.boundary, norm] as const]
  })
  const whole = forRest({ ...options, ask: plain }, trial)
  const bounded = { ...whole, learnsNorm: true, norms: new Map(norms) } as const
  const epsilon = plain.epsilon ?? options.terms.question.epsilonDefault
  const found = fitted(sql, bounded, {
    first: paid.length === 0 ? epsilon : rest.epsilon,
    most: subtract(trial.plan.charge.amount, spentOn(paid)),
  })
  // With the norm of groups and rows there was an epsilon; where none is found with another norm, the
  // question is asked with the least, and costs next to nothing.
  const least = { ...bounded, ask: { ...bounded.ask, epsilon: epsilonLeast } }
  const compiled = found?.compiled ?? compile(sql, least)
  return { compiled, norms: norms.length === 0 ? [] : normsIn(compiled.plan) }
}

// The length that all of a unit is scaled to, in the units of the first column.
function normsIn({ releases, unitName }: ReleasePlan): readonly ReadNorm[] {
  return releases.flatMap((release) => {
    const high = chosenNorm(release)?.[0]
    const length = release.bounds.scaled?.norm === "l1" ? "sum" : "length"
    if (high === undefined) return []
    return [{ label: `the ${length} of what each ${unitName} adds`, high: Number(high.toPrecision(6)) }]
  })
}

function percent(share: Rational): string {
  return `${Number((100 * numberNear(share)).toPrecision(3))} %`
}
