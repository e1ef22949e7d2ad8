// People with a password and a role. A password is kept as a verifier; who left is disabled, never removed,
// so that what they did still has a name. Every change is a transaction with its entry in the audit trail.

import { fail } from "../errors.ts"
import { record } from "../audit/audit.ts"
import { linkParticipant } from "./participants.ts"
import { hashPassword, matchesHash } from "./password-hash.ts"
import { may, roleNamed, type Role } from "./roles.ts"
import {
  iterationsOf,
  makeVerifier,
  matchesPassword,
  type PasswordOrigin,
  type ScramVerifier,
} from "./scram-verifier.ts"
import {
  numberOf,
  oneRow,
  textOf,
  type StateAccess,
  type StateRow,
  type StateStore,
} from "../state/state-store.ts"

/** Somebody. */
export interface Person {
  readonly name: string
  readonly role: Role
  readonly createdAt: string
  readonly disabledAt: string | undefined
}

/** Who changes an account, and where its password is from. */
export interface AccountChange {
  /** Whoever has the files in hand, if left out. */
  readonly by?: string
  /** Chosen by a person, if left out. */
  readonly origin?: PasswordOrigin
  /** Work in the same transaction: both happen, or neither. */
  readonly also?: (access: StateAccess) => Promise<void>
}

/** The accounts of a server. */
export class Accounts {
  readonly #store: StateStore
  readonly #now: () => Date

  constructor(store: StateStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  /** Makes an account; without a password its person signs in by a provider of OpenID Connect. */
  async add(
    name: string,
    role: Role,
    password: string | undefined,
    change: AccountChange = {},
  ): Promise<Person> {
    checkName(name)
    if (password !== undefined) checkPassword(password)
    const made = await secretsOf(role, password, change.origin)
    return this.#change(async (access, at) => {
      if ((await findPerson(access, name)) !== undefined) fail("account/exists", { name })
      await access.run(
        `INSERT INTO accounts (name, role, salt, iterations, stored_key, server_key, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        [name, role, ...verifierValues(made.verifier), at],
      )
      await writeHash(access, name, made.hash)
      await change.also?.(access)
      await record(access, deed(change, "account-added", name, { role }), at)
      return { name, role, createdAt: at, disabledAt: undefined }
    })
  }

  /** Makes the very first account, or refuses because there is one. */
  async addFirst(name: string, password: string): Promise<Person> {
    checkName(name)
    checkPassword(password)
    const made = await secretsOf("owner", password, "chosen")
    return this.#change(async (access, at) => {
      if ((await oneRow(access, "SELECT name FROM accounts LIMIT 1", [])) !== undefined) {
        fail("account/not-the-first", {})
      }
      await access.run(
        `INSERT INTO accounts (name, role, salt, iterations, stored_key, server_key, created_at)
         VALUES (?, 'owner', ?, ?, ?, ?, ?)`,
        [name, ...verifierValues(made.verifier), at],
      )
      await record(access, deed({ by: name }, "account-added", name, { role: "owner" }), at)
      return { name, role: "owner", createdAt: at, disabledAt: undefined }
    })
  }

  /** Sets a password; every session of the account ends. */
  async setPassword(name: string, password: string, change: AccountChange = {}): Promise<void> {
    checkPassword(password)
    const person = (await this.find(name)) ?? fail("account/unknown", { name })
    const made = await secretsOf(person.role, password, change.origin)
    await this.#change(async (access, at) => {
      await access.run(
        "UPDATE accounts SET salt = ?, iterations = ?, stored_key = ?, server_key = ? WHERE name = ?",
        [...verifierValues(made.verifier), name],
      )
      await writeHash(access, name, made.hash)
      await access.run("DELETE FROM sessions WHERE account = ?", [name])
      await record(access, deed(change, "password-changed", name, {}), at)
    })
  }

  /** Gives another role to somebody who signs in by a provider of OpenID Connect. */
  async setRole(name: string, role: Role, change: AccountChange = {}): Promise<void> {
    await this.#change(async (access, at) => {
      const person = (await findPerson(access, name)) ?? fail("account/unknown", { name })
      if (person.role === role) return
      await access.run("UPDATE accounts SET role = ? WHERE name = ?", [role, name])
      await record(access, deed(change, "role-changed", name, { from: person.role, to: role }), at)
    })
  }

  /** Says whose data a participant's account is about. Whose it is stays out of the audit trail. */
  async link(name: string, participant: string, change: AccountChange = {}): Promise<void> {
    await this.#change(async (access, at) => {
      const person = (await findPerson(access, name)) ?? fail("account/unknown", { name })
      if (person.role !== "participant") fail("consent/no-participant", { name })
      await linkParticipant(access, name, participant)
      await record(access, deed(change, "account-linked", name, {}), at)
    })
  }

  /** Nobody comes in by this account any more, from now on. */
  async disable(name: string, change: AccountChange = {}): Promise<void> {
    await this.#change(async (access, at) => {
      const changed = await access.run(
        "UPDATE accounts SET disabled_at = ? WHERE name = ? AND disabled_at IS NULL",
        [at, name],
      )
      if (changed === 0) fail("account/unknown", { name })
      await access.run("DELETE FROM sessions WHERE account = ?", [name])
      await record(access, deed(change, "account-disabled", name, {}), at)
    })
  }

  async list(): Promise<readonly Person[]> {
    const rows = await this.#store.all(
      "SELECT name, role, created_at, disabled_at FROM accounts ORDER BY name",
    )
    return rows.map(personOf)
  }

  async find(name: string): Promise<Person | undefined> {
    return findPerson(this.#store, name)
  }

  /** Whether a password lets somebody in. It takes long for a name without an account, too. */
  async passwordMatches(name: string, password: string): Promise<boolean> {
    const verifier = await this.verifierOf(name)
    if (verifier !== undefined) return matchesPassword(password, verifier)
    const sql = `SELECT hash FROM passwords JOIN accounts ON accounts.name = passwords.account
      WHERE account = ? AND disabled_at IS NULL`
    const row = await oneRow(this.#store, sql, [name])
    if (row !== undefined) return matchesHash(password, textOf(row, "hash"))
    await hashPassword(password)
    return false
  }

  /** The verifier of somebody who may come in by the door for clients of PostgreSQL. */
  async verifierOf(name: string): Promise<ScramVerifier | undefined> {
    const sql = `SELECT salt, iterations, stored_key, server_key FROM accounts
      WHERE name = ? AND disabled_at IS NULL AND stored_key <> ''`
    const row = await oneRow(this.#store, sql, [name])
    return row === undefined ? undefined : verifierIn(row)
  }

  #change<Result>(work: (access: StateAccess, at: string) => Promise<Result>): Promise<Result> {
    return this.#store.transaction((access) => work(access, this.#now().toISOString()))
  }
}

/** The verifier in a row. */
export function verifierIn(row: StateRow): ScramVerifier {
  const bytes = (column: string): Buffer => Buffer.from(textOf(row, column), "base64")
  return {
    salt: bytes("salt"),
    iterations: numberOf(row, "iterations"),
    storedKey: bytes("stored_key"),
    serverKey: bytes("server_key"),
  }
}

/** A verifier as values of a row: salt, iterations, stored_key, server_key. */
export function verifierValues(verifier: ScramVerifier | undefined): readonly (string | number)[] {
  if (verifier === undefined) return ["", 0, "", ""]
  const { salt, iterations, storedKey, serverKey } = verifier
  return [salt.toString("base64"), iterations, storedKey.toString("base64"), serverKey.toString("base64")]
}

/** SCRAM's verifier for those who may see the tables by clients of PostgreSQL; scrypt for participants. */
async function secretsOf(role: Role, password: string | undefined, origin: PasswordOrigin = "chosen") {
  if (password === undefined) return { verifier: undefined, hash: undefined }
  if (!may(role, "see-catalog")) return { verifier: undefined, hash: await hashPassword(password) }
  return { verifier: makeVerifier(password, { iterations: iterationsOf[origin] }), hash: undefined }
}

async function writeHash(access: StateAccess, name: string, hash: string | undefined): Promise<void> {
  await access.run("DELETE FROM passwords WHERE account = ?", [name])
  if (hash !== undefined) {
    await access.run("INSERT INTO passwords (account, hash) VALUES (?, ?)", [name, hash])
  }
}

async function findPerson(access: StateAccess, name: string): Promise<Person | undefined> {
  const sql = "SELECT name, role, created_at, disabled_at FROM accounts WHERE name = ?"
  const row = await oneRow(access, sql, [name])
  return row === undefined ? undefined : personOf(row)
}

function personOf(row: StateRow): Person {
  const disabled = textOf(row, "disabled_at")
  return {
    name: textOf(row, "name"),
    role: roleNamed(textOf(row, "role")) ?? "participant",
    createdAt: textOf(row, "created_at"),
    disabledAt: disabled === "" ? undefined : disabled,
  }
}

function deed({ by = "operator" }: AccountChange, what: string, name: string, facts: Record<string, string>) {
  return { who: by, what, about: `account ${name}`, facts }
}

function checkName(name: string): void {
  // The audit trail has one name for whoever has the files in hand.
  if (name === "operator" || !/^[a-z][a-z0-9_.@-]{0,62}$/.test(name))
    fail("account/bad-name", { name: name.slice(0, 80) })
}

/** Length is what helps; rules about characters do not. */
function checkPassword(password: string): void {
  if (password.length < 12) fail("account/short-password", {})
}
