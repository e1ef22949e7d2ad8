// The least epsilon that gives a wanted error. Where planning tells how far off an answer will be, nothing is
// paid to find it; where the answer's size matters, a first look is asked, charged, and scaled.

import {
  compare,
  countSensitivity,
  errorOf,
  gaussianOfVariance,
  laplaceOfScale,
  maximum,
  multiply,
  numberNear,
  numberUp,
  rational,
  rationalOfNumber,
  showParameter,
  zero,
  type Rational,
} from "@dosimeter/core"
import { momentHalfWidth, type Release, type VerifiedPlan } from "@dosimeter/sql"
import type { Engine } from "../engine.ts"
import type { QuestionOptions } from "../execute/ask-question.ts"
import { fail } from "../errors.ts"
import type { AnswerCell, AnswerColumn, AnswerTable } from "../execute/answer.ts"
import type { Explained } from "../execute/explain-question.ts"
import type { Recorded } from "../execute/run-query.ts"
import { leastEpsilon } from "./least-epsilon.ts"

/** How far off an answer may be, at the policy's confidence: in its own units, or as a share of itself. */
export interface WithinTarget {
  readonly kind: "size" | "share"
  readonly amount: Rational
}

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
  /** A first look tells, and the question itself then costs up to the most that the owner allows. */
  | { readonly kind: "first-look"; readonly epsilon: Rational; readonly most: Rational }

/** Says what a question with a wanted error takes. Reads no data and costs nothing. */
export async function planWithin({ engine, sql, options, target }: WithinQuestion): Promise<WithinPlan> {
  const { epsilonMax } = engine.policy.terms.question
  const at = (epsilon: Rational): Promise<Explained> => engine.explain(sql, spending(options, epsilon))
  const explained = await at(epsilonMax)
  const numbers = explained.plan.releases.length === 0 ? [] : explained.columns.filter(isNoisyNumber)
  if (numbers.length === 0) fail("within/nothing", {})
  if (target.kind === "share" || !numbers.every(isKnown)) {
    return { kind: "first-look", epsilon: multiply(epsilonMax, rational(1n, 10n)), most: epsilonMax }
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
  return { kind: "known", epsilon: await leastEpsilon(epsilonMax, isEnough) }
}

/** What an error costs is told for bounds that are known: none are learnt on the way. */
export function spending(options: QuestionOptions, epsilon: Rational): QuestionOptions {
  return { ...options, ask: { ...options.ask, bounds: "declared", autoGroups: false, epsilon } }
}

/** The first look, and what the question itself should cost. */
export interface FirstLook {
  readonly first: Recorded
  readonly epsilon: Rational
}

/**
 * Asks and pays for a first look, and works out the least epsilon for which every column is within the error
 * in at least half of the groups. Errors shrink with the square root of rho or mu squared, or with epsilon:
 * exactly for counts and sums, about so for averages and quantiles.
 */
export async function lookFirst(question: WithinQuestion, epsilon: Rational): Promise<FirstLook> {
  const { engine, sql, options, target } = question
  const { epsilonMax } = engine.policy.terms.question
  // A request of its own: the question after it is another one.
  const { requestId } = options
  const own = requestId === undefined ? options : { ...options, requestId: `${requestId} first look` }
  const at = (spent: Rational): QuestionOptions => spending(own, spent)
  const free = await engine.ask(sql, at(epsilon))
  // What earlier releases tell may be enough; else they have another noise than the one that is scaled below.
  const isUsed = free.origin !== "reused" || neededFactor(tableOf(free), target) >= 1
  const first = isUsed ? free : await engine.ask(sql, { ...at(epsilon), reuse: "never" })
  const before = (await engine.explain(sql, at(epsilon))).plan.charge
  const shrunk = async (spent: Rational): Promise<number> => {
    const { charge } = (await engine.explain(sql, at(spent))).plan
    const ratio = numberNear(before.amount) / numberNear(charge.amount)
    return charge.accounting === "pure" ? ratio : Math.sqrt(ratio)
  }
  const needed = neededFactor(tableOf(first), target)
  if (needed === 0) fail("within/small", { epsilon: showParameter(epsilon) })
  // Good enough already: the same question is answered from the record.
  if (needed >= 1) return { first, epsilon }
  const best = await shrunk(epsilonMax)
  if (best > needed) {
    const reachable = (numberNear(target.amount) * best) / needed
    fail("within/unreachable", {
      within: shown(numberNear(target.amount), target),
      reachable: shown(reachable, target),
      epsilon: showParameter(epsilonMax),
    })
  }
  return { first, epsilon: await leastEpsilon(epsilonMax, async (spent) => (await shrunk(spent)) <= needed) }
}

// Our own text, from the ledger or made just now.
function tableOf({ answer }: Recorded): AnswerTable {
  return JSON.parse(answer) as AnswerTable
}

/** An answer within an error, and what was paid on the way. */
export interface WithinAnswer {
  readonly answer: Recorded
  /** The first look, where there was one. */
  readonly first?: Recorded
  readonly epsilon: Rational
}

/** All stages: plans, looks first where that is needed, and asks. */
export async function askWithin(question: WithinQuestion): Promise<WithinAnswer> {
  const { engine, sql, options } = question
  const plan = await planWithin(question)
  const looked = plan.kind === "known" ? undefined : await lookFirst(question, plan.epsilon)
  const epsilon = looked?.epsilon ?? plan.epsilon
  const answer = await engine.ask(sql, spending(options, epsilon))
  return { answer, epsilon, ...(looked === undefined ? {} : { first: looked.first }) }
}

/**
 * By how much the widths of a first look must shrink so that each column is within the target in at least
 * half of its groups; 0 if no loss would do.
 */
export function neededFactor({ columns, rows }: AnswerTable, target: WithinTarget): number {
  const factors = columns.flatMap((column, index) => {
    if (!isNoisyNumber(column)) return []
    const cells = rows.flatMap((row) => (row[index]?.state === "released" ? [row[index]] : []))
    return cells.length === 0 ? [] : [upperMedian(cells.map((cell) => factorOf(cell, target)))]
  })
  return factors.length === 0 ? 0 : Math.min(...factors)
}

/** The wanted half width of a cell over the one that it has; a share is of its nearer end, to be safe. */
function factorOf({ low, high }: AnswerCell, { kind, amount }: WithinTarget): number {
  if (low === undefined && high === undefined) return Infinity
  if (typeof low !== "number" || typeof high !== "number") return 0
  const wanted = numberNear(amount) * (kind === "size" ? 1 : Math.max(low, -high, 0))
  return high > low ? wanted / ((high - low) / 2) : Infinity
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
  // Estimates of what is left out stand beside the answer, at the end.
  const answering = plan.releases.slice(0, plan.releases.length - (plan.bias?.length ?? 0))
  return answering.map((release) => widthOfRelease(release, plan)).reduce(maximum, zero)
}

function widthOfRelease({ measures, keys }: Release, { confidence }: VerifiedPlan): Rational {
  const widths = measures.map((measure): Rational => {
    if (measure.kind === "additive") {
      return multiply(rational(errorOf(measure.spec, confidence).halfWidth), measure.grid)
    }
    if (measure.kind === "moments" || measure.kind === "moment-read") {
      const source = measure.kind === "moments" ? measure : measures[measure.measure]
      // What is only worked with has no column of its own.
      return source?.kind === "moments" && measure.isWhole
        ? momentHalfWidth(source, measure, confidence)
        : zero
    }
    if (measure.kind !== "key-count" || keys.kind !== "private") return zero
    // The counts that come with the keys have the noise of the selection.
    const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
    const { spec } = keys
    if (spec.kind === "keys-optimal") return zero
    const noise =
      spec.kind === "keys-laplace"
        ? laplaceOfScale({ sensitivity, scale: spec.scale })
        : gaussianOfVariance({ sensitivity, variance: spec.variance })
    return rational(errorOf(noise, confidence).halfWidth)
  })
  return widths.reduce(maximum, zero)
}

function shown(value: number, { kind }: WithinTarget): string {
  return kind === "share" ? `${shortUp(value * 100)}%` : shortUp(value)
}

/** Three digits, rounded up, so that what is said to be reachable is. */
function shortUp(value: number): string {
  if (!Number.isFinite(value) || value <= 0) return `${value}`
  const unit = 10 ** (Math.floor(Math.log10(value)) - 2)
  const rounded = Math.ceil(value / unit - 1e-9) * unit
  return showParameter(rationalOfNumber(Number(rounded.toPrecision(12)))).length > 14
    ? `${Number(rounded.toPrecision(3))}`
    : `${Number(rounded.toPrecision(12))}`
}
