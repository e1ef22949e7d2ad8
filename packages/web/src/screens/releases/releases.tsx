// Releases: the list, and one with its answer and receipt.

import { useCallback, useState } from "react"
import { call, callText, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { saveFile } from "../../parts/browser/save-file.ts"
import { useSession } from "../../parts/browser/session.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { OneRelease } from "./one-release.tsx"

type Page = Reply<"listReleases">
type Release = Page["items"][number]

/** The screen: the list, or the one that the address names. */
export function ReleasesPage() {
  const { path } = useRouter()
  const position = /^\/releases\/(\d{1,15})$/.exec(path)?.[1]
  return position === undefined ? <ReleaseList /> : <OneRelease key={position} position={position} />
}

function ReleaseList() {
  const { releases } = useStrings()
  const { can } = useSession()
  const first = useLoad(useCallback(() => call("listReleases", {}), []))
  return (
    <>
      <PageHead title={releases.title} lead={releases.lead}>
        {can("see-audit") ? <Claims /> : null}
      </PageHead>
      <Loaded of={first}>{(page) => <Rows first={page} />}</Loaded>
    </>
  )
}

function Claims() {
  const { releases } = useStrings()
  const { isBusy, trouble, run } = useDoing()
  const save = (route: "registryClaim" | "nistClaim", name: string, type: string): void =>
    run(async () => saveFile(name, await callText(route), type))
  return (
    <>
      <Button
        size="small"
        isDisabled={isBusy}
        onPress={() => save("registryClaim", "registry.yaml", "text/yaml")}
      >
        {releases.registry}
      </Button>
      <Button
        size="small"
        isDisabled={isBusy}
        onPress={() => save("nistClaim", "nist-800-226.md", "text/markdown")}
      >
        {releases.nist}
      </Button>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
    </>
  )
}

function Rows({ first }: { readonly first: Page }) {
  const { releases, app } = useStrings()
  const [pages, setPages] = useState<readonly Page[]>([first])
  const { isBusy, trouble, run } = useDoing()
  const rows = pages.flatMap(({ items }) => items)
  const next = pages.at(-1)?.next ?? null
  if (rows.length === 0) return <Empty title={releases.empty} help={releases.emptyHelp} />
  const more = (after: string): void =>
    run(async () => {
      const page = await call("listReleases", { query: { after } })
      setPages([...pages, page])
    })
  return (
    <div className="stack">
      <div className="scroll wide" tabIndex={0} role="region" aria-label={releases.title}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="number">
                {releases.number}
              </th>
              <th scope="col">{releases.question}</th>
              <th scope="col">{releases.when}</th>
              <th scope="col">{releases.who}</th>
              <th scope="col">{releases.study}</th>
              <th scope="col" className="number">
                {releases.cost}
              </th>
              <th scope="col">{releases.outcome}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((release) => (
              <Row key={release.position} release={release} />
            ))}
          </tbody>
        </table>
      </div>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      {next === null ? null : (
        <div>
          <Button isDisabled={isBusy} onPress={() => more(next)}>
            {app.more}
          </Button>
        </div>
      )}
    </div>
  )
}

const tones = { released: "good", failed: "refused", waiting: "now", charged: "now" } as const

function Row({ release }: { readonly release: Release }) {
  const { releases } = useStrings()
  const locale = useLocale()
  const { position, at, principal, study, epsilon, outcome, held } = release
  const state = held && outcome === "released" ? "waiting" : outcome
  return (
    <tr>
      <td className="number">
        <Link to={`/releases/${position}`}>{position}</Link>
      </td>
      <td>
        <What release={release} />
      </td>
      <td className="figure">{new Date(at).toLocaleString(locale)}</td>
      <td>{principal}</td>
      <td>{study === null ? "–" : <Link to={`/studies/${study}`}>{study}</Link>}</td>
      <td className="number">{epsilon === null ? "–" : `ε ${lossNumber(Number(epsilon), locale)}`}</td>
      <td>
        <Tag tone={tones[state]}>{releases.outcomes[state]}</Tag>
      </td>
    </tr>
  )
}

const shortLength = 120

/** The title, and the beginning of the question. */
function What({ release: { title, question, questionWithheld } }: { readonly release: Release }) {
  const { releases } = useStrings()
  const text = question?.replaceAll(/\s+/g, " ") ?? ""
  const missing = questionWithheld ? releases.withheldShort : releases.noTextShort
  return (
    <>
      {title === null ? null : <b>{title}</b>}
      {title === null || text === "" ? null : <br />}
      {text === "" ? null : (
        <code className="small">{text.length > shortLength ? `${text.slice(0, shortLength)} …` : text}</code>
      )}
      {title === null && text === "" ? <span className="soft small">{missing}</span> : null}
    </>
  )
}
