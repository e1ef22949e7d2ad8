// The Lab: what epsilon means, in chapters, made up in the browser with the mechanisms that answer on the
// server. Contents at /lab, a chapter at /lab/name, and all exercises with their answers at /lab/teacher.

import { Link, useRouter } from "../../parts/browser/router.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useLabTexts, type ChapterWords } from "../../strings/lab-texts.ts"
import { chapters } from "./chapters/all-chapters.ts"
import type { Chapter } from "./parts/chapter.ts"
import { ExerciseCard } from "./parts/exercise-card.tsx"
import { useProgress } from "./parts/progress.ts"
import { TeacherPage } from "./teacher-page.tsx"

/** The screen. */
export function LabPage() {
  const { path } = useRouter()
  const [solved, solve] = useProgress()
  const name = path.replace(/^\/lab\/?/, "")
  const place = chapters.findIndex(({ id }) => id === name)
  const chapter = chapters[place]
  if (name === "teacher") return <TeacherPage chapters={chapters} />
  if (chapter === undefined) return <Contents solved={solved} />
  return (
    <ChapterPage
      // Another chapter begins anew.
      key={name}
      chapter={chapter}
      place={place}
      isSolved={solved.includes(chapter.id)}
      onSolved={() => solve(chapter.id)}
    />
  )
}

function Contents({ solved }: { readonly solved: readonly string[] }) {
  const lab = useLabTexts()
  const done = chapters.filter(({ id }) => solved.includes(id)).length
  return (
    <>
      <PageHead title={lab.title} lead={lab.lead} />
      <div className="stack">
        <p className="row" role="status">
          <progress value={done} max={chapters.length} aria-label={lab.contents} />
          <span className="small soft">{lab.progress(`${done}`, `${chapters.length}`)}</span>
        </p>
        <ol className="plain cards lab-contents" aria-label={lab.contents}>
          {chapters.map(({ id }, index) => {
            const { title, idea }: ChapterWords = lab.chapters[id]
            return (
              <li key={id} className="card stack-tight">
                <h2>
                  <Link to={`/lab/${id}`}>{lab.chapter(`${index + 1}`, title)}</Link>
                </h2>
                <p className="small soft">{firstSentence(idea)}</p>
                {solved.includes(id) ? (
                  <p>
                    <span className="tag" data-tone="good">
                      ✓ {lab.solved}
                    </span>
                  </p>
                ) : null}
              </li>
            )
          })}
        </ol>
        <p>
          <Link to="/lab/teacher">{lab.teacher}</Link>
        </p>
      </div>
    </>
  )
}

interface ChapterProps {
  readonly chapter: Chapter
  readonly place: number
  readonly isSolved: boolean
  readonly onSolved: () => void
}

function ChapterPage({ chapter, place, isSolved, onSolved }: ChapterProps) {
  const lab = useLabTexts()
  const { id, Play, exercise } = chapter
  const words: ChapterWords = lab.chapters[id]
  return (
    <>
      <PageHead title={lab.chapter(`${place + 1}`, words.title)} lead={words.idea} />
      <div className="stack">
        <section className="card stack" aria-label={lab.move}>
          <Play />
        </section>
        <ExerciseCard exercise={exercise} words={words} isSolved={isSolved} onSolved={onSolved} />
        <details className="card">
          <summary>{lab.proof}</summary>
          <p>{words.proof}</p>
        </details>
        <ChapterLinks place={place} />
      </div>
    </>
  )
}

/** To the chapters before and after, and to all of them. */
function ChapterLinks({ place }: { readonly place: number }) {
  const lab = useLabTexts()
  const [before, after] = [chapters[place - 1], chapters[place + 1]]
  return (
    <nav className="row lab-links" aria-label={lab.contents}>
      {before === undefined ? null : (
        <Link to={`/lab/${before.id}`}>
          ← {lab.previous}: {lab.chapters[before.id].title}
        </Link>
      )}
      <Link to="/lab">{lab.back}</Link>
      {after === undefined ? null : (
        <Link to={`/lab/${after.id}`}>
          {lab.next}: {lab.chapters[after.id].title} →
        </Link>
      )}
    </nav>
  )
}

function firstSentence(text: string): string {
  return /^.*?[.。]/u.exec(text)?.[0] ?? text
}
