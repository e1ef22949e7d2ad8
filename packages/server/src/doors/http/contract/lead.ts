// What the lead of a study over several sites sees and does, at the coordinator: sites, jobs, answers.

import { z } from "zod"
import { amount, reasons, time } from "./common.ts"
import { namedTable } from "./questions.ts"
import { routes } from "./route.ts"

const siteName = z.string().min(1).max(60).meta({ example: "north" })
const jobName = z
  .string()
  .regex(/^[0-9a-f]{6,64}$/)
  .meta({ example: "3f9a02c1d5e7" })

const site = z
  .object({
    name: siteName,
    state: z.enum(["invited", "enrolled", "expelled"]),
    invitedUntil: time,
    fingerprint: z.string().nullable(),
    enrolledAt: time.nullable(),
    seenAt: time.nullable().meta({ description: "When it has last called." }),
  })
  .meta({ id: "StudySite" })

const against = z.object({ epsilon: z.string(), delta: z.string() })

const receipt = z
  .object({
    unit: z.string(),
    loss: z.object({ accounting: z.enum(["pure", "zcdp"]), amount: z.string(), delta: z.string() }),
    toPublic: against,
    toSite: against.extend({ others: z.int() }),
    toCoordinator: against.extend({ colluding: z.int() }),
    atSites: z
      .array(against.extend({ sites: z.int() }))
      .readonly()
      .meta({ description: "Of a person whose records are at so many sites." }),
    survivors: z.array(z.string()).readonly(),
    lost: z.array(z.string()).readonly(),
    honest: z.int(),
    notes: z.array(z.string()).readonly(),
  })
  .loose()
  .meta({ id: "FederatedReceipt", description: "The whole receipt of the job; these parts of it are fixed." })

const model = z
  .object({
    kind: z.enum(["linear", "logistic", "poisson"]),
    target: z.string().min(1).max(200).meta({ description: "The column of the SELECT that is explained." }),
    rounds: z.int().meta({ description: "How often the gradient is added up." }),
  })
  .meta({ id: "JobModel", description: "A regression whose rows the SQL selects." })

const askedModel = model
  .extend({
    rounds: z.int().min(50).max(2000).meta({ description: "With fewer a fit has not settled." }),
  })
  .meta({ id: "AskedModel" })

const job = z
  .object({
    id: z.string(),
    askedBy: z.string(),
    askedAt: time,
    purpose: z.string(),
    sql: z.string(),
    mode: z.enum(["summed", "separate"]),
    model: model.nullable().meta({ description: "Null of a question, which one sum answers." }),
    rounds: z
      .object({ done: z.int(), all: z.int() })
      .meta({ description: "How many sums were made, and how many there will be." }),
    epsilon: z.string(),
    confidence: z.string(),
    threshold: z.int(),
    phase: z.enum(["offered", "summing", "answered", "failed"]),
    step: z.string().nullable(),
    until: time.nullable(),
    why: z.string().nullable(),
    sites: z
      .array(
        z.object({
          name: z.string(),
          progress: z.enum(["waiting", "approved", "refused", "summing", "done", "lost"]),
          why: z.string().nullable(),
        }),
      )
      .readonly(),
    answer: namedTable.nullable(),
    bySite: z.array(z.object({ site: z.string(), answer: namedTable })).readonly(),
    receipt: receipt.nullable(),
  })
  .meta({ id: "Job" })

const pooledValue = { value: z.number(), low: z.number(), high: z.number() }

const pooled = z
  .object({
    measure: z.string(),
    scale: z.enum(["plain", "logarithm"]),
    confidence: z.number(),
    sites: z
      .array(
        z.object({
          site: z.string(),
          ...pooledValue,
          weight: z.number(),
          sampling: z.number(),
          noise: z.number(),
        }),
      )
      .readonly(),
    leftOut: z.array(z.string()).readonly(),
    fixed: z.object(pooledValue),
    random: z.object(pooledValue),
    hartungKnapp: z.object(pooledValue),
    q: z.number(),
    degrees: z.int(),
    between: z.number(),
    inconsistency: z.number(),
  })
  .meta({ id: "MetaAnalysis" })

const columnName = z.string().max(200).optional()

/** The routes of a lead. */
export const leadRoutes = routes({
  getStudyLed: {
    method: "GET",
    path: "/api/v1/federation/study",
    access: "see-studies",
    summary: "The study that is coordinated here",
    reply: z.object({
      study: z.string(),
      unit: z.string(),
      fingerprint: z.string(),
      tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).readonly() })).readonly(),
      epsilonDefault: z.string(),
    }),
  },
  listSites: {
    method: "GET",
    path: "/api/v1/federation/sites",
    access: "see-studies",
    summary: "The sites of the study",
    reply: z.object({ items: z.array(site).readonly() }),
  },
  inviteSite: {
    method: "POST",
    path: "/api/v1/federation/sites",
    access: "operate",
    summary: "Make an invitation, which enrols one key of one site once; shown once",
    body: z.object({ site: siteName, url: z.string().max(300).optional() }),
    reply: z.object({ invitation: z.string(), fingerprint: z.string() }),
    status: 201,
  },
  expelSite: {
    method: "POST",
    path: "/api/v1/federation/sites/{site}/expel",
    access: "operate",
    summary: "Refuse everything of a site from now on",
    params: z.object({ site: siteName }),
    body: z.object({ reasons }),
    status: 204,
  },
  listJobs: {
    method: "GET",
    path: "/api/v1/federation/jobs",
    access: "see-studies",
    summary: "The jobs of the study, the newest first",
    reply: z.object({ items: z.array(job).readonly() }),
  },
  askSites: {
    method: "POST",
    path: "/api/v1/federation/jobs",
    access: "ask",
    summary: "Offer a question or a regression to sites, each of which decides",
    body: z.object({
      sql: z.string().min(1).max(60_000),
      purpose: z.string().min(1).max(4000),
      mode: z.enum(["summed", "separate"]),
      model: askedModel.optional(),
      sites: z.array(siteName).max(100).readonly().optional(),
      epsilon: amount.optional(),
      hours: z
        .number()
        .positive()
        .max(9999)
        .optional()
        .meta({ description: "For decisions: 168 if left out." }),
      stepMinutes: z.number().positive().max(9999).optional().meta({ description: "60 if left out." }),
    }),
    reply: job,
    status: 201,
  },
  getJob: {
    method: "GET",
    path: "/api/v1/federation/jobs/{job}",
    access: "see-studies",
    summary: "Where a job stands, its answer and its receipt",
    params: z.object({ job: jobName }),
    reply: job,
  },
  poolJob: {
    method: "GET",
    path: "/api/v1/federation/jobs/{job}/pooled",
    access: "see-studies",
    summary: "A meta-analysis of what sites have answered by themselves; it costs nothing",
    params: z.object({ job: jobName }),
    query: z.object({
      measure: z.enum(["mean", "mean-difference", "risk-difference", "risk-ratio", "odds-ratio"]),
      count: z.string().max(200),
      events: columnName,
      mean: columnName,
      variance: columnName,
      by: columnName,
      first: columnName,
      second: columnName,
    }),
    reply: pooled,
  },
})
