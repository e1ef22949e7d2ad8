// Tokens for programs: named, with no more rights than their account, expiring, revocable, shown once. At the
// door for clients of PostgreSQL a token is the password of the user ACCOUNT+NAME.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { fail } from "../errors.ts"
import { verifierIn, verifierValues } from "./accounts.ts"
import { record } from "../audit/audit.ts"
import { may, rights, type Right, type Role } from "./roles.ts"
import { iterationsOf, makeVerifier, type ScramVerifier } from "./scram-verifier.ts"
import { asStored, nextPosition } from "../state/state-schema.ts"
import { oneRow, textOf, type StateRow, type StateStore } from "../state/state-store.ts"

/** A token as it is listed. */
export interface Token {
  readonly id: string
  readonly name: string
  readonly account: string
  readonly rights: readonly Right[]
  readonly createdAt: string
  readonly expiresAt: string
  /** A day. */
  readonly lastUsed: string | undefined
  readonly revokedAt: string | undefined
}

/** What is wanted. */
export interface TokenRequest {
  readonly name: string
  readonly account: { readonly name: string; readonly role: Role }
  /** All of the account's, if left out. */
  readonly rights?: readonly Right[]
  readonly days?: number
  readonly by?: string
}

const daysDefault = 90
const daysMax = 366
const prefix = "dosimeter_"

/** The tokens of a server. */
export class Tokens {
  readonly #store: StateStore
  readonly #now: () => Date

  constructor(store: StateStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  /** Makes a token; its secret is given once, and kept nowhere. */
  async add(request: TokenRequest): Promise<{ readonly token: Token; readonly secret: string }> {
    const { name, account, days = daysDefault, by = "operator" } = request
    if (!/^[a-z0-9][a-z0-9_.-]{0,62}$/.test(name)) fail("token/bad-name", { name: name.slice(0, 80) })
    if (!Number.isSafeInteger(days) || days < 1 || days > daysMax) fail("token/bad-days", { days: `${days}` })
    const own = rights.filter((right) => may(account.role, right))
    const above = (request.rights ?? []).find((right) => !own.includes(right))
    if (above !== undefined) fail("token/above-account", { name: account.name, right: above })
    const id = randomBytes(6).toString("hex")
    const secret = `${prefix}${id}_${randomBytes(32).toString("base64url")}`
    const verifier = makeVerifier(secret, { iterations: iterationsOf["made-up"] })
    const created = this.#now()
    const token: Token = {
      id,
      name,
      account: account.name,
      rights: request.rights ?? own,
      createdAt: created.toISOString(),
      expiresAt: new Date(created.getTime() + days * 86_400_000).toISOString(),
      lastUsed: undefined,
      revokedAt: undefined,
    }
    await this.#store.transaction(async (access) => {
      const same = await access.all("SELECT * FROM tokens WHERE account = ? AND name = ?", [
        account.name,
        name,
      ])
      if (same.map(tokenOf).some((one) => this.#isAlive(one))) fail("token/exists", { name })
      await access.run(
        `INSERT INTO tokens (id, account, name, rights, hash, salt, iterations, stored_key, server_key,
         created_at, expires_at, position)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${nextPosition("tokens")})`,
        [
          id,
          account.name,
          name,
          token.rights.join(" "),
          hashOf(secret),
          ...verifierValues(verifier),
          token.createdAt,
          token.expiresAt,
        ],
      )
      const facts = { name, rights: token.rights.join(" "), expires: token.expiresAt.slice(0, 10) }
      const deed = { who: by, what: "token-added", about: `account ${account.name}`, facts }
      await record(access, deed, token.createdAt)
    })
    return { token, secret }
  }

  /** The token of a secret, if it is valid. */
  async find(secret: string): Promise<Token | undefined> {
    const [, id] = /^dosimeter_([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/.exec(secret) ?? []
    if (id === undefined) return undefined
    const row = await oneRow(this.#store, "SELECT * FROM tokens WHERE id = ?", [id])
    if (row === undefined || !sameText(textOf(row, "hash"), hashOf(secret))) return undefined
    const token = tokenOf(row)
    if (!this.#isAlive(token)) return undefined
    await this.#used(token)
    return token
  }

  /** The token and the verifier of a user ACCOUNT+NAME of the door for clients of PostgreSQL. */
  async verifierOf(
    user: string,
  ): Promise<{ readonly token: Token; readonly verifier: ScramVerifier } | undefined> {
    const [, account, name] = /^([^+]+)\+([^+]+)$/.exec(user) ?? []
    if (account === undefined || name === undefined) return undefined
    const rows = await this.#store.all("SELECT * FROM tokens WHERE account = ? AND name = ?", [account, name])
    const row = rows.find((one) => this.#isAlive(tokenOf(one)))
    return row === undefined ? undefined : { token: tokenOf(row), verifier: verifierIn(row) }
  }

  async list(account?: string): Promise<readonly Token[]> {
    const order = asStored("created_at, id")
    const rows = await (account === undefined
      ? this.#store.all(`SELECT * FROM tokens ${order}`)
      : this.#store.all(`SELECT * FROM tokens WHERE account = ? ${order}`, [account]))
    return rows.map(tokenOf)
  }

  /** Revokes a token; only one of a certain account, if that is named. */
  async revoke(
    id: string,
    { account, by = "operator" }: { account?: string; by?: string } = {},
  ): Promise<void> {
    await this.#store.transaction(async (access) => {
      const row = await oneRow(access, "SELECT * FROM tokens WHERE id = ?", [id])
      const token = row === undefined ? undefined : tokenOf(row)
      const isTheirs = account === undefined || token?.account === account
      if (token === undefined || !isTheirs) return fail("token/unknown", { id: id.slice(0, 40) })
      if (token.revokedAt !== undefined) return
      const at = this.#now().toISOString()
      await access.run("UPDATE tokens SET revoked_at = ? WHERE id = ?", [at, id])
      const facts = { name: token.name }
      await record(access, { who: by, what: "token-revoked", about: `account ${token.account}`, facts }, at)
    })
  }

  #isAlive({ revokedAt, expiresAt }: Token): boolean {
    return revokedAt === undefined && this.#now().toISOString() < expiresAt
  }

  // The day is enough, and is written once.
  async #used({ id, lastUsed }: Token): Promise<void> {
    const today = this.#now().toISOString().slice(0, 10)
    if (lastUsed === today) return
    await this.#store.run("UPDATE tokens SET last_used = ? WHERE id = ?", [today, id])
  }
}

function tokenOf(row: StateRow): Token {
  const optional = (column: string): string | undefined => {
    const text = textOf(row, column)
    return text === "" ? undefined : text
  }
  const names = textOf(row, "rights").split(" ")
  return {
    id: textOf(row, "id"),
    name: textOf(row, "name"),
    account: textOf(row, "account"),
    rights: rights.filter((right) => names.includes(right)),
    createdAt: textOf(row, "created_at"),
    expiresAt: textOf(row, "expires_at"),
    lastUsed: optional("last_used"),
    revokedAt: optional("revoked_at"),
  }
}

// A secret has 256 random bits: a plain hash is enough.
function hashOf(secret: string): string {
  return createHash("sha256").update(`dosimeter/token/1\n${secret}`).digest("base64")
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
