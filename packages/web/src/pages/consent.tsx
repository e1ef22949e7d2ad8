// What a participant sees: the switches by purpose, which studies have used the data, and what dose that is.

import { useCallback } from "react"
import { call, type Reply } from "../api/server.ts"
import { useDoing, useLoad } from "../api/use-load.ts"
import { Switch } from "../components/choice.tsx"
import { DoseMeter } from "../components/dose-meter.tsx"
import { lossNumber } from "../components/format-number.ts"
import { Loaded } from "../components/loaded.tsx"
import { Notice, TroubleNotice } from "../components/notice.tsx"
import { Odds } from "../components/odds.tsx"
import { PageHead } from "../components/page-head.tsx"
import { usePurposeText } from "../components/purpose-text.ts"
import { tell } from "../components/toasts.tsx"
import { useLocale, useStrings } from "../strings/use-strings.ts"

type Consent = Reply<"getConsent">
type Participation = Reply<"getParticipation">["items"]
type Public = Reply<"getTransparency">
type Purpose = Reply<"listPurposes">["items"][number]

interface Everything {
  readonly consent: Consent
  readonly used: Participation
  readonly shown: Public
  readonly purposes: readonly Purpose[]
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
          {(everything) => (
            <div className="stack">
              <Switches {...everything} onChanged={loaded.reload} />
              <Dose {...everything} />
              <Studies used={everything.used} />
              <History history={everything.consent.history} />
            </div>
          )}
        </Loaded>
      )}
    </>
  )
}

async function loadEverything(): Promise<Everything> {
  const [consent, used, shown, purposes] = await Promise.all([
    call("getConsent"),
    call("getParticipation"),
    call("getTransparency"),
    call("listPurposes"),
  ])
  return { consent, used: used.items, shown, purposes: purposes.items }
}

type SwitchesProps = Everything & { readonly onChanged: () => void }

function Switches({ consent: { holds }, shown, purposes, onChanged }: SwitchesProps) {
  const { consent } = useStrings()
  const textOf = usePurposeText()
  const { isBusy, trouble, run } = useDoing()
  const isGiven = (code: string): boolean => {
    const decision = holds.find(({ purpose }) => purpose === code)?.decision
    return decision === undefined ? shown.consent !== "required" : decision === "given"
  }
  const decide = ({ code, name }: Purpose, isOn: boolean): void =>
    run(async () => {
      await call("setConsent", { body: { purpose: code, decision: isOn ? "given" : "withdrawn" } })
      tell(consent.saved(textOf(code, name).name))
      onChanged()
    })
  return (
    <section className="card">
      <h2>{consent.switches}</h2>
      <p className="soft">
        {consent.modes[shown.consent ?? "none"]} {consent.switchHelp}
      </p>
      {purposes
        .filter(({ kind }) => kind === "permission")
        .map((purpose) => (
          <div key={purpose.code} className="consent-item">
            <Switch
              isOn={isGiven(purpose.code)}
              isDisabled={isBusy}
              onChange={(isOn) => decide(purpose, isOn)}
            >
              <b>{textOf(purpose.code, purpose.name).name}</b>
              <br />
              <span className="small">{textOf(purpose.code).means}</span>
              <br />
              <span className="small soft">
                {isGiven(purpose.code) ? consent.given : consent.withdrawn} · {purpose.code}
              </span>
            </Switch>
          </div>
        ))}
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
    </section>
  )
}

/** The studies' doses one after the other, or what everybody is exposed to: the smaller holds, both do. */
function doseOf({ used, shown }: Pick<Everything, "used" | "shown">) {
  const own = used.filter(({ releasesWith }) => releasesWith > 0)
  const sum = (name: "epsilon" | "delta"): number => own.reduce((total, one) => total + Number(one[name]), 0)
  const all = { epsilon: Number(shown.spent.epsilon), delta: Number(shown.spent.delta) }
  return own.length === 0 || sum("epsilon") < all.epsilon
    ? { epsilon: sum("epsilon"), delta: sum("delta") }
    : all
}

function Dose({ used, shown }: Pick<Everything, "used" | "shown">) {
  const { consent, meter } = useStrings()
  const locale = useLocale()
  const { epsilon, delta } = doseOf({ used, shown })
  const promised = Number(shown.promise.epsilon)
  return (
    <section className="card stack">
      <DoseMeter
        label={consent.dose}
        spent={promised > 0 ? epsilon / promised : 0}
        detail={meter.ofEpsilon(lossNumber(epsilon, locale), lossNumber(promised, locale))}
      />
      {epsilon > 0 ? (
        <>
          <p>{consent.doseText(lossNumber(epsilon, locale))}</p>
          <h2>{consent.odds}</h2>
          <p>{consent.oddsLead}</p>
          <Odds epsilon={`${epsilon}`} delta={`${delta}`} />
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
  return (
    <section className="card">
      <h2>{consent.studies}</h2>
      {used.length === 0 ? (
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
              {used.map(({ study, title, releasesWith, releasesWithout, epsilon }) => (
                <tr key={study}>
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
  const newestFirst = history.toSorted((a, b) => b.recordedAt.localeCompare(a.recordedAt))
  return (
    <section className="card">
      <h2>{consent.history}</h2>
      {history.length === 0 ? <p className="soft">{consent.historyEmpty}</p> : null}
      <ol className="timeline plain">
        {newestFirst.map(({ purpose, name, decision, recordedAt }) => (
          <li key={`${purpose} ${recordedAt}`}>
            <b>{textOf(purpose, name).name}</b>: {decision === "given" ? consent.given : consent.withdrawn}{" "}
            <span className="small soft">{new Date(recordedAt).toLocaleString(locale)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
