// The walk of a workload: one charge for all of its parts, every table released once, and each question
// worked out from them. As for a single question, nothing is refused or refunded once data was read.

import { assert } from "@dosimeter/core/errors"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { Workload, WorkloadPart } from "@dosimeter/planner/workload/plan-workload"
import type { KeptText, Ledger } from "../ledger/ledger.ts"
import { receiptOf, type ReceiptFacts } from "../receipts/receipt.ts"
import { recordedAnswers, textsOfAnswers, type WorkloadAnswer } from "../record/recorded.ts"
import {
  answerFromRecord,
  freshTables,
  lookUp,
  paidAnswer,
  publicAnswer,
  type KeptTables,
  type NoisyRelease,
} from "../record/answer-from-record.ts"
import { DrawNumbers } from "../answer/noisy-table.ts"
import { Bill } from "../release/bill.ts"
import { pay } from "../release/permit.ts"
import { readPublic, type PublicRows } from "../answer/post-process.ts"
import { printed } from "../release/printed-plan.ts"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import { MeasuredTables } from "../answer/measurements.ts"
import { releasePlan } from "../release/release.ts"
import { billedOf, payerOf, type Asker, type MayUse, type Walk } from "./run-query.ts"
import { lookForCharge, underCharge } from "../release/under-charge.ts"

/**
 * Releases a workload under one charge.
 *
 * Guarantee: whoever sees all answers and the receipt loses each unit no more than workload.charge.
 * Needs: every part is a VerifiedPlan, of this data; the charge is the sum of the parts' charges (Bill).
 * Proof: the charge is durable before the first row is read. Each part loses its own charge (verify), parts
 *   depend on the data alone, and losses of one measure add up. Answers are worked out from released tables.
 * Numerics: exact.
 * Source: Dwork and Roth 2014, section 3 (composition, post-processing).
 */
export async function runWorkload(workload: Workload, walk: Walk, asker: Asker): Promise<WorkloadAnswer> {
  const { ledger, version } = walk
  await version.check()
  const bill = Bill.ofSeveral(workload, billedOf(walk))
  const { release: recorded, left } = await lookForCharge(ledger, bill, asker)
  if (recorded !== undefined) return recordedAnswers(recorded)
  const publicRows: PublicRows[] = []
  for (const { compiled } of workload.questions) {
    publicRows.push(await readPublic(compiled.plan, walk.backend))
  }
  if (workload.parts.length === 0) {
    const { answers, from } = await answersOf(workload, [], { walk, publicRows, charge: 0n })
    return { answers, receipt: {}, origin: "public", from }
  }
  const readings = workload.parts.map((part) => ({ part, reading: printed(part.plan, walk.backend) }))
  const permit = left ?? (await pay(ledger, bill, payerOf(asker)))
  const { reservation } = permit
  asker.onCharged?.(reservation.position)
  return underCharge(ledger, permit, async () => {
    const released: NoisyPart[] = []
    const measured = new MeasuredTables()
    for (const { part, reading } of readings) {
      const noisy = await releasePlan(reading, permit, walk, { signal: asker.signal, measured })
      released.push({ part, noisy, measured })
    }
    const charge = reservation.position
    const { answers, kept, from } = await answersOf(workload, released, { walk, publicRows, charge })
    const receipt = receiptOf(workloadFacts(workload), reservation)
    const all = [...kept, ...measured.texts(bill.question)]
    const release = { ...textsOfAnswers(answers, receipt), kept: all }
    await ledger.settle(reservation, { outcome: "released", release })
    return { answers, receipt, origin: "released", charge, from }
  })
}

interface NoisyPart extends NoisyRelease {
  readonly part: WorkloadPart
}

// Tables that were just released are found beside those of the ledger.
async function answersOf(
  workload: Workload,
  released: readonly NoisyPart[],
  options: {
    readonly walk: Walk
    readonly publicRows: readonly PublicRows[]
    readonly charge: bigint
  },
): Promise<WorkedOut> {
  const { walk, publicRows, charge } = options
  const { version } = walk
  const fresh = released.flatMap(({ part, ...own }) => freshTables(part, own, version))
  const kept = fresh.flatMap((one) => (one === undefined ? [] : [{ subject: one.subject, text: one.text }]))
  const ledger = withFresh(walk.ledger, kept, charge)
  // What is released here may be worked with here, even where it waits for an approval as a whole.
  const mayUse: MayUse = async (one) => one === charge || walk.mayUse(one)
  const source = { ledger, version, mayUse }
  const from = new Set<bigint>()
  const answers: AnswerTable[] = []
  for (const [index, { compiled, part }] of workload.questions.entries()) {
    const rows = publicRows[index] ?? new Map()
    const own = part === undefined ? undefined : released[part]
    if (own !== undefined) {
      const record = { found: [], draws: new DrawNumbers() }
      answers.push(paidAnswer(own.part, own, { record, charge, publicRows: rows, version }).answer)
    } else if (compiled.plan.releases.every(({ extracts }) => extracts.length === 0)) {
      answers.push(publicAnswer(compiled.plan, rows))
    } else {
      const record = await lookUp(compiled, source, "always")
      const found = answerFromRecord(compiled, record, { ...source, mode: "always", publicRows: rows })
      assert(found !== undefined, "a question of a workload can be worked out from its parts")
      for (const one of found.from) if (one !== charge) from.add(one)
      answers.push(found.answer)
    }
  }
  return { answers, kept, from: [...from] }
}

interface WorkedOut {
  readonly answers: readonly AnswerTable[]
  readonly kept: readonly KeptText[]
  /** The charges besides its own. */
  readonly from: readonly bigint[]
}

function withFresh(ledger: Ledger, fresh: readonly KeptText[], charge: bigint): KeptTables {
  return {
    id: ledger.id,
    kept: async (subject, newest) => [
      ...(await ledger.kept(subject, newest)),
      ...fresh.filter((one) => one.subject === subject).map(({ text }) => ({ charge, text })),
    ],
  }
}

function workloadFacts({ parts, questions, charge }: Workload): ReceiptFacts {
  const facts = parts.map(({ plan }) => receiptFacts(plan))
  const [first] = facts
  assert(first !== undefined, "a workload that is charged for has a part")
  return {
    ...first,
    shown: charge.shown,
    mechanisms: facts.flatMap(({ mechanisms }) => mechanisms),
    bounding: facts.flatMap(({ bounding }) => bounding),
    public: [...new Set(facts.flatMap((one) => one.public))],
    notes: [
      ...questions.map(({ sql }, index) => `question ${index + 1} of ${questions.length}: ${oneLine(sql)}`),
      ...new Set(facts.flatMap(({ notes }) => notes)),
    ],
  }
}

function oneLine(sql: string): string {
  return sql.replaceAll(/\s+/g, " ").trim()
}
