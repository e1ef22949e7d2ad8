// The screen that asks. What must be known first: the dataset, the budget, the study.

import { useCallback, useMemo, useState } from "react"
import { call } from "../api/server.ts"
import { useLoad } from "../api/use-load.ts"
import { Choice } from "../components/choice.tsx"
import { lossNumber } from "../components/format-number.ts"
import { useKeptText } from "../components/kept.ts"
import { Loaded } from "../components/loaded.tsx"
import { Loading, Notice, TroubleNotice } from "../components/notice.tsx"
import { PageHead } from "../components/page-head.tsx"
import { Link, useRouter } from "../components/router.tsx"
import { shareOf, useSession, type Account, type Dataset } from "../components/session.tsx"
import { useLocale, useStrings } from "../strings/use-strings.ts"
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

/** Asks in the study that is chosen, where the house has studies. */
function InStudy({ dataset }: { readonly dataset: Dataset }) {
  const { me } = useSession()
  const own = useLoad(
    useCallback(async () => (dataset.studies ? openStudies(me.name) : []), [dataset.studies, me.name]),
  )
  return <Loaded of={own}>{(studies) => <Chosen dataset={dataset} studies={studies} />}</Loaded>
}

interface OpenStudy {
  readonly id: string
  readonly title: string
}

function Chosen({ dataset, studies }: { readonly dataset: Dataset; readonly studies: readonly OpenStudy[] }) {
  const { me, accounts } = useSession()
  const { ask, nav, meter } = useStrings()
  const { query } = useRouter()
  const locale = useLocale()
  const [sql, setSql] = useKeptText(`draft.${me.name}`, "")
  const [study, setStudy] = useState(query.get("study") ?? studies[0]?.id)
  const known = accounts.kind === "ready" ? accounts.value : []
  const account = accountFor(known, study)
  const spent = useMemo(
    () => (account === undefined ? undefined : { amount: account.spent.amount, delta: account.spent.delta }),
    [account],
  )
  const limit = useMemo(() => limitOf(account), [account])
  const isOutside = dataset.studies && studies.length === 0
  const detail =
    account === undefined
      ? ""
      : meter.ofEpsilon(
          lossNumber(Number(account.spent.epsilon), locale),
          lossNumber(Number(account.epsilon), locale),
        )
  return (
    <AskScreen
      dataset={dataset}
      study={study}
      sql={sql}
      onSql={setSql}
      mayAsk={!isOutside}
      budget={{ spent, share: account === undefined ? 0 : shareOf(account), detail, limit }}
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

/** The study's own account where there is one: it is the narrower of the two. */
function accountFor(accounts: readonly Account[], study: string | undefined): Account | undefined {
  const named = (name: string): Account | undefined => accounts.find((account) => account.name === name)
  return (study === undefined ? undefined : named(`study:${study}`)) ?? named("dataset")
}

function limitOf(account: Account | undefined) {
  return account === undefined ? undefined : { epsilon: account.epsilon, delta: account.delta }
}

async function openStudies(name: string): Promise<readonly OpenStudy[]> {
  const { items } = await call("listStudies")
  const today = new Date().toISOString().slice(0, 10)
  return items.filter(
    ({ people, state, suspended, starts, ends }) =>
      people.includes(name) && state === "active" && !suspended && starts <= today && today <= ends,
  )
}
