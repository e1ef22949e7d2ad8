// One job as a committee reads it: the question, the dose, what leaves, who sees it; then yes or no.

import { call, type Reply } from "../../api/server.ts"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { DecisionForm, type Decided } from "../../parts/widgets/decision-form.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import type { Strings } from "../../strings/en.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

/** A job as the server sends it. */
export type InboxJob = Reply<"listInbox">["items"][number]

interface CardProps {
  readonly job: InboxJob
  readonly onChanged: () => void
}

const tones = { offered: "now", approved: "good", refused: "refused", unfit: "refused" } as const

/** The card of a job. */
export function InboxJobCard({ job, onChanged }: CardProps) {
  const { inbox } = useStrings()
  const locale = useLocale()
  const { can } = useSession()
  const { id, state, purpose, sql, receivedAt, answerBy, decidedBy, decidedAt, reasons } = job
  const when = (time: string): string => new Date(time).toLocaleString(locale)
  const decide = async (decided: Decided<"approve" | "refuse">): Promise<void> => {
    await call("decideJob", { params: { job: id }, body: decided })
    tell(inbox.done(id.slice(0, 12)))
    onChanged()
  }
  return (
    <article className="card stack" aria-labelledby={`job-${id}`}>
      <div className="row split">
        <h3 id={`job-${id}`}>{purpose}</h3>
        <Tag tone={tones[state]}>{inbox.states[state]}</Tag>
      </div>
      <p className="small soft">
        {job.study} · <span className="figure">{id.slice(0, 12)}</span> · {inbox.came(when(receivedAt))}
        {state === "offered" ? ` · ${inbox.answerBy(when(answerBy))}` : ""}
        {decidedBy === null ? "" : ` · ${inbox.decidedBy(decidedBy, when(decidedAt ?? receivedAt))}`}
      </p>
      <pre className="small">{sql}</pre>
      {state === "offered" ? (
        <JobFacts job={job} />
      ) : (
        <details>
          <summary>{inbox.whatItSays}</summary>
          <JobFacts job={job} />
        </details>
      )}
      {reasons === null || reasons === "" ? null : (
        <Notice tone={state === "approved" ? "good" : "refused"}>
          <p>{reasons}</p>
        </Notice>
      )}
      {state === "approved" && !job.isActedOn ? <p className="small soft">{inbox.notActedOn}</p> : null}
      {state === "offered" && can("review-releases") ? (
        <DecisionForm
          yes={{ decision: "approve", text: inbox.approve }}
          no={{ decision: "refuse", text: inbox.refuse }}
          onDecide={decide}
        />
      ) : null}
    </article>
  )
}

function JobFacts({ job }: { readonly job: InboxJob }) {
  const { inbox, jobs } = useStrings()
  const locale = useLocale()
  const { facts, epsilon, delta, mode, model, sites } = job
  if (facts === null || epsilon === null || delta === null) return null
  const numbers = inbox.numbers(facts.numbers)
  const isSummed = mode === "summed"
  return (
    <dl className="facts">
      {model === null ? null : (
        <>
          <dt>{inbox.model}</dt>
          <dd>{inbox.modelOf(jobs.kinds[model.kind], model.target)}</dd>
        </>
      )}
      <dt>{inbox.dose}</dt>
      <dd>
        <b className="figure">{inbox.doseOf(lossNumber(Number(epsilon), locale), delta, facts.unit)}</b>{" "}
        <span className="soft">{facts.rounds > 1 ? inbox.doseOfRounds(facts.rounds) : inbox.doseHelp}</span>
      </dd>
      <dt>{inbox.leaves}</dt>
      <dd>{leavesOf(inbox, job, { ...facts, numbers })}</dd>
      <dt>{inbox.protects}</dt>
      <dd>{isSummed ? inbox.protectsSummed(facts.colluding, facts.honest) : inbox.protectsSeparate}</dd>
      <dt>{inbox.several}</dt>
      <dd>{inbox.severalHelp}</dd>
      <dt>{inbox.sees}</dt>
      <dd>{inbox.seesHelp}</dd>
      <dt>{inbox.sites}</dt>
      <dd>{sites.join(", ")}</dd>
    </dl>
  )
}

function leavesOf(
  inbox: Strings["inbox"],
  { mode, sites }: InboxJob,
  {
    numbers,
    rounds,
    threshold,
  }: { readonly numbers: string; readonly rounds: number; readonly threshold: number },
): string {
  if (mode === "separate") return inbox.leavesSeparate(numbers)
  return rounds > 1
    ? inbox.leavesRounds(numbers, rounds, threshold, sites.length)
    : inbox.leavesSummed(numbers, threshold, sites.length)
}
