// The walk of synthetic rows: priced, charged once for all rounds, each round read and released under that
// charge, and everything after that worked out from released tables. As for a question, nothing is refused or
// refunded once data was read.

import { cellsOf } from "@dosimeter/ml/synthetic/cell-places"
import { Synthesis } from "@dosimeter/ml/synthetic/synthesis"
import { writeAnswer } from "@dosimeter/answers/shown/answer-text"
import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"
import { oneAtATime } from "../ask/one-at-a-time.ts"
import { billedOf, payerOf } from "../ask/run-query.ts"
import type { Ledger, Question, RecordedRelease } from "../ledger/ledger.ts"
import { receiptOf } from "../receipts/receipt.ts"
import { receiptOfRelease, unknownForm } from "../record/read-release.ts"
import { Bill } from "../release/bill.ts"
import { pay, type Permit } from "../release/permit.ts"
import { lookForCharge, underCharge } from "../release/under-charge.ts"
import { readRounds, roundsSubject, writeRounds, type MeasuredRound } from "./kept-rounds.ts"
import { measureRound, type SynthesisRun } from "./measure-round.ts"
import type { SyntheticPlan } from "./plan-synthesis.ts"
import { rehearse } from "./rehearse.ts"
import { factsOf, summaryOf } from "./synthetic-receipt.ts"

/** What was measured, for any number of rows. */
export interface SyntheticRelease {
  readonly plan: SyntheticPlan
  readonly synthesis: Synthesis
  readonly receipt: AnyReceipt
  readonly origin: "released" | "recorded"
  /** The position of its charge. */
  readonly charge: bigint
}

/**
 * Measures what synthetic rows are made of, or finds it in the record.
 *
 * Guarantee: whoever sees the rows, the report and the receipt, for any number of rows, loses each unit no
 *   more than plan.charge.
 * Needs: RoundsLeft; every plan is a VerifiedPlan of this data.
 * Proof: the charge is durable before the first row is read. Each round is decided by Synthesis from what was
 *   released before, and read under the permit of the charge, which stops before the losses add up to more.
 *   Rows and report are worked out from released tables and a public seed. Before the end nothing is told
 *   that follows from a table: a charge that is taken over, and drawn from once more, has told nothing.
 * Numerics: losses are exact; what follows is post-processing in doubles.
 * Source: Dwork and Roth 2014, section 3 (adaptive composition, post-processing).
 */
export async function runSynthesis(plan: SyntheticPlan, run: SynthesisRun): Promise<SyntheticRelease> {
  const { walk, asker } = run
  const { ledger, version } = walk
  await version.check()
  const bill = Bill.ofRounds(plan.rule, plan.charge, billedOf(walk))
  const { release, left } = await lookForCharge(ledger, bill, asker)
  if (release !== undefined) return recordedRounds(plan, { release, question: bill.question }, ledger)
  rehearse(plan, run)
  if (left !== undefined) return measuredUnder(left, plan, run)
  const payAndMeasure = async (): Promise<SyntheticRelease> =>
    measuredUnder(await pay(ledger, bill, payerOf(asker)), plan, run)
  // When held work ends, and how, is told to nobody.
  if (asker.held === true) return payAndMeasure()
  return oneAtATime(ledger, bill.question, {
    answer: payAndMeasure,
    again: async () => runSynthesis(plan, run),
  })
}

// Everything that is told of before the end is public: which pairs are chosen, and whether a round has
// tables, follows from noisy tables, and a charge that is taken over draws them once more.
async function measuredUnder(
  permit: Permit,
  plan: SyntheticPlan,
  run: SynthesisRun,
): Promise<SyntheticRelease> {
  const { reservation } = permit
  const { ledger } = run.walk
  run.asker.onCharged?.(reservation.position)
  return underCharge(ledger, permit, async () => {
    const synthesis = new Synthesis(plan.spec)
    const rounds: MeasuredRound[] = []
    for (let round = synthesis.next(); round !== undefined; round = synthesis.next()) {
      if (rounds.length <= 1) run.onProgress?.(rounds.length === 0 ? "measuring columns" : "measuring pairs")
      const tables = await measureRound(plan, round, { ...run, permit })
      synthesis.take(round, tables)
      rounds.push({ name: round.name, tables })
    }
    const receipt = receiptOf(factsOf(plan, synthesis), reservation)
    const answer = writeAnswer(summaryOf(plan, synthesis))
    const kept = [{ subject: roundsSubject(reservation), text: writeRounds(rounds) }]
    await ledger.settle(reservation, {
      outcome: "released",
      release: { answer, receipt: writeReceipt(receipt), kept },
    })
    return { plan, synthesis, receipt, origin: "released", charge: reservation.position }
  })
}

async function recordedRounds(
  plan: SyntheticPlan,
  { release, question }: { readonly release: RecordedRelease; readonly question: Question },
  ledger: Ledger,
): Promise<SyntheticRelease> {
  const { charge } = release
  const fitted = fittedOf(ledger)
  const known = fitted.get(charge)
  if (known !== undefined) return { ...known, plan }
  const found = (await ledger.kept(roundsSubject(question))).find((one) => one.charge === charge)
  if (found === undefined) return unknownForm(charge, "it has no rounds")
  const rounds = readRounds(found.text) ?? unknownForm(charge, "its rounds cannot be read")
  const synthesis = new Synthesis(plan.spec)
  for (const { name, tables } of rounds) {
    const round = synthesis.next()
    const isSame =
      round?.name === name &&
      round.tables.length === tables.length &&
      round.tables.every((one, place) => cellsOf(one) === tables[place]?.counts.length)
    if (!isSame) return unknownForm(charge, "its rounds are not those of this question")
    synthesis.take(round, tables)
  }
  if (synthesis.next() !== undefined) return unknownForm(charge, "rounds of it are missing")
  const own = { plan, synthesis, receipt: receiptOfRelease(release), origin: "recorded", charge } as const
  const oldest = [...fitted.keys()].slice(0, Math.max(0, fitted.size - fittedMax + 1))
  for (const one of oldest) fitted.delete(one)
  fitted.set(charge, own)
  return own
}

/** Models of the record that were fitted last are kept, since fitting takes seconds: more rows take none. */
const fittedMax = 4
const fittedLast = new WeakMap<Ledger, Map<bigint, SyntheticRelease>>()

function fittedOf(ledger: Ledger): Map<bigint, SyntheticRelease> {
  const known = fittedLast.get(ledger) ?? new Map<bigint, SyntheticRelease>()
  fittedLast.set(ledger, known)
  return known
}
