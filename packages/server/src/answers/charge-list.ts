// What was charged, when, for whom and for which plan: the ledger's entries put together. Entries are only
// ever added at the end, so reading goes on where it stopped.

import { add, divide, exactly, maximum, rational, sqrtUp, subtract } from "@dosimeter/core/exact"
import { gdpToEpsilon, zcdpToEpsilon } from "@dosimeter/core/meaning"
import type { AnyReceipt, Receipt } from "@dosimeter/answers/shown/receipt"
import {
  receiptOfRelease,
  type Engine,
  type Ledger,
  type LedgerEntry,
  type RecordedRelease,
} from "@dosimeter/engine"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"

/** A charge and what became of it. */
export interface ChargeRecord {
  readonly position: bigint
  readonly at: string
  readonly principal: string
  /** The id of its request, among those of the principal. */
  readonly requestId: string
  readonly study: string | undefined
  readonly accounts: readonly string[]
  readonly planHash: string
  readonly dataVersion: string
  readonly paid: Omit<Charge, "shown">
  readonly outcome: "released" | "failed" | "waiting"
}

/** A charge with its receipt, and its loss as (epsilon, delta). */
export interface Charged extends ChargeRecord {
  readonly charge: Charge
  /** Null where nothing was released, or where the reader is not told. */
  readonly receipt: AnyReceipt | null
}

const entriesAtOnce = 500

/** The charges of a ledger, read once and kept up to date. */
export class ChargeList {
  readonly #ledger: Ledger
  readonly #charges = new Map<bigint, ChargeRecord>()
  #next = 1n
  #reading: Promise<void> = Promise.resolve()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** All charges in the order of the ledger, and what became of each so far. */
  async all(): Promise<readonly ChargeRecord[]> {
    this.#reading = this.#reading.then(() => this.#read())
    await this.#reading
    return [...this.#charges.values()]
  }

  async find(position: bigint): Promise<ChargeRecord | undefined> {
    await this.all()
    return this.#charges.get(position)
  }

  async #read(): Promise<void> {
    for (;;) {
      const entries = await this.#ledger.entries(this.#next, entriesAtOnce)
      for (const entry of entries) this.#take(entry)
      this.#next += BigInt(entries.length)
      if (entries.length < entriesAtOnce) return
    }
  }

  #take({ position, entry }: LedgerEntry): void {
    if (entry.kind === "charge") {
      const { at, principal, requestId, study, accounts, planHash, dataVersion, accounting, amount, delta } =
        entry
      const paid = { accounting, amount, delta }
      const about = { position, at, principal, requestId, study, accounts, planHash, dataVersion }
      this.#charges.set(position, { ...about, paid, outcome: "waiting" })
    } else if (entry.kind === "settlement") {
      const before = this.#charges.get(entry.charge)
      if (before !== undefined) this.#charges.set(entry.charge, { ...before, outcome: entry.outcome })
    }
  }
}

/** What this charge released: the same plan may have been released before, under another charge. */
export async function releaseOf(
  { principal, requestId, study, planHash, dataVersion }: ChargeRecord,
  ledger: Pick<Ledger, "findRequest">,
): Promise<RecordedRelease | undefined> {
  const request = { principal, requestId, planHash, dataVersion, ...(study === undefined ? {} : { study }) }
  const found = await ledger.findRequest(request)
  return found.state === "released" ? found.release : undefined
}

/** A charge with its receipt, which is null where nothing was released. */
export async function withReceipt(record: ChargeRecord, { ledger, policy }: Engine): Promise<Charged> {
  const { paid } = record
  const release = await releaseOf(record, ledger)
  const receipt = release === undefined ? null : receiptOfRelease(release)
  const shown = shownIn(receipt) ?? shownOf(paid, policy.terms.question.delta)
  return { ...record, charge: { ...paid, shown }, receipt }
}

/** A charge for somebody who is not told what became of it: the same whether it was answered or not. */
export function withoutReceipt(record: ChargeRecord, { policy }: Pick<Engine, "policy">): Charged {
  const shown = shownOf(record.paid, policy.terms.question.delta)
  return { ...record, charge: { ...record.paid, shown }, receipt: null }
}

/** The receipts among charges. */
export function receiptsOf(charges: readonly Pick<Charged, "receipt">[]): readonly Receipt[] {
  return charges.flatMap(({ receipt }) => (receipt?.format === "dosimeter-receipt/1" ? [receipt] : []))
}

/** The loss by itself, as the receipt has it. */
function shownIn(receipt: AnyReceipt | null): Charge["shown"] | undefined {
  if (receipt === null || receipt.format === undefined) return undefined
  const { epsilon, delta } = receipt
  return { measure: "approx", epsilon: exactly(epsilon, "epsilon"), delta: exactly(delta, "delta") }
}

/** The same for a charge without a receipt, because nothing was answered. */
function shownOf(
  { accounting, amount, delta }: Omit<Charge, "shown">,
  ofQuestion: Charge["delta"],
): Charge["shown"] {
  // What keys have taken of a question's delta is not for the sum; at least half of it is.
  const half = divide(ofQuestion, rational(2n))
  const own = maximum(half, subtract(ofQuestion, delta))
  switch (accounting) {
    case "pure":
      return { measure: "approx", epsilon: amount, delta }
    case "zcdp":
      return { measure: "approx", epsilon: zcdpToEpsilon(amount, own), delta: add(delta, own) }
    case "gdp":
      return { measure: "approx", epsilon: gdpToEpsilon(sqrtUp(amount), own), delta: add(delta, own) }
    default:
      return accounting satisfies never
  }
}
