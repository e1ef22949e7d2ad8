// Synthetic data: what rows of, their price, how far they are from the data, and the rows as files.

import { useCallback, useState } from "react"
import { attemptKey, call, type Reply, type SyntheticBody } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { tablesOf } from "../../parts/browser/declared-tables.ts"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { useSession, type Dataset } from "../../parts/browser/session.tsx"
import { openStudies, type OpenStudy } from "../../parts/studies/open-studies.ts"
import { Choice } from "../../parts/widgets/choice.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Loading, Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { MadeView } from "./made-view.tsx"
import { PriceCard } from "./price-card.tsx"
import { bodyOf, firstDraft, type Made } from "./synthetic-draft.ts"
import { SyntheticForm } from "./synthetic-form.tsx"

/** The screen. */
export function SyntheticPage() {
  const { synthetic } = useStrings()
  const { dataset } = useSession()
  return (
    <>
      <PageHead title={synthetic.title} lead={synthetic.lead} />
      <Notice tone="now">{synthetic.warning}</Notice>
      {dataset.kind === "loading" ? <Loading /> : null}
      {dataset.kind === "trouble" ? <TroubleNotice trouble={dataset.trouble} /> : null}
      {dataset.kind === "ready" && dataset.value !== undefined ? <InStudy dataset={dataset.value} /> : null}
    </>
  )
}

function InStudy({ dataset }: { readonly dataset: Dataset }) {
  const { me } = useSession()
  const { ask, nav, synthetic } = useStrings()
  const own = useLoad(
    useCallback(async () => (dataset.studies ? openStudies(me.name) : []), [dataset.studies, me.name]),
  )
  if (tablesOf(dataset).length === 0) return <Notice tone="now">{synthetic.noTable}</Notice>
  return (
    <Loaded of={own}>
      {(studies) =>
        dataset.studies && studies.length === 0 ? (
          <Notice title={synthetic.noStudy} tone="now">
            <p>
              {ask.studyNoneHelp} <Link to="/studies">{nav.studies}</Link>
            </p>
          </Notice>
        ) : (
          <Making dataset={dataset} studies={studies} />
        )
      }
    </Loaded>
  )
}

interface MakingProps {
  readonly dataset: Dataset
  readonly studies: readonly OpenStudy[]
}

/** A price, or what was made, of a question: neither is shown beside another question. */
interface Priced {
  readonly body: SyntheticBody
  readonly price: Reply<"priceSynthetic">
  readonly made?: Made
}

function Making({ dataset, studies }: MakingProps) {
  const { ask, synthetic } = useStrings()
  const { refreshBudget } = useSession()
  const { query } = useRouter()
  const [draft, setDraft] = useState(() => firstDraft(dataset))
  const [study, setStudy] = useState(query.get("study") ?? studies[0]?.id)
  const [priced, setPriced] = useState<Priced>()
  const pricing = useDoing()
  const making = useDoing()
  const body = bodyOf(draft, dataset, study)
  const price = (): void => {
    if (body === undefined) return
    setPriced(undefined)
    pricing.run(async () => setPriced({ body, price: await call("priceSynthetic", { body }) }))
  }
  const make = (known: Priced): void =>
    making.run(async () => {
      const made = await call("makeSynthetic", { body: known.body }, { key: attemptKey() })
      setPriced((now) => (now?.body === known.body ? { ...known, made } : now))
      refreshBudget()
    })
  return (
    <div className="columns">
      <SyntheticForm
        dataset={dataset}
        draft={draft}
        onChange={(next) => {
          setDraft(next)
          setPriced(undefined)
        }}
        onPrice={price}
        isBusy={pricing.isBusy || making.isBusy}
        isWhole={body !== undefined}
      >
        {studies.length > 1 ? (
          <Choice
            label={ask.study}
            value={study}
            onChange={setStudy}
            options={studies.map(({ id, title }) => ({ id, text: title }))}
          />
        ) : null}
      </SyntheticForm>
      <div className="stack">
        {pricing.trouble === undefined ? null : <TroubleNotice trouble={pricing.trouble} free />}
        {priced === undefined ? null : (
          <>
            {priced.made === undefined ? (
              <PriceCard price={priced.price} isBusy={making.isBusy} onMake={() => make(priced)} />
            ) : (
              <MadeView made={priced.made} body={priced.body} />
            )}
            {making.isBusy ? <Loading what={synthetic.measuring} /> : null}
            {making.trouble === undefined ? null : <TroubleNotice trouble={making.trouble} />}
          </>
        )}
      </div>
    </div>
  )
}
