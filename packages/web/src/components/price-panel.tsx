// What a question would cost, on the dose meter, and what error to expect: before anything is paid.

import { useLocale, useStrings } from "../strings/use-strings.ts"
import type { Priced, PriceIssue } from "../workers/price.ts"
import { DoseMeter } from "./dose-meter.tsx"
import { sureOf } from "./format-number.ts"
import { Notice } from "./notice.tsx"
import type { Dataset } from "./session.tsx"
import { useErrorText } from "./use-error-text.ts"
import type { Pricing } from "./use-price.ts"

interface PricePanelProps {
  readonly pricing: Pricing
  /** What is spent, for as long as there is no price. */
  readonly spentShare: number
  readonly detail: string
  readonly accounting: Dataset["budget"]["accounting"]
  /** Whether just this was answered: then it is in the record. */
  readonly isAnswered: boolean
}

/** The panel beside the editor. */
export function PricePanel({ pricing, spentShare, detail, accounting, isAnswered }: PricePanelProps) {
  const { price, isStale, by } = pricing
  const { ask, meter } = useStrings()
  const locale = useLocale()
  const priced = price?.kind === "priced" ? price : undefined
  return (
    <section className="card stack" aria-live="polite" aria-busy={isStale}>
      <h2>{ask.cost}</h2>
      <DoseMeter
        label={meter.dose}
        detail={detail}
        accounting={accounting}
        spent={priced?.spentShare ?? spentShare}
        now={isAnswered ? 0 : (priced?.share ?? 0)}
        fits={isAnswered || (priced?.fits ?? true)}
      />
      {price === undefined ? <p className="soft">{isStale ? ask.pricing : ask.typing}</p> : null}
      {price?.kind === "issues" ? <Issues issues={price.issues} /> : null}
      {priced === undefined ? null : (
        <>
          {isAnswered ? <p>{ask.againFree}</p> : null}
          <p hidden={isAnswered}>
            <b>{priced.cost === "" ? ask.free : ask.costs(priced.cost)}</b>
            {Number.isFinite(priced.more) ? (
              <span className="soft">
                {" · "}
                {priced.more > 0 ? meter.fits(priced.more.toLocaleString(locale)) : meter.fitsNone}
              </span>
            ) : null}
          </p>
          {priced.looks === undefined || isAnswered ? null : <Looks looks={priced.looks} />}
          <Expected priced={priced} />
          {by === "server" ? <p className="small soft">{ask.serverPrices}</p> : null}
        </>
      )}
    </section>
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
            {help === undefined ? null : (
              <p className="help">
                <span className="sr-only">{trouble.whatToDo}: </span>
                {help}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function Expected({ priced }: { readonly priced: Priced }) {
  const { ask } = useStrings()
  const locale = useLocale()
  const { measures, groups, bounding, notes, unit, confidence } = priced
  return (
    <>
      <h3>{ask.expected}</h3>
      <ul className="measures plain">
        {measures.map(({ label, error, mechanism }, index) => (
          <li key={`${label} ${index}`}>
            <span className="soft small">{label}</span>
            <b>{error === "" ? "–" : error}</b>
            <span className="soft small">{mechanism}</span>
          </li>
        ))}
      </ul>
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
