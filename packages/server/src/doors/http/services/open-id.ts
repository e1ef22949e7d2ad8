// Sign-in by a provider of OpenID Connect: discovery, a code, PKCE, state and nonce. What belongs to one
// attempt is in a cookie of its own, sealed, for ten minutes, and is used once. The signature of an identity
// is checked with the keys that the provider publishes at that time, though it comes from the provider
// itself.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import * as client from "openid-client"
import { fail } from "../../../errors.ts"
import { roleNamed, roles, type Role } from "../../../people/roles.ts"
import type { Vouched } from "../../../people/identities.ts"

/** What the operator configures. */
export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The claim that lists groups or a role. */
  readonly roleClaim: string
  /** From a value of the claim to a role. */
  readonly roleOf: ReadonlyMap<string, Role>
  /** The claim that gives the name of the account. */
  readonly nameClaim: string
  readonly redirectUri: string
}

/** One attempt to sign in, until the browser comes back. */
interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly until: number
}

/** How long an attempt may take. */
export const attemptMs = 10 * 60_000

/** Signs people in by the provider. */
export class OpenId {
  readonly #settings: OpenIdSettings
  /** Attempts end with the process that began them. */
  readonly #key = randomBytes(32)
  /** The provider's addresses, kept: strangers cannot make the server ask for them again and again. */
  #known: { readonly configuration: client.Configuration; readonly until: number } | undefined
  /** The state of each used attempt, and when the attempt is over. */
  readonly #used = new Map<string, number>()

  constructor(settings: OpenIdSettings) {
    this.#settings = settings
  }

  /** Where to send the browser, and what to remember in a cookie. */
  async begin(): Promise<{ readonly url: string; readonly sealed: string }> {
    const configuration = await this.#toBegin()
    const [state, nonce, verifier] = [
      client.randomState(),
      client.randomNonce(),
      client.randomPKCECodeVerifier(),
    ]
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#settings.redirectUri,
      scope: "openid profile email",
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    })
    return { url: url.href, sealed: this.#seal({ state, nonce, verifier, until: Date.now() + attemptMs }) }
  }

  /** Who came back with a code. */
  async finish(query: string, sealed: string | undefined): Promise<Vouched> {
    const attempt = sealed === undefined ? undefined : this.#open(sealed)
    if (attempt === undefined || !this.#use(attempt)) return fail("oidc/failed", {})
    const configuration = await this.#discover()
    const url = new URL(this.#settings.redirectUri)
    url.search = query
    const tokens = await client
      .authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      })
      // The provider's message may name people: it is not passed on.
      .catch(() => fail("oidc/failed", {}))
    const claims = tokens.claims()
    if (claims === undefined) return fail("oidc/failed", {})
    const { nameClaim, roleClaim, issuer } = this.#settings
    // An e-mail address that the provider has not verified could be anybody's.
    const email = claims["email_verified"] === false ? undefined : claims["email"]
    const name = nameClaim === "email" ? email : (claims[nameClaim] ?? email)
    if (typeof name !== "string") return fail("oidc/failed", {})
    return { issuer, subject: claims.sub, name, role: this.#roleIn(claims[roleClaim]) }
  }

  /** The first role in the order of the roles that any group gives. */
  #roleIn(claim: unknown): Role {
    const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
    const given = values.flatMap((value) =>
      typeof value === "string" ? (this.#settings.roleOf.get(value) ?? []) : [],
    )
    return roles.find((role) => given.includes(role)) ?? fail("oidc/no-role", {})
  }

  /** Whether an attempt is neither over nor used; from now on it is used. */
  #use({ state, until }: Attempt): boolean {
    const now = Date.now()
    for (const [used, end] of this.#used) if (end < now) this.#used.delete(used)
    if (until < now || this.#used.has(state)) return false
    this.#used.set(state, until)
    return true
  }

  async #toBegin(): Promise<client.Configuration> {
    if (this.#known !== undefined && this.#known.until > Date.now()) return this.#known.configuration
    const configuration = await this.#discover()
    this.#known = { configuration, until: Date.now() + attemptMs }
    return configuration
  }

  /** Asked for each time, with the keys: a key that the provider has withdrawn counts no longer. */
  async #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    const url = new URL(issuer)
    const isHere = url.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname)
    const execute = [client.enableNonRepudiationChecks, ...(isHere ? [client.allowInsecureRequests] : [])]
    return client
      .discovery(url, clientId, clientSecret, undefined, { execute, timeout: 60 })
      .catch(() => fail("oidc/unreachable", {}))
  }

  #seal(attempt: Attempt): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce)
    const body = Buffer.concat([cipher.update(JSON.stringify(attempt)), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")
  }

  #open(sealed: string): Attempt | undefined {
    const bytes = Buffer.from(sealed, "base64url")
    if (bytes.length < 29) return undefined
    const cipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, 12))
    cipher.setAuthTag(bytes.subarray(12, 28))
    try {
      const text = Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString()
      const attempt: Attempt = JSON.parse(text)
      return attempt
    } catch {
      // Not sealed by this process.
      return undefined
    }
  }
}

/** Reads "dosimeter-owners=owner, researchers=analyst". */
export function readRoleMap(text: string): ReadonlyMap<string, Role> | undefined {
  const pairs = text.split(",").map((pair) => {
    const place = pair.lastIndexOf("=")
    return [pair.slice(0, place).trim(), roleNamed(pair.slice(place + 1).trim())] as const
  })
  const read = pairs.flatMap(([group, role]): readonly (readonly [string, Role])[] =>
    group === "" || role === undefined ? [] : [[group, role]],
  )
  return read.length === pairs.length ? new Map(read) : undefined
}
