// A ledger that is refused, and the people who decide how to go on.

import { z } from "zod"
import { decided, reasons } from "./common.ts"
import { routes } from "./route.ts"

const what = z.enum(["acknowledge", "rebind"])
const share = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,20})?%?$/)
  .meta({ description: "What counts as spent, as a share of the budget: 0.4 or 40%.", example: "40%" })

const request = z
  .object({
    id: z.int(),
    what,
    share: z.string().meta({ description: "What counts as spent; empty: all of the budget." }),
    trouble: z.string(),
    ...decided,
  })
  .meta({ id: "LedgerRequest" })

/** The routes about the ledger itself. */
export const ledgerRoutes = routes({
  getLedger: {
    method: "GET",
    path: "/api/v1/ledger",
    access: "review-releases",
    summary: "Whether the ledger can be charged, why not, and who has decided what about that",
    reply: z.object({
      trouble: z
        .object({ code: z.string(), message: z.string(), help: z.string(), decision: what.nullable() })
        .nullable(),
      anchor: z.object({
        kind: z.enum(["named", "user", "container", "unwritable"]),
        inside: z.boolean().meta({
          description: "Whether an old backup of the state brings the anchor back with the ledger.",
        }),
      }),
      requests: z.array(request).readonly(),
    }),
  },
  requestLedgerDecision: {
    method: "POST",
    path: "/api/v1/ledger/decisions",
    access: "review-releases",
    summary: "Ask to go on with a ledger that is refused; two people must agree",
    body: z.object({ share: share.optional(), reasons }),
    reply: request,
    status: 201,
  },
  decideLedger: {
    method: "POST",
    path: "/api/v1/ledger/decisions/{id}/decide",
    access: "review-releases",
    summary: "Agree to go on with a ledger that is refused, or refuse it; the second who agrees enters it",
    params: z.object({ id: z.string().regex(/^\d{1,9}$/) }),
    body: z.object({ decision: z.enum(["agree", "refuse"]), reasons }),
    reply: z.object({ state: z.enum(["open", "granted", "refused"]) }),
  },
})
