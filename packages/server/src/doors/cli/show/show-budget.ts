// An account for people and for programs: what is spent, what is left, how many more questions fit.

import type { Losses } from "@dosimeter/core"
import { exactly, maximum, numberDown, numberNear, numberUp, subtract, zero } from "@dosimeter/core/exact"
import { odometerOf, showShare, usedOf } from "@dosimeter/core/accounting"
import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import type { Account } from "@dosimeter/engine"
import { lossesOf } from "@dosimeter/planner/explain/price"
import { bar } from "./layout.ts"
import { costNumber } from "./numbers.ts"

/** An account as programs see it. Spent is rounded up, left is rounded down. */
export function budgetJson(account: Account): object {
  const { budget, spent, deltaSpent, left } = account
  const { epsilon } = odometerOf(account)
  const own = ownNames[budget.accounting]
  const leftEpsilon = maximum(zero, subtract(budget.epsilon, epsilon))
  return {
    accounting: budget.accounting,
    epsilon: numberNear(budget.epsilon),
    delta: numberNear(budget.delta),
    spent: {
      epsilon: numberUp(epsilon),
      delta: numberUp(deltaSpent),
      ...(own === undefined ? {} : { [own]: numberUp(spent) }),
    },
    left: {
      epsilon: numberDown(leftEpsilon),
      delta: numberDown(left.delta),
      ...(own === undefined ? {} : { [own]: numberDown(left.amount) }),
    },
    used: usedOf(account),
  }
}

/** A bar, what is used, and what fits. */
export function budgetLine(account: Account, more: string, plain: boolean): string {
  const { share, first } = usedOf(account)
  const runsOut = first === "delta" ? " (delta runs out)" : ""
  const { epsilon } = odometerOf(account)
  const spent = `epsilon ${costNumber(numberUp(epsilon))} of ${costNumber(numberUp(account.budget.epsilon))}`
  const used = `${showShare(share).padStart(4)} used, ${spent}${runsOut}`
  return `${bar(share, 20, plain)} ${used}${more === "" ? "" : `; ${more}`}`
}

/** The loss that a receipt states, if it states one. */
export function lossesIn(receipt: AnyReceipt, { budget }: Account): Losses | undefined {
  if (receipt.format !== "dosimeter-receipt/1") return undefined
  const { amount, delta } = receipt.loss
  const charge = { amount: exactly(amount, "amount"), delta: exactly(delta, "delta") }
  if (charge.amount.numerator === 0n) return undefined
  const { accounting } = budget
  return lossesOf({ accounting, ...charge })
}

const ownNames = { pure: undefined, zcdp: "rho", gdp: "muSquared" } as const
