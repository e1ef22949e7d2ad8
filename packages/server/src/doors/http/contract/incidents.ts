// What failed after it was charged, for owners and reviewers.

import { z } from "zod"
import { reasons, time } from "./common.ts"
import { routes } from "./route.ts"

const incident = z
  .object({
    position: z.int().meta({ description: "Of the entry in the ledger that tells of it." }),
    at: time,
    charge: z.int().meta({ description: "The position of its charge." }),
    cause: z.enum(["database", "time", "extract", "bug", "lost", "cancelled", "unknown"]),
    principal: z.string(),
    study: z.string().nullable(),
    planHash: z.string(),
    question: z.string().nullable().meta({ description: "Where it is kept: of a study with an airlock." }),
    closes: z
      .enum(["door", "approvals"])
      .nullable()
      .meta({ description: "What is closed until an owner acknowledges it; null when one has." }),
    seen: z.object({ at: time, by: z.array(z.string()).readonly(), why: z.string() }).nullable(),
  })
  .meta({ id: "Incident" })

/** The routes about incidents. */
export const incidentRoutes = routes({
  listIncidents: {
    method: "GET",
    path: "/api/v1/incidents",
    access: "see-audit",
    summary: "What failed after it was charged, newest first",
    reply: z.object({ items: z.array(incident).readonly() }),
  },
  acknowledgeIncident: {
    method: "POST",
    path: "/api/v1/incidents/{position}/acknowledgement",
    access: "operate",
    summary: "Open again what an incident has closed; an owner does, who was not the one that asked",
    params: z.object({ position: z.string().regex(/^\d{1,15}$/) }),
    body: z.object({ reason: reasons }),
    status: 204,
  },
})
