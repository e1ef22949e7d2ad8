// Several questions as one workload: what is asked twice, or can be worked out from something finer, is
// measured once; the loss is split so that the sum of the questions' relative errors is small.

import { add, compare, numberNear, sqrtUp, zero, type Rational } from "@dosimeter/core/exact"
import type { Loss } from "@dosimeter/core/mechanisms"
import { gdpToEpsilon, zcdpToEpsilon } from "@dosimeter/core/meaning"
import { boundStatement, compile, scaledIn, type Compiled, type CompileOptions } from "../compile.ts"
import type { Reading } from "@dosimeter/proof/algebra/measurement"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { applyConsent } from "../question/apply-consent.ts"
import { plan, scaledReleases, type BoundStatement, type PlanOptions } from "../question/plan.ts"
import { boundariesOf } from "../question/replace-boundaries.ts"
import type { AllowanceShare } from "../loss/share-out.ts"
import { meaningsOf, type Meaning } from "@dosimeter/answers/reuse/meaning"
import { verify } from "@dosimeter/proof/verify/verify"
import { Arrangement, type Item, type Planned } from "./arrange.ts"
import { questionErrors, type ColumnError } from "./question-errors.ts"
import { virtualTable } from "./virtual-table.ts"

/** A question of a workload. */
export interface WorkloadQuestion {
  readonly sql: string
  /** How much its errors count, beside those of the others. */
  readonly weight: Rational
  /** Norms that ladders told, by the place of their boundary in the question. */
  readonly norms?: Norms
}

type Norms = NonNullable<PlanOptions["norms"]>

/** A statement that is planned by itself, and the norms of its boundaries. */
interface NormedStatement extends BoundStatement {
  readonly norms?: Norms
}

/** A workload that is planned: nothing was read. */
export interface Workload {
  /** What is paid for. Each is proven by itself; losses add up. */
  readonly parts: readonly WorkloadPart[]
  readonly questions: readonly PlannedQuestion[]
  /** The sum of the charges of all parts. */
  readonly charge: Charge
}

/** One measurement of a workload, by itself a plan. */
export interface WorkloadPart {
  readonly plan: VerifiedPlan
  readonly meanings: readonly (Meaning | undefined)[]
}

/** A question, and what it costs and gives in the workload. */
export interface PlannedQuestion {
  readonly sql: string
  /** By itself; its post-processing is that of the workload's answer too. */
  readonly compiled: Compiled
  /** The part that is its own plan, where its answer cannot be worked out from kept tables. */
  readonly part: number | undefined
  /** What the question would cost by itself for the same errors, in the account's measure. */
  readonly alone: number
  /** Its part of the workload's cost. */
  readonly inPlan: number
  readonly errors: readonly ColumnError[]
}

/** Plans a workload for one allowance: that of `ask.epsilon`, as for a single question. */
export function planWorkload(
  questions: readonly WorkloadQuestion[],
  options: Omit<CompileOptions, "parameters">,
): Workload {
  const { terms, prepared = [], catalog } = options
  const asked = questions.map((question) => readQuestion(question, options))
  const planned = (statement: NormedStatement, share?: AllowanceShare): Planned => {
    const { norms } = statement
    const known = norms === undefined ? {} : { norms }
    const proposed = plan(statement, {
      ...options,
      ask: options.ask ?? {},
      ...(share && { share }),
      ...known,
    })
    return { plan: proposed, meanings: meaningsOf(boundariesOf(statement.rel), proposed.releases) }
  }
  const accounting = terms.budget.accounting
  const arrangement = new Arrangement({ planned, accounting, shownFrom: terms.shownFrom })
  for (const item of finestFirst(asked.flatMap(itemsOf))) arrangement.add(item)
  const shares = arrangement.shares()
  const parts = arrangement.parts.map(({ statement }, index): WorkloadPart => {
    const { plan: proposed, meanings } = planned(statement, shares[index])
    return { plan: verify(applyConsent(proposed, catalog), catalog, prepared), meanings }
  })
  const charge = chargeOfParts(parts, terms.question.delta)
  const amounts = parts.map((part) => numberNear(part.plan.charge.amount))
  const allowed = asked.map(({ compiled }) => numberNear(compiled.plan.charge.amount))
  return {
    parts,
    charge,
    questions: asked.map(({ sql, compiled }, index): PlannedQuestion => {
      const part = arrangement.partOfQuestion(index)
      const { errors, cheaper } = questionErrors(compiled, parts, { part, accounting })
      return {
        sql,
        compiled,
        part,
        alone: Math.max(...allowed) * cheaper,
        inPlan: arrangement.costOf(index, amounts),
        errors,
      }
    }),
  }
}

interface AskedQuestion {
  readonly sql: string
  readonly statement: NormedStatement
  readonly compiled: Compiled
  readonly weight: Rational
}

function readQuestion(
  { sql, weight, norms = new Map() }: WorkloadQuestion,
  options: Omit<CompileOptions, "parameters">,
): AskedQuestion {
  const statement = boundStatement(sql, options)
  const known = norms.size === 0 ? norms : normsOf(statement, sql, { norms, options })
  if (known.size === 0) return { sql, weight, statement, compiled: compile(sql, options) }
  const compiled = compile(sql, { ...options, norms: known })
  return { sql, weight, statement: { ...statement, norms: known }, compiled }
}

// By itself a question may have another form, in which averages are centred or filters measured together:
// its vectors have other steps then, and a norm in these says nothing here. Averages alone may have a norm
// below one row, which the errors that are told of a plan know nothing of.
function normsOf(
  statement: BoundStatement,
  sql: string,
  { norms, options }: { readonly norms: Norms; readonly options: Omit<CompileOptions, "parameters"> },
): Norms {
  const own = scaledReleases(statement, { ...options, ask: options.ask ?? {} })
  const alone = scaledIn(sql, options)
  const isAlike = (place: number): boolean => {
    const [here, there] = [own, alone].map((all) => all.find(({ boundary }) => boundary === place)?.subject)
    if (here === undefined || there === undefined || here.groups !== there.groups) return false
    if (here.vector.rowsPerGroup !== undefined) return false
    const isSame = compare(here.vector.ofRow, there.vector.ofRow) === 0
    return isSame && here.vector.amounts.length === there.vector.amounts.length
  }
  return new Map([...norms].filter(([place]) => isAlike(place)))
}

// Several quantiles of one value are one aggregate.
function isFirstPart(reading: Reading): boolean {
  return reading.kind !== "chosen" || reading.part === 0
}

// A question whose boundaries can be compared is as many items; any other is one, whole.
function itemsOf({ statement, compiled, weight }: AskedQuestion, question: number): readonly Item[] {
  const boundaries = boundariesOf(statement.rel)
  const { plan: own, meanings } = compiled
  const paid = own.releases.filter(({ extracts }) => extracts.length > 0)
  if (paid.length === 0) return []
  const aggregates = own.releases.flatMap(({ readings }) => readings.filter(isFirstPart)).length
  const share = numberNear(weight) / Math.max(aggregates, 1)
  const canCompare =
    boundaries.length === own.releases.length &&
    own.releases.every((release, index) => {
      const meaning = meanings[index]
      return meaning !== undefined && virtualTable(release, meaning, own.confidence) !== undefined
    })
  if (!canCompare) return [{ question, statement, boundary: undefined, weight: numberNear(weight) }]
  return boundaries.flatMap((boundary, index): Item[] => {
    if (own.releases[index]?.extracts.length === 0) return []
    const norm = statement.norms?.get(index)
    const single = ofBoundary(boundary)
    const normed = norm === undefined ? single : { ...single, norms: new Map([[0, norm]]) }
    return [{ question, statement: normed, boundary, weight: share }]
  })
}

/** A statement that is a boundary and nothing else. */
function ofBoundary(boundary: Boundary): BoundStatement {
  return { rel: boundary, outputNames: boundary.columns.map(({ name }) => name), notes: [] }
}

// What is finer may answer what is coarser, never the reverse.
function finestFirst(items: readonly Item[]): readonly Item[] {
  const keysOf = ({ boundary }: Item): number => boundary?.keys.length ?? Infinity
  return items.toSorted((a, b) => keysOf(b) - keysOf(a))
}

// Amounts of one measure add up, and so do deltas of key selection.
function chargeOfParts(parts: readonly WorkloadPart[], deltaForSum: Rational): Charge {
  const charges = parts.map(({ plan: { charge } }) => charge)
  const amount = charges.map((charge) => charge.amount).reduce(add, zero)
  const delta = charges.map((charge) => charge.delta).reduce(add, zero)
  const accounting = charges[0]?.accounting ?? "pure"
  return { accounting, amount, delta, shown: shownLoss({ accounting, amount, delta }, deltaForSum) }
}

function shownLoss({ accounting, amount, delta }: Omit<Charge, "shown">, deltaForSum: Rational): Loss {
  switch (accounting) {
    case "pure":
      return delta.numerator === 0n
        ? { measure: "pure", epsilon: amount }
        : { measure: "approx", epsilon: amount, delta }
    case "zcdp":
      return {
        measure: "approx",
        epsilon: zcdpToEpsilon(amount, deltaForSum),
        delta: add(delta, deltaForSum),
      }
    case "gdp":
      return {
        measure: "approx",
        epsilon: gdpToEpsilon(sqrtUp(amount), deltaForSum),
        delta: add(delta, deltaForSum),
      }
    default:
      return accounting satisfies never
  }
}
