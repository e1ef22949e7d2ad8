// What a committee and the people in the data do: approvals, more budget, consent; and what everybody sees.

import { z } from "zod"
import { amount, reasons, time } from "./common.ts"
import { routes } from "./route.ts"

const held = z
  .object({
    study: z.string(),
    release: z.string().meta({ description: "The position of its charge in the ledger." }),
    state: z.enum(["waiting", "approved", "refused"]),
    failed: z
      .boolean()
      .meta({ description: "Whether there is nothing to approve; whoever asked is not told." }),
    askedBy: z.string(),
    askedAt: time,
    question: z.string(),
    reviewer: z.string().nullable(),
    reasons: z.string().nullable(),
    reviewedAt: time.nullable(),
  })
  .meta({ id: "HeldRelease" })

const request = z
  .object({
    id: z.int(),
    account: z.string().meta({ example: "study:heart" }),
    epsilon: amount.meta({ description: "What it shall have in all." }),
    delta: amount,
    reasons: z.string(),
    requestedBy: z.string(),
    requestedAt: time,
    state: z.enum(["open", "granted", "refused"]),
    agreements: z
      .array(
        z.object({
          name: z.string(),
          role: z.string(),
          decision: z.enum(["agree", "refuse"]),
          reasons: z.string(),
          at: time,
        }),
      )
      .readonly(),
  })
  .meta({ id: "BudgetRequest" })

const purpose = z.string().max(40).meta({ example: "DUO:0000006" })
const decision = z.enum(["given", "withdrawn"])
const kept = z
  .object({ purpose, name: z.string(), decision, decidedAt: time, recordedAt: time, source: z.string() })
  .meta({ id: "ConsentDecision" })
const dose = z.object({ epsilon: amount, delta: amount })
const inWords = dose.extend({ words: z.array(z.string()).readonly() })

const publicStudy = z.object({
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  purposes: z.array(z.object({ code: z.string(), name: z.string() })).readonly(),
  starts: z.string(),
  ends: z.string(),
  state: z.enum(["approved", "active", "suspended", "closed"]),
  airlock: z.boolean(),
  people: z.int(),
  reviewedBy: z.int(),
  budget: dose,
  spent: dose,
  releases: z.int(),
})

const transparency = z
  .object({
    dataset: z.string(),
    unit: z.string(),
    accounting: z.string(),
    promise: inWords,
    spent: inWords,
    consent: z.enum(["required", "opt-out"]).nullable(),
    studies: z.array(publicStudy).readonly(),
    releases: z
      .array(
        z.object({
          position: z.int(),
          at: time,
          study: z.string().nullable(),
          amount,
          state: z.enum(["charged", "held"]),
          planHash: z.string(),
        }),
      )
      .readonly(),
    releasesInAll: z.int(),
  })
  .meta({ id: "Transparency" })

const byRelease = z.object({ release: z.string().regex(/^\d{1,18}$/) })
const ofStudy = z.object({ study: z.string().max(63).optional() })

/** The routes about approvals. */
export const airlockRoutes = routes({
  listHeld: {
    method: "GET",
    path: "/api/v1/airlock",
    access: "review-releases",
    summary: "Releases that wait for an approval, and what was decided",
    query: ofStudy,
    reply: z.object({ items: z.array(held).readonly() }),
  },
  getHeld: {
    method: "GET",
    path: "/api/v1/airlock/{release}",
    access: "review-releases",
    summary: "A release as it would leave: noisy, never exact",
    params: byRelease,
    query: ofStudy,
    reply: held.extend({ answer: z.unknown(), receipt: z.unknown() }),
  },
  reviewHeld: {
    method: "POST",
    path: "/api/v1/airlock/{release}/review",
    access: "review-releases",
    summary: "Let a release leave, or keep it inside for ever",
    params: byRelease,
    body: z.object({
      decision: z.enum(["approve", "refuse"]),
      reasons,
      study: z.string().max(63).optional(),
    }),
    status: 204,
  },
})

/** The routes about more budget. */
export const raiseRoutes = routes({
  listBudgetRequests: {
    method: "GET",
    path: "/api/v1/budget-requests",
    access: "see-budget",
    summary: "Who asked for more budget, and who agreed",
    reply: z.object({ items: z.array(request).readonly() }),
  },
  requestBudget: {
    method: "POST",
    path: "/api/v1/budget-requests",
    access: "see-budget",
    summary: "Ask for more budget; two people must agree",
    body: z.object({ account: z.string().max(200), epsilon: amount, delta: amount, reasons }),
    reply: request,
    status: 201,
  },
  decideBudget: {
    method: "POST",
    path: "/api/v1/budget-requests/{id}/decide",
    access: "review-releases",
    summary: "Agree to more budget, or refuse it; the second who agrees grants it",
    params: z.object({ id: z.string().regex(/^\d{1,9}$/) }),
    body: z.object({ decision: z.enum(["agree", "refuse"]), reasons }),
    reply: z.object({ state: z.enum(["open", "granted", "refused"]) }),
  },
})

/** The routes about consent. */
export const consentRoutes = routes({
  getConsent: {
    method: "GET",
    path: "/api/v1/consent",
    access: "consent",
    summary: "What one has decided oneself: what holds, and everything before",
    reply: z.object({ holds: z.array(kept).readonly(), history: z.array(kept).readonly() }),
  },
  setConsent: {
    method: "PUT",
    path: "/api/v1/consent",
    access: "consent",
    summary: "Give or withdraw one's consent to a purpose",
    body: z.object({ purpose, decision }),
    status: 204,
  },
  importConsents: {
    method: "POST",
    path: "/api/v1/consent/import",
    access: "manage-consent",
    summary: "Take over decisions from CSV or FHIR; all or none",
    body: z.object({ file: z.string().min(1).max(200), text: z.string() }),
    reply: z.object({ read: z.int(), changed: z.int() }),
    bodyMax: 20_000_000,
  },
  getParticipation: {
    method: "GET",
    path: "/api/v1/participation",
    access: "consent",
    summary: "Which studies have used one's data, and at which dose",
    reply: z.object({
      items: z
        .array(
          z.object({
            study: z.string(),
            title: z.string(),
            releasesWith: z.int(),
            releasesWithout: z.int(),
            epsilon: amount,
            delta: amount,
          }),
        )
        .readonly(),
    }),
  },
})

/** The routes that everybody may call. */
export const transparencyRoutes = routes({
  getTransparency: {
    method: "GET",
    path: "/api/v1/transparency",
    access: "public",
    summary: "Which studies use the data, for what, and at which dose",
    reply: transparency,
  },
})
