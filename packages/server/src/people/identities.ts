// People who sign in by a provider of OpenID Connect: each of its subjects is tied to one account here, for
// ever. A name that somebody else has here is never taken over.

import { fail } from "../errors.ts"
import type { Accounts, Person } from "./accounts.ts"
import type { Role } from "./roles.ts"
import { oneRow, textOf, type StateStore } from "../state/state-store.ts"

/** What the provider says about somebody. */
export interface Vouched {
  readonly issuer: string
  readonly subject: string
  /** The name that is wanted here. */
  readonly name: string
  readonly role: Role
}

/** The account of somebody; made at the first visit, with the role that the provider gives today. */
export async function accountFor(
  vouched: Vouched,
  { store, accounts }: { readonly store: StateStore; readonly accounts: Accounts },
): Promise<Person> {
  const { issuer, subject, role } = vouched
  const by = `sign-in by ${new URL(issuer).host}`
  const sql = "SELECT account FROM identities WHERE issuer = ? AND subject = ?"
  const known = await oneRow(store, sql, [issuer, subject])
  if (known !== undefined) {
    const name = textOf(known, "account")
    const person = await accounts.find(name)
    if (person === undefined || person.disabledAt !== undefined) return fail("request/not-signed-in", {})
    await accounts.setRole(name, role, { by })
    return { ...person, role }
  }
  const name = nameFrom(vouched.name)
  if ((await accounts.find(name)) !== undefined) fail("oidc/name-taken", { name })
  const tie = "INSERT INTO identities (issuer, subject, account) VALUES (?, ?, ?)"
  return accounts.add(name, role, undefined, {
    by,
    also: async (access) => {
      await access.run(tie, [issuer, subject, name])
    },
  })
}

/** A name as accounts may have it. */
function nameFrom(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.@-]/g, "-")
    .replace(/^[^a-z]+/, "")
  return plain === "" ? fail("oidc/failed", {}) : plain.slice(0, 63)
}
