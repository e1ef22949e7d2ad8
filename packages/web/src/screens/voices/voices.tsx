// Studies in plain words for a community advisory board, and its views of them.

import { exactly } from "@dosimeter/core"
import { posteriorBounds } from "@dosimeter/core/meaning"
import { useCallback, useMemo, useState } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { atMostPercent, sureOf } from "../../parts/figures/format-number.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Segments } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

type Proposal = Reply<"listProposals">["items"][number]
type View = Proposal["others"][number]["view"]

const viewNames: readonly View[] = ["support", "concern", "oppose"]

/** The screen. */
export function VoicesPage() {
  const { voices } = useStrings()
  const loaded = useLoad(useCallback(() => call("listProposals"), []))
  return (
    <>
      <PageHead title={voices.title} lead={voices.lead} />
      <Loaded of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={voices.empty} help={voices.emptyHelp} />
          ) : (
            <div className="stack">
              {items.map((proposal) => (
                <OneProposal key={proposal.id} proposal={proposal} onSaid={loaded.reload} />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  )
}

interface ProposalProps {
  readonly proposal: Proposal
  readonly onSaid: () => void
}

function OneProposal({ proposal, onSaid }: ProposalProps) {
  const { voices, studies } = useStrings()
  const { id, title, others, state } = proposal
  return (
    <article className="card stack" aria-labelledby={`proposal-${id}`}>
      <h2 id={`proposal-${id}`}>
        {title} <Tag>{studies.states[state]}</Tag>
      </h2>
      <div className="columns">
        <ProposalFacts proposal={proposal} />
        <div className="stack">
          <ViewForm proposal={proposal} onSaid={onSaid} />
          {others.length === 0 ? null : (
            <div>
              <h3>{voices.others}</h3>
              <ul>
                {others.map(({ view, comment }, index) => (
                  // Views of others have no names here, and come in their order.
                  <li key={index}>
                    <b>{voices.views[view]}</b>: {comment}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      </div>
    </article>
  )
}

const before = 0.1

function ProposalFacts({ proposal }: { readonly proposal: Proposal }) {
  const { voices, studies } = useStrings()
  const locale = useLocale()
  const { summary, purposes, starts, ends, people, airlock, epsilon, delta } = proposal
  const { upper, failure } = useMemo(() => beliefAfter(epsilon, delta), [epsilon, delta])
  return (
    <div className="stack">
      {summary === "" ? <p className="soft">{studies.noSummary}</p> : <p className="text-large">{summary}</p>}
      <dl className="facts">
        <dt>{voices.purposes}</dt>
        <dd>{purposes.join("; ")}</dd>
        <dt>{voices.days}</dt>
        <dd>{studies.dates(starts, ends)}</dd>
        <dt>{voices.people}</dt>
        <dd className="figure">{people}</dd>
        <dt>{voices.leaves}</dt>
        <dd>{airlock ? voices.eachApproved : voices.atOnce}</dd>
        <dt>{voices.dose}</dt>
        <dd>
          {voices.doseText(sureOf(before, locale), atMostPercent(upper, locale))}{" "}
          {failure === 0 ? null : (
            <span className="small soft">{voices.failure(sureOf(failure, locale))}</span>
          )}
        </dd>
      </dl>
    </div>
  )
}

/** How far the share of a study could move a belief; but for a chance of 1 in 1,000 where it has a delta. */
function beliefAfter(epsilon: string, delta: string) {
  const loss = {
    measure: "approx",
    epsilon: exactly(epsilon, "epsilon"),
    delta: exactly(delta, "delta"),
  } as const
  const failure = Math.max(0.001, 2 * Number(delta))
  return posteriorBounds({ loss, prior: `${before}`, ...(Number(delta) === 0 ? {} : { failure }) })
}

function ViewForm({ proposal: { id, own }, onSaid }: ProposalProps) {
  const { voices } = useStrings()
  const [view, setView] = useState<View | undefined>(own?.view)
  const [comment, setComment] = useState(own?.comment ?? "")
  const { isBusy, trouble, run } = useDoing()
  const say = (): void =>
    run(async () => {
      if (view === undefined) return
      await call("voiceStudy", { params: { id }, body: { view, comment } })
      tell(voices.said)
      onSaid()
    })
  return (
    <div className="stack">
      <h3>{voices.yours}</h3>
      <div>
        <Segments
          label={voices.yours}
          value={view}
          onChange={setView}
          options={viewNames.map((name) => ({ id: name, text: voices.views[name] }))}
        />
      </div>
      <Field
        label={voices.comment}
        value={comment}
        onChange={setComment}
        lines="many"
        help={voices.commentHelp}
      />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div>
        <Button
          variant="primary"
          isDisabled={isBusy || view === undefined || comment.trim() === ""}
          onPress={say}
        >
          {own === null ? voices.say : voices.change}
        </Button>
      </div>
    </div>
  )
}
