// Sign-in by a provider of OpenID Connect: to it with an attempt in a cookie, and back into a session of
// ours.

import { fail } from "../../../errors.ts"
import { accountFor } from "../../../people/identities.ts"
import type { openIdRoutes } from "../contract/open-id.ts"
import type { MakeHandlers } from "../request/handler.ts"
import { attemptMs } from "../services/open-id.ts"
import { htmlPage } from "../pages/pages.ts"
import { cookieOf, readCookie } from "../request/site.ts"
import { startSession } from "./identity.ts"

const cookie = "dosimeter-openid"

/** The handlers. */
export const openIdHandlers: MakeHandlers<typeof openIdRoutes> = (services) => ({
  openIdStart: async (_input, { headers, site }) => {
    const { url, sealed } = await (services.openId ?? fail("oidc/not-configured", {})).begin()
    // Coming back is a visit from elsewhere: a strict cookie would not be sent.
    const options = { name: cookie, value: sealed, maxAgeSeconds: attemptMs / 1000, sameSite: "Lax" } as const
    headers.append("Set-Cookie", cookieOf(site, options))
    return new Response(null, { status: 302, headers: { Location: url } })
  },
  openIdBack: async (_input, context) => {
    const openId = services.openId ?? fail("oidc/not-configured", {})
    const { request, headers, site } = context
    const { search } = new URL(request.url)
    const vouched = await openId.finish(search, readCookie(request.headers, cookie))
    const person = await accountFor(vouched, services)
    await startSession(person, services, context)
    const over = { name: cookie, value: "", maxAgeSeconds: 0, sameSite: "Lax" } as const
    headers.append("Set-Cookie", cookieOf(site, over))
    // A step from a page of ours: after a redirect from elsewhere the strict cookie would not be sent.
    return htmlPage("Signed in", `<meta http-equiv="refresh" content="0;url=/"><p><a href="/">Go on</a></p>`)
  },
})
