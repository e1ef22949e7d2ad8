// Entries of the audit trail as a table.

import { Empty } from "../../parts/widgets/notice.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import type { FoundEntries } from "./find-entries.ts"

/** The table, newest entries first, or that there are none. */
export function AuditEntries({ found: { entries, hasMore } }: { readonly found: FoundEntries }) {
  const { audit, deeds } = useStrings()
  const known = new Map<string, string>(Object.entries(deeds))
  const locale = useLocale()
  if (entries.length === 0) return <Empty title={audit.empty} help={audit.emptyHelp} />
  return (
    <>
      <p className="small soft" role="status">
        {audit.count(entries.length.toLocaleString(locale))}
        {hasMore ? ` · ${audit.hasMore}` : ""}
      </p>
      <div className="scroll wide" tabIndex={0} role="region" aria-label={audit.title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{audit.when}</th>
              <th scope="col">{audit.who}</th>
              <th scope="col">{audit.what}</th>
              <th scope="col">{audit.about}</th>
              <th scope="col">{audit.facts}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ position, at, who, what, about, facts }) => (
              <tr key={position}>
                <td className="figure small" style={{ whiteSpace: "nowrap" }}>
                  {new Date(at).toLocaleString(locale)}
                </td>
                <td>{who}</td>
                <td>
                  {known.get(what) ?? what}
                  <br />
                  <code className="small soft">{what}</code>
                </td>
                <td>{about}</td>
                <td className="small soft">
                  {Object.entries(facts)
                    .map(([name, value]) => `${name}: ${value}`)
                    .join("; ")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
