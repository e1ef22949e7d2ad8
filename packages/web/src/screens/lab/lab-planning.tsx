// The Lab's next three steps: what questions add up to, what the size of a group does, and which epsilon
// gives an accuracy.

import { useMemo, useState } from "react"
import { LabSizes, LabTotals } from "./lab-charts.tsx"
import { labBelief, labEpsilonFor, labHalfWidth, labMechanism, labRelative, labTotal } from "./lab-model.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { atMostPercent, lossNumber, sureOf } from "../../parts/figures/format-number.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

const marks = [1, 2, 3, 5, 8, 12, 20, 30, 45, 65, 80, 100]

/** The belief before any answer, in the examples. */
const before = 0.1

/** The step about many questions. */
export function LabAddUp({ epsilon }: { readonly epsilon: string }) {
  const { addUp } = useStrings().lab
  const locale = useLocale()
  const [place, setPlace] = useState(5)
  const count = marks[place] ?? 1
  const totals = useMemo(() => marks.map((questions) => labTotal(epsilon, questions)), [epsilon])
  const chosen = useMemo(() => labTotal(epsilon, count), [epsilon, count])
  const half = labHalfWidth(labMechanism(epsilon))
  const shown = count.toLocaleString(locale)
  const total = Math.min(chosen.plain, chosen.byRho)
  return (
    <section className="card stack">
      <h2>{addUp.title}</h2>
      <p>{addUp.lead}</p>
      <label className="field">
        <span className="label">
          {addUp.questions}: <b className="figure">{shown}</b>
        </span>
        <input
          type="range"
          min={0}
          max={marks.length - 1}
          value={place}
          aria-valuetext={shown}
          onChange={({ target }) => setPlace(Number(target.value))}
        />
      </label>
      <LabTotals
        totals={totals}
        chosen={chosen}
        label={addUp.text(shown, lossNumber(total, locale))}
        plainText={addUp.plain}
        rhoText={addUp.byRho}
        questionsLabel={addUp.axis}
      />
      <p>
        {addUp.belief(
          sureOf(before, locale),
          atMostPercent(labBelief(`${chosen.plain}`, `${before}`).upper, locale),
        )}
      </p>
      <p className="soft">
        {addUp.average(
          shown,
          half.toLocaleString(locale),
          Math.max(1, Math.round(half / Math.sqrt(count))).toLocaleString(locale),
        )}
      </p>
    </section>
  )
}

const sizes = [10, 100, 1000, 10_000]

/** The step about groups of several sizes. */
export function LabGroups({ epsilon }: { readonly epsilon: string }) {
  const { sizes: strings } = useStrings().lab
  const locale = useLocale()
  const spec = useMemo(() => labMechanism(epsilon), [epsilon])
  const percent = (size: number): string =>
    labRelative(spec, size).toLocaleString(locale, { maximumSignificantDigits: 2 })
  return (
    <section className="card stack">
      <h2>{strings.title}</h2>
      <p>{strings.lead}</p>
      <dl className="facts">
        {sizes.map((size) => (
          <div key={size} style={{ display: "contents" }}>
            <dt>{strings.row(size.toLocaleString(locale))}</dt>
            <dd className="figure">{strings.off(percent(size))}</dd>
          </div>
        ))}
      </dl>
      <LabSizes
        epsilon={epsilon}
        label={strings.text}
        sizeLabel={strings.axis}
        percentLabel={strings.percent}
      />
    </section>
  )
}

/** The step from a wanted accuracy to an epsilon. */
export function LabChoose({ onUse }: { readonly onUse: (epsilon: string) => void }) {
  const { choose } = useStrings().lab
  const locale = useLocale()
  const [size, setSize] = useState("200")
  const [percent, setPercent] = useState("5")
  const epsilon = useMemo(() => labEpsilonFor(size.trim(), percent.trim()), [size, percent])
  return (
    <section className="card stack">
      <h2>{choose.title}</h2>
      <p>{choose.lead}</p>
      <div className="form-grid">
        <Field label={choose.size} value={size} onChange={setSize} inputMode="numeric" />
        <Field label={choose.percent} value={percent} onChange={setPercent} inputMode="decimal" />
      </div>
      {epsilon === undefined ? (
        <p className="soft" role="status">
          {choose.bad}
        </p>
      ) : (
        <>
          <p role="status">
            <b className="figure">{choose.answer(epsilon)}</b>{" "}
            {choose.means(
              sureOf(before, locale),
              atMostPercent(labBelief(epsilon, `${before}`).upper, locale),
            )}
          </p>
          <div>
            <Button onPress={() => onUse(epsilon)}>{choose.use}</Button>
          </div>
        </>
      )}
    </section>
  )
}
