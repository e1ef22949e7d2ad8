// The exercise of a chapter: an answer to type or to choose, and a check that says why.

import { useState, type FormEvent } from "react"
import { Button } from "../../../parts/widgets/button.tsx"
import { Segments } from "../../../parts/widgets/choice.tsx"
import { Field } from "../../../parts/widgets/field.tsx"
import { Notice } from "../../../parts/widgets/notice.tsx"
import { useLabTexts, type ChapterWords } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import { isRight, type Exercise } from "./chapter.ts"
import { showAnswer } from "./show-answer.ts"

interface ExerciseProps {
  readonly exercise: Exercise
  readonly words: ChapterWords
  readonly isSolved: boolean
  readonly onSolved: () => void
}

/** The exercise. */
export function ExerciseCard({ exercise, words, isSolved, onSolved }: ExerciseProps) {
  const lab = useLabTexts()
  const locale = useLocale()
  const [given, setGiven] = useState("")
  const [checked, setChecked] = useState<string>()
  const verdict = checked === undefined ? undefined : isRight(exercise, checked)
  const check = (event: FormEvent): void => {
    event.preventDefault()
    setChecked(given)
    if (isRight(exercise, given) === true) onSolved()
  }
  const { ask, right, hint, options = {} } = words.exercise
  return (
    <section className="card stack" aria-label={lab.exercise}>
      <h2>
        {lab.exercise} {isSolved ? <span className="tag">{lab.solved}</span> : null}
      </h2>
      <p>{ask}</p>
      <form className="stack" onSubmit={check}>
        {exercise.kind === "number" ? (
          <div className="narrow">
            <Field label={lab.answer} value={given} onChange={setGiven} inputMode="decimal" />
          </div>
        ) : (
          <div>
            <Segments
              label={lab.answer}
              value={given === "" ? undefined : given}
              onChange={setGiven}
              options={exercise.options.map((id) => ({ id, text: options[id] ?? id }))}
            />
          </div>
        )}
        <div>
          <Button type="submit" variant="primary">
            {lab.check}
          </Button>
        </div>
      </form>
      {checked === undefined ? null : (
        <Notice tone={verdict === true ? "good" : "now"} role="status">
          <p>
            {verdict === undefined ? lab.cannotRead : verdict ? lab.right : lab.notYet}{" "}
            {verdict === true ? right(showAnswer(exercise, words, locale)) : verdict === false ? hint : ""}
          </p>
        </Notice>
      )}
    </section>
  )
}
