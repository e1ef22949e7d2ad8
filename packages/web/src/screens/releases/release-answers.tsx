// The answers of a release: one, one for each question that was planned together, or a series so far.

import type { Reply } from "../../api/server.ts"
import { AnswerView } from "../../parts/figures/answer-view.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { confidenceOf } from "../../parts/figures/receipt.ts"
import { useStrings } from "../../strings/use-strings.ts"

interface ReleaseAnswersProps {
  readonly release: Pick<Reply<"getRelease">, "answers" | "series" | "outcome" | "position" | "receipt">
}

/** Every answer with what can be done with it; a notice where there is none. */
export function ReleaseAnswers({ release }: ReleaseAnswersProps) {
  const { releases, ask } = useStrings()
  const { answers, series, outcome, position, receipt } = release
  if (answers.length === 0) {
    return <Notice tone="now">{outcome === "waiting" ? ask.waiting : releases.noAnswer}</Notice>
  }
  const confidence = confidenceOf(receipt)
  const isOne = answers.length === 1
  return answers.map((answer, index) => (
    <div key={index} className="stack">
      {isOne ? null : <h3>{releases.answerOf(index + 1, answers.length)}</h3>}
      {series === null ? null : (
        <p>{releases.seriesSoFar(series.name, answer.rows.length, series.periods)}</p>
      )}
      <AnswerView
        answer={answer}
        confidence={confidence}
        name={isOne ? `release-${position}` : `release-${position}-${index + 1}`}
        receipt={receipt}
      />
    </div>
  ))
}
