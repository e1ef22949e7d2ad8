// The budget: the meter of the dataset, its charges over time, and the accounts of studies and analysts.

import { useCallback, useMemo } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { DoseMeter } from "../../parts/figures/dose-meter.tsx"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { lazily } from "../../parts/browser/lazily.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty } from "../../parts/widgets/notice.tsx"
import { Odds } from "../../parts/figures/odds.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { Link } from "../../parts/browser/router.tsx"
import type { Account } from "../../parts/browser/session.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { BudgetRequests } from "./budget-requests.tsx"
import { LedgerTrouble } from "./ledger-trouble.tsx"
import { Incidents } from "./incidents.tsx"

const BurnDown = lazily(async () => (await import("../../charts/burn-down.tsx")).BurnDown)

/** The screen. */
export function BudgetPage() {
  const { budget } = useStrings()
  const loaded = useLoad(useCallback(() => call("getBudget"), []))
  return (
    <>
      <PageHead title={budget.title} lead={budget.lead} />
      <LedgerTrouble onEntered={loaded.reload} />
      <Incidents />
      <Loaded of={loaded}>
        {({ accounts }) => {
          const whole = accounts.find(({ name }) => name === "dataset")
          const parts = (kind: string): readonly Account[] =>
            accounts.filter(({ name }) => name.startsWith(`${kind}:`))
          return (
            <div className="stack">
              {whole === undefined ? null : <Whole account={whole} />}
              <Parts title={budget.studies} accounts={parts("study")} />
              <Parts title={budget.analysts} accounts={parts("analyst")} />
              <BudgetRequests accounts={[...parts("study"), ...parts("analyst")]} onGranted={loaded.reload} />
            </div>
          )
        }}
      </Loaded>
    </>
  )
}

function Whole({ account }: { readonly account: Account }) {
  const { budget, meter, consent } = useStrings()
  const locale = useLocale()
  const { epsilon, delta, spent, accounting, defaultQuestionsLeft: more } = account
  return (
    <section className="card stack">
      <DoseMeter
        label={budget.dataset}
        accounting={accounting}
        used={account.used}
        detail={meter.ofEpsilon(
          lossNumber(Number(spent.epsilon), locale),
          lossNumber(Number(epsilon), locale),
        )}
      />
      <p>
        {budget.promise(lossNumber(Number(epsilon), locale), lossNumber(Number(delta), locale))}{" "}
        <b>{more > 0 ? meter.defaultFits(more.toLocaleString(locale)) : meter.defaultFitsNone}</b>
      </p>
      {Number(spent.epsilon) === 0 ? null : (
        <details>
          <summary>{budget.odds}</summary>
          <p className="small soft">{consent.oddsLead}</p>
          <Odds epsilon={spent.epsilon} delta={delta} />
        </details>
      )}
      <History />
    </section>
  )
}

type Charge = Reply<"budgetHistory">["items"][number]

function History() {
  const { budget } = useStrings()
  const loaded = useLoad(useCallback(() => wholeHistory("dataset"), []))
  return (
    <>
      <h2>{budget.burnDown}</h2>
      <Loaded of={loaded}>{(charges) => <Staircase charges={charges} />}</Loaded>
    </>
  )
}

function Staircase({ charges }: { readonly charges: readonly Charge[] }) {
  const { budget } = useStrings()
  const locale = useLocale()
  const drawn = useMemo(
    () => ({
      now: new Date(),
      spendings: charges.map(({ at, used }) => ({ at: new Date(at), share: used.share })),
    }),
    [charges],
  )
  if (charges.length === 0) return <Empty title={budget.none} help={budget.noneHelp} />
  return (
    <BurnDown
      {...drawn}
      caption={budget.burnDownText(charges.length.toLocaleString(locale))}
      axis={`${budget.spent} (%)`}
      limit={budget.limit}
    />
  )
}

/** All charges, page after page, up to a number that a chart can still show. */
async function wholeHistory(account: string): Promise<readonly Charge[]> {
  const charges: Charge[] = []
  for (let after: string | undefined; charges.length < chargesMax;) {
    const query = { limit: "1000", ...(after === undefined ? {} : { after }) }
    const { items, next } = await call("budgetHistory", { params: { account }, query })
    charges.push(...items)
    if (next === null) break
    after = next
  }
  return charges
}

const chargesMax = 5000

interface PartsProps {
  readonly title: string
  readonly accounts: readonly Account[]
}

/** Studies or analysts, each with its meter. */
function Parts({ title, accounts }: PartsProps) {
  const { meter, studies } = useStrings()
  const locale = useLocale()
  if (accounts.length === 0) return null
  return (
    <section className="stack">
      <h2>{title}</h2>
      <div className="cards">
        {accounts.map((account) => {
          const [kind, name = ""] = account.name.split(":")
          const { spent, epsilon, defaultQuestionsLeft: more } = account
          return (
            <div key={account.name} className="card stack-tight">
              <DoseMeter
                label={name}
                used={account.used}
                detail={meter.ofEpsilon(
                  lossNumber(Number(spent.epsilon), locale),
                  lossNumber(Number(epsilon), locale),
                )}
              />
              <p className="small soft">
                {more > 0 ? meter.defaultFits(more.toLocaleString(locale)) : meter.defaultFitsNone}
                {kind === "study" ? (
                  <>
                    {" · "}
                    <Link to={`/studies/${name}`}>{studies.look}</Link>
                  </>
                ) : null}
              </p>
            </div>
          )
        })}
      </div>
    </section>
  )
}
