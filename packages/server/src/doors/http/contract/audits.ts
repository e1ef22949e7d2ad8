// Who did what, and when.

import { z } from "zod"
import { pageOf, pageQuery, time } from "./common.ts"
import { routes } from "./route.ts"

const entry = z
  .object({
    position: z.int(),
    at: time,
    who: z.string(),
    what: z.string().meta({ example: "study-submitted" }),
    about: z.string().meta({ example: "study heart" }),
    facts: z.record(z.string(), z.string()).readonly(),
    hash: z.string(),
  })
  .meta({ id: "AuditEntry" })

const search = {
  who: z.string().optional(),
  what: z.string().optional(),
  about: z.string().optional(),
  from: z.string().optional().meta({ description: "From this time on.", example: "2026-03-01" }),
  to: z.string().optional().meta({ description: "Before this time." }),
}

/** The routes about the audit trail. */
export const auditRoutes = routes({
  searchAudit: {
    method: "GET",
    path: "/api/v1/audit",
    access: "see-audit",
    summary: "Entries of the audit trail, in order, page by page",
    query: z.object({
      ...search,
      order: z
        .enum(["oldest", "newest"])
        .optional()
        .meta({ description: "Which entries come first: the oldest if left out." }),
      ...pageQuery,
    }),
    reply: pageOf(entry),
  },
  exportAudit: {
    method: "GET",
    path: "/api/v1/audit/export",
    access: "see-audit",
    summary: "All entries that are looked for, one JSON object a line",
    query: z.object(search),
    media: "application/x-ndjson",
  },
  verifyAudit: {
    method: "GET",
    path: "/api/v1/audit/verify",
    access: "see-audit",
    summary: "Whether every entry still has the hash of all before it",
    reply: z.object({ sound: z.boolean(), firstWrong: z.int().nullable() }),
  },
})
