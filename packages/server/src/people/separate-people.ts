// Two people decide, and two accounts are not two if one person has both in hand. Whoever makes an account,
// gives it its role or sets its password can come in by it: for some days it counts as that person, or as who
// had that one's account in hand. The audit trail says who did what to whom. What was done at the machine
// ("operator") or by the house that signs people in is nobody's: who has the files needs no second account.

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

/** For how many days an account is in the hand of whoever made it, unless the house says otherwise. */
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

/** Runs a transaction with a decision; if it is refused because two may be one, the audit trail says so. */
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

/** Sets it, for whoever has the files in hand. */
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

/** Whose hand an account was in when a part was taken: its own, and with the time of it that of others. */
async function handsOf(access: StateAccess, { name, at }: Part, since: string): Promise<Map<string, string>> {
  const hands = new Map([[name, ""]])
  // A map that grows while it is walked: those who were found are looked at as well.
  for (const [held, before] of hands) {
    const rows = await access.all(
      `SELECT who, MAX(at) AS last FROM audit
       WHERE about = ? AND what IN ('account-added', 'password-changed', 'role-changed')
       AND at > ? AND at <= ? AND who <> ? AND who IN (SELECT name FROM accounts) GROUP BY who`,
      [`account ${held}`, since, at, held],
    )
    for (const row of rows) {
      const [who, last] = [textOf(row, "who"), textOf(row, "last")]
      // In their hand until all steps that lead there are long ago, so the first of them counts.
      const through = before === "" || last < before ? last : before
      if (!hands.has(who)) hands.set(who, through)
    }
  }
  return hands
}
