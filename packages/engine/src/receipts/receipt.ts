// The receipt of a release: what was promised, what it cost, what was public, and where the charge stands in
// the ledger. Everything in it follows from the plan and the ledger; nothing comes from the data.

import { showLoss, type Loss, type Neighbours } from "@dosimeter/core"
import { showParameter, showRational, type Rational } from "@dosimeter/core/exact"
import { showCharge, type LedgerCharge } from "../ledger/entries/account.ts"
import type {
  BoundingTexts,
  MechanismTexts,
  Receipt,
  ReceiptConsent,
  ScaledTexts,
} from "@dosimeter/answers/shown/receipt"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"
import type { Reservation } from "../ledger/ledger.ts"
import { showUp } from "../ledger/entries/units.ts"

/** One mechanism of a release, in words and exact parameters. */
export interface ReceiptMechanism {
  /** The column that it makes, or the keys that it selects. */
  readonly column: string
  /** "laplace", "gaussian", "key selection", ... */
  readonly mechanism: string
  /** The scale of Laplace noise, the variance of Gaussian noise, in steps of the grid. */
  readonly scale?: Rational
  readonly sensitivity?: string
  readonly grid?: Rational
}

/** How contributions of one unit were bounded in one release. */
export interface ReceiptBounding {
  readonly groupsPerUnit: bigint
  readonly rowsPerGroup: bigint
  /** Why nothing had to be dropped, where a key proves it. */
  readonly groupsProof?: string
  readonly rowsProof?: string
  /** The norm that all of a unit was scaled to, where nothing was dropped. */
  readonly scaled?: { readonly norm: "l1" | "l2" }
  /** That norm in words, by what was charged, and whether it was learnt. */
  readonly norm?: string
  readonly scaledTo?: ScaledTexts
}

/** What the plan says; receipt-facts.ts gathers it. */
export interface ReceiptFacts {
  readonly dataset: string
  readonly unit: string
  readonly neighbours: Neighbours
  /** This question alone as (epsilon, delta), for people. */
  readonly shown: Loss
  readonly mechanisms: readonly ReceiptMechanism[]
  readonly bounding: readonly ReceiptBounding[]
  /** Everything that was released without noise: column names, listed keys, thresholds, bounds. */
  readonly public: readonly string[]
  readonly confidence: Rational
  readonly notes: readonly string[]
  /** "dosimeter 0.1.0". */
  readonly library: string
  /** Whose rows were read, where people decide that. */
  readonly consent?: ReceiptConsent
}

/** The receipt of a release under a reservation. */
export function receiptOf(facts: ReceiptFacts, reservation: Reservation): Receipt {
  const { charge, position, hash, at, ledger, planHash, dataVersion, study } = reservation
  const { epsilon, delta } = promiseOf(facts.shown)
  // In the order of its text, so that it looks the same when it is read again.
  return {
    bounding: facts.bounding.map(boundingTexts),
    confidence: showParameter(facts.confidence),
    ...(facts.consent === undefined ? {} : { consent: facts.consent }),
    dataVersion,
    dataset: facts.dataset,
    delta,
    epsilon,
    format: "dosimeter-receipt/1",
    id: `${ledger}/${position}`,
    ledger: { at, hash, id: ledger, position: `${position}` },
    library: facts.library,
    loss: lossText(charge),
    mechanisms: facts.mechanisms.map(mechanismTexts),
    neighbours: facts.neighbours,
    notes: facts.notes,
    planHash,
    public: facts.public,
    ...(study === undefined ? {} : { study }),
    unit: facts.unit,
  }
}

/** The text of the receipt of a release under a reservation. */
export function receiptText(facts: ReceiptFacts, reservation: Reservation): string {
  return writeReceipt(receiptOf(facts, reservation))
}

/** The text where there is no receipt. */
export const noReceiptText = writeReceipt({})

function lossText(charge: LedgerCharge): Receipt["loss"] {
  const { accounting, amount, delta } = charge
  return { accounting, amount: showRational(amount), delta: showRational(delta), words: showCharge(charge) }
}

/** Epsilon and delta of a loss that has them; other measures are said in words. */
function promiseOf(loss: Loss): { readonly epsilon: string; readonly delta: string } {
  if (loss.measure === "pure") return { epsilon: showUp(loss.epsilon), delta: "0" }
  if (loss.measure === "approx") return { epsilon: showUp(loss.epsilon), delta: showUp(loss.delta) }
  return { epsilon: showLoss(loss), delta: showUp(loss.delta) }
}

/** Amounts as exact text. */
export function mechanismTexts(of: ReceiptMechanism): MechanismTexts {
  const { column, mechanism, scale, sensitivity, grid } = of
  return {
    column,
    ...(grid === undefined ? {} : { grid: showRational(grid) }),
    mechanism,
    ...(scale === undefined ? {} : { scale: showRational(scale) }),
    ...(sensitivity === undefined ? {} : { sensitivity }),
  }
}

/** Numbers as text. */
export function boundingTexts(bounding: ReceiptBounding): BoundingTexts {
  const { groupsPerUnit, rowsPerGroup, groupsProof, rowsProof, scaled, norm, scaledTo } = bounding
  return {
    groupsPerUnit: `${groupsPerUnit}`,
    ...(groupsProof === undefined ? {} : { groupsProof }),
    rowsPerGroup: `${rowsPerGroup}`,
    ...(rowsProof === undefined ? {} : { rowsProof }),
    ...(scaled === undefined ? {} : { scaled: scaled.norm }),
    ...(norm === undefined ? {} : { norm }),
    ...(scaledTo === undefined ? {} : { scaledTo }),
  }
}
