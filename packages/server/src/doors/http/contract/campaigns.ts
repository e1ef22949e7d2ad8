// Campaigns: collecting from devices that add the noise themselves. Planning and results are for people with
// an account; the survey and its reports are for anybody, from any page.

import { z } from "zod"
import { amount, time } from "./common.ts"
import { routes } from "./route.ts"

const id = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/)
  .meta({ example: "winter" })

const named = {
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,62}$/)
    .meta({ example: "fever" }),
  text: z.string().min(1).max(500).meta({ example: "Did you have a fever this week?" }),
}

const question = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("choice"),
      ...named,
      options: z.array(z.string().min(1).max(200)).min(2).max(1024).readonly(),
    }),
    z.object({ kind: z.literal("number"), ...named, low: z.number(), high: z.number() }),
  ])
  .meta({ id: "CampaignQuestion" })

const shared = {
  id,
  title: z.string().min(1).max(300),
  summary: z.string().max(10_000).meta({ description: "In plain words, for everybody." }),
  epsilon: amount.meta({ description: "What each person loses, once." }),
  questions: z
    .array(question)
    .min(1)
    .max(50)
    .readonly()
    .meta({ description: "Each device answers one of them, drawn by chance." }),
}

const plan = z
  .object({
    ...shared,
    people: z.int().min(1).max(1e9).meta({ description: "How many are expected to answer." }),
    halfWidthMax: z.number().positive().max(1).default(0.1).meta({
      description: "A plan with wider intervals is refused: of a share, or as a part of the range.",
    }),
    reportsMax: z
      .int()
      .min(1)
      .max(2e9)
      .optional()
      .meta({ description: "More are refused, as fakes: twice the people unless given." }),
  })
  .meta({ id: "CampaignPlan" })

const certificate = z
  .object({
    protocol: z.string(),
    ratio: z.string().meta({ description: "The largest ratio of probabilities of one report, a fraction." }),
    epsilon: z.number(),
    permanentEpsilon: z.number().optional(),
    probabilities: z.record(z.string(), z.string()),
    bytes: z.int(),
    parameters: z.string(),
  })
  .meta({ id: "ProtocolCertificate" })

const state = z.enum(["draft", "open", "paused", "closed"])

const campaign = z
  .object({
    ...shared,
    people: z.int(),
    reportsMax: z.int(),
    halfWidthMax: z.number(),
    state,
    reports: z.int(),
    createdBy: z.string(),
    createdAt: time,
    certificate,
    snippet: z.string().meta({ description: "For a web page: what asks and sends." }),
  })
  .meta({ id: "Campaign" })

const estimate = z
  .object({
    name: z.string(),
    text: z.string(),
    kind: z.enum(["choice", "number"]),
    reports: z.int(),
    options: z
      .array(
        z.object({
          option: z.string(),
          share: z.number().meta({ description: "Unbiased; it may be negative." }),
          lower: z.number(),
          upper: z.number(),
          consistent: z.number().meta({ description: "Not negative; all add up to one (Norm-Sub)." }),
        }),
      )
      .readonly(),
    mean: z.object({ mean: z.number(), lower: z.number(), upper: z.number() }).nullable(),
    standardError: z.number().nullable(),
    ifOnePercentAreFakes: z.object({ tooHigh: z.number(), tooLow: z.number() }),
  })
  .meta({ id: "QuestionEstimate" })

const byId = { params: z.object({ id }), reply: campaign } as const

/** The routes about campaigns. */
export const campaignRoutes = routes({
  listCampaigns: {
    method: "GET",
    path: "/api/v1/campaigns",
    access: "see-studies",
    summary: "All campaigns",
    reply: z.object({ items: z.array(campaign).readonly() }),
  },
  createCampaign: {
    method: "POST",
    path: "/api/v1/campaigns",
    access: "activate-studies",
    summary: "Plan a campaign: the protocol is chosen, and a plan that cannot answer is refused",
    body: plan,
    reply: campaign,
    status: 201,
  },
  getCampaign: {
    method: "GET",
    path: "/api/v1/campaigns/{id}",
    access: "see-studies",
    summary: "One campaign, with the snippet for a web page",
    ...byId,
  },
  publishCampaign: {
    method: "POST",
    path: "/api/v1/campaigns/{id}/publish",
    access: "activate-studies",
    summary: "Take reports from now on",
    ...byId,
  },
  pauseCampaign: {
    method: "POST",
    path: "/api/v1/campaigns/{id}/pause",
    access: "activate-studies",
    summary: "Take no reports for a while",
    ...byId,
  },
  closeCampaign: {
    method: "POST",
    path: "/api/v1/campaigns/{id}/close",
    access: "activate-studies",
    summary: "End a campaign: the estimates stay, the ids of reports are forgotten",
    ...byId,
  },
  campaignEstimates: {
    method: "GET",
    path: "/api/v1/campaigns/{id}/estimates",
    access: "see-studies",
    summary: "What the reports tell so far, raw and consistent, with intervals",
    params: z.object({ id }),
    reply: z.object({ confidence: z.number(), items: z.array(estimate).readonly() }),
  },
  getSurvey: {
    method: "GET",
    path: "/api/v1/surveys/{id}",
    access: "public",
    crossOrigin: true,
    summary: "What a device needs to answer: questions, protocol, certificate",
    params: z.object({ id }),
    reply: z.object({ ...shared, state, protocol: z.unknown(), certificate }).meta({ id: "Survey" }),
  },
  surveyPage: {
    method: "GET",
    path: "/survey/{id}",
    access: "public",
    summary: "The survey as a page for people",
    params: z.object({ id }),
    media: "text/html",
  },
  surveyScript: {
    method: "GET",
    path: "/survey.js",
    access: "public",
    crossOrigin: true,
    summary: "The script that a page embeds: it asks, randomizes and sends",
    media: "text/javascript",
  },
  sendReports: {
    method: "POST",
    path: "/api/v1/surveys/{id}/reports",
    access: "public",
    crossOrigin: true,
    summary: "Hand in randomized reports; only counters are kept of them",
    params: z.object({ id }),
    body: z.object({
      reports: z
        .array(
          z.object({
            id: z.string().length(22),
            parameters: z.string().length(64),
            payload: z.string().max(8192),
          }),
        )
        .min(1)
        .max(1000)
        .readonly(),
    }),
    reply: z.object({ accepted: z.int(), repeated: z.int(), refused: z.int() }),
    bodyMax: 4_000_000,
  },
})
