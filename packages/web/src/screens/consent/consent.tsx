// What a participant sees: what their data is read for and why, what has used it, and what dose that is.

import { useCallback } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { DoseMeter } from "../../parts/figures/dose-meter.tsx"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { Odds } from "../../parts/figures/odds.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { usePurposeText } from "../../parts/studies/purpose-text.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { ConsentTree } from "./consent-tree.tsx"

type Consent = Reply<"getConsent">
type Participation = Reply<"getParticipation">
type Public = Reply<"getTransparency">

interface Everything {
  readonly consent: Consent
  readonly used: Participation
  readonly shown: Public
}

/** The screen. */
export function ConsentPage() {
  const strings = useStrings()
  const loaded = useLoad(useCallback(() => loadEverything(), []))
  const { load } = loaded
  return (
    <>
      <PageHead title={strings.consent.title} lead={strings.consent.lead} />
      {load.kind === "trouble" && load.trouble.code === "consent/not-linked" ? (
        <Notice title={strings.consent.notLinked} tone="now">
          <p>{strings.consent.notLinkedHelp}</p>
        </Notice>
      ) : (
        <Loaded of={loaded}>
          {({ consent, used, shown }) => (
            <div className="stack">
              <ConsentTree consent={consent} onChanged={loaded.reload} />
              <Dose used={used} shown={shown} />
              <Studies used={used} />
              <History history={consent.history} />
            </div>
          )}
        </Loaded>
      )}
    </>
  )
}

async function loadEverything(): Promise<Everything> {
  const [consent, used, shown] = await Promise.all([
    call("getConsent"),
    call("getParticipation"),
    call("getTransparency"),
  ])
  return { consent, used, shown }
}

function Dose({ used: { total }, shown }: Pick<Everything, "used" | "shown">) {
  const { consent, meter } = useStrings()
  const locale = useLocale()
  const epsilon = Number(total.epsilon)
  const accounting = shown.accounting === "zcdp" || shown.accounting === "gdp" ? shown.accounting : "pure"
  return (
    <section className="card stack">
      <DoseMeter
        label={consent.dose}
        used={total.used}
        accounting={accounting}
        detail={meter.ofEpsilon(
          lossNumber(epsilon, locale),
          lossNumber(Number(shown.promise.epsilon), locale),
        )}
      />
      {total.used.share > 0 ? (
        <>
          <p>{consent.doseText(lossNumber(epsilon, locale), lossNumber(Number(total.delta), locale))}</p>
          <h2>{consent.odds}</h2>
          <p>{consent.oddsLead}</p>
          <Odds epsilon={total.epsilon} delta={total.delta} />
        </>
      ) : (
        <p>{consent.doseNone}</p>
      )}
    </section>
  )
}

function Studies({ used }: { readonly used: Participation }) {
  const { consent, meter } = useStrings()
  const locale = useLocale()
  const { outside } = used
  const rows = [
    ...used.items.map((item) => ({ key: item.study, ...item })),
    ...(outside === null ? [] : [{ key: "", title: consent.outside, ...outside }]),
  ]
  return (
    <section className="card">
      <h2>{consent.studies}</h2>
      {rows.length === 0 ? (
        <p className="soft">{consent.noStudies}</p>
      ) : (
        <div className="scroll" tabIndex={0} role="region" aria-label={consent.studies}>
          <table>
            <thead>
              <tr>
                <th scope="col">{consent.study}</th>
                <th scope="col" className="number">
                  {consent.with}
                </th>
                <th scope="col" className="number">
                  {consent.without}
                </th>
                <th scope="col" className="number">
                  {meter.dose}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, title, releasesWith, releasesWithout, epsilon }) => (
                <tr key={key}>
                  <th scope="row">{title}</th>
                  <td className="number">{releasesWith}</td>
                  <td className="number">{releasesWithout}</td>
                  <td className="number">ε {lossNumber(Number(epsilon), locale)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function History({ history }: { readonly history: Consent["history"] }) {
  const { consent } = useStrings()
  const textOf = usePurposeText()
  const locale = useLocale()
  return (
    <section className="card">
      <h2>{consent.history}</h2>
      {history.length === 0 ? <p className="soft">{consent.historyEmpty}</p> : null}
      <ol className="timeline plain">
        {history.map(({ purpose, name, decision, recordedAt }, index) => (
          <li key={history.length - index}>
            <b>{textOf(purpose, name).name}</b>: {decision === "given" ? consent.saidYes : consent.saidNo}{" "}
            <span className="small soft">{new Date(recordedAt).toLocaleString(locale)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
