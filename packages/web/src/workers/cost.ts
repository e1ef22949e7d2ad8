// The accounts that a question is charged to, as the server sends them, for the price.

import { exactly } from "@dosimeter/core"
import { budgetFor, type Accounting } from "@dosimeter/core/accounting"
import type { NamedAccount } from "@dosimeter/planner/explain/price"

/** An account that a question is charged to, as the server sends it. */
export interface ChargedAccount {
  readonly name: string
  readonly accounting: Accounting
  /** The promise that it keeps, and what is spent, as decimal texts. */
  readonly epsilon: string
  readonly delta: string
  readonly spent: { readonly amount: string; readonly delta: string }
}

/** The account in exact numbers. */
export function accountOf({ name, accounting, epsilon, delta, spent }: ChargedAccount): NamedAccount {
  return {
    name,
    budget: budgetFor({ epsilon, delta, accounting }),
    spent: exactly(spent.amount, "spent"),
    deltaSpent: exactly(spent.delta, "spent delta"),
  }
}
