// The curves of a model: what each part of a feature adds to the score, drawn with its interval, and as
// numbers.

import { lazily } from "../../parts/browser/lazily.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { Numbers } from "./coefficients.tsx"
import type { Card } from "./model-draft.ts"

const CurveChart = lazily(async () => (await import("../../charts/curve-chart.tsx")).CurveChart)

/** A picture and a table for each feature. */
export function Curves({ card: { coefficients } }: { readonly card: Card }) {
  const { models } = useStrings()
  const features = [...new Set(coefficients.map(({ output }) => output))]
  return (
    <>
      {features.map((feature) => {
        const parts = coefficients.filter(({ output }) => output === feature)
        const points = parts.flatMap(({ name, value, low, high, from, to }) =>
          low === undefined || high === undefined
            ? []
            : [
                {
                  name: name === "missing" ? models.missing : name,
                  value,
                  low,
                  high,
                  ...(from === undefined || to === undefined ? {} : { from, to }),
                },
              ],
        )
        return (
          <section key={feature} className="stack-tight" aria-label={feature}>
            <h3>
              <code>{feature}</code>
            </h3>
            <CurveChart points={points} feature={feature} label={models.curveLabel(feature)} />
            <details>
              <summary>{models.asNumbers}</summary>
              <Numbers
                coefficients={parts}
                nameOf={({ name }) => (name === "missing" ? models.missing : name)}
                heading={models.part}
              />
            </details>
          </section>
        )
      })}
    </>
  )
}
