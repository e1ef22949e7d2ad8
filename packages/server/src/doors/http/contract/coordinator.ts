// What nodes ask a coordinator: each request and each reply is a text with its signature, and what is in the
// texts is described in docs/guides/federation.md. The routes of a coordinator only; a hospital opens none.

import { z } from "zod"
import { routes } from "./route.ts"

const sealed = z
  .object({
    text: z.string().meta({ description: "JSON: what for, to whom, of whom, when, and a number used once." }),
    signature: z.string().max(100).meta({ description: "Ed25519 over the text, in base64url." }),
  })
  .meta({ id: "Sealed" })

/** The routes of a coordinator. */
export const coordinatorRoutes = routes({
  enrolNode: {
    method: "POST",
    path: "/api/v1/federation/enrol",
    access: "public",
    summary: "A node shows an invitation, which enrols its key once",
    body: sealed,
    reply: sealed,
  },
  pollLetters: {
    method: "POST",
    path: "/api/v1/federation/poll",
    access: "public",
    summary: "A node asks for letters; where there are none, the request is held for 25 seconds at most",
    body: sealed,
    reply: sealed,
  },
  sendLetter: {
    method: "POST",
    path: "/api/v1/federation/send",
    access: "public",
    summary: "A node hands in a letter, or a part of a long one",
    body: sealed,
    // A part of 262,144 characters, quoted twice.
    bodyMax: 1_310_720,
    reply: sealed,
  },
  coordinatorLives: {
    method: "GET",
    path: "/healthz",
    access: "public",
    summary: "Whether the process lives",
    reply: z.object({ alive: z.literal(true) }),
  },
})
