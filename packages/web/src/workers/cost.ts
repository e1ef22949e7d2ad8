// What a charge does to the accounts that it enters: whether it fits, what is used before and after, how many
// more like it fit. One way for prices of this browser and of the server.

import { exactly } from "@dosimeter/core"
import {
  budgetFor,
  chargesLeft,
  takeCharge,
  usedOf,
  type Accounting,
  type FilterState,
  type Used,
} from "@dosimeter/core/accounting"
import { lossesOf } from "@dosimeter/planner/explain/show-explanation"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"

/** An account that a question is charged to, as the server sends it. */
export interface ChargedAccount {
  readonly name: string
  readonly accounting: Accounting
  /** The promise that it keeps, and what is spent, as decimal texts. */
  readonly epsilon: string
  readonly delta: string
  readonly spent: { readonly amount: string; readonly delta: string }
}

/** What a charge does. */
export interface Effect {
  /** The account that is nearest to its end, or in which the charge does not fit. */
  readonly account: string
  readonly before: Used
  readonly after: Used
  readonly fits: boolean
  /** How many more like it fit afterwards; Infinity for what costs nothing. */
  readonly more: number
}

/** What a charge does to its accounts; one that does not fit fills the account. */
export function effectOf(
  charge: Pick<Charge, "accounting" | "amount" | "delta">,
  accounts: readonly ChargedAccount[],
): Effect {
  const effects = accounts.map((account) => ({
    account: account.name,
    ...effectOn(stateOf(account), charge),
  }))
  const [first = effects[0]] = effects.toSorted(
    (a, b) => Number(a.fits) - Number(b.fits) || b.after.share - a.after.share,
  )
  if (first === undefined) throw new Error("a question is charged to an account")
  return { ...first, more: Math.min(...effects.map(({ more }) => more)) }
}

function effectOn(state: FilterState, charge: Pick<Charge, "accounting" | "amount" | "delta">) {
  const before = usedOf(state)
  const isNothing = charge.amount.numerator === 0n && charge.delta.numerator === 0n
  if (isNothing) return { before, after: before, fits: true, more: Infinity }
  const losses = lossesOf({ ...charge, shown: { measure: "pure", epsilon: charge.amount } })
  const next = takeCharge(state, losses)
  if (next === undefined) return { before, after: full(before), fits: false, more: 0 }
  return { before, after: usedOf(next), fits: true, more: Number(chargesLeft(next, losses)) }
}

function full(before: Used): Used {
  return { ...before, share: 1 }
}

function stateOf({ accounting, epsilon, delta, spent }: ChargedAccount): FilterState {
  return {
    budget: budgetFor({ epsilon, delta, accounting }),
    spent: exactly(spent.amount, "spent"),
    deltaSpent: exactly(spent.delta, "spent delta"),
  }
}
