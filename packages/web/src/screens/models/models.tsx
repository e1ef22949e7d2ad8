// Models: one to be trained, those that were, and one of them with its card.

import { useCallback } from "react"
import { call } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { useSession, type Dataset } from "../../parts/browser/session.tsx"
import { openStudies } from "../../parts/studies/open-studies.ts"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Loading, Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { ModelCard } from "./model-card.tsx"
import { ModelList } from "./model-list.tsx"
import { Train } from "./train.tsx"

/** The screen: training and the list, or the model that the address names. */
export function ModelsPage() {
  const { path } = useRouter()
  const position = /^\/models\/(\d{1,15})$/.exec(path)?.[1]
  return position === undefined ? <Models /> : <OneModel key={position} position={position} />
}

function Models() {
  const { models } = useStrings()
  const { dataset, can } = useSession()
  const list = useLoad(useCallback(async () => call("listModels"), []))
  return (
    <>
      <PageHead title={models.title} lead={models.lead} />
      <div className="stack">
        {dataset.kind === "loading" ? <Loading /> : null}
        {dataset.kind === "trouble" ? <TroubleNotice trouble={dataset.trouble} /> : null}
        {dataset.kind === "ready" && dataset.value !== undefined && can("ask") ? (
          <InStudy dataset={dataset.value} onTrained={list.reload} />
        ) : null}
        <Loaded of={list}>{(first) => <ModelList first={first} />}</Loaded>
      </div>
    </>
  )
}

interface InStudyProps {
  readonly dataset: Dataset
  readonly onTrained: () => void
}

function InStudy({ dataset, onTrained }: InStudyProps) {
  const { me } = useSession()
  const { ask, nav, models } = useStrings()
  const own = useLoad(
    useCallback(async () => (dataset.studies ? openStudies(me.name) : []), [dataset.studies, me.name]),
  )
  return (
    <Loaded of={own}>
      {(studies) =>
        dataset.studies && studies.length === 0 ? (
          <Notice title={models.noStudy} tone="now">
            <p>
              {ask.studyNoneHelp} <Link to="/studies">{nav.studies}</Link>
            </p>
          </Notice>
        ) : (
          <Train dataset={dataset} studies={studies} onTrained={onTrained} />
        )
      }
    </Loaded>
  )
}

function OneModel({ position }: { readonly position: string }) {
  const { models, releases } = useStrings()
  const one = useLoad(useCallback(async () => call("getModel", { params: { position } }), [position]))
  return (
    <>
      <PageHead title={models.one(position)} lead={models.oneLead}>
        <Link to="/models">{models.all}</Link>
        <Link to={`/releases/${position}`}>{releases.receipt}</Link>
      </PageHead>
      <Loaded of={one}>
        {(card) => (
          <div className="stack">
            {card.question === null ? null : (
              <pre className="scroll" tabIndex={0} aria-label={models.sql}>
                <code>{card.question}</code>
              </pre>
            )}
            <ModelCard card={card} paid={undefined} />
          </div>
        )}
      </Loaded>
    </>
  )
}
