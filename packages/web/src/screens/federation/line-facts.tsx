// Where a site belongs, how the line to its coordinator is, and what the study's tables are here.

import type { Reply } from "../../api/server.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

/** The facts. */
export function LineFacts({ line }: { readonly line: Reply<"getMembership"> }) {
  const { inbox } = useStrings()
  const locale = useLocale()
  const { membership, peers, views } = line
  if (membership === null) return null
  const { study, site, url, coordinator, lastCall } = membership
  const called =
    lastCall === null
      ? inbox.notCalled
      : (lastCall.trouble ?? inbox.answered(new Date(lastCall.at).toLocaleString(locale)))
  return (
    <section className="card stack">
      <h2>{inbox.line}</h2>
      <dl className="facts">
        <dt>{inbox.study}</dt>
        <dd>{study}</dd>
        <dt>{inbox.site}</dt>
        <dd>{site}</dd>
        <dt>{inbox.coordinator}</dt>
        <dd className="anywhere">{url}</dd>
        <dt>{inbox.fingerprint}</dt>
        <dd className="figure anywhere">{coordinator}</dd>
        <dt>{inbox.lastCall}</dt>
        <dd>{called}</dd>
        <dt>{inbox.peers}</dt>
        <dd>{peers.length === 0 ? inbox.noPeers : peers.map(({ name }) => name).join(", ")}</dd>
        <dt>{inbox.views}</dt>
        <dd>{views.length === 0 ? inbox.noViews : views.map(({ table }) => table).join(", ")}</dd>
      </dl>
      {views.map(({ table, select }) => (
        <details key={table}>
          <summary>{table}</summary>
          <pre className="small">{select}</pre>
        </details>
      ))}
    </section>
  )
}
