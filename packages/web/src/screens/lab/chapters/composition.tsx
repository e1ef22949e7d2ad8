// Composition: what many questions lose together, by each way of adding.

import { eventsOf, whatIf, type AccountantName, type Total } from "@dosimeter/core"
import { useMemo, useState } from "react"
import { atMostPercent, lossNumber, sureOf } from "../../../parts/figures/format-number.ts"
import { Button } from "../../../parts/widgets/button.tsx"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { EpsilonBar } from "../parts/epsilon-bar.tsx"
import { LabTotals } from "../parts/lab-charts.tsx"
import { labBelief, labMechanism, labTotal } from "../parts/lab-model.ts"
import { Slider } from "../parts/slider.tsx"

const marks = [1, 2, 3, 5, 8, 12, 20, 30, 45, 65, 80, 100]
const before = 0.1
const delta = "1e-7"
const shown: readonly AccountantName[] = ["basic", "advanced", "optimal", "zcdp", "renyi", "pld"]

/** What every accountant says of so many counts at this epsilon. */
export function totalsOf(epsilon: string, questions: number): readonly Total[] {
  return whatIf(eventsOf(labMechanism(epsilon), questions), delta).filter(({ accountant }) =>
    shown.includes(accountant),
  )
}

function CompositionPlay() {
  const words = useLabTexts().chapters.composition
  const locale = useLocale()
  const [epsilon, setEpsilon] = useState("0.1")
  const [count, setCount] = useState(20)
  const totals = useMemo(() => marks.map((questions) => labTotal(epsilon, questions)), [epsilon])
  const chosen = useMemo(() => labTotal(epsilon, count), [epsilon, count])
  const [compared, setCompared] = useState<readonly Total[]>()
  const change = (work: () => void): void => {
    work()
    setCompared(undefined)
  }
  const number = count.toLocaleString(locale)
  return (
    <>
      <EpsilonBar epsilon={epsilon} onChange={(value) => change(() => setEpsilon(value))} />
      <Slider
        label={words.questions}
        values={marks}
        value={count}
        onChange={(value) => change(() => setCount(value))}
      />
      <LabTotals
        totals={totals}
        chosen={chosen}
        label={words.text(number, lossNumber(Math.min(chosen.plain, chosen.byRho), locale))}
        plainText={words.plain}
        rhoText={words.byRho}
        questionsLabel={words.axis}
      />
      <p>
        {words.belief(
          sureOf(before, locale),
          atMostPercent(labBelief(`${chosen.plain}`, `${before}`).upper, locale),
        )}
      </p>
      <div>
        <Button onPress={() => setCompared(totalsOf(epsilon, count))}>{words.compare}</Button>
      </div>
      {compared === undefined ? null : (
        <div className="scroll" tabIndex={0} role="region" aria-label={words.compare}>
          <table>
            <caption>{words.table(number, epsilon)}</caption>
            <thead>
              <tr>
                <th scope="col">{words.accountant}</th>
                <th scope="col">ε</th>
                <th scope="col">{words.adaptive}</th>
              </tr>
            </thead>
            <tbody>
              {compared.map(({ accountant, epsilon: total, adaptive }) => (
                <tr key={accountant}>
                  <td>{words.accountants[accountant]}</td>
                  <td className="figure">{lossNumber(total, locale)}</td>
                  <td>{adaptive ? words.yes : words.no}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

/** The chapter. */
export const composition: Chapter = {
  id: "composition",
  Play: CompositionPlay,
  exercise: { kind: "number", answer: () => labTotal("0.1", 100).byRho, tolerance: 0.03 },
}
