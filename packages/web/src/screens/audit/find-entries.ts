// Finds entries of the audit trail, as far as a page can show them.

import { call, type Reply } from "../../api/server.ts"

/** An entry as the server sends it. */
export type Entry = Reply<"searchAudit">["items"][number]

/** What is searched for; empty fields are left out. */
export interface AuditSearch {
  readonly who: string
  readonly what: string
  readonly about: string
  readonly from: string
  readonly to: string
}

/** The fields of a search that are not empty. */
export function queryOf(search: AuditSearch): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(search).filter(([, text]) => text !== ""))
}

/** What a search found. */
export interface FoundEntries {
  /** The newest first. */
  readonly entries: readonly Entry[]
  /** Whether later ones were left out. */
  readonly hasMore: boolean
}

const entriesMax = 5000

/** All entries, page after page from the oldest on, up to a number that a page can still show. */
export async function findEntries(search: AuditSearch): Promise<FoundEntries> {
  const entries: Entry[] = []
  let next: string | null = null
  do {
    const query: Readonly<Record<string, string>> = {
      ...queryOf(search),
      limit: "1000",
      ...(next === null ? {} : { after: next }),
    }
    const page: Reply<"searchAudit"> = await call("searchAudit", { query })
    entries.push(...page.items)
    next = page.next
  } while (next !== null && entries.length < entriesMax)
  return { entries: entries.toReversed(), hasMore: next !== null }
}
