// Entries of the audit trail as a table, and the button that brings older ones.

import { useState } from "react"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Empty, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { findPage, type AuditSearch, type Entry, type EntryPage } from "./find-entries.ts"

interface AuditEntriesProps {
  readonly search: AuditSearch
  /** The first page of it. */
  readonly first: EntryPage
}

/** The pages that were brought so far, newest entries first, or that there are none. */
export function AuditEntries({ search, first }: AuditEntriesProps) {
  const { audit } = useStrings()
  const locale = useLocale()
  const [pages, setPages] = useState<readonly EntryPage[]>([first])
  const { isBusy, trouble, run } = useDoing()
  const entries = pages.flatMap(({ items }) => items)
  const next = pages.at(-1)?.next ?? null
  if (entries.length === 0) return <Empty title={audit.empty} help={audit.emptyHelp} />
  const count = entries.length.toLocaleString(locale)
  const more = (after: string): void =>
    run(async () => {
      const page = await findPage(search, after)
      setPages((before) => [...before, page])
    })
  return (
    <div className="stack">
      <p className="small soft" role="status">
        {next === null ? audit.count(count) : audit.newest(count)}
      </p>
      <EntryTable entries={entries} />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      {next === null ? null : (
        <div>
          <Button isDisabled={isBusy} onPress={() => more(next)}>
            {audit.older}
          </Button>
        </div>
      )}
    </div>
  )
}

function EntryTable({ entries }: { readonly entries: readonly Entry[] }) {
  const { audit, deeds } = useStrings()
  const known = new Map<string, string>(Object.entries(deeds))
  const locale = useLocale()
  return (
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
  )
}
