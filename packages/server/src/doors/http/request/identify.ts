// Who sends a request: by a session's cookie or a token, and with which rights.

import { timingSafeEqual } from "node:crypto"
import { fail } from "../../../errors.ts"
import { rightsOfCaller } from "../../../people/roles.ts"
import { csrfTokenOf } from "../../../people/sessions.ts"
import type { RouteAccess } from "../contract/route.ts"
import type { Caller, Services } from "../services/services.ts"
import { cookieName, isFromHere, readCookie, type Site } from "./site.ts"

/** The caller, or undefined for nobody. A token that is not valid is refused, not ignored. */
export async function identify(
  request: Request,
  services: Pick<Services, "accounts" | "sessions" | "tokens">,
  site: Site,
): Promise<Caller | undefined> {
  const { accounts, sessions, tokens } = services
  const sent = request.headers.get("authorization")
  if (sent !== null) {
    const [, secret = ""] = /^Bearer +(\S+)$/i.exec(sent) ?? []
    const token = await tokens.find(secret)
    const person = token === undefined ? undefined : await accounts.find(token.account)
    if (token === undefined || person === undefined || person.disabledAt !== undefined) {
      return fail("request/not-signed-in", {})
    }
    const held = rightsOfCaller(person.role, token)
    return { person, by: "token", rights: held, session: undefined, token: token.id }
  }
  const session = readCookie(request.headers, cookieName(site))
  const name = session === undefined ? undefined : await sessions.accountOf(session)
  const person = name === undefined ? undefined : await accounts.find(name)
  if (person === undefined || person.disabledAt !== undefined) return undefined
  return { person, by: "session", rights: rightsOfCaller(person.role), session }
}

/** Refuses whoever may not call a route. */
export function checkAccess(caller: Caller | undefined, access: RouteAccess): void {
  if (access === "public") return
  if (caller === undefined) return fail("request/not-signed-in", {})
  if (access === "signed-in" || caller.rights.includes(access)) return
  fail("account/no-right", { name: caller.person.name, right: access })
}

/** Refuses changes that a page of somebody else could have sent with our cookie. */
export function checkOrigin(request: Request, caller: Caller | undefined, site: Site): void {
  if (["GET", "HEAD"].includes(request.method) || caller?.by === "token") return
  if (!isFromHere(request, site)) fail("request/from-elsewhere", {})
  if (caller?.session === undefined) return
  const expected = Buffer.from(csrfTokenOf(caller.session))
  const got = Buffer.from(request.headers.get("x-csrf-token") ?? "")
  if (got.length !== expected.length || !timingSafeEqual(got, expected)) fail("request/from-elsewhere", {})
}
