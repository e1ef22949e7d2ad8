// The jobs of a study, at its coordinator: the list, one job, or a new one.

import { useCallback } from "react"
import { call } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { AskSites } from "./ask-sites.tsx"
import { JobStateTag, useWanted, type Job } from "./job-state.tsx"
import { OneJob } from "./one-job.tsx"
import { useLookAgain } from "./use-look-again.ts"

/** The screen: the list, the job that the address names, or a new one. */
export function JobsPage() {
  const { path } = useRouter()
  const { can } = useSession()
  if (path === "/jobs/new" && can("ask")) return <AskSites />
  const id = /^\/jobs\/([0-9a-f]{6,64})$/.exec(path)?.[1]
  return id === undefined ? <JobList /> : <OneJob key={id} id={id} />
}

function JobList() {
  const { jobs } = useStrings()
  const { can } = useSession()
  const loaded = useLoad(useCallback(() => call("listJobs"), []))
  useLookAgain(loaded.reload, true)
  const ask = can("ask") ? (
    <Link to="/jobs/new" className="button">
      {jobs.ask}
    </Link>
  ) : null
  return (
    <>
      <PageHead title={jobs.title} lead={jobs.lead}>
        {ask}
      </PageHead>
      <Loaded of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={jobs.empty} help={jobs.emptyHelp}>
              {ask}
            </Empty>
          ) : (
            <div className="cards">
              {items.map((job) => (
                <JobCard key={job.id} job={job} />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  )
}

function JobCard({ job }: { readonly job: Job }) {
  const { jobs } = useStrings()
  const locale = useLocale()
  const { id, purpose, sql, askedBy, askedAt, sites } = job
  const wanted = useWanted(job)
  const counted = (progress: Job["sites"][number]["progress"]): number =>
    sites.filter((site) => site.progress === progress).length
  const steps = (["done", "summing", "approved", "waiting", "refused", "lost"] as const)
    .filter((progress) => counted(progress) > 0)
    .map((progress) => `${counted(progress)} ${jobs.progress[progress]}`)
  return (
    <article className="card stack-tight">
      <div className="row split">
        <h2>
          <Link to={`/jobs/${id.slice(0, 12)}`}>{purpose}</Link>
        </h2>
        <JobStateTag job={job} />
      </div>
      <pre className="small">{sql}</pre>
      <p className="small soft">
        {wanted} · {steps.join(", ")}
      </p>
      <p className="small soft">{jobs.askedBy(askedBy, new Date(askedAt).toLocaleString(locale))}</p>
    </article>
  )
}
