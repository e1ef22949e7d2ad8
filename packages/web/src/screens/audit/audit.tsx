// The audit trail: search, check of the chain of hashes, export.

import { useCallback, useState, type FormEvent } from "react"
import { call, callText, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Choice } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { saveFile } from "../../parts/browser/save-file.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { AuditEntries } from "./audit-entries.tsx"
import { findPage, queryOf, type AuditSearch } from "./find-entries.ts"

const everything: AuditSearch = { who: "", what: "", about: "", from: "", to: "" }

/** The screen. */
export function AuditPage() {
  const { audit } = useStrings()
  // Each search begins with its first page, also one for the same.
  const [{ search, number }, setSearch] = useState({ search: everything, number: 0 })
  const found = useLoad(
    useCallback(async () => ({ search, number, first: await findPage(search) }), [search, number]),
  )
  return (
    <>
      <PageHead title={audit.title} lead={audit.lead}>
        <Tools search={search} />
      </PageHead>
      <div className="stack">
        <SearchForm onSearch={(next) => setSearch({ search: next, number: number + 1 })} />
        <Loaded of={found}>
          {(page) => <AuditEntries key={page.number} search={page.search} first={page.first} />}
        </Loaded>
      </div>
    </>
  )
}

function Tools({ search }: { readonly search: AuditSearch }) {
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

/** The choice without a filter; no deed has this name. */
const anything = "anything"

function SearchForm({ onSearch }: { readonly onSearch: (search: AuditSearch) => void }) {
  const { audit, deeds } = useStrings()
  const [search, setSearch] = useState(everything)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    onSearch(search)
  }
  const field = (name: keyof AuditSearch, type: "search" | "date" = "search") => (
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
