// The Lab: what epsilon means, in seven steps, made up in the browser with the mechanisms that answer on the
// server. One epsilon goes through all of them.

import { useMemo, useState } from "react"
import { labBelief, labEpsilons, labHalfWidth, labMechanism, labPlaceOf } from "./lab-model.ts"
import { factorNumber } from "../../parts/figures/format-number.ts"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { LabClasses } from "./lab-classes.tsx"
import { LabNoise, LabPeople, LabWorlds } from "./lab-meaning.tsx"
import { LabAddUp, LabChoose, LabGroups } from "./lab-planning.tsx"

/** The screen. */
export function LabPage() {
  const { lab } = useStrings()
  const [epsilon, setEpsilon] = useState("0.5")
  return (
    <>
      <PageHead title={lab.title} lead={lab.lead} />
      <div className="stack">
        <EpsilonBar epsilon={epsilon} onChange={setEpsilon} />
        <LabNoise epsilon={epsilon} />
        <LabWorlds epsilon={epsilon} />
        <LabPeople epsilon={epsilon} />
        <LabAddUp epsilon={epsilon} />
        <LabGroups epsilon={epsilon} />
        <LabChoose onUse={setEpsilon} />
        <LabClasses epsilon={epsilon} />
      </div>
    </>
  )
}

interface EpsilonBarProps {
  readonly epsilon: string
  readonly onChange: (epsilon: string) => void
}

/** The slider, with what it does to error and odds. */
function EpsilonBar({ epsilon, onChange }: EpsilonBarProps) {
  const { lab } = useStrings()
  const locale = useLocale()
  const half = useMemo(() => labHalfWidth(labMechanism(epsilon)), [epsilon])
  const { oddsFactor } = labBelief(epsilon, "0.5")
  return (
    <section className="card lab-epsilon" aria-label={lab.epsilon}>
      <label className="field">
        <span className="label">
          {lab.epsilon}: <b className="figure">{epsilon}</b>
        </span>
        <input
          type="range"
          min={0}
          max={labEpsilons.length - 1}
          value={labPlaceOf(epsilon)}
          aria-valuetext={epsilon}
          onChange={({ target }) => onChange(labEpsilons[Number(target.value)] ?? epsilon)}
        />
        <span className="small soft">{lab.tradeoff}</span>
      </label>
      <p className="row small">
        <span>
          {lab.error} <b className="figure">{lab.plusMinus(half.toLocaleString(locale))}</b>
        </span>
        <span>
          {lab.oddsTimes} <b className="figure">{lab.atMost(factorNumber(oddsFactor, locale))}</b>
        </span>
      </p>
    </section>
  )
}
