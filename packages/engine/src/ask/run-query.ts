// The walk of a query, top to bottom. Nothing before the data is read depends on it; after that nothing is
// refused and nothing is refunded.

import type { RandomBits } from "@dosimeter/core"
import type { Policy } from "@dosimeter/policy/file/policy"
import type { Backend } from "../dataset/backend.ts"
import type { DataVersion } from "../dataset/data-version.ts"
import type { AccountName } from "../ledger/entries/account.ts"
import type { Ledger } from "../ledger/ledger.ts"
import { receiptOf } from "../receipts/receipt.ts"
import { answerFromRecord, lookUp, paidAnswer, publicAnswer } from "../record/answer-from-record.ts"
import { recordedAnswer, textsOfAnswer, type Recorded } from "../record/recorded.ts"
import { Bill, type Billed } from "../release/bill.ts"
import { pay, type Payer, type Permit } from "../release/permit.ts"
import { oneAtATime } from "./one-at-a-time.ts"
import { readPublic } from "../answer/post-process.ts"
import { printed } from "../release/printed-plan.ts"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import { MeasuredTables } from "../answer/measurements.ts"
import { releasePlan } from "../release/release.ts"
import type { QuestionPlan, ReuseMode } from "../record/reuse.ts"
import { checkAccounts, lookForCharge, underCharge } from "../release/under-charge.ts"

/** What a query runs on. */
export interface Walk {
  readonly policy: Policy
  readonly backend: Backend
  readonly ledger: Ledger
  readonly version: DataVersion
  readonly rng: RandomBits
  /** Whether the release of a charge may be worked with. */
  readonly mayUse: MayUse
}

/** Whether the release of a charge may be worked with: not where it waits for an approval. */
export type MayUse = (charge: bigint) => Promise<boolean>

/** Who asks, and under which name the question may be sent again. */
export interface Asker {
  readonly principal: string
  readonly requestId: string
  /** Besides the dataset's own. */
  readonly accounts: readonly AccountName[]
  readonly study?: string
  /** Whether the answer waits for an approval: then nobody who asks is told if it failed. */
  readonly held?: boolean
  /** Whether earlier releases answer: where they are as good, if nothing is said. */
  readonly reuse?: ReuseMode
  readonly signal?: AbortSignal
  /** Told where the charge stands, as soon as it is durable and before anything is read. */
  readonly onCharged?: (position: bigint) => void
}

/** Answers a proven plan: from the record, or by charging, reading, adding noise, recording. */
export async function runQuery(question: QuestionPlan, walk: Walk, asker: Asker): Promise<Recorded> {
  const { plan } = question
  const { ledger, version } = walk
  await version.check()
  const mode = asker.reuse ?? "auto"
  const bill = Bill.ofPlan(plan, billedOf(walk))
  const { release, left } = await lookForCharge(ledger, bill, asker)
  if (release !== undefined) return recordedAnswer(release)
  const publicRows = await readPublic(plan, walk.backend)
  if (plan.releases.every(({ extracts }) => extracts.length === 0)) {
    return { answer: publicAnswer(plan, publicRows), receipt: {}, origin: "public" }
  }
  const record = await lookUp(question, walk, mode)
  const free =
    left === undefined ? answerFromRecord(question, record, { ...walk, mode, publicRows }) : undefined
  if (free !== undefined) {
    await checkAccounts(ledger, asker)
    return { ...free, origin: "reused" }
  }
  const reading = printed(plan, walk.backend)
  const answerUnder = async (permit: Permit): Promise<Recorded> => {
    const { reservation } = permit
    asker.onCharged?.(reservation.position)
    return underCharge(ledger, permit, async () => {
      const measured = new MeasuredTables()
      const noisy = await releasePlan(reading, permit, walk, { signal: asker.signal, measured })
      const charge = reservation.position
      const { answer, kept } = paidAnswer(
        question,
        { noisy, measured },
        { record, charge, publicRows, version },
      )
      const receipt = receiptOf(receiptFacts(plan), reservation)
      await ledger.settle(reservation, {
        outcome: "released",
        release: { ...textsOfAnswer(answer, receipt), kept: [...kept, ...measured.texts(bill.question)] },
      })
      return { answer, receipt, origin: "released", charge }
    })
  }
  if (left !== undefined) return answerUnder(left)
  const payAndAnswer = async (): Promise<Recorded> => answerUnder(await pay(ledger, bill, payerOf(asker)))
  // When held work ends, and how, is told to nobody.
  if (asker.held === true) return payAndAnswer()
  return oneAtATime(ledger, bill.question, {
    answer: payAndAnswer,
    again: async () => runQuery(question, walk, asker),
  })
}

/** What is asked. */
export function billedOf({ policy, version }: Walk): Billed {
  return { version, catalog: policy.catalog }
}

/** In whose name a charge is made. */
export function payerOf(asker: Asker): Payer {
  const { principal, requestId, accounts, study, held } = asker
  return {
    principal,
    requestId,
    accounts,
    ...(study === undefined ? {} : { study }),
    ...(held === true ? { held } : {}),
  }
}
