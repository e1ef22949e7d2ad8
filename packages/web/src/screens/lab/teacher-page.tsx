// All exercises with their answers, for teachers: worked out by the code that checks them.

import { Link } from "../../parts/browser/router.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useLabTexts, type ChapterWords } from "../../strings/lab-texts.ts"
import { useLocale } from "../../strings/use-strings.ts"
import type { Chapter } from "./parts/chapter.ts"
import { showAnswer } from "./parts/show-answer.ts"

/** The page. */
export function TeacherPage({ chapters }: { readonly chapters: readonly Chapter[] }) {
  const lab = useLabTexts()
  const locale = useLocale()
  return (
    <>
      <PageHead title={lab.teacherTitle} lead={lab.teacherLead} />
      <div className="stack">
        {chapters.map(({ id, exercise }, index) => {
          const words: ChapterWords = lab.chapters[id]
          const { ask, right, hint } = words.exercise
          const answer = showAnswer(exercise, words, locale)
          const percent = exercise.kind === "number" ? exercise.tolerance * 100 : 0
          return (
            <article key={id} className="card stack-tight" aria-label={words.title}>
              <h2>
                <Link to={`/lab/${id}`}>{lab.chapter(`${index + 1}`, words.title)}</Link>
              </h2>
              <p>{words.idea}</p>
              <p>
                <b>{ask}</b>
              </p>
              <dl className="facts">
                <dt>{lab.theAnswer}</dt>
                <dd>
                  {right(answer)}{" "}
                  {percent === 0 ? null : (
                    <span className="small soft">
                      ({lab.accepted(percent.toLocaleString(locale, { maximumFractionDigits: 1 }))})
                    </span>
                  )}
                </dd>
                <dt>{lab.ifWrong}</dt>
                <dd>{hint}</dd>
              </dl>
              <details>
                <summary>{lab.proof}</summary>
                <p>{words.proof}</p>
              </details>
            </article>
          )
        })}
        <p>
          <Link to="/lab">{lab.back}</Link>
        </p>
      </div>
    </>
  )
}
