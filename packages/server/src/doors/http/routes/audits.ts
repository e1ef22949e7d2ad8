// The audit trail: searched, exported, verified.

import { searchAudit, verifyAudit, type AuditSearch } from "../../../audit/audit.ts"
import type { auditRoutes } from "../contract/audits.ts"
import { textReply, type MakeHandlers } from "../request/handler.ts"
import { limitOf, pageFrom, positionIn } from "../request/list-page.ts"

interface SearchQuery {
  readonly who?: string | undefined
  readonly what?: string | undefined
  readonly about?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The handlers. */
export const auditHandlers: MakeHandlers<typeof auditRoutes> = ({ store }) => ({
  searchAudit: async ({ query }) => {
    const { order = "oldest" } = query
    const place = positionIn(query)
    const after = place === undefined ? {} : { after: Number(place) }
    const found = await searchAudit(store, { ...searchOf(query), order, ...after, limit: limitOf(query) + 1 })
    return pageFrom(found, query, { positionOf: ({ position }) => position, show: (entry) => entry })
  },
  exportAudit: async ({ query }) => {
    const lines: string[] = []
    for (let after = 0; ;) {
      const found = await searchAudit(store, { ...searchOf(query), after, limit: 1000 })
      lines.push(...found.map((entry) => `${JSON.stringify(entry)}\n`))
      after = found.at(-1)?.position ?? after
      if (found.length < 1000) break
    }
    return textReply(lines.join(""), "application/x-ndjson", "audit.ndjson")
  },
  verifyAudit: async () => {
    const firstWrong = await verifyAudit(store)
    return { sound: firstWrong === undefined, firstWrong: firstWrong ?? null }
  },
})

function searchOf({ who, what, about, from, to }: SearchQuery): AuditSearch {
  return {
    ...(who === undefined ? {} : { who }),
    ...(what === undefined ? {} : { what }),
    ...(about === undefined ? {} : { about }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}
