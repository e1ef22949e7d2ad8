// A ledger that is refused, and the people who decide how to go on.

import { decisionFor } from "@dosimeter/engine"
import { ledgerDecisions } from "../../../studies/ledger-decisions.ts"
import type { ledgerRoutes } from "../contract/ledger.ts"
import { callerOf, type MakeHandlers } from "../request/handler.ts"

/** The handlers. */
export const ledgerHandlers: MakeHandlers<typeof ledgerRoutes> = ({ store, engine }) => {
  const { policy, ledger, anchor } = engine
  const decisions = ledgerDecisions(store, {
    policy,
    trouble: () => ledger.trouble(),
    decide: (decision) => engine.decide(decision),
  })
  return {
    getLedger: async () => {
      const trouble = await ledger.trouble()
      return {
        trouble:
          trouble === undefined
            ? null
            : {
                code: trouble.code,
                message: trouble.message,
                help: trouble.help ?? "",
                decision: decisionFor(trouble) ?? null,
              },
        anchor: { kind: anchor.kind, inside: anchor.isInside },
        requests: await decisions.list(),
      }
    },
    requestLedgerDecision: async ({ body }, context) => {
      const { share, reasons } = body
      return decisions.request(
        { reasons, ...(share === undefined ? {} : { share }) },
        callerOf(context).person,
      )
    },
    decideLedger: async ({ params, body }, context) => ({
      state: await decisions.decide(Number(params.id), body, callerOf(context).person),
    }),
  }
}
