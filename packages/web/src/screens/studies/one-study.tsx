// One study, and what this person can do with it now.

import { useCallback } from "react"
import { call } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { DoseMeter } from "../../parts/figures/dose-meter.tsx"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { StudyFacts, StudyReviews, StudyVoices, type Study } from "../../parts/studies/study-facts.tsx"
import { isBeforeOpening, StudyState } from "../../parts/studies/study-state.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { StudyMoves } from "./study-moves.tsx"

/** The screen of one study. */
export function OneStudy({ id }: { readonly id: string }) {
  const { studies } = useStrings()
  const loaded = useLoad(useCallback(() => call("getStudy", { params: { id } }), [id]))
  const { refreshBudget } = useSession()
  const changed = (): void => {
    tell(studies.saved)
    loaded.reload()
    refreshBudget()
  }
  return <Loaded of={loaded}>{(study) => <Whole study={study} onChanged={changed} />}</Loaded>
}

/** In place of the meter: a study that can still be opened gets its account then; others show nothing. */
function NoShare({ study: { state } }: { readonly study: Study }) {
  const { studies } = useStrings()
  return isBeforeOpening(state) ? <p className="soft">{studies.noBudget}</p> : null
}

interface StudyProps {
  readonly study: Study
  readonly onChanged: () => void
}

function Whole({ study, onChanged }: StudyProps) {
  const { studies, meter, voices } = useStrings()
  const locale = useLocale()
  const { accounts } = useSession()
  const account =
    accounts.kind === "ready" ? accounts.value.find(({ name }) => name === `study:${study.id}`) : undefined
  return (
    <>
      <PageHead title={study.title}>
        <StudyState study={study} />
      </PageHead>
      <div className="columns">
        <div className="stack">
          <section className="card">
            <StudyFacts study={study} />
          </section>
        </div>
        <div className="stack">
          <section className="card stack">
            {account === undefined ? (
              <NoShare study={study} />
            ) : (
              <DoseMeter
                label={meter.dose}
                used={account.used}
                detail={meter.ofEpsilon(
                  lossNumber(Number(account.spent.epsilon), locale),
                  lossNumber(Number(account.epsilon), locale),
                )}
              />
            )}
            <StudyMoves study={study} onChanged={onChanged} />
          </section>
          <section className="card">
            <h2>{studies.reviews}</h2>
            <StudyReviews study={study} />
          </section>
          <section className="card">
            <h2>{voices.board}</h2>
            <StudyVoices study={study} />
          </section>
        </div>
      </div>
    </>
  )
}
