// The screen that asks: loads what must be known first, the dataset, the budget and the studies.

import { useCallback, useMemo, useState } from "react"
import { useLoad } from "../../api/use-load.ts"
import { Choice } from "../../parts/widgets/choice.tsx"
import { useKeptText } from "../../parts/browser/kept.ts"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Loading, Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { openStudies, type OpenStudy } from "../../parts/studies/open-studies.ts"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { useSession, type Account, type Dataset } from "../../parts/browser/session.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { AskScreen } from "./ask-screen.tsx"

/** The screen. */
export function AskPage() {
  const { dataset } = useSession()
  const { ask } = useStrings()
  return (
    <>
      <PageHead title={ask.title} lead={ask.lead} />
      {dataset.kind === "loading" ? <Loading /> : null}
      {dataset.kind === "trouble" ? <TroubleNotice trouble={dataset.trouble} /> : null}
      {dataset.kind === "ready" && dataset.value !== undefined ? <InStudy dataset={dataset.value} /> : null}
    </>
  )
}

/** Asks in the study that is chosen, if the dataset is asked through studies. */
function InStudy({ dataset }: { readonly dataset: Dataset }) {
  const { me, accounts, refreshBudget } = useSession()
  const own = useLoad(
    useCallback(async () => (dataset.studies ? openStudies(me.name) : []), [dataset.studies, me.name]),
  )
  return (
    <Loaded of={own}>
      {(studies) => (
        <Loaded of={{ load: accounts, reload: refreshBudget }}>
          {(known) => <Chosen dataset={dataset} studies={studies} accounts={known} />}
        </Loaded>
      )}
    </Loaded>
  )
}

interface ChosenProps {
  readonly dataset: Dataset
  readonly studies: readonly OpenStudy[]
  readonly accounts: readonly Account[]
}

function Chosen({ dataset, studies, accounts }: ChosenProps) {
  const { me } = useSession()
  const { ask, nav } = useStrings()
  const { query } = useRouter()
  const [sql, setSql] = useKeptText(`draft.${me.name}`, "")
  const [study, setStudy] = useState(query.get("study") ?? studies[0]?.id)
  const charged = useMemo(() => chargedAccounts(accounts, me.name, study), [accounts, me.name, study])
  const isOutside = dataset.studies && studies.length === 0
  return (
    <AskScreen
      dataset={dataset}
      study={study}
      sql={sql}
      onSql={setSql}
      mayAsk={!isOutside}
      accounts={charged}
    >
      {isOutside ? (
        <Notice title={ask.studyNone} tone="now">
          <p>
            {ask.studyNoneHelp} <Link to="/studies">{nav.studies}</Link>
          </p>
        </Notice>
      ) : null}
      {studies.length > 1 ? (
        <Choice
          label={ask.study}
          value={study}
          onChange={setStudy}
          options={studies.map(({ id, title }) => ({ id, text: title }))}
        />
      ) : null}
    </AskScreen>
  )
}

/** The accounts that a question is charged to, if they exist: the dataset's, the study's, the analyst's. */
function chargedAccounts(
  accounts: readonly Account[],
  user: string,
  study: string | undefined,
): readonly Account[] {
  const names = ["dataset", `analyst:${user}`, ...(study === undefined ? [] : [`study:${study}`])]
  return accounts.filter(({ name }) => names.includes(name))
}
