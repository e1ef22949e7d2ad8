// Studies: proposing, reviewing, opening, closing.

import { z } from "zod"
import { accountName, amount, day, reasons, time } from "./common.ts"
import { routes } from "./route.ts"

const id = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/)
  .meta({ example: "heart" })

const view = z.enum(["support", "concern", "oppose"])

const proposal = z
  .object({
    id,
    title: z.string().min(1).max(300),
    summary: z.string().max(10_000).meta({ description: "In plain words, for everybody." }),
    purposes: z
      .array(z.string().max(40))
      .min(1)
      .max(20)
      .readonly()
      .meta({ description: "Codes of the Data Use Ontology.", example: ["DUO:0000006"] }),
    people: z.array(accountName).max(200).readonly().meta({ description: "Who may ask, besides oneself." }),
    starts: day,
    ends: day,
    epsilon: amount.meta({ description: "Its share of the budget." }),
    delta: amount,
    airlock: z.boolean().optional().meta({ description: "Whether every release waits for an approval." }),
    datasets: z
      .array(z.string().max(63))
      .max(50)
      .readonly()
      .optional()
      .meta({ description: "What it is about; this dataset if left out." }),
  })
  .meta({ id: "StudyProposal" })

const study = proposal
  .extend({
    state: z.enum(["draft", "submitted", "approved", "refused", "active", "closed"]),
    suspended: z.boolean(),
    proposedBy: z.string(),
    reviews: z
      .array(
        z.object({
          reviewer: z.string(),
          decision: z.enum(["approve", "refuse"]),
          reasons: z.string(),
          at: time,
        }),
      )
      .readonly(),
    voices: z
      .array(z.object({ name: z.string(), view, comment: z.string(), at: time }))
      .readonly()
      .meta({ description: "What a community advisory board says: advisory." }),
  })
  .meta({ id: "Study" })

const spoken = z
  .object({
    id,
    title: z.string(),
    summary: z.string(),
    purposes: z.array(z.string()).readonly().meta({ description: "By name." }),
    starts: day,
    ends: day,
    state: z.enum(["submitted", "approved", "active"]),
    people: z.int().meta({ description: "How many may ask." }),
    airlock: z.boolean(),
    epsilon: amount.meta({ description: "Its share of the budget." }),
    delta: amount,
    dose: z.array(z.string()).readonly().meta({ description: "What its share could tell about one person." }),
    own: z.object({ view, comment: z.string() }).nullable(),
    others: z.array(z.object({ view, comment: z.string() })).readonly(),
  })
  .meta({ id: "SpokenProposal" })

const byId = { params: z.object({ id }), reply: study } as const
const withReasons = { ...byId, body: z.object({ reasons }) } as const

/** The routes about studies. */
export const studyRoutes = routes({
  listStudies: {
    method: "GET",
    path: "/api/v1/studies",
    access: "see-studies",
    summary: "All studies",
    reply: z.object({ items: z.array(study).readonly() }),
  },
  listPurposes: {
    method: "GET",
    path: "/api/v1/purposes",
    access: "public",
    summary: "What data may be used for, in the words of the Data Use Ontology",
    reply: z.object({
      items: z
        .array(z.object({ code: z.string(), name: z.string(), kind: z.enum(["permission", "modifier"]) }))
        .readonly(),
    }),
  },
  getStudy: {
    method: "GET",
    path: "/api/v1/studies/{id}",
    access: "see-studies",
    summary: "One study with its reviews",
    ...byId,
  },
  proposeStudy: {
    method: "POST",
    path: "/api/v1/studies",
    access: "propose-studies",
    summary: "Propose a study: a draft that its people can submit",
    body: proposal,
    reply: study,
    status: 201,
  },
  editStudy: {
    method: "PUT",
    path: "/api/v1/studies/{id}",
    access: "propose-studies",
    summary: "Change a draft; what is left out stays",
    params: z.object({ id }),
    body: proposal.omit({ id: true }).partial(),
    reply: study,
  },
  demandAirlock: {
    method: "POST",
    path: "/api/v1/studies/{id}/airlock",
    access: "suspend-studies",
    summary: "Let every release of a study wait for an approval; before its first question",
    ...byId,
  },
  submitStudy: {
    method: "POST",
    path: "/api/v1/studies/{id}/submit",
    access: "propose-studies",
    summary: "Hand a draft to the committee",
    ...byId,
  },
  reviewStudy: {
    method: "POST",
    path: "/api/v1/studies/{id}/reviews",
    access: "review",
    summary: "Approve or refuse a study, with reasons; two must agree, one refusal refuses",
    ...byId,
    body: z.object({ decision: z.enum(["approve", "refuse"]), reasons }),
  },
  listProposals: {
    method: "GET",
    path: "/api/v1/proposals",
    access: "voice",
    summary: "Studies in plain words, for a community advisory board",
    reply: z.object({ items: z.array(spoken).readonly() }),
  },
  voiceStudy: {
    method: "PUT",
    path: "/api/v1/studies/{id}/voice",
    access: "voice",
    summary: "Say what the board thinks of a study; advisory, and read by everybody",
    params: z.object({ id }),
    body: z.object({ view, comment: reasons }),
    reply: spoken,
  },
  activateStudy: {
    method: "POST",
    path: "/api/v1/studies/{id}/activate",
    access: "activate-studies",
    summary: "Open an approved study, with its share of the budget",
    ...byId,
  },
  suspendStudy: {
    method: "POST",
    path: "/api/v1/studies/{id}/suspend",
    access: "suspend-studies",
    summary: "Stop all questions of a study at once",
    ...withReasons,
  },
  resumeStudy: {
    method: "POST",
    path: "/api/v1/studies/{id}/resume",
    access: "suspend-studies",
    summary: "Let a suspended study go on",
    ...withReasons,
  },
  closeStudy: {
    method: "POST",
    path: "/api/v1/studies/{id}/close",
    access: "propose-studies",
    summary: "End a study; its releases stay",
    ...byId,
  },
})
