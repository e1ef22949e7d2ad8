// An account of the ledger for programs: what is spent (rounded up), what is left (rounded down), as texts.

import type { Losses } from "@dosimeter/core"
import {
  maximum,
  numberDown,
  numberUp,
  showParameter,
  showRational,
  square,
  subtract,
  zero,
  type Rational,
} from "@dosimeter/core/exact"
import { chargesLeft, deltaLimit, odometerOf, usedOf, type Used } from "@dosimeter/core/accounting"
import { approxToMu, approxToRho } from "@dosimeter/core/meaning"
import type { Account } from "@dosimeter/engine"
import { lossesOf } from "@dosimeter/planner/explain/price"
import type { Terms } from "@dosimeter/proof/catalog/terms"

/** An account as it leaves: amounts are decimal texts. */
export interface AccountObject {
  readonly name: string
  readonly accounting: Account["budget"]["accounting"]
  readonly epsilon: string
  readonly delta: string
  /** What of delta is for key selection, and for noise that needs one. */
  readonly deltaForKeys: string
  readonly spent: Amounts
  readonly left: Amounts
  /** The meter: the same number on every page and at every door. */
  readonly used: Used
  readonly defaultQuestionsLeft: number
}

interface Amounts {
  readonly epsilon: string
  readonly delta: string
  /** In the measure that is added up. */
  readonly amount: string
}

/** The last result, kept: turning rho into epsilon takes longer than answering from the record. */
const recent = new Map<string, AccountObject>()
const recentMax = 200

/** The account for programs. */
export function accountObject(account: Account, terms: Terms): AccountObject {
  const { name, budget, spent, deltaSpent } = account
  const { epsilonDefault, delta } = terms.question
  const amounts = [budget.epsilon, budget.delta, deltaLimit(budget), spent, deltaSpent, epsilonDefault, delta]
  const key = [name, budget.accounting, ...amounts.map(showRational)].join(" ")
  const known = recent.get(key)
  if (known !== undefined) return known
  const made = workOut(account, terms)
  for (const oldest of recent.keys()) {
    if (recent.size < recentMax) break
    recent.delete(oldest)
  }
  recent.set(key, made)
  return made
}

function workOut(account: Account, terms: Terms): AccountObject {
  const { name, budget, spent, deltaSpent, left } = account
  const { epsilon } = odometerOf(account)
  const room = roomFor(account, defaultLosses(terms))
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  return {
    name,
    accounting: budget.accounting,
    epsilon: showParameter(budget.epsilon),
    delta: showParameter(budget.delta),
    deltaForKeys: showParameter(deltaLimit(budget)),
    spent: { epsilon: amountUp(epsilon), delta: amountUp(deltaSpent), amount: amountUp(spent) },
    left: {
      epsilon: amountDown(maximum(zero, subtract(budget.epsilon, epsilon))),
      delta: amountDown(left.delta),
      amount: amountDown(left.amount),
    },
    used: usedOf(account),
    defaultQuestionsLeft: Number(room < most ? room : most),
  }
}

/** A decimal text that is not below the amount. */
export function amountUp(amount: Rational): string {
  return `${numberUp(amount)}`
}

/** A decimal text that is not above the amount. */
export function amountDown(amount: Rational): string {
  return `${numberDown(amount)}`
}

/** How many more of a charge fit. */
export function roomFor(account: Account, losses: Losses): bigint {
  const count = chargesLeft(account, losses)
  return count > 0n ? count : 0n
}

/** The loss of a question at the owner's default epsilon, without selection of keys. */
export function defaultLosses({ budget, question }: Terms): Losses {
  const { accounting } = budget
  const epsilon = question.epsilonDefault
  const amount =
    accounting === "pure"
      ? epsilon
      : accounting === "zcdp"
        ? approxToRho(epsilon, question.delta)
        : square(approxToMu(epsilon, question.delta))
  return lossesOf({ accounting, amount, delta: zero })
}
