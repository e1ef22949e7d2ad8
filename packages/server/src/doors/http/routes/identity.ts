// Signing in and out, accounts and tokens.

import { timingSafeEqual } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { fail } from "../../../errors.ts"
import type { Person } from "../../../people/accounts.ts"
import { linkedNames, linkParticipant } from "../../../people/participants.ts"
import { makeUpPassword } from "../../../people/password-hash.ts"
import { may, rights, type Right } from "../../../people/roles.ts"
import { csrfTokenOf, longestMs } from "../../../people/sessions.ts"
import type { StateAccess } from "../../../state/state-store.ts"
import type { Token } from "../../../people/tokens.ts"
import type { identityRoutes } from "../contract/identity.ts"
import { callerOf, type Handlers, type MakeHandlers, type RequestContext } from "../request/handler.ts"
import type { Caller, Services, SessionServices } from "../services/services.ts"
import { cookieName, cookieOf, deviceCookie, deviceSeconds, readCookie } from "../request/site.ts"
import { unitIdOf } from "../request/unit-id.ts"

/** Every wrong try takes as long as the slowest check, so that its time tells nothing. */
const wrongMs = 600

/** The handlers. */
export const identityHandlers: MakeHandlers<typeof identityRoutes> = (services) => ({
  ...accountHandlers(services),
  ...tokenHandlers(services),
  ...sessionHandlers(services),
})

/** The handlers of signing in and out, and of who somebody is. */
export function sessionHandlers(
  services: SessionServices,
): Own<"signInMethods" | "setUp" | "signIn" | "signOut" | "whoAmI" | "changePassword"> {
  const { accounts, sessions } = services
  return {
    signInMethods: async () => ({
      password: true,
      openId: services.openId !== undefined,
      setUp: services.setUpCode !== undefined && (await accounts.list()).length === 0,
      place: await services.place(),
    }),
    setUp: async ({ body: { code, name, password } }, context) => {
      await guarded(services, context, "set-up", async () => sameText(code, services.setUpCode ?? ""))
      return startSession(await accounts.addFirst(name, password), services, context)
    },
    signIn: async ({ body: { name, password } }, context) => {
      await guarded(services, context, name, () => accounts.passwordMatches(name, password))
      const person = (await accounts.find(name)) ?? fail("request/wrong-password", {})
      return startSession(person, services, context)
    },
    signOut: async (_input, context) => {
      const { session } = callerOf(context)
      if (session !== undefined) await sessions.end(session)
      endCookie(context)
      return undefined
    },
    whoAmI: async (_input, context) => meOf(callerOf(context), services),
    changePassword: async ({ body }, context) => {
      const { name } = sessionCaller(context).person
      await guarded(services, context, name, () => accounts.passwordMatches(name, body.old))
      await accounts.setPassword(name, body.new, { by: name })
      const id = await sessions.begin(name)
      setCookie(context, id)
      return undefined
    },
  }
}

type Own<Name extends keyof typeof identityRoutes> = Pick<Handlers<typeof identityRoutes>, Name>

function accountHandlers(
  services: Services,
): Own<"listAccounts" | "addAccount" | "linkAccount" | "resetPassword" | "disableAccount"> {
  const { accounts, store } = services
  return {
    listAccounts: async () => {
      const linked = await linkedNames(store)
      return { items: (await accounts.list()).map((person) => personObject(person, linked)) }
    },
    addAccount: async ({ body: { name, role, password, participant } }, context) => {
      const by = callerOf(context).person.name
      const made = password ?? makeUpPassword()
      const origin = password === undefined ? "made-up" : "chosen"
      if (participant !== undefined && role !== "participant") fail("consent/no-participant", { name })
      const id = participant === undefined ? undefined : unitIdOf(participant, services)
      const also = async (access: StateAccess): Promise<void> => {
        if (id !== undefined) await linkParticipant(access, name, id)
      }
      const person = await accounts.add(name, role, made, { by, origin, also })
      const linked = new Set(id === undefined ? [] : [name])
      return { ...personObject(person, linked), password: password === undefined ? made : null }
    },
    linkAccount: async ({ params: { name }, body }, context) => {
      await accounts.link(name, unitIdOf(body.participant, services), {
        by: callerOf(context).person.name,
      })
      return undefined
    },
    resetPassword: async ({ params: { name } }, context) => {
      const password = makeUpPassword()
      const by = callerOf(context).person.name
      await accounts.setPassword(name, password, { by, origin: "made-up" })
      return { password }
    },
    disableAccount: async ({ params: { name } }, context) => {
      await accounts.disable(name, { by: callerOf(context).person.name })
      return undefined
    },
  }
}

/** The handlers of one's own tokens. */
export function tokenHandlers({
  tokens,
}: Pick<Services, "tokens">): Own<"listTokens" | "addToken" | "revokeToken"> {
  return {
    listTokens: async (_input, context) => {
      const { person, by, token } = callerOf(context)
      const own = await tokens.list(person.name)
      // A token sees itself only: it was not made to manage the others.
      return { items: own.filter(({ id }) => by === "session" || id === token).map(tokenObject) }
    },
    addToken: async ({ body }, context) => {
      const { person } = sessionCaller(context)
      const { rights: wanted, days, name } = body
      const { token, secret } = await tokens.add({
        name,
        account: person,
        by: person.name,
        ...(wanted === undefined ? {} : { rights: wanted }),
        ...(days === undefined ? {} : { days }),
      })
      return { ...tokenObject(token), secret }
    },
    revokeToken: async ({ params: { id } }, context) => {
      const caller = callerOf(context)
      const { name } = caller.token === id ? caller.person : sessionCaller(context).person
      await tokens.revoke(id, { account: name, by: name })
      return undefined
    },
  }
}

/** Begins a session for somebody and puts its cookie into the reply. */
export async function startSession(person: Person, services: SessionServices, context: RequestContext) {
  const { sessions, devices } = services
  // Always a new id: an id that somebody else planted is worth nothing, and the session before ends.
  const before = context.caller?.session
  if (before !== undefined) await sessions.end(before)
  const id = await sessions.begin(person.name)
  setCookie(context, id)
  const device = { name: deviceCookie(context.site), value: await devices.mark(person.name) }
  const lasting = { ...device, maxAgeSeconds: deviceSeconds, sameSite: "Strict" } as const
  context.headers.append("Set-Cookie", cookieOf(context.site, lasting))
  const own = rights.filter((right) => may(person.role, right))
  return meOf({ person, by: "session", rights: own, session: id }, services)
}

/** Checks a secret, slowly and not too often. */
async function guarded(
  services: SessionServices,
  context: RequestContext,
  name: string,
  matches: () => Promise<boolean>,
): Promise<void> {
  const proof = await proofOf(services, context, name)
  const open = await services.limits.begin({ name, address: context.address, proof })
  if (open === undefined) return fail("request/too-many-tries", {})
  const started = performance.now()
  try {
    const isRight = await matches()
    open.settle(isRight ? "right" : "wrong")
    if (isRight) return
  } finally {
    open.settle("left")
  }
  await sleep(Math.max(0, wrongMs - (performance.now() - started)))
  if (name === "set-up") fail("account/wrong-code", {})
  fail("request/wrong-password", {})
}

/** What shows that somebody was here before: a session or token of theirs, or a browser they used. */
async function proofOf(
  { devices }: SessionServices,
  { caller, request, site }: RequestContext,
  name: string,
): Promise<string | undefined> {
  if (caller?.person.name === name) return "the account itself"
  return devices.idOf(name, readCookie(request.headers, deviceCookie(site)))
}

function sessionCaller(context: RequestContext): Caller {
  const caller = callerOf(context)
  return caller.by === "session" ? caller : fail("request/needs-session", {})
}

function setCookie({ headers, site }: RequestContext, id: string): void {
  const name = cookieName(site)
  const maxAgeSeconds = longestMs / 1000
  headers.append("Set-Cookie", cookieOf(site, { name, value: id, maxAgeSeconds, sameSite: "Strict" }))
}

function endCookie({ headers, site }: RequestContext): void {
  const name = cookieName(site)
  headers.append("Set-Cookie", cookieOf(site, { name, value: "", maxAgeSeconds: 0, sameSite: "Strict" }))
}

async function meOf({ person, by, rights: own, session }: Caller, services: SessionServices) {
  const csrfToken = session === undefined ? null : csrfTokenOf(session)
  const place = await services.place()
  const shown = place === "coordinator" ? own.filter((right) => leadRights.includes(right)) : own
  return { name: person.name, role: person.role, rights: shown, by, place, csrfToken }
}

/** What there is to be done at a coordinator, which has no data: asking, looking, and looking after sites. */
const leadRights: readonly Right[] = ["ask", "see-studies", "operate"]

function personObject({ name, role, createdAt, disabledAt }: Person, linked: ReadonlySet<string>) {
  const isLinked = role === "participant" ? linked.has(name) : null
  return { name, role, createdAt, disabledAt: disabledAt ?? null, linked: isLinked }
}

function tokenObject({ lastUsed, revokedAt, ...token }: Token) {
  return { ...token, lastUsed: lastUsed ?? null, revokedAt: revokedAt ?? null }
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length > 0 && left.length === right.length && timingSafeEqual(left, right)
}
