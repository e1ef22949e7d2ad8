// People with a password and a role. A password is kept as a verifier; who left is disabled, never removed,
// so that what they did still has a name.

import { fail } from "../errors.ts"
import { roleNamed, type Role } from "./roles.ts"
import { makeVerifier, type ScramVerifier } from "./scram-verifier.ts"
import { numberOf, oneRow, textOf, type StateRow, type StateStore } from "./state-store.ts"

/** Somebody. */
export interface Person {
  readonly name: string
  readonly role: Role
  readonly createdAt: string
  readonly disabledAt: string | undefined
}

/** The accounts of a server. */
export class Accounts {
  readonly #store: StateStore
  readonly #now: () => Date

  constructor(store: StateStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  async add(name: string, role: Role, password: string): Promise<void> {
    checkName(name)
    checkPassword(password)
    if ((await this.find(name)) !== undefined) fail("account/exists", { name })
    await this.#store.run(
      `INSERT INTO accounts (name, role, salt, iterations, stored_key, server_key, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [name, role, ...verifierValues(makeVerifier(password)), this.#now().toISOString()],
    )
  }

  async setPassword(name: string, password: string): Promise<void> {
    checkPassword(password)
    const changed = await this.#store.run(
      "UPDATE accounts SET salt = ?, iterations = ?, stored_key = ?, server_key = ? WHERE name = ?",
      [...verifierValues(makeVerifier(password)), name],
    )
    if (changed === 0) fail("account/unknown", { name })
  }

  /** Nobody comes in by this account any more, from now on. */
  async disable(name: string): Promise<void> {
    const changed = await this.#store.run(
      "UPDATE accounts SET disabled_at = ? WHERE name = ? AND disabled_at IS NULL",
      [this.#now().toISOString(), name],
    )
    if (changed === 0) fail("account/unknown", { name })
  }

  async list(): Promise<readonly Person[]> {
    const rows = await this.#store.all(
      "SELECT name, role, created_at, disabled_at FROM accounts ORDER BY name",
    )
    return rows.map(personOf)
  }

  async find(name: string): Promise<Person | undefined> {
    const sql = "SELECT name, role, created_at, disabled_at FROM accounts WHERE name = ?"
    const row = await oneRow(this.#store, sql, [name])
    return row === undefined ? undefined : personOf(row)
  }

  /** The verifier of somebody who may come in. */
  async verifierOf(name: string): Promise<ScramVerifier | undefined> {
    const sql =
      "SELECT salt, iterations, stored_key, server_key FROM accounts WHERE name = ? AND disabled_at IS NULL"
    const row = await oneRow(this.#store, sql, [name])
    if (row === undefined) return undefined
    const bytes = (column: string): Buffer => Buffer.from(textOf(row, column), "base64")
    return {
      salt: bytes("salt"),
      iterations: numberOf(row, "iterations"),
      storedKey: bytes("stored_key"),
      serverKey: bytes("server_key"),
    }
  }
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

function verifierValues({ salt, iterations, storedKey, serverKey }: ScramVerifier) {
  return [salt.toString("base64"), iterations, storedKey.toString("base64"), serverKey.toString("base64")]
}

function checkName(name: string): void {
  if (!/^[a-z][a-z0-9_.@-]{0,62}$/.test(name)) fail("account/bad-name", { name: name.slice(0, 80) })
}

/** Long is what helps; rules about signs do not. */
function checkPassword(password: string): void {
  if (password.length < 8) fail("account/short-password", {})
}
