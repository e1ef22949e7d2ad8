// What a house agrees to beforehand, with what was used of it.

import { useCallback, useState, type FormEvent } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

type Standing = Reply<"listStanding">["items"][number]

/** The card. */
export function StandingApprovals() {
  const { inbox } = useStrings()
  const { can } = useSession()
  const [isOpen, setOpen] = useState(false)
  const loaded = useLoad(useCallback(() => call("listStanding"), []))
  const added = (): void => {
    tell(inbox.added)
    setOpen(false)
    loaded.reload()
  }
  return (
    <section className="card stack">
      <div>
        <h2>{inbox.standing}</h2>
        <p className="small soft">{inbox.standingHelp}</p>
      </div>
      <Loaded of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">{inbox.noStanding}</p>
          ) : (
            <ul className="plain stack">
              {items.map((one) => (
                <OneStanding key={one.id} standing={one} onChanged={loaded.reload} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {!can("review-releases") ? null : isOpen ? (
        <AddStanding onAdded={added} onCancel={() => setOpen(false)} />
      ) : (
        <div>
          <Button size="small" onPress={() => setOpen(true)}>
            {inbox.addStanding}
          </Button>
        </div>
      )}
    </section>
  )
}

interface OneProps {
  readonly standing: Standing
  readonly onChanged: () => void
}

function OneStanding({ standing, onChanged }: OneProps) {
  const { inbox } = useStrings()
  const locale = useLocale()
  const { can } = useSession()
  const { isBusy, trouble, run } = useDoing()
  const { id, pattern, epsilonEach, epsilon, sitesMin, until, madeBy, endedAt, used } = standing
  const end = (): void =>
    run(async () => {
      await call("endStanding", { params: { id: `${id}` } })
      tell(inbox.didEnd)
      onChanged()
    })
  return (
    <li className="stack-tight">
      <pre className="small">{pattern}</pre>
      <p className="small">{inbox.terms(epsilonEach, sitesMin, until)}</p>
      <p className="small soft">
        {inbox.used(lossNumber(Number(used.epsilon), locale), epsilon, used.jobs)} · {inbox.madeBy(madeBy)}
        {endedAt === null ? "" : ` · ${inbox.ended}`}
      </p>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      {endedAt === null && can("review-releases") ? (
        <div>
          <Button size="small" isDisabled={isBusy} onPress={end}>
            {inbox.end}
          </Button>
        </div>
      ) : null}
    </li>
  )
}

const dayMs = 86_400_000

interface GivenStanding {
  readonly pattern: string
  readonly epsilonEach: string
  readonly epsilon: string
  readonly delta: string
  readonly sitesMin: string
  readonly until: string
}

interface AddProps {
  readonly onAdded: () => void
  readonly onCancel: () => void
}

function AddStanding({ onAdded, onCancel }: AddProps) {
  const { inbox, app } = useStrings()
  const { isBusy, trouble, run } = useDoing()
  const [given, setGiven] = useState<GivenStanding>(() => ({
    pattern: "",
    epsilonEach: "0.1",
    epsilon: "1",
    delta: "1e-7",
    sitesMin: "3",
    until: new Date(Date.now() + 182 * dayMs).toISOString().slice(0, 10),
  }))
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      await call("addStanding", { body: { ...given, sitesMin: Number(given.sitesMin) } })
      onAdded()
    })
  }
  return (
    <form className="form" onSubmit={send}>
      <Field
        label={inbox.pattern}
        help={inbox.patternHelp}
        lines="many"
        isCode
        isRequired
        value={given.pattern}
        onChange={(pattern) => setGiven({ ...given, pattern })}
        autoFocus
      />
      <StandingAmounts given={given} onChange={setGiven} />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div className="row">
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {inbox.addStanding}
        </Button>
        <Button onPress={onCancel} variant="quiet">
          {app.cancel}
        </Button>
      </div>
    </form>
  )
}

interface AmountsProps {
  readonly given: GivenStanding
  readonly onChange: (given: GivenStanding) => void
}

function StandingAmounts({ given, onChange }: AmountsProps) {
  const { inbox } = useStrings()
  const set = (name: keyof GivenStanding) => (text: string) => onChange({ ...given, [name]: text })
  const amounts = [
    ["epsilonEach", inbox.each],
    ["epsilon", inbox.all],
    ["delta", inbox.delta],
  ] as const
  return (
    <div className="form-grid">
      {amounts.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          inputMode="decimal"
          value={given[name]}
          onChange={set(name)}
          isRequired
        />
      ))}
      <Field
        label={inbox.sitesMin}
        inputMode="numeric"
        value={given.sitesMin}
        onChange={set("sitesMin")}
        isRequired
      />
      <Field label={inbox.until} type="date" value={given.until} onChange={set("until")} isRequired />
    </div>
  )
}
