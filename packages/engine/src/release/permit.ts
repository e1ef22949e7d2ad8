// The right to read exact tables. Only a charge that stands in the ledger gives one: so nothing is read
// before it is paid for.

import { assert } from "@dosimeter/core/errors"
import { compare } from "@dosimeter/core/exact"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { VerifiedTraining } from "@dosimeter/proof/verify/verify-training"
import type { VerifiedSeries } from "@dosimeter/proof/verify/verify-series"
import type { LedgerCharge } from "../ledger/entries/account.ts"
import type { Ledger, Question, Reservation, ReserveRequest } from "../ledger/ledger.ts"
import { checkProvenFor, type Bill } from "./bill.ts"
import { releaseKey, ReleaseKey } from "./key/release-key.ts"
import { isHashOf, planHash } from "./plan-hash.ts"
import { RoundsLeft } from "./rounds-left.ts"

/** In whose name a charge is made. */
export type Payer = Omit<ReserveRequest, keyof Question | "charge" | "steps">

/**
 * The right to read the plans of a bill, each once; of a bill of rounds, plans whose losses it covers; of
 * that of a training, its rows, once.
 *
 * Guarantee: a charge that covers the losses of these plans is in the ledger.
 * Needs: the reservation is one that a ledger has returned (`pay`, and `lookForCharge` for one that is taken
 *   over): only `release` holds the key that makes a permit.
 * Proof: a reservation is returned after its charge is durable (Ledger). Its question is the bill's, so it is
 *   of plans with the same hashes, and its amounts are no less than the bill's: compared here. Plans of
 *   rounds are paid for one by one (RoundsLeft), from no more than the bill's charge. A training is the
 *   bill's own, whose charge covers its sums (verifyTraining), and is forgotten when it is used.
 * Numerics: exact.
 * Source: Jin and others 2024, ElephantDP, for the order: charge, keep, then answer.
 */
export class Permit {
  readonly reservation: Reservation
  readonly #left: Set<VerifiedPlan>
  readonly #rounds: RoundsLeft | undefined
  #training: VerifiedTraining | undefined

  constructor(key: ReleaseKey, bill: Bill, reservation: Reservation) {
    const { planHash: hash, dataVersion } = bill.question
    assert(ReleaseKey.isOne(key), "only release gives permits")
    assert(
      reservation.planHash === hash && reservation.dataVersion === dataVersion,
      "a charge is of the question that is read for",
    )
    assert(covers(reservation.charge, bill.charge), "a charge covers what is read for it")
    this.reservation = reservation
    this.#left = new Set(bill.plans)
    this.#rounds = bill.rounds === undefined ? undefined : new RoundsLeft(bill.rounds, bill.charge)
    this.#training = bill.training
  }

  /** Uses the right to read the rows of a training. */
  useTraining(training: VerifiedTraining): void {
    assert(this.#training === training, "the rows of a training are paid for, and read once")
    this.#training = undefined
  }

  /** Uses the right to read a plan. */
  use(plan: VerifiedPlan): void {
    if (this.#rounds !== undefined) return this.#rounds.pay(plan)
    assert(this.#left.delete(plan), "what is read is paid for, and read once")
  }
}

/** Charges for a question: durable when it returns. */
export async function pay(ledger: Ledger, bill: Bill, payer: Payer): Promise<Permit> {
  const { question, charge } = bill
  return new Permit(releaseKey, bill, await ledger.reserve({ ...payer, ...question, charge }))
}

/** Where a series is charged for, and what is known of its data. */
export interface SeriesAt {
  readonly ledger: Ledger
  readonly catalog: Catalog
}

/** Charges for all steps of a series. Nothing may be read yet: each update asks for a permit. */
export async function paySeries(
  { ledger, catalog }: SeriesAt,
  series: VerifiedSeries,
  payer: Payer,
): Promise<Reservation> {
  const { plan, spec, charge } = series
  checkProvenFor([plan], catalog)
  const question = { planHash: planHash(plan), dataVersion: "all that are to come" }
  return ledger.reserve({ ...payer, ...question, charge, steps: spec.horizon })
}

/**
 * The right to read the amounts of a series, once, for its next steps.
 *
 * Guarantee: a charge that covers the loss of all steps of the series is in the ledger.
 * Needs: only `release` holds the key; steps are drawn once (the ledger's `extend`).
 * Proof: `permitSteps` reads the charge from the ledger: it is of the plan of the series, pays for its whole
 *   horizon, and its amounts are no less than the proven loss; the plan was proven for the data at hand.
 * Numerics: exact.
 * Source: as Permit.
 */
export class StepsPermit {
  readonly series: VerifiedSeries
  #isUsed = false

  constructor(key: ReleaseKey, series: VerifiedSeries) {
    assert(ReleaseKey.isOne(key), "only release gives permits")
    this.series = series
  }

  /** Uses the right. */
  use(): VerifiedSeries {
    assert(!this.#isUsed, "the amounts of a series are read once for each permit")
    this.#isUsed = true
    return this.series
  }
}

/** Looks for the charge of a series, by its position; refused where an incident has closed its door. */
export async function permitSteps(
  { ledger, catalog }: SeriesAt,
  series: VerifiedSeries,
  position: bigint,
): Promise<StepsPermit> {
  checkProvenFor([series.plan], catalog)
  await ledger.checkSeries(position)
  const [found] = await ledger.entries(position, 1)
  const entry = found?.entry
  assert(
    found?.position === position && entry?.kind === "charge" && isOfSeries(entry.planHash, series),
    "the charge of a series is of its plan",
  )
  assert(
    entry.steps === series.spec.horizon && covers(entry, series.charge),
    "the charge of a series covers all its steps",
  )
  return new StepsPermit(releaseKey, series)
}

/** Whether a hash is that of a series: of its plan, or of the one that it was charged for earlier. */
export function isOfSeries(hash: string, { plan, former }: VerifiedSeries): boolean {
  return isHashOf(hash, plan) || (former !== undefined && isHashOf(hash, former))
}

function covers(charged: LedgerCharge, loss: LedgerCharge): boolean {
  return (
    charged.accounting === loss.accounting &&
    compare(charged.amount, loss.amount) >= 0 &&
    compare(charged.delta, loss.delta) >= 0
  )
}
