// What was released: a list, one with its answer, its receipt, and all of them as a claim for others.

import { z } from "zod"
import { amount, pageOf, pageQuery, time } from "./common.ts"
import { namedTable } from "./questions.ts"
import { routes } from "./route.ts"

const release = z
  .object({
    position: z.int().meta({ description: "Of its charge in the ledger." }),
    at: time,
    principal: z.string(),
    study: z.string().nullable(),
    planHash: z.string(),
    outcome: z.enum(["released", "failed", "waiting", "charged"]).meta({
      description: "Charged: what became of it is for whoever asked, and for those who see the audit trail.",
    }),
    held: z.boolean().meta({ description: "Whether it waits for an approval, or was refused one." }),
    accounting: z.enum(["pure", "zcdp", "gdp"]),
    amount,
    delta: amount,
    epsilon: amount.nullable().meta({ description: "This release by itself." }),
    title: z.string().nullable().meta({ description: "As somebody called it." }),
    question: z
      .string()
      .nullable()
      .meta({ description: "As it was asked; null where its text was not kept, or is withheld." }),
    questionWithheld: z
      .boolean()
      .meta({ description: "Texts are for who asked, the owner and the committee." }),
  })
  .meta({ id: "Release" })

const fullRelease = release
  .extend({
    answer: namedTable.nullable().meta({
      description: "The answer where there is one; null where there are several, or none.",
    }),
    answers: z
      .array(namedTable)
      .readonly()
      .meta({
        description:
          "All answers: one for each question that was planned together, in their order; of a series the " +
          "totals so far; none where nothing was released.",
      }),
    series: z
      .object({ name: z.string(), periods: z.int().meta({ description: "Of the whole horizon." }) })
      .nullable()
      .meta({ description: "Null where the release is no series." }),
    receipt: z.unknown(),
  })
  .meta({ id: "FullRelease" })

const position = z.object({ position: z.string().regex(/^\d{1,15}$/) })

/** The routes about releases. */
export const releaseRoutes = routes({
  listReleases: {
    method: "GET",
    path: "/api/v1/releases",
    access: "see-releases",
    summary: "What was charged and released, newest first",
    about: "Analysts see their own and those of their studies.",
    query: z.object({ ...pageQuery, study: z.string().optional(), principal: z.string().optional() }),
    reply: pageOf(release),
  },
  getRelease: {
    method: "GET",
    path: "/api/v1/releases/{position}",
    access: "see-releases",
    summary: "One release with its answers, free; with `Accept: text/csv` an answer as CSV",
    params: position,
    query: z.object({
      intervals: z.enum(["on", "off"]).optional(),
      question: z
        .string()
        .regex(/^[1-9]\d{0,3}$/)
        .optional()
        .meta({ description: "Which answer to give as CSV, from 1, where several were released together." }),
    }),
    reply: fullRelease,
    media: "text/csv",
  },
  setReleaseTitle: {
    method: "PUT",
    path: "/api/v1/releases/{position}/title",
    access: "see-releases",
    summary: "Give a release a title: by who asked it, or the owner",
    about: "Needs the right `ask` too.",
    params: position,
    body: z.object({
      title: z.string().max(200).meta({ description: "Everybody who sees the release reads it." }),
    }),
    status: 204,
  },
  getReceipt: {
    method: "GET",
    path: "/api/v1/releases/{position}/receipt",
    access: "see-releases",
    summary: "The receipt of a release: what was promised, what it cost, where the charge stands",
    params: position,
    reply: z.unknown(),
  },
  registryClaim: {
    method: "GET",
    path: "/api/v1/claims/registry",
    access: "see-audit",
    summary: "All releases as a record for the DP Deployments Registry",
    media: "application/yaml",
  },
  nistClaim: {
    method: "GET",
    path: "/api/v1/claims/nist",
    access: "see-audit",
    summary: "All releases as the checklist of NIST SP 800-226",
    media: "text/markdown",
  },
})
