// An account for people and for programs: what is spent, what is left, how many more questions fit.

import {
  approxToMu,
  approxToRho,
  chargesLeft,
  divide,
  exactly,
  maximum,
  numberDown,
  numberNear,
  numberUp,
  odometerOf,
  square,
  subtract,
  zero,
  type Losses,
  type Rational,
} from "@dosimeter/core"
import type { Account } from "@dosimeter/engine"
import { lossesOf, type Terms } from "@dosimeter/sql"
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
  }
}

/** A bar, what is used, and what fits. */
export function budgetLine(account: Account, more: string, plain: boolean): string {
  const share = shareOf(account)
  const percent = share > 0 && share < 0.01 ? "<1" : `${Math.floor(share * 100)}`
  const { epsilon } = odometerOf(account)
  const spent = `epsilon ${costNumber(numberUp(epsilon))} of ${costNumber(numberUp(account.budget.epsilon))}`
  return `${bar(share, 20, plain)} ${percent.padStart(2)} % used, ${spent}${more === "" ? "" : `; ${more}`}`
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
  return lossesOf({ accounting, amount, delta: zero, shown: { measure: "pure", epsilon } })
}

/** The loss that a receipt states, if it states one. */
export function lossesIn(receipt: unknown, { budget }: Account): Losses | undefined {
  const loss = fieldOf(receipt, "loss")
  const [amount, delta] = [fieldOf(loss, "amount"), fieldOf(loss, "delta")]
  if (typeof amount !== "string" || typeof delta !== "string") return undefined
  const charge = { amount: exactly(amount, "amount"), delta: exactly(delta, "delta") }
  if (charge.amount.numerator === 0n) return undefined
  const { accounting } = budget
  return lossesOf({ accounting, ...charge, shown: { measure: "pure", epsilon: zero } })
}

/** A field of something that was read. */
export function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined
}

const ownNames = { pure: undefined, zcdp: "rho", gdp: "muSquared" } as const

function shareOf({ budget, spent }: Account): number {
  const { limit } = budget
  const most: Rational =
    limit.measure === "pure" ? limit.epsilon : limit.measure === "zcdp" ? limit.rho : limit.muSquared
  return numberUp(divide(spent, most))
}
