// Studies: proposing, reviewing, opening, closing.

import { z } from "zod"
import { accountName, amount, day, reasons, time } from "./common.ts"
import { routes } from "./route.ts"

const id = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/)
  .meta({ example: "heart" })

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
  })
  .meta({ id: "Study" })

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
