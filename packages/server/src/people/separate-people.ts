// Two people decide, and two accounts of one person are not two people. Somebody who makes an account, gives
// it its role or sets its password can sign in with it: for some days the account counts as that person's,
// and so does what that account made. The audit trail says who did what to which account. What was done at
// the machine ("operator") or by a provider of OpenID Connect does not count: somebody who has the files
// needs no second account.

import { DosimeterError } from "@dosimeter/core"
import { fail } from "../errors.ts"
import { record } from "../audit/audit.ts"
import { oneRow, textOf, type StateAccess, type StateStore } from "../state/state-store.ts"

/** Somebody's part in a decision. */
export interface Part {
  readonly name: string
  /** When it was taken. */
  readonly at: string
}

/** For how many days an account counts as that of the person who made it, unless another number is set. */
export const coolingDaysUsual = 7

const dayMs = 24 * 3_600_000

/**
 * Refuses a part in a decision if somebody else in it may be the same person. To be called in the transaction
 * that writes the part down; `others` are all who have a part already, and those whom the decision is about.
 */
export async function checkSeparate(access: StateAccess, part: Part, others: readonly Part[]): Promise<void> {
  const days = await coolingDaysOf(access)
  if (days === 0) return
  const since = new Date(Date.parse(part.at) - days * dayMs).toISOString()
  const own = await handsOf(access, part, since)
  for (const other of others) {
    const theirs = await handsOf(access, other, since)
    const by = [...own.keys()].find((name) => theirs.has(name))
    if (by === undefined) continue
    const last = [own.get(by) ?? "", theirs.get(by) ?? ""].toSorted().at(-1) ?? ""
    const until = new Date(Date.parse(last === "" ? part.at : last) + days * dayMs).toISOString()
    fail("people/not-separate", { name: part.name, other: other.name, by, until: until.slice(0, 16) })
  }
}

/**
 * Runs a transaction with a decision; a refusal because two accounts may be one person is written into the
 * audit trail.
 */
export async function decide<Result>(
  store: StateStore,
  { name, about }: { readonly name: string; readonly about: string },
  work: (access: StateAccess) => Promise<Result>,
): Promise<Result> {
  try {
    return await store.transaction(work)
  } catch (error) {
    if (error instanceof DosimeterError && error.code === "people/not-separate") {
      const facts = Object.fromEntries(Object.entries(error.issues[0].facts))
      const deed = { who: name, what: "decision-not-separate", about, facts }
      await store.transaction((access) => record(access, deed, new Date().toISOString()))
    }
    throw error
  }
}

/** For how many days; 0 for none. */
export async function coolingDaysOf(access: StateAccess): Promise<number> {
  const row = await oneRow(access, "SELECT value FROM house_settings WHERE name = 'cooling-days'", [])
  return row === undefined ? coolingDaysUsual : Number(textOf(row, "value"))
}

/** Sets the number of days; for somebody who has the files. */
export async function setCoolingDays(store: StateStore, days: number, now = new Date()): Promise<void> {
  await store.transaction(async (access) => {
    const before = await coolingDaysOf(access)
    await access.run("DELETE FROM house_settings WHERE name = 'cooling-days'")
    await access.run("INSERT INTO house_settings (name, value) VALUES ('cooling-days', ?)", [`${days}`])
    const facts = { from: `${before}`, to: `${days}` }
    await record(
      access,
      { who: "operator", what: "cooling-changed", about: "house", facts },
      now.toISOString(),
    )
  })
}

/**
 * The people whose account it may have been when a part was taken: its own name, and others with the time of
 * their step.
 */
async function handsOf(access: StateAccess, { name, at }: Part, since: string): Promise<Map<string, string>> {
  const hands = new Map([[name, ""]])
  // The map grows while it is walked, so that the accounts found are looked at as well.
  for (const [held, before] of hands) {
    const rows = await access.all(
      `SELECT who, MAX(at) AS last FROM audit
       WHERE about = ? AND what IN ('account-added', 'password-changed', 'role-changed')
       AND at > ? AND at <= ? AND who <> ? AND who IN (SELECT name FROM accounts) GROUP BY who`,
      [`account ${held}`, since, at, held],
    )
    for (const row of rows) {
      const [who, last] = [textOf(row, "who"), textOf(row, "last")]
      // The chain ends when its oldest step is too long ago, so the oldest time counts.
      const through = before === "" || last < before ? last : before
      if (!hands.has(who)) hands.set(who, through)
    }
  }
  return hands
}
