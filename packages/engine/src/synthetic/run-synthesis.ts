// The walk of synthetic rows: priced, charged once for all rounds, each round read and released under that
// charge, and everything after that worked out from released tables. As for a question, nothing is refused or
// refunded once data was read.

import type { Round } from "@dosimeter/ml/synthetic/rounds"
import { Synthesis } from "@dosimeter/ml/synthetic/synthesis"
import { writeAnswer } from "@dosimeter/answers/shown/answer-text"
import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"
import { billedOf, payerOf } from "../ask/run-query.ts"
import { receiptOf } from "../receipts/receipt.ts"
import { receiptOfRelease, unknownForm } from "../record/read-release.ts"
import { Bill } from "../release/bill.ts"
import { pay } from "../release/permit.ts"
import { printed } from "../release/printed-plan.ts"
import { lookForCharge, underCharge } from "../release/under-charge.ts"
import { readRounds, roundsSubject, writeRounds, type MeasuredRound } from "./kept-rounds.ts"
import { measureRound, type SynthesisRun } from "./measure-round.ts"
import { planRound, type SyntheticPlan } from "./plan-synthesis.ts"
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
 *   released before, and read under the permit of the charge, which stops before the sum of losses is above
 *   it. Rows and report are worked out from released tables and a public seed.
 * Numerics: losses are exact; what follows is post-processing in doubles.
 * Source: Dwork and Roth 2014, section 3 (adaptive composition, post-processing).
 */
export async function runSynthesis(plan: SyntheticPlan, run: SynthesisRun): Promise<SyntheticRelease> {
  const { walk, asker } = run
  const { ledger, version } = walk
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
      const tables = await measureRound(plan, round, { ...run, permit })
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
