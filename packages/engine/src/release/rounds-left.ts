// What is left of a charge that pays for rounds: plans that are found one after the other, each from what was
// released before it.

import { assert } from "@dosimeter/core/errors"
import { compare, subtract } from "@dosimeter/core/exact"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { LedgerCharge } from "../ledger/entries/account.ts"
import { checkProvenFor, isSeries } from "./bill.ts"

/**
 * Pays for plans from one charge until it is used up.
 *
 * Guarantee: the losses of all plans that were paid for are together no more than the charge, however each
 *   plan was chosen from releases of those before it; each was proven for the catalog, and none is a series.
 * Needs: a plan's charge is its loss (verify). The charge is in one accounting, whose losses add up for
 *   adaptively chosen plans: pure epsilon, rho, mu squared, and delta beside each.
 * Proof: `pay` takes the plan's amount and delta from what is left before the plan may be read, and stops
 *   where either would fall below 0. What is left begins as the charge and is in private fields. Sums of
 *   amounts stop the rounds, so this is a privacy filter for each of these measures.
 * Numerics: exact fractions.
 * Source: Whitehouse, Ramdas, Rogers, Wu 2023 (zCDP filter); Smith and Thakurta 2022 (GDP); Rogers, Roth,
 *   Ullman, Vadhan 2016 (pure).
 */
export class RoundsLeft {
  readonly #catalog: Catalog
  #left: LedgerCharge

  constructor(catalog: Catalog, charge: LedgerCharge) {
    this.#catalog = catalog
    this.#left = charge
  }

  /** Pays for one plan. */
  pay(plan: VerifiedPlan): void {
    checkProvenFor([plan], this.#catalog)
    assert(!isSeries(plan), "a series is paid for as one, and drawn step by step")
    const { accounting, amount, delta } = plan.charge
    assert(accounting === this.#left.accounting, "rounds lose in the measure of their charge")
    assert(
      compare(amount, this.#left.amount) <= 0 && compare(delta, this.#left.delta) <= 0,
      "rounds lose no more than their charge",
    )
    this.#left = {
      accounting,
      amount: subtract(this.#left.amount, amount),
      delta: subtract(this.#left.delta, delta),
    }
  }
}
