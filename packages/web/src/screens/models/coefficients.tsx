// Coefficients with their intervals: drawn as what a feature does from its lowest to its highest value, so
// that years and kilograms can be compared, and as numbers in the units of the data.

import { lazily } from "../../parts/browser/lazily.tsx"
import { fixedNumber, percentOf, placesFor } from "../../parts/figures/format-number.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import type { Card } from "./model-draft.ts"

const ForestChart = lazily(async () => (await import("../../charts/forest-chart.tsx")).ForestChart)

type Coefficient = Card["coefficients"][number]

/** More lines than this are in the table only. */
const linesMax = 40

/** Both. */
export function Coefficients({ card }: { readonly card: Card }) {
  const { models } = useStrings()
  const outputs = new Set(card.coefficients.map(({ output }) => output))
  const nameOf = ({ output, name }: Coefficient): string => {
    const own = name === "(intercept)" ? models.intercept : name
    return outputs.size > 1 ? `${output}: ${own}` : own
  }
  const lines = card.coefficients.flatMap((one) => {
    const { value, span, low, high } = one
    if (span === undefined || low === undefined || high === undefined) return []
    return [{ name: nameOf(one), value: value * span, low: low * span, high: high * span }]
  })
  return (
    <>
      {lines.length === 0 || lines.length > linesMax ? null : (
        <ForestChart lines={lines} axis={models.effect} isRatio={false} label={models.effectLabel} />
      )}
      <Numbers coefficients={card.coefficients} nameOf={nameOf} />
      {card.coefficients.some(({ isShrunk }) => isShrunk) ? (
        <p className="small soft">{models.shrunk}</p>
      ) : null}
    </>
  )
}

interface NumbersProps {
  readonly coefficients: readonly Coefficient[]
  readonly nameOf: (one: Coefficient) => string
  /** What the lines are, if not coefficients. */
  readonly heading?: string
}

/** The numbers as a table. */
export function Numbers({ coefficients, nameOf, heading }: NumbersProps) {
  const { models } = useStrings()
  const locale = useLocale()
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={models.numbers}>
      <table>
        <thead>
          <tr>
            <th scope="col">{heading ?? models.coefficient}</th>
            <th scope="col" className="number">
              {models.value}
            </th>
            <th scope="col" className="number">
              {models.interval}
            </th>
            <th scope="col" className="number">
              {models.noiseShare}
            </th>
          </tr>
        </thead>
        <tbody>
          {coefficients.map((one) => {
            const { value, low, high, error, noiseShare, isShrunk } = one
            const places = placesFor([value], [error ?? Math.abs(value) / 100])
            const shown = (number: number): string => fixedNumber(number, places, locale)
            return (
              <tr key={`${one.output} ${one.name}`}>
                <th scope="row">
                  <code>{nameOf(one)}</code>
                  {isShrunk ? " *" : ""}
                </th>
                <td className="number">{shown(value)}</td>
                <td className="number soft">
                  {low === undefined || high === undefined ? "–" : models.range(shown(low), shown(high))}
                </td>
                <td className="number soft">
                  {noiseShare === undefined ? "–" : percentOf(Math.min(1, Math.max(0, noiseShare)), locale)}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
