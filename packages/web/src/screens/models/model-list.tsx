// The models that were trained, newest first.

import { useState } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { Link } from "../../parts/browser/router.tsx"
import { Button } from "../../parts/widgets/button.tsx"
import { Empty, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { wordsOf } from "./model-draft.ts"

type Page = Reply<"listModels">

/** The list. */
export function ModelList({ first }: { readonly first: Page }) {
  const { models, releases, app } = useStrings()
  const [pages, setPages] = useState<readonly Page[]>([])
  const { isBusy, trouble, run } = useDoing()
  const all = [first, ...pages]
  const rows = all.flatMap(({ items }) => items)
  const next = all.at(-1)?.next ?? null
  if (rows.length === 0) return <Empty title={models.none} help={models.noneHelp} />
  return (
    <section className="stack" aria-label={models.list}>
      <h2>{models.list}</h2>
      <div className="scroll wide" tabIndex={0} role="region" aria-label={models.list}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="number">
                {releases.number}
              </th>
              <th scope="col">{models.model}</th>
              <th scope="col">{models.target}</th>
              <th scope="col">{releases.when}</th>
              <th scope="col">{releases.who}</th>
              <th scope="col">{releases.study}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.charge} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      {next === null ? null : (
        <div>
          <Button
            isDisabled={isBusy}
            onPress={() =>
              run(async () => {
                const page = await call("listModels", { query: { after: next } })
                setPages([...pages, page])
              })
            }
          >
            {app.more}
          </Button>
        </div>
      )}
    </section>
  )
}

function Row({ row }: { readonly row: Page["items"][number] }) {
  const { models } = useStrings()
  const locale = useLocale()
  const { charge, at, principal, study, title, model, target } = row
  return (
    <tr>
      <td className="number">
        <Link to={`/models/${charge}`}>{charge}</Link>
      </td>
      <td>{title ?? wordsOf(models.kinds, model)}</td>
      <td>{target === null ? "–" : <code>{target}</code>}</td>
      <td className="figure">{new Date(at).toLocaleString(locale)}</td>
      <td>{principal}</td>
      <td>{study === null ? "–" : <Link to={`/studies/${study}`}>{study}</Link>}</td>
    </tr>
  )
}
