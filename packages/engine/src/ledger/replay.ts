// From stored rows to a state: when a ledger is opened, when another process has written, and when somebody
// asks whether everything still holds.

import { anchorProblem, type Anchor, type Anchored } from "./anchor.ts"
import { Unreadable } from "./entries/canonical.ts"
import { emptyHash, releaseHash } from "./entries/chain.ts"
import { entryBody, readEntry } from "./entries/entry.ts"
import type { EntryRow, EntryStore } from "./entry-store.ts"
import type { Verification } from "./ledger.ts"
import { LedgerState, type Damage } from "./ledger-state.ts"

/** Rows read at once; fewer where their releases are read too. */
const page = 1000
const pageWithReleases = 100

/** Reads what a page of rows needs, and returns the check that is applied to each of them in order. */
type Look = (rows: readonly EntryRow[]) => Promise<(row: EntryRow) => string | undefined>

/**
 * Gives the rows that a state has not seen to the state and to `look`; stops at the first wrong one. The last
 * row that the state has seen is read again: a file that was exchanged under an open ledger does not have it.
 */
export async function catchUp(
  state: LedgerState,
  store: EntryStore,
  look?: Look,
): Promise<Damage | undefined> {
  const size = look === undefined ? page : pageWithReleases
  for (;;) {
    const seen = state.entries === 0n ? 0 : 1
    const rows = await store.rows(seen === 0 ? 1n : state.entries, size + seen)
    if (seen === 1 && rows[0]?.hash !== state.hash) {
      return { position: state.entries, what: "it is not the one that was here before" }
    }
    const wrongWith = await look?.(rows.slice(seen))
    for (const row of rows.slice(seen)) {
      const damage = state.accept(row)
      if (damage !== undefined) return damage
      const what = wrongWith?.(row)
      if (what !== undefined) return { position: row.position, what }
    }
    if (rows.length < size + seen) return undefined
  }
}

/** A ledger as an anchor looks at it. */
export function anchored(state: LedgerState, store: EntryStore): Anchored {
  return {
    entries: state.entries,
    hashAt: async (position) => {
      if (position === 0n) return emptyHash
      if (position === state.entries) return state.hash
      return (await store.rowsAt([position]))[0]?.hash
    },
    hasGivenUp: (head) => state.hasGivenUp(head),
  }
}

/** Checks everything that can be checked, from the first entry on. */
export async function verifyStore(store: EntryStore, anchor: Anchor): Promise<Verification> {
  // Before the entries: others may append meanwhile, and an anchor behind the ledger is fine.
  const head = anchor.read()
  const state = new LedgerState()
  const damage = await damageIn(state, store)
  if (damage !== undefined) return { sound: false, ...damage }
  const problem = await anchorProblem(head, anchored(state, store))
  if (problem !== undefined) {
    const position = head === undefined || head.entries > state.entries ? state.entries + 1n : head.entries
    return { sound: false, position, what: anchorWords[problem] }
  }
  const { entries, hash, epoch } = state.head()
  return { sound: true, entries, hash, epoch }
}

/** What each problem with an anchor means. */
export const anchorWords = {
  missing: "its anchor is not there",
  behind: "the anchor has seen more entries than there are",
  parted: "the anchor has seen another entry here",
} as const

/**
 * The positions at which the index finds the requests of rows: one that it has lost would be charged again.
 */
async function filedRequests(
  store: EntryStore,
  rows: readonly EntryRow[],
): Promise<ReadonlyMap<string, bigint>> {
  const requests = rows.flatMap(({ keys: { request } }) => request ?? [])
  const charges = requests.length === 0 ? [] : await store.chargesOf(requests)
  return new Map(charges.map(({ keys: { request = "" }, position }) => [request, position] as const))
}

async function damageIn(state: LedgerState, store: EntryStore): Promise<Damage | undefined> {
  const broken = await store.selfCheck("whole")
  if (broken !== undefined) return { position: 0n, what: broken }
  const requests = new Set<string>()
  let [releases, tables] = [0n, 0n]
  const look: Look = async (rows) => {
    const found = await store.releases(rows.map(({ position }) => position))
    const filed = await filedRequests(store, rows)
    return (row) => {
      const { request } = row.keys
      if (request !== undefined && filed.get(request) !== row.position)
        return "it is not found by its request"
      if (request !== undefined && requests.has(request)) return "it charges a request for the second time"
      if (request !== undefined) requests.add(request)
      const entry = readEntry(row.body)
      if (entryBody(entry) !== row.body) return "it is not written in the canonical way"
      const hash = entry.kind === "settlement" || entry.kind === "continuation" ? entry.release : undefined
      if (hash === undefined) return undefined
      const release = found.get(row.position)
      releases += 1n
      if (release === undefined) return "its release is gone"
      tables += BigInt(release.kept?.length ?? 0)
      return releaseHash(release) === hash ? undefined : "its release was changed"
    }
  }
  try {
    const damage = await catchUp(state, store, look)
    if (damage !== undefined) return damage
  } catch (error) {
    // A row whose columns are not of their types.
    if (error instanceof Unreadable) return { position: state.entries + 1n, what: `it ${error.message}` }
    throw error
  }
  const { entries } = state
  const isExtra =
    (await store.releaseCount(entries)) !== releases || (await store.keptCount(entries)) !== tables
  return isExtra ? { position: entries, what: "there is a release that no entry has recorded" } : undefined
}
