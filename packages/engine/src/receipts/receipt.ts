// The receipt of a release: what was promised, what it cost, what was public, and where the charge stands in
// the ledger. Everything in it follows from the plan and the ledger; nothing comes from the data.

import { showLoss, type Loss, type Neighbours } from "@dosimeter/core"
import { showParameter, showRational, type Rational } from "@dosimeter/core/exact"
import { showCharge, type LedgerCharge } from "../ledger/entries/account.ts"
import { canonicalJson } from "../ledger/entries/canonical.ts"
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

/** The decisions of people that held when a question was asked. */
export interface ReceiptConsent {
  readonly mode: string
  readonly purposes: readonly string[]
  readonly version: string
}

/** A receipt: plain data, all amounts as exact text. */
export interface Receipt {
  readonly format: "dosimeter-receipt/1"
  /** The ledger and the position of the charge in it. */
  readonly id: string
  readonly dataset: string
  readonly dataVersion: string
  readonly planHash: string
  readonly unit: string
  readonly neighbours: Neighbours
  readonly loss: {
    readonly accounting: string
    readonly amount: string
    readonly delta: string
    readonly words: string
  }
  readonly epsilon: string
  readonly delta: string
  readonly mechanisms: readonly Readonly<Record<string, string>>[]
  readonly bounding: readonly Readonly<Record<string, string>>[]
  readonly public: readonly string[]
  readonly confidence: string
  readonly notes: readonly string[]
  readonly library: string
  readonly consent?: ReceiptConsent
  readonly study?: string
  readonly ledger: {
    readonly id: string
    readonly position: string
    readonly hash: string
    readonly at: string
  }
}

/** The receipt of a release under a reservation. */
export function receiptOf(facts: ReceiptFacts, reservation: Reservation): Receipt {
  const { charge, position, hash, at, ledger, planHash, dataVersion, study } = reservation
  const { epsilon, delta } = promiseOf(facts.shown)
  return {
    format: "dosimeter-receipt/1",
    id: `${ledger}/${position}`,
    dataset: facts.dataset,
    dataVersion,
    planHash,
    unit: facts.unit,
    neighbours: facts.neighbours,
    loss: lossText(charge),
    epsilon,
    delta,
    mechanisms: facts.mechanisms.map((mechanism) => textsOf(mechanism)),
    bounding: facts.bounding.map((bounding) => textsOf(bounding)),
    public: facts.public,
    confidence: showParameter(facts.confidence),
    notes: facts.notes,
    library: facts.library,
    ...(facts.consent === undefined ? {} : { consent: facts.consent }),
    ...(study === undefined ? {} : { study }),
    ledger: { id: ledger, position: `${position}`, hash, at },
  }
}

/** The text of a receipt: one for one receipt, fit to be hashed and stored. */
export function receiptJson(receipt: Receipt): string {
  return canonicalJson(receipt)
}

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

/** Fields as text; fractions exactly. */
function textsOf(value: ReceiptMechanism | ReceiptBounding): Readonly<Record<string, string>> {
  const fields: readonly (readonly [string, string | bigint | Rational | undefined])[] = Object.entries(value)
  return Object.fromEntries(
    fields.flatMap(([key, field]) => {
      if (field === undefined) return []
      return [[key, typeof field === "object" ? showRational(field) : `${field}`]]
    }),
  )
}
