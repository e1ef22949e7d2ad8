// The server itself: whether it lives and is ready, what it measures, and this contract as a document.

import { z } from "zod"
import { routes } from "./route.ts"

/** The routes about the server. */
export const serverRoutes = routes({
  health: {
    method: "GET",
    path: "/healthz",
    access: "public",
    summary: "Whether the process lives",
    reply: z.object({ alive: z.literal(true) }),
  },
  ready: {
    method: "GET",
    path: "/readyz",
    access: "public",
    summary: "Whether ledger and state answer; 503 if not",
    reply: z.object({ ready: z.literal(true) }),
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    access: "operate",
    summary: "Counts and times for Prometheus",
    about:
      "How long questions take depends on data, a little: only the owner's tokens with `operate` see it.",
    media: "text/plain",
  },
  openApi: {
    method: "GET",
    path: "/openapi.json",
    access: "public",
    summary: "This contract as an OpenAPI 3.1 document",
    reply: z.unknown(),
  },
})
