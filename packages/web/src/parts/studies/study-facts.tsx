// A study in full: purpose, people, days, share, and what reviewers said.

import { useCallback } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { usePurposeText } from "./purpose-text.ts"
import { Tag } from "../widgets/tag.tsx"

/** A study as the server sends it. */
export type Study = Reply<"getStudy">

/** The purposes that the server knows; empty until they are loaded. */
export function usePurposes() {
  const { load } = useLoad(useCallback(() => call("listPurposes"), []))
  return load.kind === "ready" ? load.value.items : []
}

/** The facts. */
export function StudyFacts({ study }: { readonly study: Study }) {
  const { studies } = useStrings()
  const textOf = usePurposeText()
  const { summary, people, starts, ends, epsilon, delta, proposedBy, airlock } = study
  return (
    <div className="stack">
      {summary === "" ? <p className="soft">{studies.noSummary}</p> : <p>{summary}</p>}
      <dl className="facts">
        <dt>{studies.purposes}</dt>
        <dd>
          <ul className="plain">
            {study.purposes.map((code) => (
              <li key={code}>
                {textOf(code).name} <span className="small soft">{code}</span>
              </li>
            ))}
          </ul>
        </dd>
        <dt>{studies.members}</dt>
        <dd>
          {people.join(", ")} <span className="small soft">({studies.proposedBy(proposedBy)})</span>
        </dd>
        <dt>{studies.starts}</dt>
        <dd className="figure">{starts}</dd>
        <dt>{studies.ends}</dt>
        <dd className="figure">{ends}</dd>
        <dt>{studies.epsilon}</dt>
        <dd className="figure">{epsilon}</dd>
        <dt>{studies.delta}</dt>
        <dd className="figure">{delta}</dd>
        <dt>{studies.leaves}</dt>
        <dd>{airlock ? studies.airlock : studies.leavesAtOnce}</dd>
      </dl>
    </div>
  )
}

/** What the community's board says: advisory. */
export function StudyVoices({ study: { voices: said } }: { readonly study: Study }) {
  const { voices } = useStrings()
  const locale = useLocale()
  if (said.length === 0) return <p className="soft">{voices.none}</p>
  return (
    <>
      <p className="small soft">{voices.boardHelp}</p>
      <ol className="timeline plain">
        {said.map(({ name, view, comment, at }) => (
          <li key={name}>
            <Tag tone={viewTones[view]}>{voices.saying(name, voices.views[view])}</Tag>{" "}
            <span className="small soft">{new Date(at).toLocaleString(locale)}</span>
            <p>{comment}</p>
          </li>
        ))}
      </ol>
    </>
  )
}

const viewTones = { support: "good", concern: "now", oppose: "refused" } as const

/** What reviewers said. */
export function StudyReviews({ study: { reviews } }: { readonly study: Study }) {
  const { studies } = useStrings()
  const locale = useLocale()
  if (reviews.length === 0) return <p className="soft">{studies.noReviews}</p>
  return (
    <ol className="timeline plain">
      {reviews.map(({ reviewer, decision, reasons, at }) => (
        <li key={reviewer}>
          <Tag tone={decision === "approve" ? "good" : "refused"}>
            {decision === "approve" ? studies.approves(reviewer) : studies.refuses(reviewer)}
          </Tag>{" "}
          <span className="small soft">{new Date(at).toLocaleString(locale)}</span>
          <p>{reasons}</p>
        </li>
      ))}
    </ol>
  )
}
