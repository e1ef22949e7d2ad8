// A model from its price to its card: nothing is paid before the second press.

import { useState } from "react"
import {
  attemptKey,
  call,
  trainInSteps,
  type ModelBody,
  type Reply,
  type StepName,
} from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { useRouter } from "../../parts/browser/router.tsx"
import { useSession, type Dataset } from "../../parts/browser/session.tsx"
import type { OpenStudy } from "../../parts/studies/open-studies.ts"
import { Choice } from "../../parts/widgets/choice.tsx"
import { Loading, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { ModelCard } from "./model-card.tsx"
import { bodyOf, firstDraft } from "./model-draft.ts"
import { ModelForm } from "./model-form.tsx"
import { PriceCard } from "./price-card.tsx"

interface TrainProps {
  readonly dataset: Dataset
  readonly studies: readonly OpenStudy[]
  readonly onTrained: () => void
}

/** A price, or a model, of a question: neither is shown beside another question. */
interface Priced {
  readonly body: ModelBody
  readonly price: Reply<"priceModel">
  readonly trained?: Reply<"trainModel">
}

/** The form, the price and the card. */
export function Train({ dataset, studies, onTrained }: TrainProps) {
  const { ask, models } = useStrings()
  const { refreshBudget } = useSession()
  const { query } = useRouter()
  const [draft, setDraft] = useState(() => firstDraft(dataset))
  const [study, setStudy] = useState(query.get("study") ?? studies[0]?.id)
  const [priced, setPriced] = useState<Priced>()
  const [step, setStep] = useState<StepName>("planned")
  const pricing = useDoing()
  const training = useDoing()
  const body = bodyOf(draft, study)
  const price = (): void => {
    if (body === undefined) return
    setPriced(undefined)
    pricing.run(async () => setPriced({ body, price: await call("priceModel", { body }) }))
  }
  const train = (known: Priced): void =>
    training.run(async () => {
      setStep("planned")
      const trained = await trainInSteps(known.body, { key: attemptKey(), onStep: setStep })
      setPriced((now) => (now?.body === known.body ? { ...known, trained } : now))
      refreshBudget()
      onTrained()
    })
  return (
    <div className="columns">
      <ModelForm
        draft={draft}
        onChange={(next) => {
          setDraft(next)
          setPriced(undefined)
        }}
        onPrice={price}
        isBusy={pricing.isBusy || training.isBusy}
        isWhole={body !== undefined}
        unit={dataset.unit}
      >
        {studies.length > 1 ? (
          <Choice
            label={ask.study}
            value={study}
            onChange={(next) => {
              setStudy(next)
              setPriced(undefined)
            }}
            options={studies.map(({ id, title }) => ({ id, text: title }))}
          />
        ) : null}
      </ModelForm>
      <div className="stack">
        {pricing.trouble === undefined ? null : <TroubleNotice trouble={pricing.trouble} free />}
        {priced === undefined ? null : (
          <>
            {priced.trained === undefined ? (
              <PriceCard price={priced.price} isBusy={training.isBusy} onTrain={() => train(priced)} />
            ) : (
              <ModelCard
                card={priced.trained}
                paid={priced.trained.origin === "recorded" ? "" : priced.trained.cost.words}
              />
            )}
            {training.isBusy ? <Loading what={models.steps[step]} /> : null}
            {training.trouble === undefined ? null : <TroubleNotice trouble={training.trouble} />}
          </>
        )}
      </div>
    </div>
  )
}
