// Bounds that nobody declared, learnt before a question is asked: a share of its loss tells how many rows a
// value has and where nearly all of them lie, or in how many groups people are. Each step is a question of
// its own: charged before it reads.

import {
  add,
  compare,
  divide,
  exactly,
  multiply,
  numberNear,
  one,
  rational,
  sqrtDown,
  subtract,
  type Accounting,
  type Rational,
} from "@dosimeter/core"
import {
  compile,
  learnableGroups,
  learnableValues,
  type Ask,
  type Compiled,
  type CompileOptions,
  type LearnableValue,
  type LearntRange,
} from "@dosimeter/sql"
import { fail } from "../errors.ts"
import type { AnswerTable } from "./answer.ts"
import type { Recorded } from "./run-query.ts"

/** Bounds of one value, and the two answers that they were learnt from. */
export interface LearntBounds {
  readonly label: string
  readonly low: number
  readonly high: number
  readonly stages: readonly Recorded[]
}

/** A question with learnt bounds: what is left to spend on it, and how it is compiled. */
export interface BoundedQuestion {
  readonly compiled: Compiled
  readonly learnt: readonly LearntBounds[]
}

/** What is learnt and asked, before anything is paid. */
export interface LearningPlan {
  /** Whether EXPLAIN stood before the question: then nothing is to be run. */
  readonly isExplain: boolean
  readonly values: readonly LearnableValue[]
  /** For each value: how many rows it has, and where their sizes lie. */
  readonly rowsAsk: Ask
  readonly sizesAsk: Ask
  /** In how many groups units are, if that is learnt. */
  readonly groups: Compiled | undefined
  /** For the question itself. */
  readonly ask: Ask
}

/** Of what is spent on a value, the part that counts its rows. */
const rowsPart = rational(1n, 10n)
const shareDefault = rational(1n, 5n)
/** How often a bound may come out beyond all rows. */
const miss = 0.001

/**
 * How the loss of a question is shared out; undefined if there is nothing to learn. The shares are of the
 * account's own measure, and together with the question they cost no more than it would alone.
 */
export function planLearning(sql: string, options: CompileOptions): LearningPlan | undefined {
  const { ask = {}, terms } = options
  const { bounds: scope, boundsShare = shareDefault, autoGroups, ...plain } = ask
  if (scope === undefined && autoGroups !== true) return undefined
  if (boundsShare.numerator <= 0n || compare(boundsShare, one) >= 0) fail("bounds/bad-share", {})
  const values = scope === undefined ? [] : learnableValues(sql, { ...options, ask: plain, scope })
  const groupsOf = autoGroups === true ? learnableGroups(sql, { ...options, ask: plain }) : undefined
  const learnt = values.length + (groupsOf === undefined ? 0 : 1)
  // Nothing to learn: the question is asked as it is.
  if (learnt === 0) return undefined
  const epsilon = ask.epsilon ?? terms.question.epsilonDefault
  const part = (share: Rational): Ask => ({
    ...plain,
    epsilon: partOf(epsilon, share, terms.budget.accounting),
  })
  const each = divide(boundsShare, rational(BigInt(learnt)))
  const rowsAsk = part(multiply(each, rowsPart))
  const groups = groupsOf?.(part(each))
  return {
    isExplain: groups?.isExplain === true || values.some((value) => value.rows(rowsAsk).isExplain),
    values,
    groups,
    rowsAsk,
    sizesAsk: part(multiply(each, subtract(one, rowsPart))),
    ask: part(subtract(one, boundsShare)),
  }
}

/** Learns, by asking; then the question itself can be compiled. */
export async function learnBounds(
  sql: string,
  options: CompileOptions,
  { plan, run }: { readonly plan: LearningPlan; readonly run: (compiled: Compiled) => Promise<Recorded> },
): Promise<BoundedQuestion> {
  const ranges = new Map<string, LearntRange>()
  const learnt: LearntBounds[] = []
  let spent = rational(0n)
  const ask = async (compiled: Compiled): Promise<Recorded> => {
    spent = add(spent, compiled.plan.charge.amount)
    return run(compiled)
  }
  for (const value of plan.values) {
    const rows = await ask(value.rows(plan.rowsAsk))
    const fraction = fractionOf(value, plan, numbersIn(rows)[0] ?? 0)
    const sizes = await ask(value.sizes([fraction, subtract(one, fraction)], plan.sizesAsk))
    const [low = 0, high = 0] = numbersIn(sizes)
    const range = value.range(BigInt(Math.trunc(low)), BigInt(Math.trunc(high)))
    for (const place of value.places) ranges.set(place, range)
    const ends = { low: numberNear(range.low), high: numberNear(range.high) }
    learnt.push({ label: value.label, ...ends, stages: [rows, sizes] })
  }
  let bounded = plan.ask
  if (plan.groups !== undefined) {
    const stage = await ask(plan.groups)
    const most = numbersIn(stage)[0] ?? 1
    bounded = { ...bounded, groupsPerUnit: BigInt(Math.max(1, Math.trunc(most))) }
    learnt.push({
      label: `groups of each ${options.catalog.unitName}`,
      low: 1,
      high: Number(bounded.groupsPerUnit),
      stages: [stage],
    })
  }
  return { compiled: compileWithin(sql, { ...options, ranges }, bounded, spent), learnt }
}

/** The question with learnt bounds, so that all stages cost no more than the question would have alone. */
function compileWithin(sql: string, options: CompileOptions, ask: Ask, spent: Rational): Compiled {
  const { bounds: _bounds, boundsShare: _share, autoGroups: _groups, ...whole } = options.ask ?? {}
  const most = subtract(compile(sql, { ...options, ask: whole }).plan.charge.amount, spent)
  const less = rational(99n, 100n)
  for (let epsilon = ask.epsilon ?? one; ; epsilon = multiply(epsilon, less)) {
    const compiled = compile(sql, { ...options, ask: { ...ask, epsilon } })
    if (compare(compiled.plan.charge.amount, most) <= 0) return compiled
  }
}

/**
 * The fraction of rows beyond a bound: so many rows that the draw does not fall beyond them all, and no more.
 * That is about what the noise of a sum is worth, too: a bound with a few rows above it costs least.
 */
function fractionOf(value: LearnableValue, { sizesAsk }: LearningPlan, rows: number): Rational {
  const quarter = rational(1n, 4n)
  const [measure] = value.sizes([quarter, subtract(one, quarter)], sizesAsk).plan.releases[0]?.measures ?? []
  if (measure?.kind !== "quantiles") return quarter
  const { cells, rowsPerUnit, epsilonPerLevel } = measure.spec
  const perRow = numberNear(epsilonPerLevel) / (2 * Number(rowsPerUnit))
  const beyond = Math.ceil(Math.log(Number(cells) / miss) / perRow)
  if (!(rows > 4 * beyond)) return quarter
  return rational(BigInt(beyond), BigInt(Math.round(rows)))
}

/** Epsilon times the share; where rho or mu squared is added up, its square root. */
function partOf(epsilon: Rational, share: Rational, accounting: Accounting): Rational {
  const exact = multiply(epsilon, accounting === "pure" ? share : sqrtDown(share))
  return exactly(`${Number(numberNear(exact).toPrecision(6))}`, "epsilon")
}

function numbersIn({ answer }: Recorded): readonly number[] {
  // Our own text, from the ledger or made just now.
  const { rows }: AnswerTable = JSON.parse(answer)
  return (rows[0] ?? []).flatMap(({ value }) => (typeof value === "number" ? [value] : []))
}
