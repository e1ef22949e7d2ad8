// The accounts that a question is charged to, as the server sends them, for the price.

import { exactly } from "@dosimeter/core"
import { divide } from "@dosimeter/core/exact"
import { budgetFor, type Accounting } from "@dosimeter/core/accounting"
import type { NamedAccount } from "@dosimeter/planner/explain/price"

/** An account that a question is charged to, as the server sends it. */
export interface ChargedAccount {
  readonly name: string
  readonly accounting: Accounting
  /** The promise that it keeps, and what is spent, as decimal texts. */
  readonly epsilon: string
  readonly delta: string
  /** What of delta is for the deltas of charges. */
  readonly deltaForKeys: string
  readonly spent: { readonly amount: string; readonly delta: string }
}

/** The account in exact numbers. */
export function accountOf(account: ChargedAccount): NamedAccount {
  const { name, accounting, epsilon, delta, deltaForKeys, spent } = account
  const own = exactly(delta, "delta")
  const deltaForCharges = accounting === "pure" ? 0 : divide(exactly(deltaForKeys, "delta"), own)
  return {
    name,
    budget: budgetFor({ epsilon, delta, accounting, deltaForCharges }),
    spent: exactly(spent.amount, "spent"),
    deltaSpent: exactly(spent.delta, "spent delta"),
  }
}
