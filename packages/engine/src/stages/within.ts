// The least epsilon that gives a wanted error. Where planning tells how far off an answer will be, nothing is
// paid to find it; where the answer's size matters, a look is asked, charged, and scaled.

import {
  decimalExponent,
  compare,
  maximum,
  multiply,
  numberNear,
  numberUp,
  rational,
  rationalOfNumber,
  showParameter,
  zero,
  type Rational,
} from "@dosimeter/core/exact"
import { keyCountError, linearHalfWidth } from "@dosimeter/planner/aggregates/errors/reading-errors"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import { epsilonLeast } from "@dosimeter/proof/catalog/terms"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { Engine } from "../engine.ts"
import type { QuestionOptions } from "../ask/ask-question.ts"
import { fail } from "../errors.ts"
import type { AnswerCell, AnswerColumn, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { Explained } from "../ask/explain-question.ts"
import type { Recorded } from "../record/recorded.ts"
import { checkStage } from "../ask/stage-source.ts"
import { leastEpsilon } from "./least-epsilon.ts"
import type { WithinTarget } from "./within-target.ts"

/** A question with a wanted error. */
export interface WithinQuestion {
  readonly engine: Engine
  readonly sql: string
  readonly options: QuestionOptions
  readonly target: WithinTarget
}

/** What it takes, before anything is paid. */
export type WithinPlan =
  /** Planning alone tells: this much. */
  | { readonly kind: "known"; readonly epsilon: Rational }
  /** Looks tell, each if the one before tells too little; then up to the most that the owner allows. */
  | {
      readonly kind: "first-look"
      /** Of the first look. */
      readonly epsilon: Rational
      /** Of those that may follow. */
      readonly more: readonly Rational[]
      readonly most: Rational
    }

/** Says what a question with a wanted error takes. Reads no data and costs nothing. */
export async function planWithin(question: WithinQuestion): Promise<WithinPlan> {
  return (await explainedWithin(question)).plan
}

interface ExplainedWithin {
  readonly plan: WithinPlan
  readonly isExplain: boolean
  /** All stages have the same norms, whatever comes on record meanwhile. */
  readonly options: QuestionOptions
}

async function explainedWithin(question: WithinQuestion): Promise<ExplainedWithin> {
  const { engine, sql, target } = question
  const { epsilonMax } = engine.policy.terms.question
  await checkLearnt(question)
  const explained = await engine.explain(sql, spending(question.options, epsilonMax))
  const { isExplain, norms = new Map() } = explained
  const options = { ...question.options, norms }
  const at = (epsilon: Rational): Promise<Explained> => engine.explain(sql, spending(options, epsilon))
  const numbers = explained.plan.releases.length === 0 ? [] : explained.columns.filter(isNoisyNumber)
  if (numbers.length === 0) fail("within/nothing", {})
  if (target.kind === "share" || !numbers.every(isKnown)) {
    const [epsilon = epsilonMax, ...more] = lookShares.map((share) =>
      maximum(epsilonLeast, multiply(epsilonMax, share)),
    )
    return { isExplain, options, plan: { kind: "first-look", epsilon, more, most: epsilonMax } }
  }
  const best = halfWidthOf(explained.plan)
  if (compare(best, target.amount) > 0) {
    fail("within/unreachable", {
      within: showParameter(target.amount),
      reachable: shortUp(numberUp(best)),
      epsilon: showParameter(epsilonMax),
    })
  }
  const isEnough = async (epsilon: Rational): Promise<boolean> =>
    compare(halfWidthOf((await at(epsilon)).plan), target.amount) <= 0
  const epsilon = await leastEpsilon(epsilonMax, isEnough)
  return { isExplain, options, plan: { kind: "known", epsilon } }
}

/** What looks may cost, as shares of the largest epsilon. */
const lookShares = [rational(1n, 100n), rational(3n, 100n), rational(1n, 10n)]

/** What an error costs is told for bounds that are known: none are learnt on the way. */
export function spending(options: QuestionOptions, epsilon: Rational): QuestionOptions {
  const ask = { ...options.ask, bounds: "declared", autoGroups: false, epsilon } as const
  return { norms: "recorded", ...options, ask }
}

/** Refuses what would have to be learnt first; the norm of a ladder on record is known. */
async function checkLearnt({ engine, sql, options }: WithinQuestion): Promise<void> {
  const { bounds, autoGroups, norm } = options.ask ?? {}
  const declare = "declare them, write CLAMP(x, low, high), or ask with an epsilon"
  if (bounds === "undeclared" || bounds === "all")
    fail("within/learns", { what: "bounds of values", remedy: declare })
  if (autoGroups === true) {
    const remedy = "say how many groups count, or ask with an epsilon"
    fail("within/learns", { what: "the number of groups", remedy })
  }
  if (norm !== "auto") return
  const { epsilonMax: epsilon } = engine.policy.terms.question
  const known = { ...options.ask, bounds: "declared", autoGroups: false, epsilon } as const
  const { learnsFirst } = await engine.explain(sql, { ...options, ask: known })
  if (learnsFirst === true) {
    const remedy = "ask it once with an epsilon: its ladder is on record then, and serves; or leave norm out"
    fail("within/learns", { what: "the norm", remedy })
  }
}

/** An answer within an error, and what was paid on the way. */
export interface WithinAnswer {
  readonly answer: Recorded
  /** What was asked before it. The last look may have been enough: then it is the answer. */
  readonly looks: readonly Recorded[]
  readonly epsilon: Rational
  /** In how many of its numbers the error is as wanted, or less: of the column with the fewest. */
  readonly reached: ReachedError
}

/** All stages: plans, looks first where that is needed, and asks. Nothing is paid before `onPlan` agrees. */
export async function askWithin(
  question: WithinQuestion & { readonly onPlan?: (plan: WithinPlan) => Promise<void> },
): Promise<WithinAnswer> {
  const { engine, sql, target, onPlan } = question
  const { plan, isExplain, options } = await explainedWithin(question)
  const known = { ...question, options }
  if (isExplain) return explained(known, plan)
  await onPlan?.(plan)
  const done = (answer: Recorded, looks: readonly Recorded[], epsilon: Rational): WithinAnswer => ({
    answer,
    looks,
    epsilon,
    reached: reachedIn(answer.answer, target),
  })
  if (plan.kind === "known") {
    return done(await engine.ask(sql, spending(options, plan.epsilon)), [], plan.epsilon)
  }
  const { looks, epsilon } = await look(known, plan)
  const last = looks.at(-1)
  if (epsilon === undefined && last !== undefined) return done(last, looks.slice(0, -1), plan.epsilon)
  const spent = epsilon ?? plan.epsilon
  return done(await engine.ask(sql, spending(options, spent)), looks, spent)
}

/** EXPLAIN SELECT ...: what it takes, and nothing is paid. */
async function explained(
  { engine, sql, options, target }: WithinQuestion,
  plan: WithinPlan,
): Promise<WithinAnswer> {
  const { epsilon } = plan
  const recorded = await engine.ask(sql, spending(options, epsilon))
  const table = recorded.answer
  const line = showWithin(plan, target)
  const rows: AnswerTable["rows"] = [
    ...(line === undefined ? [] : [[{ value: line, state: "released" as const }]]),
    ...table.rows,
  ]
  const answer = { ...recorded, answer: { ...table, rows } }
  return { answer, looks: [], epsilon, reached: { inside: 0, of: 0 } }
}

/** The looks that an error takes, as a line of an explanation; undefined if it takes none. */
export function showWithin(plan: WithinPlan, target: WithinTarget): string | undefined {
  if (plan.kind === "known") return undefined
  const error = shown(numberNear(target.amount), target)
  const others = plan.more.map(showParameter).join(" and ")
  return [
    `within      ${error}: this look tells how large the answer is`,
    ` (if it tells too little, others follow for epsilon ${others});`,
    ` then the least that gives it, at most epsilon ${showParameter(plan.most)}`,
  ].join("")
}

/** What looks told: how much to spend, or that the last one is within the error already. */
interface Looked {
  readonly looks: readonly Recorded[]
  readonly epsilon: Rational | undefined
}

/**
 * Asks and pays for looks, and works out the least epsilon for which every column is within the error in at
 * least half of the groups. Errors shrink with the square root of rho or mu squared, or with epsilon: exactly
 * for counts and sums, about so for averages and quantiles. A share is of the nearer end of an interval, to
 * be safe: another look is taken where knowing the size better may save more than it costs.
 */
async function look(
  question: WithinQuestion,
  plan: Extract<WithinPlan, { readonly kind: "first-look" }>,
): Promise<Looked> {
  const { engine, sql, options, target } = question
  const amountAt = async (epsilon: Rational): Promise<number> =>
    numberNear((await engine.explain(sql, spending(options, epsilon))).plan.charge.amount)
  const power = engine.policy.terms.budget.accounting === "pure" ? 1 : 2
  const most = await amountAt(plan.most)
  const steps = [plan.epsilon, ...plan.more]
  const looks: Recorded[] = []
  let paid = 0
  for (const [index, epsilon] of steps.entries()) {
    const { recorded, isEnough } = await lookOnce(question, { epsilon, place: index + 1 })
    looks.push(recorded)
    if (isEnough) return { looks, epsilon: undefined }
    paid += await amountAt(epsilon)
    // Looks are merged, where they can be: their noise is no less than that of all that was paid at once.
    const needed = (end: End): number => paid / neededFactor(recorded.answer, target, end) ** power
    const near = needed("near")
    const next = steps[index + 1]
    if (next !== undefined && (isBlind(recorded.answer) || needed("far") <= most)) {
      if (near > most || near - needed("middle") > (await amountAt(next))) continue
    }
    if (near === Infinity) fail("within/small", { epsilon: showParameter(epsilon) })
    if (near > most) {
      const amount = numberNear(target.amount)
      fail("within/unreachable", {
        within: shown(amount, target),
        reachable: shown(amount * (near / most) ** (1 / power), target),
        epsilon: showParameter(plan.most),
      })
    }
    return { looks, epsilon: await leastEpsilon(plan.most, async (one) => (await amountAt(one)) >= near) }
  }
  return fail("within/small", { epsilon: showParameter(plan.epsilon) })
}

/** Whether a look shows no number of some column: all were too small for the owner's rule, noise and all. */
function isBlind({ columns, rows }: AnswerTable): boolean {
  return columns.some(
    (column, index) => isNoisyNumber(column) && rows.every((row) => row[index]?.state !== "released"),
  )
}

/** One look, with noise of its own where what earlier releases tell is not within the error already. */
async function lookOnce(
  question: WithinQuestion,
  { epsilon, place }: { readonly epsilon: Rational; readonly place: number },
): Promise<{ readonly recorded: Recorded; readonly isEnough: boolean }> {
  const { engine, sql, options, target } = question
  // A request of its own: the question after it is another one.
  const { requestId } = options
  const own = requestId === undefined ? options : { ...options, requestId: `${requestId} look ${place}` }
  const at = spending(own, epsilon)
  const isEnough = (one: Recorded): boolean => neededFactor(one.answer, target, "near") >= 1
  const free = await engine.ask(sql, at)
  await checkLook(question, free)
  if (isEnough(free)) return { recorded: free, isEnough: true }
  const recorded = free.origin === "reused" ? await engine.ask(sql, { ...at, reuse: "never" }) : free
  await checkLook(question, recorded)
  return { recorded, isEnough: isEnough(recorded) }
}

// A look may be the record of an earlier release, which may wait for an approval.
async function checkLook({ engine, options }: WithinQuestion, look: Recorded): Promise<void> {
  const { mayUse = async () => true, study } = options
  await checkStage(look, { ledger: engine.ledger, mayUse }, study)
}

/** Where in its interval an answer is taken to be, when a share of it is wanted. */
type End = "near" | "middle" | "far"

/**
 * By how much the widths of a look must shrink so that each column is within the target in at least half of
 * its groups; 0 if no loss would do.
 */
export function neededFactor({ columns, rows }: AnswerTable, target: WithinTarget, end: End): number {
  const factors = columns.flatMap((column, index) => {
    if (!isNoisyNumber(column)) return []
    const cells = rows.flatMap((row) => (row[index]?.state === "released" ? [row[index]] : []))
    return cells.length === 0 ? [] : [upperMedian(cells.map((cell) => factorOf(cell, target, end)))]
  })
  return factors.length === 0 ? 0 : Math.min(...factors)
}

/** The wanted half width of a cell over the one that it has: of the noise, which is what a loss decides. */
function factorOf(cell: AnswerCell, { kind, amount }: WithinTarget, end: End): number {
  const [low, high] = "noiseLow" in cell ? [cell.noiseLow, cell.noiseHigh] : [cell.low, cell.high]
  if (low === undefined && high === undefined) return Infinity
  if (typeof low !== "number" || typeof high !== "number") return 0
  const wanted = numberNear(amount) * (kind === "size" ? 1 : sizeOf(low, high, end))
  return high > low ? wanted / ((high - low) / 2) : Infinity
}

function sizeOf(low: number, high: number, end: End): number {
  switch (end) {
    case "near":
      return Math.max(low, -high, 0)
    case "middle":
      return Math.abs(low + high) / 2
    case "far":
      return Math.max(high, -low)
    default:
      return end satisfies never
  }
}

/** How many numbers are within an error, of how many. */
export interface ReachedError {
  readonly inside: number
  readonly of: number
}

/** Of the column that has the fewest. */
function reachedIn({ columns, rows }: AnswerTable, target: WithinTarget): ReachedError {
  const all = columns.flatMap((column, index): ReachedError[] => {
    if (!isNoisyNumber(column)) return []
    const cells = rows.flatMap((row) => (row[index]?.state === "released" ? [row[index]] : []))
    const inside = cells.filter((cell) => factorOf(cell, target, "middle") >= 1 - 1e-9)
    return [{ inside: inside.length, of: cells.length }]
  })
  return all.toSorted((a, b) => a.inside - b.inside)[0] ?? { inside: 0, of: 0 }
}

/** At least half of the numbers are no less than this. */
function upperMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => b - a)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
}

function isNoisyNumber({ kind, type }: AnswerColumn): boolean {
  return kind !== "key" && /^(integer|decimal|float)/.test(type)
}

/** Whether the error follows from the plan: additive noise, as it is. */
function isKnown({ kind, mechanism = "" }: AnswerColumn): boolean {
  return kind === "noisy" && /laplace|gaussian/.test(mechanism)
}

/** The largest half width among a plan's counts and sums. */
function halfWidthOf(plan: VerifiedPlan): Rational {
  return plan.releases.map((release) => widthOfRelease(release, plan)).reduce(maximum, zero)
}

function widthOfRelease(release: Release, { confidence }: VerifiedPlan): Rational {
  const widths = release.readings.map((reading): Rational => {
    switch (reading.kind) {
      case "linear": {
        const source = release.measurements[reading.measurement]
        // What is only worked with has no column of its own, and groupings have as many widths as sets.
        if (source?.kind !== "linear" || !reading.isWhole || hasGroupings(release.keys)) return zero
        return linearHalfWidth(source, reading, confidence) ?? zero
      }
      case "key-count":
        // The counts that come with the keys have the noise of the selection.
        return rational(keyCountError(release, confidence)?.halfWidth ?? 0n)
      case "chosen":
        return zero
      default:
        return reading satisfies never
    }
  })
  return widths.reduce(maximum, zero)
}

function shown(value: number, { kind }: WithinTarget): string {
  return kind === "share" ? `${shortUp(value * 100)}%` : shortUp(value)
}

/** Three digits, rounded up, so that what is said to be reachable is. */
function shortUp(value: number): string {
  if (!Number.isFinite(value) || value <= 0) return `${value}`
  const unit = 10 ** (decimalExponent(value) - 2)
  const rounded = Math.ceil(value / unit - 1e-9) * unit
  return showParameter(rationalOfNumber(Number(rounded.toPrecision(12)))).length > 14
    ? `${Number(rounded.toPrecision(3))}`
    : `${Number(rounded.toPrecision(12))}`
}
