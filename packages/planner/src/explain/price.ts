// The price of a question: its charge in numbers and in words, and what it does to the accounts that it
// enters. One way for the browser, the server and the command line.

import { showLoss, type Losses } from "@dosimeter/core"
import {
  chargesLeft,
  takeCharge,
  type Accounting,
  type FilterState,
  usedOf,
  type Used,
} from "@dosimeter/core/accounting"
import { divide, numberUp, rational } from "@dosimeter/core/exact"
import { pureToZcdp } from "@dosimeter/core/meaning"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"

/** What a question costs by itself; every number is rounded up. */
export interface Price {
  readonly accounting: Accounting
  /** In the aggregate that is added up. */
  readonly amount: number
  readonly delta: number
  /** Of this question alone; null where its loss has none. */
  readonly epsilon: number | null
  /** The loss of this question alone; empty if it costs nothing. */
  readonly words: string
}

/** The price of a charge. */
export function priceOf({ accounting, amount, delta, shown }: Charge): Price {
  return {
    accounting,
    amount: numberUp(amount),
    delta: numberUp(delta),
    epsilon: "epsilon" in shown ? numberUp(shown.epsilon) : null,
    words: amount.numerator === 0n ? "" : showLoss(shown),
  }
}

/** What is entered into accounts. */
export type Paid = Omit<Charge, "shown">

/** An account after a charge, and how many more like it fit then; undefined if it does not fit. */
export function afterCharge(
  state: FilterState,
  charge: Paid,
): { readonly state: FilterState; readonly more: bigint } | undefined {
  const losses = lossesOf(charge)
  const next = takeCharge(state, losses)
  return next === undefined ? undefined : { state: next, more: chargesLeft(next, losses) }
}

/** An account that a question is charged to. */
export interface NamedAccount extends FilterState {
  readonly name: string
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
export function effectOf(charge: Paid, accounts: readonly NamedAccount[]): Effect {
  const effects = accounts.map((account) => ({ account: account.name, ...effectOn(account, charge) }))
  const [first = effects[0]] = effects.toSorted(
    (a, b) => Number(a.fits) - Number(b.fits) || b.after.share - a.after.share,
  )
  if (first === undefined) throw new Error("a question is charged to an account")
  return { ...first, more: Math.min(...effects.map(({ more }) => more)) }
}

function effectOn(account: FilterState, charge: Paid): Omit<Effect, "account"> {
  const before = usedOf(account)
  const isNothing = charge.amount.numerator === 0n && charge.delta.numerator === 0n
  if (isNothing) return { before, after: before, fits: true, more: Infinity }
  const next = afterCharge(account, charge)
  if (next === undefined) return { before, after: { ...before, share: 1 }, fits: false, more: 0 }
  return { before, after: usedOf(next.state), fits: true, more: Number(next.more) }
}

/** A charge as what an account takes. */
export function lossesOf({ accounting, amount, delta }: Paid): Losses {
  switch (accounting) {
    case "pure":
      return {
        approx: { measure: "approx", epsilon: amount, delta },
        zcdp: { measure: "zcdp", rho: pureToZcdp(amount), delta },
      }
    case "zcdp":
      return { zcdp: { measure: "zcdp", rho: amount, delta } }
    case "gdp":
      // No easier to tell apart than two normals, whose divergence of order a is a mu^2 / 2.
      return {
        gdp: { measure: "gdp", muSquared: amount, delta },
        zcdp: { measure: "zcdp", rho: divide(amount, rational(2n)), delta },
      }
    default:
      return accounting satisfies never
  }
}
