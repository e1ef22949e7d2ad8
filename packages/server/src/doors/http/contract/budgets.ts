// What is spent and left, and how it came to that.

import { z } from "zod"
import { rightTo } from "../../../people/roles.ts"
import { account, amount, pageOf, pageQuery, time, used } from "./common.ts"
import { routes } from "./route.ts"

/** The routes about budgets. */
export const budgetRoutes = routes({
  getBudget: {
    method: "GET",
    path: "/api/v1/budget",
    access: rightTo.seeBudget,
    summary: "What is spent and left of the dataset, its studies and its analysts",
    about: "Analysts see the dataset, their studies and themselves.",
    reply: z.object({ dataset: z.string(), accounts: z.array(account).readonly() }),
  },
  budgetHistory: {
    method: "GET",
    path: "/api/v1/budget/{account}/history",
    access: rightTo.seeBudget,
    summary: "How an account was spent, charge by charge, from the first on",
    params: z.object({ account: z.string().max(200).meta({ example: "dataset" }) }),
    query: z.object(pageQuery),
    reply: pageOf(
      z.object({
        position: z.int(),
        at: time,
        amount,
        delta: amount,
        total: amount.meta({ description: "Of everything so far, in the measure that is added up." }),
        totalDelta: amount,
        epsilon: amount.meta({ description: "What the total amounts to, as epsilon at the budget's delta." }),
        used: used.meta({ description: "How much of the account is used after it." }),
      }),
    ),
  },
})
