// Studies: the list, one study, and the form that proposes a new one.

import { useCallback } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { DoseMeter } from "../../parts/figures/dose-meter.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { isBeforeOpening, StudyState } from "../../parts/studies/study-state.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { OneStudy } from "./one-study.tsx"
import { ProposeStudy } from "./propose-study.tsx"
import { useLead } from "./use-lead.ts"

type Study = Reply<"getStudy">

/** The screen: the list, the one that the address names, or a new one. */
export function StudiesPage() {
  const { path } = useRouter()
  const { can } = useSession()
  const id = /^\/studies\/([a-z][a-z0-9-]*)$/.exec(path)?.[1]
  if (id === "new" && can("propose-studies")) return <ProposeStudy />
  return id === undefined ? <StudyList /> : <OneStudy key={id} id={id} />
}

function StudyList() {
  const { studies } = useStrings()
  const { can } = useSession()
  const loaded = useLoad(useCallback(() => call("listStudies"), []))
  const propose = can("propose-studies") ? (
    <Link to="/studies/new" className="button">
      {studies.propose}
    </Link>
  ) : null
  return (
    <>
      <PageHead title={studies.title} lead={useLead()}>
        {propose}
      </PageHead>
      <Loaded of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={studies.empty} help={studies.emptyHelp}>
              {propose}
            </Empty>
          ) : (
            <div className="cards">
              {items.map((study) => (
                <StudyCard key={study.id} study={study} />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  )
}

function StudyCard({ study }: { readonly study: Study }) {
  const { studies, meter } = useStrings()
  const { accounts } = useSession()
  const { id, title, summary, starts, ends, epsilon, proposedBy, state } = study
  const account =
    accounts.kind === "ready" ? accounts.value.find(({ name }) => name === `study:${id}`) : undefined
  return (
    <article className="card stack-tight">
      <div className="row split">
        <h2>
          <Link to={`/studies/${id}`}>{title}</Link>
        </h2>
        <StudyState study={study} />
      </div>
      <p>{summary}</p>
      <p className="small soft">
        {studies.dates(starts, ends)} · {studies.proposedBy(proposedBy)}
      </p>
      {account === undefined ? (
        <p className="small soft">
          ε {epsilon}
          {isBeforeOpening(state) ? ` · ${studies.noBudget}` : ""}
        </p>
      ) : (
        <DoseMeter size="small" label={meter.dose} used={account.used} />
      )}
    </article>
  )
}
