// Finds entries of the audit trail, a page at a time, the newest first.

import { call, type Reply } from "../../api/server.ts"

/** A page as the server sends it: entries, and where the next page begins. */
export type EntryPage = Reply<"searchAudit">

/** An entry as the server sends it. */
export type Entry = EntryPage["items"][number]

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

/** The first page of a search, or the one that begins where another ended. */
export async function findPage(search: AuditSearch, after?: string): Promise<EntryPage> {
  const query: Readonly<Record<string, string>> = {
    ...queryOf(search),
    order: "newest",
    limit: "100",
    ...(after === undefined ? {} : { after }),
  }
  return call("searchAudit", { query })
}
