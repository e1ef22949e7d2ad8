// What is spent and left, and how it came to that.

import { add, zero } from "@dosimeter/core/exact"
import { odometerOf, usedOf } from "@dosimeter/core/accounting"
import { accountObject, amountUp } from "../../../answers/account-value.ts"
import { fail } from "../../../errors.ts"
import { sightOf } from "../../../questions/release-access.ts"
import type { budgetRoutes } from "../contract/budgets.ts"
import { callerOf, type MakeHandlers } from "../request/handler.ts"
import { limitOf, pageFrom, positionIn } from "../request/list-page.ts"

/** The handlers. */
export const budgetHandlers: MakeHandlers<typeof budgetRoutes> = ({ engine, charges, studies }) => ({
  getBudget: async (_input, context) => {
    const { person, rights } = callerOf(context)
    const sight = await sightOf(person, rights, studies)
    const accounts = (await engine.ledger.accounts()).filter(({ name }) => sight.account(name))
    const { terms, dataset } = engine.policy
    return { dataset, accounts: accounts.map((account) => accountObject(account, terms)) }
  },
  budgetHistory: async ({ params, query }, context) => {
    const { person, rights } = callerOf(context)
    const sight = await sightOf(person, rights, studies)
    const account = (await engine.ledger.accounts()).find(({ name }) => name === params.account)
    if (account === undefined || !sight.account(account.name)) {
      return fail("budget/unknown-account", { account: params.account.slice(0, 80) })
    }
    const after = positionIn(query) ?? 0n
    let [spent, deltaSpent] = [zero, zero]
    const points = (await charges.all())
      .filter(({ accounts }) => accounts.includes(account.name))
      .map((charge) => {
        spent = add(spent, charge.paid.amount)
        deltaSpent = add(deltaSpent, charge.paid.delta)
        return { ...charge, spent, deltaSpent }
      })
      .filter(({ position }) => position > after)
      .slice(0, limitOf(query) + 1)
    return pageFrom(points, query, {
      positionOf: ({ position }) => position,
      show: (point) => ({
        position: Number(point.position),
        at: point.at,
        amount: amountUp(point.paid.amount),
        delta: amountUp(point.paid.delta),
        total: amountUp(point.spent),
        totalDelta: amountUp(point.deltaSpent),
        epsilon: amountUp(odometerOf({ ...account, ...point }).epsilon),
        used: usedOf({ ...account, ...point }),
      }),
    })
  },
})
