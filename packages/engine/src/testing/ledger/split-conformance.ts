// What every ledger must do about the split of delta between the sum and the deltas of charges.

import { budgetFor, rational, type Budget, type Rational } from "@dosimeter/core"
import { amountLimit, deltaLimit } from "@dosimeter/core/accounting"
import { zero } from "@dosimeter/core/exact"
import { expect, test } from "vitest"
import type { Ledger, ReserveRequest } from "../../ledger/ledger.ts"
import { refusal, request } from "../ledger-fixtures.ts"

/** Declares the tests for ledgers that `made` makes, each new and empty. */
export function splitConformance(made: () => Promise<Ledger>): void {
  const budgetOf = (share: string): Budget =>
    budgetFor({ epsilon: "1", delta: "1e-6", accounting: "zcdp", deltaForCharges: share })
  const charge = (amount: Rational, delta: Rational): ReserveRequest =>
    request(amount, { charge: { accounting: "zcdp", amount, delta } })

  test("the split of delta stays as an account was opened: what another split allows is not charged", async () => {
    const [half, none] = [budgetOf("0.5"), budgetOf("0")]
    const ledger = await made()
    await ledger.openAccount("dataset", half)
    const first = await ledger.openAccount("dataset", none)
    expect(first.budget).toEqual(half)
    const entries = await ledger.entries(1n, 100)
    // As much as fits all of delta in the sum does not fit half of it.
    expect((await refusal(ledger.reserve(charge(amountLimit(none), zero)))).code).toBe("budget/exhausted")
    await ledger.reserve(charge(rational(1n, 10n ** 6n), deltaLimit(half)))
    expect((await refusal(ledger.reserve(charge(amountLimit(half), zero)))).code).toBe("budget/exhausted")
    expect((await ledger.openAccount("dataset", none)).budget).toEqual(half)
    expect((await ledger.entries(1n, 100)).length).toBe(entries.length + 1)
    const other = budgetFor({ epsilon: "2", delta: "1e-6", accounting: "zcdp" })
    expect((await refusal(ledger.openAccount("dataset", other))).code).toBe("ledger/budget-differs")
    await ledger.close()
  })

  test("an account without delta for charges takes none that has one", async () => {
    const ledger = await made()
    const budget = budgetOf("0")
    await ledger.openAccount("dataset", budget)
    const least = rational(1n, 10n ** 30n)
    expect((await refusal(ledger.reserve(charge(least, least)))).code).toBe("budget/exhausted")
    await ledger.reserve(charge(amountLimit(budget), zero))
    expect((await refusal(ledger.reserve(charge(least, zero)))).code).toBe("budget/exhausted")
    await ledger.close()
  })
}
