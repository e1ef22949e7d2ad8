// Risk reports about tables: exact and not private, for owners alone.

import { z } from "zod"
import { routes } from "./route.ts"

const names = z.array(z.string().min(1).max(200)).max(12).readonly()

/** The route. */
export const riskRoutes = routes({
  makeRiskReport: {
    method: "POST",
    path: "/api/v1/datasets/{dataset}/risk",
    access: "operate",
    summary: "Whether people can be found in a table: exact and not private, for owners alone",
    about:
      "As JSON, or as a page with pictures where text/html is asked for. Nothing is charged; the audit trail says who made a report of which table. One report is made at a time.",
    params: z.object({ dataset: z.string().max(200) }),
    body: z.object({
      table: z.string().max(200),
      quasi: names
        .optional()
        .meta({ description: "What outsiders could know; suggested by names if left out." }),
      sensitive: names.optional().meta({ description: "What nobody should learn; suggested if left out." }),
      person: z.string().max(200).optional().meta({ description: "The column that says whose a row is." }),
      link: z
        .object({
          name: z.string().min(1).max(200),
          csv: z.string().min(1).max(8_000_000),
          on: z.record(z.string().max(200), z.string().max(200)).optional().meta({
            description: "Columns of the table, and what the second file calls them.",
          }),
        })
        .optional()
        .meta({ description: "A second file, as CSV with a head: a register, last year's release." }),
      language: z.enum(["en", "zh"]).optional().meta({ description: "Of the page; English if left out." }),
      attacks: z.boolean().optional().meta({ description: "Whether the attacks are made; yes if left out." }),
    }),
    bodyMax: 20_000_000,
    reply: z.record(z.string(), z.unknown()),
    media: "text/html",
  },
})
