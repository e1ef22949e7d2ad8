// What stands beside an answer: the receipt of a charge, where the numbers of a free answer come from, or
// nothing. Plain data, all amounts as exact text.

import type { Accounting, Neighbours } from "@dosimeter/core"

/** Beside an answer: paid, free from earlier releases, or about nobody. Told apart by `format`. */
export type AnyReceipt = Receipt | FreeReceipt | NoReceipt

/** The receipt of a charge. */
export interface Receipt extends ReceiptPart {
  readonly format: "dosimeter-receipt/1"
  /** The ledger and the position of the charge in it. */
  readonly id: string
  readonly loss: ReceiptLoss
  readonly mechanisms: readonly MechanismTexts[]
  readonly confidence: string
  readonly study?: string
  readonly ledger: ReceiptPlace
}

/** In place of a receipt where nothing was charged: which releases the numbers were worked out from. */
export interface FreeReceipt extends ReceiptPart {
  readonly format: "dosimeter-free/1"
  /** Each is a ledger and the position of a charge in it. */
  readonly from: readonly string[]
  /** In what the answer is less than what was asked. */
  readonly differences: readonly string[]
}

/** An answer that depends on nobody has none. */
export interface NoReceipt {
  readonly format?: never
}

/** What both kinds say. */
interface ReceiptPart {
  readonly dataset: string
  readonly dataVersion: string
  readonly planHash: string
  readonly unit: string
  readonly neighbours: Neighbours
  readonly epsilon: string
  readonly delta: string
  readonly bounding: readonly BoundingTexts[]
  /** Everything that was released without noise: column names, listed keys, thresholds, bounds. */
  readonly public: readonly string[]
  readonly notes: readonly string[]
  /** "dosimeter 0.1.0". */
  readonly library: string
  readonly consent?: ReceiptConsent
}

/** The loss in the account's own measure. */
export interface ReceiptLoss {
  readonly accounting: Accounting
  readonly amount: string
  readonly delta: string
  readonly words: string
}

/** One mechanism of a release, in words and exact parameters. */
export interface MechanismTexts {
  /** The column that it makes, or the keys that it selects. */
  readonly column: string
  /** "laplace", "gaussian", "key selection", ... */
  readonly mechanism: string
  /** The scale of Laplace noise, the variance of Gaussian noise, in steps of the grid. */
  readonly scale?: string
  readonly sensitivity?: string
  readonly grid?: string
}

/** How contributions of one unit were bounded in one release. */
export interface BoundingTexts {
  readonly groupsPerUnit: string
  readonly rowsPerGroup: string
  /** Why nothing had to be dropped, where a key proves it. */
  readonly groupsProof?: string
  readonly rowsProof?: string
  /** Where nothing was dropped: all of a unit was scaled to what such rows add up to, or to their length. */
  readonly scaled?: "l1" | "l2"
  /** What it was scaled to, in words, by what was charged; and whether it was learnt. */
  readonly norm?: string
  /** What it was scaled to, in numbers. */
  readonly scaledTo?: ScaledTexts
}

/** What all of a unit was scaled to, and what that does to intervals. */
export interface ScaledTexts {
  /** The most that one unit adds, in the units of each column that was scaled. */
  readonly norms: readonly string[]
  /** By groups and rows, by a ladder of norms, or by the rows that the owner declares a unit to have. */
  readonly from: NormOrigin
  /** Half the width of the interval of the noise alone, of each column; absent where there are several. */
  readonly noise?: readonly string[]
  /** The length of what scaling left out of all groups, in the units of each column, where it is known. */
  readonly leftOut?: LeftOutTexts
}

/** Where a norm comes from. */
export const normOrigins = ["fixed", "learnt", "cap"] as const
/** Where a norm comes from. */
export type NormOrigin = (typeof normOrigins)[number]

/** What was left out: an estimate, and the most where that is proven. */
export interface LeftOutTexts {
  readonly estimate: readonly string[]
  readonly most?: readonly string[]
}

/** The decisions of people that held when a question was asked. */
export interface ReceiptConsent {
  readonly mode: "required" | "opt-out"
  readonly purposes: readonly string[]
  readonly version: string
}

/** Where a charge stands. */
export interface ReceiptPlace {
  readonly id: string
  readonly position: string
  readonly hash: string
  readonly at: string
}
