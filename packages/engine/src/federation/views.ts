// A site's tables as the study's: named SELECTs that stand before a job's question. They are part of what is
// proven, so a view that is not about one person's rows at a time is no way around anything.

import { fail } from "../errors.ts"

/** SELECTs by the names of the study's tables. */
export type Views = Readonly<Record<string, string>>

/** A question over the study's tables as one over the site's own. */
export function withViews(sql: string, views: Views): string {
  const used = Object.entries(views).filter(([name]) => mentions(sql, name))
  if (used.length === 0) return sql
  const named = used.map(([name, select]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) fail("federation/bad-view", { view: name })
    return `${name} AS (\n${select}\n)`
  })
  const [, rest] = /^\s*with\s+([\s\S]*)$/i.exec(sql) ?? []
  return `WITH ${named.join(",\n")}${rest === undefined ? `\n${sql}` : `,\n${rest}`}`
}

function mentions(sql: string, name: string): boolean {
  return new RegExp(`\\b${name.replaceAll(/[^\w]/g, "\\$&")}\\b`, "i").test(sql)
}
