// The inbox of a site: jobs of a study over several sites, each in plain words with its price, and what is
// decided about them.

import { useCallback } from "react"
import { call } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { DoseMeter } from "../../parts/figures/dose-meter.tsx"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { InboxJobCard, type InboxJob } from "./inbox-job.tsx"
import { LineFacts } from "./line-facts.tsx"
import { StandingApprovals } from "./standing-approvals.tsx"
import { useLookAgain } from "./use-look-again.ts"

/** The screen. */
export function InboxPage() {
  const { inbox } = useStrings()
  const belongs = useLoad(useCallback(() => call("getMembership"), []))
  return (
    <>
      <PageHead title={inbox.title} lead={inbox.lead} />
      <Loaded of={belongs}>
        {(line) =>
          line.membership === null ? (
            <Empty title={inbox.none} help={inbox.noneHelp} />
          ) : (
            <div className="columns">
              <Jobs />
              <div className="stack">
                <SiteBudget />
                <StandingApprovals />
                <LineFacts line={line} />
              </div>
            </div>
          )
        }
      </Loaded>
    </>
  )
}

function Jobs() {
  const { inbox } = useStrings()
  const { refreshBudget } = useSession()
  const loaded = useLoad(useCallback(() => call("listInbox"), []))
  useLookAgain(loaded.reload, true)
  const changed = (): void => {
    loaded.reload()
    refreshBudget()
  }
  return (
    <Loaded of={loaded}>
      {({ items }) => {
        const waiting = items.filter(({ state }) => state === "offered")
        const earlier = items.filter(({ state }) => state !== "offered")
        if (items.length === 0) return <Empty title={inbox.empty} help={inbox.emptyHelp} />
        return (
          <div className="stack">
            <JobList title={inbox.waiting} jobs={waiting} onChanged={changed} />
            <JobList title={inbox.earlier} jobs={earlier} onChanged={changed} />
          </div>
        )
      }}
    </Loaded>
  )
}

interface JobListProps {
  readonly title: string
  readonly jobs: readonly InboxJob[]
  readonly onChanged: () => void
}

function JobList({ title, jobs, onChanged }: JobListProps) {
  if (jobs.length === 0) return null
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      {jobs.map((job) => (
        <InboxJobCard key={job.id} job={job} onChanged={onChanged} />
      ))}
    </section>
  )
}

function SiteBudget() {
  const { inbox, meter } = useStrings()
  const locale = useLocale()
  const { accounts } = useSession()
  const whole = accounts.kind === "ready" ? accounts.value.find(({ name }) => name === "dataset") : undefined
  if (whole === undefined) return null
  return (
    <section className="card stack">
      <h2>{inbox.budget}</h2>
      <DoseMeter
        label={meter.dose}
        used={whole.used}
        detail={meter.ofEpsilon(
          lossNumber(Number(whole.spent.epsilon), locale),
          lossNumber(Number(whole.epsilon), locale),
        )}
      />
      <p className="small soft">{inbox.budgetHelp}</p>
    </section>
  )
}
