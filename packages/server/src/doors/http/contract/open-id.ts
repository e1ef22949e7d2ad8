// Sign-in by a provider of OpenID Connect, for browsers: to it and back.

import { z } from "zod"
import { routes } from "./route.ts"

/** The routes of sign-in by OpenID Connect. */
export const openIdRoutes = routes({
  openIdStart: {
    method: "GET",
    path: "/sign-in/openid",
    access: "public",
    summary: "Sends the browser to the provider of OpenID Connect",
    media: "text/html",
  },
  openIdBack: {
    method: "GET",
    path: "/sign-in/openid/back",
    access: "public",
    summary: "Where that house sends the browser back to, with a code",
    query: z.object({
      code: z.string().max(4000).optional(),
      state: z.string().max(1000).optional(),
      iss: z.string().max(1000).optional(),
      error: z.string().max(200).optional(),
    }),
    media: "text/html",
  },
})
