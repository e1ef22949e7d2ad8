// Editor, price and answer.

import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from "react"
import { AskedEarlier, useAskedEarlier } from "../components/asked-earlier.tsx"
import { Button } from "../components/button.tsx"
import { Loading } from "../components/notice.tsx"
import { PricePanel } from "../components/price-panel.tsx"
import { useSession, type Dataset } from "../components/session.tsx"
import { TableList } from "../components/table-list.tsx"
import { usePrice, type Pricing } from "../components/use-price.ts"
import { useStrings } from "../strings/use-strings.ts"
import type { Limit, Spent } from "../workers/price.ts"
import { AskResult } from "./ask-result.tsx"
import { exampleQuestions } from "./example-questions.ts"
import { useAsking, type Asking } from "./use-asking.ts"
import { WantedForm } from "./wanted-form.tsx"
import { bodyOf, usual } from "../workers/wanted.ts"

const SqlEditor = lazy(async () => ({ default: (await import("../components/sql-editor.tsx")).SqlEditor }))

interface AskScreenProps {
  readonly dataset: Dataset
  readonly study: string | undefined
  readonly sql: string
  readonly onSql: (sql: string) => void
  /** Without a study there are prices, and no answers. */
  readonly mayAsk: boolean
  /** Of the account that is charged. */
  readonly budget: {
    readonly spent: Spent | undefined
    readonly share: number
    readonly detail: string
    readonly limit: Limit | undefined
  }
  /** The choice of the study, if there is one. */
  readonly children: ReactNode
}

/** The screen, once everything is known. */
export function AskScreen({ dataset, study, sql, onSql, mayAsk, budget, children }: AskScreenProps) {
  const { ask } = useStrings()
  const { me, refreshBudget } = useSession()
  const [wanted, setWanted] = useState(usual)
  const { asked, add, clear } = useAskedEarlier(me.name)
  const pricing = usePrice(dataset.name, { sql, wanted, spent: budget.spent, limit: budget.limit })
  const { asking, run, stop } = useAsking((answered, position) => {
    add({ sql: answered, at: new Date().toISOString(), position })
    refreshBudget()
  })
  useEffect(() => {
    // Held back or failed after the data was read: charged all the same.
    if (asking.kind === "refused" && asking.isCharged) refreshBudget()
  }, [asking, refreshBudget])
  const send = useCallback(() => {
    if (mayAsk && sql.trim() !== "")
      run({ ...bodyOf(sql, wanted), ...(study === undefined ? {} : { study }) })
  }, [mayAsk, sql, wanted, study, run])
  const issues = useMemo(
    () => (pricing.price?.kind === "issues" ? pricing.price.issues : []),
    [pricing.price],
  )
  const shown = stillTrue(asking, sql, pricing)
  return (
    <div className="ask">
      <div className="ask-top stack">
        {children}
        <Suspense fallback={<Loading what={ask.loadingEditor} />}>
          <SqlEditor
            value={sql}
            onChange={onSql}
            onRun={send}
            tables={pricing.tables}
            issues={issues}
            label={ask.editor}
          />
        </Suspense>
        <div className="row split no-print">
          <Button
            variant="primary"
            onPress={send}
            isDisabled={!mayAsk || asking.kind === "running" || sql.trim() === ""}
          >
            {asking.kind === "running" ? ask.running : ask.run}
          </Button>
          <span className="small soft">{ask.editorHint}</span>
        </div>
        <Examples dataset={dataset} onChoose={onSql} />
      </div>
      <aside className="ask-side" aria-label={ask.cost}>
        <PricePanel
          pricing={pricing}
          spentShare={budget.share}
          detail={budget.detail}
          accounting={dataset.budget.accounting}
          isAnswered={asking.kind === "answered" && asking.sql === sql}
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

/** A refusal stays while its question is mended, and goes when another one has a price. */
function stillTrue(asking: Asking, sql: string, { price, isStale }: Pricing): Asking {
  const hasPrice = price?.kind === "priced" && !isStale
  const isMended = asking.kind === "refused" && !asking.isCharged && asking.sql !== sql && hasPrice
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
