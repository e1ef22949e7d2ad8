// The guided set-up: from files on this computer to a policy, in five steps. Nothing is uploaded.

import { useMemo, useState } from "react"
import { Button } from "../../parts/widgets/button.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useErrorText } from "../../parts/widgets/use-error-text.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { GuideBudget } from "./guide-budget.tsx"
import { GuideColumns } from "./guide-columns.tsx"
import { GuideFiles } from "./guide-files.tsx"
import { GuidePolicy } from "./guide-policy.tsx"
import { draftPolicy, emptyGuide } from "./guide-state.ts"
import { GuideUnits } from "./guide-units.tsx"

/** The screen. */
export function Guide() {
  const { guide, app } = useStrings()
  const [step, setStep] = useState(0)
  const [state, setState] = useState(emptyGuide)
  const draft = useMemo(() => draftPolicy(state), [state])
  const last = guide.steps.length - 1
  const parts = { state, draft, onChange: setState }
  const go = (to: number): void => {
    setStep(to)
    scrollTo(0, 0)
  }
  return (
    <>
      <PageHead title={guide.title} lead={guide.lead} />
      <div className="stack">
        <ol className="steps">
          {guide.steps.map((name, place) => (
            <li
              key={name}
              {...(place === step ? { "aria-current": "step" as const } : {})}
              {...(place < step ? { "data-done": true } : {})}
            >
              {place + 1}. {name}
            </li>
          ))}
        </ol>
        {step === 0 ? <GuideFiles state={state} onChange={setState} /> : null}
        {step === 1 ? <GuideUnits {...parts} /> : null}
        {step === 2 ? <GuideBudget {...parts} /> : null}
        {step === 3 ? <GuideColumns {...parts} /> : null}
        {step === last ? <GuidePolicy draft={draft} /> : null}
        {step === last || state.files.length === 0 || draft.problems.length === 0 ? null : (
          <Problems draft={draft} />
        )}
        <div className="row">
          {step === 0 ? null : <Button onPress={() => go(step - 1)}>{app.back}</Button>}
          {step === last ? null : (
            <Button variant="primary" isDisabled={state.files.length === 0} onPress={() => go(step + 1)}>
              {guide.next}
            </Button>
          )}
        </div>
      </div>
    </>
  )
}

/** What is wrong so far, in every step but the last, which shows it in its lines. */
function Problems({ draft: { problems } }: { readonly draft: ReturnType<typeof draftPolicy> }) {
  const { guide } = useStrings()
  const textOf = useErrorText()
  const said = problems.map((problem) => ({ line: problem.line, ...textOf(problem) }))
  return (
    <Notice tone="refused" role="status" title={guide.wrong(`${problems.length}`)}>
      <ul>
        {said.map(({ line, message, help }) => (
          <li key={`${line} ${message}`}>
            {message} <span className="small soft">{guide.atLine(`${line}`)}</span>
            {help === undefined ? null : <p className="help">{help}</p>}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
