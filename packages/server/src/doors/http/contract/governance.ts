// What a committee and the people in the data do: approvals, more budget, consent; and what everybody sees.

import { z } from "zod"
import { amount, decided, reasons, time, used } from "./common.ts"
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
    ...decided,
  })
  .meta({ id: "BudgetRequest" })

const purpose = z.string().max(40).meta({ example: "DUO:0000006" })
const decision = z.enum(["given", "withdrawn"])
const kept = z
  .object({ purpose, name: z.string(), decision, decidedAt: time, recordedAt: time, source: z.string() })
  .meta({ id: "ConsentDecision" })
const dose = z.object({ epsilon: amount, delta: amount })
const spent = dose.extend({ used })
const words = z.array(z.string()).readonly()

const ownPurpose = z
  .object({
    code: purpose,
    name: z.string(),
    wider: purpose.nullable().meta({ description: "The purpose that contains it." }),
    included: z.boolean().meta({ description: "Whether a question that is asked now reads one's data." }),
    includedNext: z.boolean().meta({ description: "The same once every decision so far counts." }),
    because: z
      .object({ purpose, decision })
      .nullable()
      .meta({ description: "The decision behind it, about this purpose or the nearest wider one." }),
  })
  .meta({ id: "OwnPurpose" })
const ownDose = z
  .object({
    releasesWith: z.int().meta({ description: "Releases that could have used one's data." }),
    releasesWithout: z.int(),
    epsilon: amount,
    delta: amount,
  })
  .meta({ id: "OwnDose", description: "What those releases can tell about one, at most." })

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
  community: z
    .array(z.object({ view: z.enum(["support", "concern", "oppose"]), comment: z.string() }))
    .readonly(),
  budget: dose,
  spent,
  releases: z.int(),
})

const transparency = z
  .object({
    dataset: z.string(),
    unit: z.string(),
    accounting: z.string(),
    promise: dose.extend({ words }),
    spent: spent.extend({ words }),
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
    summary: "For each purpose whether one's data is read and why, and everything that one decided",
    reply: z.object({
      mode: z
        .enum(["required", "opt-out"])
        .nullable()
        .meta({ description: "null where nobody is asked: decisions are kept and not applied." }),
      countsFrom: z
        .enum(["next-question", "midnight"])
        .meta({ description: "When a decision counts: with the next question, or from midnight (UTC) on." }),
      purposes: z
        .array(ownPurpose)
        .readonly()
        .meta({ description: "As the engine applies decisions; empty where nobody is asked." }),
      holds: z.array(kept).readonly().meta({ description: "The latest decision about each purpose." }),
      history: z.array(kept).readonly().meta({ description: "The newest first." }),
    }),
  },
  setConsent: {
    method: "PUT",
    path: "/api/v1/consent",
    access: "consent",
    summary: "Give or withdraw one's consent to a purpose",
    about:
      "The decision about the narrowest purpose holds: who says no to a purpose is left out of it, whatever " +
      "they said about a wider one.",
    body: z.object({
      purpose,
      decision,
      narrower: z
        .boolean()
        .optional()
        .meta({ description: "Also for every purpose inside of this one, in place of earlier decisions." }),
    }),
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
    summary: "What has used one's data, inside of studies and outside, and at which dose",
    reply: z.object({
      items: z.array(ownDose.extend({ study: z.string(), title: z.string() })).readonly(),
      outside: ownDose.nullable().meta({ description: "What was asked outside of studies." }),
      total: ownDose.extend({ used }).meta({ description: "Everything together." }),
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
