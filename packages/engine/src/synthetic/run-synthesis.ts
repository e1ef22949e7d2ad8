// The walk of synthetic rows: priced, charged once for all rounds, each round read and released under that
// charge, and everything after that worked out from released tables. As for a question, nothing is refused or
// refunded once data was read.

import { assert } from "@dosimeter/core/errors"
import { multiply, numberNear, rational, rationalOfNumber, square } from "@dosimeter/core/exact"
import type { Round } from "@dosimeter/ml/synthetic/rounds"
import { Synthesis } from "@dosimeter/ml/synthetic/synthesis"
import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"
import type { CompileOptions } from "@dosimeter/planner/compile"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { writeAnswer } from "@dosimeter/answers/shown/answer-text"
import { MeasuredTables } from "../answer/measurements.ts"
import { billedOf, payerOf, type Asker, type Walk } from "../ask/run-query.ts"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import { receiptOf, type ReceiptFacts } from "../receipts/receipt.ts"
import { receiptOfRelease, unknownForm } from "../record/read-release.ts"
import { Bill } from "../release/bill.ts"
import type { NoisyRow } from "../release/measurements/noisy-cell.ts"
import { pay, type Permit } from "../release/permit.ts"
import { printed } from "../release/printed-plan.ts"
import { releasePlan } from "../release/release.ts"
import { lookForCharge, underCharge } from "../release/under-charge.ts"
import { groupCount } from "@dosimeter/ml/synthetic/cell-places"
import { readRounds, roundsSubject, writeRounds, type MeasuredRound } from "./kept-rounds.ts"
import { planRound, type PlannedTable, type SyntheticPlan } from "./plan-synthesis.ts"

/** What was measured, for any number of rows. */
export interface SyntheticRelease {
  readonly plan: SyntheticPlan
  readonly synthesis: Synthesis
  readonly receipt: AnyReceipt
  readonly origin: "released" | "recorded"
  /** The position of its charge. */
  readonly charge: bigint
}

/** What a synthesis runs with. */
export interface SynthesisRun {
  readonly walk: Walk
  readonly asker: Asker
  readonly options: Omit<CompileOptions, "parameters">
  readonly onProgress?: ((step: string) => void) | undefined
}

/**
 * Measures what synthetic rows are made of, or finds it in the record.
 *
 * Guarantee: whoever sees the rows, the report and the receipt, for any number of rows, loses each unit no more
 *   than plan.charge.
 * Needs: RoundsLeft; every plan is a VerifiedPlan of this data.
 * Proof: the charge is durable before the first row is read. Each round is decided by Synthesis from what was
 *   released before, and read under the permit of the charge, which stops before the sum of losses is above it.
 *   Rows and report are worked out from released tables and a public seed.
 * Numerics: losses are exact; what follows is post-processing in doubles.
 * Source: Dwork and Roth 2014, section 3 (adaptive composition, post-processing).
 */
export async function runSynthesis(plan: SyntheticPlan, run: SynthesisRun): Promise<SyntheticRelease> {
  const { walk, asker } = run
  const { ledger, version, policy } = walk
  await version.check()
  const bill = Bill.ofRounds(plan.rule, plan.charge, billedOf(walk))
  const synthesis = new Synthesis(plan.spec)
  const { release, left } = await lookForCharge(ledger, bill, asker)
  const subject = roundsSubject(bill.question)
  if (release !== undefined) {
    const found = (await ledger.kept(subject)).find(({ charge }) => charge === release.charge)
    if (found === undefined) return unknownForm(release.charge, "it has no rounds")
    replay(synthesis, readRounds(found.text) ?? unknownForm(release.charge, "its rounds cannot be read"))
    return { plan, synthesis, receipt: receiptOfRelease(release), origin: "recorded", charge: release.charge }
  }
  rehearse(plan, run)
  const permit = left ?? (await pay(ledger, bill, payerOf(asker)))
  const { reservation } = permit
  asker.onCharged?.(reservation.position)
  return underCharge(ledger, permit, async () => {
    const rounds: MeasuredRound[] = []
    for (let round = synthesis.next(); round !== undefined; round = synthesis.next()) {
      run.onProgress?.(`measuring ${round.name}: ${round.tables.length} tables`)
      const tables = await measure(plan, round, { ...run, permit })
      run.onProgress?.(`fitting after ${round.name}`)
      synthesis.take(round, tables)
      rounds.push({ name: round.name, tables })
    }
    const receipt = receiptOf(factsOf(plan, synthesis), reservation)
    const answer = writeAnswer(summaryOf(plan, synthesis))
    const kept = [{ subject, text: writeRounds(rounds) }]
    await ledger.settle(reservation, {
      outcome: "released",
      release: { answer, receipt: writeReceipt(receipt), kept },
    })
    assert(policy.dataset === plan.example.dataset, "rows are of the dataset that was charged")
    return { plan, synthesis, receipt, origin: "released", charge: reservation.position }
  })
}

// What cannot be planned or written is refused for nothing: columns by themselves, and side by side.
function rehearse(plan: SyntheticPlan, { walk, options }: SynthesisRun): void {
  const first = new Synthesis(plan.spec).next()
  const columns = first?.tables ?? []
  const pairs = columns.flatMap((one, place) => {
    const next = columns[place + 1]
    if (next === undefined) return []
    const groups = [...one.groups, ...next.groups].map((own) => own.map((_, code) => Math.min(code, 1)))
    return [{ attributes: [...one.attributes, ...next.attributes], groups, share: one.share }]
  })
  const round: Round = { name: "columns", tables: [...columns, ...pairs] }
  for (const { plan: proven } of planRound(round, plan, options)) printed(proven, walk.backend)
}

function replay(synthesis: Synthesis, rounds: readonly MeasuredRound[]): void {
  for (const { tables } of rounds) {
    const round = synthesis.next()
    if (round !== undefined) synthesis.take(round, tables)
  }
}

async function measure(
  plan: SyntheticPlan,
  round: Round,
  { walk, asker, options, permit }: SynthesisRun & { readonly permit: Permit },
): Promise<MeasuredRound["tables"]> {
  const planned = planRound(round, plan, options)
  // All of the SQL of a round is printed before any of it is read.
  const readings = planned.map(({ plan: proven }) => printed(proven, walk.backend))
  const tables: MeasuredRound["tables"][number][] = []
  for (const [place, reading] of readings.entries()) {
    const measured = new MeasuredTables()
    const [rows = []] = await releasePlan(reading, permit, walk, { signal: asker.signal, measured })
    const [request, table] = [round.tables[place], planned[place]]
    assert(request !== undefined && table !== undefined, "every table has a reading")
    tables.push(countsOf(rows, table, request))
  }
  return tables
}

// Noisy rows as cells in the order of the groups.
function countsOf(
  rows: readonly NoisyRow[],
  { question: { keys } }: PlannedTable,
  request: Round["tables"][number],
): { readonly counts: Float64Array; readonly variance: number } {
  const sizes = request.attributes.map((_, place) => groupCount(request, place, 1))
  const counts = new Float64Array(sizes.reduce((product, size) => product * size, 1))
  let variance = 0
  let filled = 0
  for (const { keys: values, cells } of rows) {
    const [cell] = cells
    const { value, noise } = cell ?? {}
    assert(value?.kind === "number" && noise?.law === "gaussian", "a count has Gaussian noise of its own")
    const place = sizes.reduce((sum, size, at) => {
      const key = values[keys.indexOf(at)]
      return sum * size + (key?.kind === "number" ? numberNear(key.value) : 0)
    }, 0)
    counts[place] = numberNear(value.value)
    variance = numberNear(multiply(noise.amount, square(noise.grid)))
    filled += 1
  }
  assert(filled === counts.length, "every group has a count")
  return { counts, variance }
}

function factsOf(plan: SyntheticPlan, synthesis: Synthesis): ReceiptFacts {
  const facts = receiptFacts(plan.example)
  const rounds = new Map<string, number>()
  for (const { round } of synthesis.taken) rounds.set(round, (rounds.get(round) ?? 0) + 1)
  return {
    ...facts,
    shown: plan.charge.shown,
    mechanisms: synthesis.taken.map(({ round, attributes, variance }) => ({
      column: `${round}: ${attributes.map((one) => plan.columns[one]?.name ?? "").join(" and ")}`,
      mechanism: "gaussian",
      scale: rationalOfNumber(variance),
      grid: rational(1n),
      sensitivity: "1 row",
    })),
    public: [
      `the names of the columns: ${plan.columns.map(({ name }) => name).join(", ")}`,
      "declared values and ranges, and the rules that rows keep",
    ],
    notes: [
      ...[...rounds].map(([name, count]) => `${name}: ${count} tables`),
      "rows are drawn from a model of these tables; they protect as far as the stated loss says, no further",
    ],
  }
}

// What was measured, without any number from the data.
function summaryOf(plan: SyntheticPlan, synthesis: Synthesis): AnswerTable {
  const text = (value: string): { readonly value: string; readonly state: "released" } => ({
    value,
    state: "released",
  })
  return {
    columns: [
      { name: "round", type: "text", kind: "key" },
      { name: "columns", type: "text", kind: "key" },
      { name: "cells", type: "integer", kind: "key" },
      { name: "noise", type: "float", kind: "key" },
    ],
    rows: synthesis.taken.map(({ round, attributes, counts, variance }) => [
      text(round),
      text(attributes.map((one) => plan.columns[one]?.name ?? "").join(", ")),
      { value: counts.length, state: "released" },
      { value: Number(Math.sqrt(variance).toPrecision(6)), state: "released" },
    ]),
  }
}
