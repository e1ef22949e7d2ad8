// One job as its lead sees it: how far each site is, the answer, and what it tells of anybody at most.

import { useCallback } from "react"
import { call } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { AnswerTable } from "../../parts/figures/answer-table.tsx"
import { AnswerView } from "../../parts/figures/answer-view.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty, Notice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { JobLosses } from "./job-losses.tsx"
import { FittedModel } from "./fitted-model.tsx"
import { JobStateTag, useWanted, type Job } from "./job-state.tsx"
import { PoolSites } from "./pool-sites.tsx"
import { useLookAgain } from "./use-look-again.ts"

/** The screen of one job. */
export function OneJob({ id }: { readonly id: string }) {
  const loaded = useLoad(useCallback(() => call("getJob", { params: { job: id } }), [id]))
  const { load, reload } = loaded
  const isOpen = load.kind === "ready" && (load.value.phase === "offered" || load.value.phase === "summing")
  useLookAgain(reload, isOpen)
  return <Loaded of={loaded}>{(job) => <Whole job={job} />}</Loaded>
}

function Whole({ job }: { readonly job: Job }) {
  const { jobs } = useStrings()
  const locale = useLocale()
  const { id, purpose, sql, askedBy, askedAt, receipt, bySite } = job
  const wanted = useWanted(job)
  return (
    <>
      <PageHead title={purpose}>
        <JobStateTag job={job} />
      </PageHead>
      <div className="columns">
        <div className="stack">
          <section className="card stack">
            <p className="small soft">
              <span className="figure">{id.slice(0, 12)}</span> · {wanted} ·{" "}
              {jobs.askedBy(askedBy, new Date(askedAt).toLocaleString(locale))}
            </p>
            <pre className="small">{sql}</pre>
          </section>
          <Answered job={job} />
          {bySite.length < 2 ? null : <PoolSites job={job} />}
          {bySite.length === 0 ? null : (
            <section className="card stack">
              <h2>{jobs.bySite}</h2>
              {bySite.map(({ site, answer }) => (
                <div key={site} className="stack-tight">
                  <h3>{site}</h3>
                  <AnswerTable answer={answer} confidence={Number(job.confidence)} caption={site} />
                </div>
              ))}
            </section>
          )}
        </div>
        <div className="stack">
          <JobSites job={job} />
          {receipt === null ? null : <JobLosses receipt={receipt} />}
        </div>
      </div>
    </>
  )
}

function Answered({ job }: { readonly job: Job }) {
  const { jobs } = useStrings()
  const { answer, phase, why, receipt, confidence, id, model, rounds } = job
  if (phase === "failed") {
    return (
      <Notice tone="refused" title={jobs.failed}>
        <p>{why}</p>
      </Notice>
    )
  }
  if (answer === null) {
    return (
      <Empty title={jobs.noAnswer} help={jobs.noAnswerHelp}>
        {phase === "summing" && rounds.all > 1 ? (
          <label className="stack-tight">
            <progress value={rounds.done} max={rounds.all} />
            <span className="small soft">{jobs.sumOf(rounds.done + 1, rounds.all)}</span>
          </label>
        ) : null}
      </Empty>
    )
  }
  return (
    <section className="card stack">
      <h2>{jobs.answer}</h2>
      {model === null ? null : <FittedModel answer={answer} kind={model.kind} />}
      <AnswerView
        answer={answer}
        confidence={Number(confidence)}
        name={`job-${id.slice(0, 12)}`}
        receipt={receipt}
      />
    </section>
  )
}

const tones = {
  waiting: "now",
  approved: "accent",
  refused: "refused",
  summing: "accent",
  done: "good",
  lost: "refused",
} as const

function JobSites({ job }: { readonly job: Job }) {
  const { jobs } = useStrings()
  const locale = useLocale()
  const { sites, until, threshold } = job
  return (
    <section className="card stack">
      <div>
        <h2>{jobs.sites}</h2>
        <p className="small soft">
          {jobs.needed(threshold, sites.length)}
          {until === null ? "" : ` · ${jobs.until(new Date(until).toLocaleString(locale))}`}
        </p>
      </div>
      <ul className="plain stack-tight">
        {sites.map(({ name, progress, why }) => (
          <li key={name}>
            <div className="row split">
              <b>{name}</b> <Tag tone={tones[progress]}>{jobs.progress[progress]}</Tag>
            </div>
            {why === null ? null : <p className="small soft">{why}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
