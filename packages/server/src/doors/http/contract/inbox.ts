// The inbox of a site: jobs of a study over several sites, what is decided about them, and what is agreed to
// beforehand.

import { z } from "zod"
import { amount, reasons, time } from "./common.ts"
import { routes } from "./route.ts"

const jobName = z
  .string()
  .regex(/^[0-9a-f]{6,64}$/)
  .meta({ example: "3f9a02c1d5e7" })

const inboxJob = z
  .object({
    id: z.string(),
    state: z.enum(["offered", "approved", "refused", "unfit"]).meta({
      description: "unfit: this site refused it by itself, before anybody was asked.",
    }),
    receivedAt: time,
    study: z.string(),
    purpose: z.string(),
    sql: z.string(),
    mode: z.enum(["summed", "separate"]),
    model: z
      .object({ kind: z.enum(["linear", "logistic", "poisson"]), target: z.string(), rounds: z.int() })
      .nullable()
      .meta({ description: "Of a regression, whose rows the SQL selects." }),
    sites: z.array(z.string()).readonly(),
    words: z.array(z.string()).readonly().meta({ description: "The job in plain words; none if unfit." }),
    facts: z
      .object({
        numbers: z.int().meta({ description: "How many numbers leave." }),
        rounds: z.int().meta({ description: "In how many sums, one after the other." }),
        unit: z.string(),
        threshold: z.int(),
        honest: z.int(),
        colluding: z.int(),
      })
      .nullable()
      .meta({ description: "What the words are made of; null if unfit." }),
    epsilon: z.string().nullable().meta({ description: "What it charges this site; null if unfit." }),
    delta: z.string().nullable(),
    answerBy: time.meta({ description: "When the time for approvals is over." }),
    decidedBy: z.string().nullable(),
    decidedAt: time.nullable(),
    reasons: z.string().nullable(),
    isActedOn: z.boolean().meta({ description: "Whether the node has acted on the decision." }),
  })
  .meta({ id: "InboxJob" })

const standing = z
  .object({
    id: z.int(),
    pattern: z.string(),
    epsilonEach: amount,
    epsilon: amount,
    delta: amount,
    sitesMin: z.int(),
    until: z.iso.date(),
    madeBy: z.string(),
    madeAt: time,
    endedAt: time.nullable(),
    used: z.object({ jobs: z.int(), epsilon: z.string(), delta: z.string() }),
  })
  .meta({ id: "StandingApproval" })

const wantedStanding = standing.pick({
  pattern: true,
  epsilonEach: true,
  epsilon: true,
  delta: true,
  sitesMin: true,
  until: true,
})

/** The routes of a site's inbox. */
export const inboxRoutes = routes({
  getMembership: {
    method: "GET",
    path: "/api/v1/federation/membership",
    access: "see-studies",
    summary: "Which study over several sites this house belongs to, and how the line to its coordinator is",
    reply: z.object({
      membership: z
        .object({
          study: z.string(),
          site: z.string(),
          joinedAt: time,
          url: z.string(),
          coordinator: z.string().meta({ description: "The fingerprint of its key." }),
          lastCall: z.object({ at: time, trouble: z.string().nullable() }).nullable(),
        })
        .nullable(),
      peers: z.array(z.object({ name: z.string(), fingerprint: z.string() })).readonly(),
      views: z.array(z.object({ table: z.string(), select: z.string() })).readonly(),
    }),
  },
  listInbox: {
    method: "GET",
    path: "/api/v1/federation/inbox",
    access: "see-studies",
    summary: "The jobs that this site was offered, the newest first",
    reply: z.object({ items: z.array(inboxJob).readonly() }),
  },
  decideJob: {
    method: "POST",
    path: "/api/v1/federation/inbox/{job}/decision",
    access: "review-releases",
    summary: "Let this site take part in a job, which charges it, or keep it out",
    params: z.object({ job: jobName }),
    body: z.object({ decision: z.enum(["approve", "refuse"]), reasons }),
    reply: inboxJob,
  },
  listStanding: {
    method: "GET",
    path: "/api/v1/federation/standing",
    access: "see-studies",
    summary: "What is agreed to beforehand, with what was used of it",
    reply: z.object({ items: z.array(standing).readonly() }),
  },
  addStanding: {
    method: "POST",
    path: "/api/v1/federation/standing",
    access: "review-releases",
    summary: "Agree beforehand to jobs that fit a pattern and a budget",
    body: wantedStanding,
    reply: z.object({ id: z.int() }),
    status: 201,
  },
  endStanding: {
    method: "DELETE",
    path: "/api/v1/federation/standing/{id}",
    access: "review-releases",
    summary: "End a standing approval; what it approved stays approved",
    params: z.object({ id: z.string().regex(/^\d{1,9}$/) }),
    status: 204,
  },
})
