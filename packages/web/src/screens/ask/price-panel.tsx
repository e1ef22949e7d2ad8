// What a question would cost, on the dose meter, and what error to expect: before anything is paid.

import { useLocale, useStrings } from "../../strings/use-strings.ts"
import type { Priced, PriceIssue } from "../../workers/price.ts"
import type { AskField } from "../../workers/wanted.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { DoseMeter } from "../../parts/figures/dose-meter.tsx"
import { lossNumber, sureOf } from "../../parts/figures/format-number.ts"
import { Help } from "../../parts/widgets/help.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import type { Account } from "../../parts/browser/session.tsx"
import { useErrorText } from "../../parts/widgets/use-error-text.ts"
import type { Pricing } from "./use-price.ts"

interface PricePanelProps {
  readonly pricing: Pricing
  /** The accounts that are charged. */
  readonly accounts: readonly Account[]
  /** Whether this very question was answered: then it is in the record, and free. */
  readonly isAnswered: boolean
  /** The fields beside the question that hold a mistake. */
  readonly wrong: readonly AskField[]
}

/** The panel beside the editor. */
export function PricePanel({ pricing, accounts, isAnswered, wrong }: PricePanelProps) {
  const { price, isStale, hasFailed, by, free, lookIfFree, retry } = pricing
  const { ask, app, wanted } = useStrings()
  // A stale price belongs to another question, so nothing of it is shown.
  const priced = price?.kind === "priced" && !isStale && wrong.length === 0 ? price : undefined
  return (
    <section className="card stack" aria-live="polite" aria-busy={isStale}>
      <h2>{ask.cost}</h2>
      <ChargedMeter priced={isAnswered || free === true ? undefined : priced} accounts={accounts} />
      {wrong.length === 0 ? null : (
        <Notice title={ask.cannot} tone="now" role="status">
          <ul className="plain">
            {wrong.map((field) => (
              <li key={field}>{wanted.wrong[field]}</li>
            ))}
          </ul>
        </Notice>
      )}
      {isStale && wrong.length === 0 ? <p className="soft">{ask.pricing}</p> : null}
      {price === undefined && !isStale && !hasFailed && wrong.length === 0 ? (
        <p className="soft">{ask.typing}</p>
      ) : null}
      {hasFailed ? (
        <Notice title={ask.noPrice} tone="refused" role="status">
          <p>{ask.noPriceHelp}</p>
          <Button size="small" onPress={retry}>
            {app.tryAgain}
          </Button>
        </Notice>
      ) : null}
      {price?.kind === "issues" && !isStale ? <Issues issues={price.issues} /> : null}
      {priced === undefined ? null : (
        <>
          <Cost priced={priced} isAnswered={isAnswered} isFree={free === true} />
          {isAnswered || priced.cost === "" ? null : <LookIfFree free={free} onLook={lookIfFree} />}
          <Expected priced={priced} isLearnt={!priced.learnsNorm} />
          {by === "server" ? <p className="small soft">{ask.serverPrices}</p> : null}
        </>
      )}
    </section>
  )
}

/** The price in one line, where the panel is out of sight. */
export function PriceLine({ pricing: { price, mayAsk, isStale, free } }: { readonly pricing: Pricing }) {
  const { ask } = useStrings()
  // With first looks there is no single price; the panel says how much it may be.
  const isSimple = price?.kind === "priced" && price.looks === undefined && free !== true
  const cost = mayAsk && isSimple ? price : undefined
  return (
    <p className="ask-price" aria-hidden="true">
      {cost === undefined ? null : <b>{cost.cost === "" ? ask.free : cost.cost}</b>}
      {isStale ? <span className="soft">{ask.pricing}</span> : null}
    </p>
  )
}

/** The account that would be spent first, with the share that the question would take of it. */
function ChargedMeter({
  priced,
  accounts,
}: {
  readonly priced: Priced | undefined
  readonly accounts: readonly Account[]
}) {
  const { meter } = useStrings()
  const locale = useLocale()
  const nearest = accounts.toSorted((a, b) => b.used.share - a.used.share)[0]
  const account = accounts.find(({ name }) => name === priced?.account) ?? nearest
  if (account === undefined) return null
  const [kind = "", name = ""] = account.name.split(":")
  const label =
    kind === "study" ? meter.ofStudy(name) : kind === "analyst" ? meter.ofAnalyst : meter.ofDataset
  return (
    <DoseMeter
      label={label}
      detail={meter.ofEpsilon(
        lossNumber(Number(account.spent.epsilon), locale),
        lossNumber(Number(account.epsilon), locale),
      )}
      accounting={account.accounting}
      used={priced?.before ?? account.used}
      after={priced?.after}
      fits={priced?.fits ?? true}
    />
  )
}

interface LookIfFreeProps {
  readonly free: boolean | undefined
  readonly onLook: () => void
}

/** A button, because asking the server sends the question out of this browser. */
function LookIfFree({ free, onLook }: LookIfFreeProps) {
  const { ask } = useStrings()
  if (free === true) return null
  if (free === false) return <p className="small soft">{ask.notFree}</p>
  return (
    <div className="no-print">
      <Button size="small" variant="quiet" onPress={onLook}>
        {ask.lookIfFree}
      </Button>
    </div>
  )
}

interface CostProps {
  readonly priced: Priced
  readonly isAnswered: boolean
  readonly isFree: boolean
}

function Cost({ priced, isAnswered, isFree }: CostProps) {
  const { ask, meter } = useStrings()
  const locale = useLocale()
  const { cost, more, fits, looks } = priced
  if (isAnswered) return <p>{ask.againFree}</p>
  if (isFree) return <p>{ask.nowFree(cost)}</p>
  if (looks !== undefined) return <Looks looks={looks} />
  return (
    <p>
      <b>{cost === "" ? ask.free : ask.costs(cost)}</b>
      {Number.isFinite(more) ? (
        <span className="soft">
          {" · "}
          {!fits ? meter.doesNotFit : more > 0 ? meter.fits(more.toLocaleString(locale)) : meter.fitsNone}
        </span>
      ) : null}
    </p>
  )
}

function Looks({ looks }: { readonly looks: NonNullable<Priced["looks"]> }) {
  const { wanted } = useStrings()
  return <p>{wanted.looks(looks.epsilon, looks.more.join(", "), looks.thenAtMost)}</p>
}

function Issues({ issues }: { readonly issues: readonly PriceIssue[] }) {
  const { ask, trouble } = useStrings()
  const textOf = useErrorText()
  const said = issues.map((issue) => ({ code: issue.code, ...textOf(issue) }))
  return (
    <Notice title={ask.cannot} tone="now" role="status">
      <ul className="plain stack-tight">
        {said.map(({ code, message, help }) => (
          <li key={`${code} ${message}`}>
            <p>{message}</p>
            {help === undefined ? null : <Help text={help} before={trouble.whatToDo} />}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

interface ExpectedProps {
  readonly priced: Priced
  /** Whether the norm that people are scaled to is known, or none is needed. */
  readonly isLearnt: boolean
}

function Expected({ priced, isLearnt }: ExpectedProps) {
  const { ask } = useStrings()
  const locale = useLocale()
  const { aggregates, groups, bounding, notes, unit, confidence } = priced
  return (
    <>
      <h3>{ask.expected}</h3>
      <ul className="aggregates plain">
        {aggregates.map(({ label, error, mechanism }, index) => (
          <li key={`${label} ${index}`}>
            <span className="soft small">{label}</span>
            {isLearnt ? <b>{error === "" ? "–" : error}</b> : <span>{ask.ifFixed(error)}</span>}
            <span className="soft small">{mechanism}</span>
          </li>
        ))}
      </ul>
      {isLearnt ? null : <p>{ask.learnsNorm(unit)}</p>}
      <p className="small soft">
        {ask.protects(unit)} · {ask.sure(sureOf(confidence, locale))}
      </p>
      <details className="small">
        <summary>{ask.notes}</summary>
        <ul>
          {[...groups, ...bounding, ...notes].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
    </>
  )
}
