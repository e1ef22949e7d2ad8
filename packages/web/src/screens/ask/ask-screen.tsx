// Editor, price and answer.

import { useCallback, useEffect, useMemo, type ReactNode } from "react"
import { AskedEarlier, useAskedEarlier } from "./asked-earlier.tsx"
import { Button } from "../../parts/widgets/button.tsx"
import { lazily } from "../../parts/browser/lazily.tsx"
import { Loading } from "../../parts/widgets/notice.tsx"
import { PriceLine, PricePanel } from "./price-panel.tsx"
import { useSession, type Account, type Dataset } from "../../parts/browser/session.tsx"
import { TableList } from "./table-list.tsx"
import { usePrice, type Pricing } from "./use-price.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { AskResult } from "./ask-result.tsx"
import { exampleQuestions } from "./example-questions.ts"
import { useAsking, type Asking } from "./use-asking.ts"
import { useQuestion } from "./use-question.ts"
import { WantedForm } from "./wanted-form.tsx"

const SqlEditor = lazily(
  async () => (await import("./sql-editor.tsx")).SqlEditor,
  () => <LoadingEditor />,
)

function LoadingEditor() {
  const { ask } = useStrings()
  return <Loading what={ask.loadingEditor} />
}

interface AskScreenProps {
  readonly dataset: Dataset
  readonly study: string | undefined
  readonly sql: string
  readonly onSql: (sql: string) => void
  /** Without a study there are prices, and no answers. */
  readonly mayAsk: boolean
  /** The accounts that are charged. */
  readonly accounts: readonly Account[]
  /** The choice of the study, if there is one. */
  readonly children: ReactNode
}

/** The screen, once everything is known. */
export function AskScreen({ dataset, study, sql, onSql, mayAsk, accounts, children }: AskScreenProps) {
  const { ask } = useStrings()
  const { me, refreshBudget } = useSession()
  const { wanted, setWanted, wrong, body, key } = useQuestion(me.name, sql, study)
  const { asked, add, clear } = useAskedEarlier(me.name)
  const { norm } = dataset.bounding
  const pricing = usePrice(dataset.name, { body, wanted, accounts, norm })
  const { asking, run, stop } = useAsking((answered, position) => {
    add({ sql: answered, at: new Date().toISOString(), position })
    refreshBudget()
  })
  useEffect(() => {
    // An answer that was held back, or failed after the data was read, is charged too.
    if (asking.kind === "refused" && asking.isCharged) refreshBudget()
  }, [asking, refreshBudget])
  const isReady = mayAsk && pricing.mayAsk && asking.kind !== "running"
  const send = useCallback(() => {
    if (isReady && body !== undefined) run(body)
  }, [isReady, body, run])
  const issues = useMemo(
    () => (pricing.price?.kind === "issues" ? pricing.price.issues : []),
    [pricing.price],
  )
  const shown = stillTrue(asking, key, pricing)
  return (
    <div className="ask">
      <div className="ask-top stack">
        {children}
        <SqlEditor
          value={sql}
          onChange={onSql}
          onRun={send}
          tables={pricing.tables}
          issues={issues}
          label={ask.editor}
        />
        <div className="row split no-print">
          <PriceLine pricing={pricing} />
          <Button variant="primary" onPress={send} isDisabled={!isReady}>
            {asking.kind === "running" ? ask.running : ask.run}
          </Button>
          <span className="small soft ask-hint">{ask.editorHint}</span>
        </div>
        <Examples dataset={dataset} onChoose={onSql} />
      </div>
      <aside className="ask-side" aria-label={ask.cost}>
        <PricePanel
          pricing={pricing}
          accounts={accounts}
          wrong={wrong}
          isAnswered={asking.kind === "answered" && asking.key === key}
        />
      </aside>
      <div className="ask-rest stack">
        <AskResult asking={shown} confidence={Number(dataset.question.confidence)} onStop={stop} />
        <WantedForm dataset={dataset} wanted={wanted} onChange={setWanted} />
        <TableList
          tables={pricing.tables}
          onChoose={(name) => onSql(`${sql}${/\s$|^$/.test(sql) ? "" : " "}${name}`)}
        />
        <AskedEarlier asked={asked} onChoose={onSql} onClear={clear} />
      </div>
    </div>
  )
}

/** A refusal stays while the question is edited, and disappears once another question has a price. */
function stillTrue(asking: Asking, key: string | undefined, { mayAsk: hasPrice }: Pricing): Asking {
  const isMended = asking.kind === "refused" && !asking.isCharged && asking.key !== key && hasPrice
  return isMended ? { kind: "idle" } : asking
}

function Examples({
  dataset,
  onChoose,
}: {
  readonly dataset: Dataset
  readonly onChoose: (sql: string) => void
}) {
  const { ask, example } = useStrings()
  return (
    <div className="examples no-print" role="group" aria-label={ask.examples}>
      <span className="small soft">{ask.examples}</span>
      {exampleQuestions(dataset, example).map(({ title, sql }) => (
        <Button key={title} size="small" onPress={() => onChoose(sql)}>
          {title}
        </Button>
      ))}
    </div>
  )
}
