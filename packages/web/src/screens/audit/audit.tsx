// The audit trail: search, check the chain, take it away.

import { useCallback, useState, type FormEvent } from "react"
import { call, callText, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Choice } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty, Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { saveFile } from "../../parts/browser/save-file.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

interface Search {
  readonly who: string
  readonly what: string
  readonly about: string
  readonly from: string
  readonly to: string
}

type Entry = Reply<"searchAudit">["items"][number]

const everything: Search = { who: "", what: "", about: "", from: "", to: "" }

/** The screen. */
export function AuditPage() {
  const { audit } = useStrings()
  const [search, setSearch] = useState(everything)
  const found = useLoad(useCallback(() => findAll(search), [search]))
  return (
    <>
      <PageHead title={audit.title} lead={audit.lead}>
        <Tools search={search} />
      </PageHead>
      <div className="stack">
        <SearchForm onSearch={setSearch} />
        <Loaded of={found}>{(all) => <Entries found={all} />}</Loaded>
      </div>
    </>
  )
}

/** What is not empty. */
function queryOf(search: Search): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(search).filter(([, text]) => text !== ""))
}

interface Found {
  /** The newest first. */
  readonly entries: readonly Entry[]
  /** Whether later ones were left out. */
  readonly hasMore: boolean
}

const entriesMax = 5000

/** All entries, page after page from the oldest on, up to a number that a page can still show. */
async function findAll(search: Search): Promise<Found> {
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

function Tools({ search }: { readonly search: Search }) {
  const { audit } = useStrings()
  const { isBusy, trouble, run } = useDoing()
  const [verdict, setVerdict] = useState<Reply<"verifyAudit">>()
  return (
    <>
      <Button
        size="small"
        isDisabled={isBusy}
        onPress={() => run(async () => setVerdict(await call("verifyAudit")))}
      >
        {audit.verify}
      </Button>
      <Button
        size="small"
        isDisabled={isBusy}
        onPress={() =>
          run(async () =>
            saveFile(
              "audit.ndjson",
              await callText("exportAudit", { query: queryOf(search) }),
              "application/x-ndjson",
            ),
          )
        }
      >
        {audit.export}
      </Button>
      {verdict === undefined ? null : (
        <Notice tone={verdict.sound ? "good" : "refused"} role="status">
          {verdict.sound ? audit.sound : audit.broken(`${verdict.firstWrong ?? "?"}`)}
        </Notice>
      )}
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
    </>
  )
}

/** No deed has this name. */
const anything = "anything"

function SearchForm({ onSearch }: { readonly onSearch: (search: Search) => void }) {
  const { audit, deeds } = useStrings()
  const [search, setSearch] = useState(everything)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    onSearch(search)
  }
  const field = (name: keyof Search, type: "search" | "date" = "search") => (
    <Field
      label={audit[name]}
      type={type}
      value={search[name]}
      onChange={(text) => setSearch({ ...search, [name]: text })}
    />
  )
  return (
    <form className="card form-grid no-print" onSubmit={send} style={{ alignItems: "end" }}>
      {field("who")}
      <Choice
        label={audit.what}
        value={search.what === "" ? anything : search.what}
        onChange={(what) => setSearch({ ...search, what: what === anything ? "" : what })}
        options={[
          { id: anything, text: audit.anything },
          ...Object.entries(deeds).map(([id, text]) => ({ id, text })),
        ]}
      />
      {field("about")}
      {field("from", "date")}
      {field("to", "date")}
      <Button type="submit" variant="primary">
        {audit.search}
      </Button>
    </form>
  )
}

function Entries({ found: { entries, hasMore } }: { readonly found: Found }) {
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
