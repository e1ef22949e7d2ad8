// What waits for the committee.

import { useCallback } from "react"
import { call } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { DecisionForm, type Decided } from "../../parts/widgets/decision-form.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty, Notice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { StudyFacts, StudyReviews, StudyVoices, type Study } from "../../parts/studies/study-facts.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { HeldReleases } from "./held-releases.tsx"

/** The screen. */
export function ReviewsPage() {
  const { reviews } = useStrings()
  const { me } = useSession()
  const loaded = useLoad(useCallback(() => call("listStudies"), []))
  return (
    <>
      <PageHead title={reviews.title} lead={reviews.lead} />
      <Loaded of={loaded}>
        {({ items }) => {
          // Nobody judges their own study.
          const waiting = items.filter(
            ({ state, people }) => state === "submitted" && !people.includes(me.name),
          )
          if (waiting.length === 0) return <Empty title={reviews.empty} help={reviews.emptyHelp} />
          return (
            <div className="stack">
              {waiting.map((study) => (
                <Waiting key={study.id} study={study} onChanged={loaded.reload} />
              ))}
            </div>
          )
        }}
      </Loaded>
      <HeldReleases />
    </>
  )
}

interface WaitingProps {
  readonly study: Study
  readonly onChanged: () => void
}

function Waiting({ study, onChanged }: WaitingProps) {
  const { studies, reviews, voices } = useStrings()
  const { me } = useSession()
  const isDone = study.reviews.some(({ reviewer }) => reviewer === me.name)
  return (
    <article className="card stack" aria-labelledby={`study-${study.id}`}>
      <h2 id={`study-${study.id}`}>{study.title}</h2>
      <div className="columns">
        <StudyFacts study={study} />
        <div className="stack">
          <div>
            <h3>{studies.reviews}</h3>
            <StudyReviews study={study} />
          </div>
          <div>
            <h3>{voices.board}</h3>
            <StudyVoices study={study} />
          </div>
          {isDone ? (
            <Notice tone="good">{reviews.reviewedByYou}</Notice>
          ) : (
            <ReviewForm study={study} onChanged={onChanged} />
          )}
        </div>
      </div>
    </article>
  )
}

function ReviewForm({ study, onChanged }: WaitingProps) {
  const { reviews } = useStrings()
  const decide = async (decided: Decided<"approve" | "refuse">): Promise<void> => {
    await call("reviewStudy", { params: { id: study.id }, body: decided })
    tell(reviews.done(study.title))
    onChanged()
  }
  return (
    <div className="stack">
      <div>
        <h3>{reviews.check}</h3>
        <ul>
          {reviews.checks.map((check) => (
            <li key={check}>{check}</li>
          ))}
        </ul>
      </div>
      <DecisionForm
        yes={{ decision: "approve", text: reviews.approve }}
        no={{ decision: "refuse", text: reviews.refuse }}
        onDecide={decide}
      />
    </div>
  )
}
