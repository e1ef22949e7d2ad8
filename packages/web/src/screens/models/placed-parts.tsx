// Components and groups, each by itself: what goes into a direction, drawn and as numbers; how many people a
// group has, and where its centre lies.

import { lazily } from "../../parts/browser/lazily.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { Numbers } from "./coefficients.tsx"
import type { Card } from "./model-draft.ts"

const ForestChart = lazily(async () => (await import("../../charts/forest-chart.tsx")).ForestChart)

/** More lines than this are in the table only. */
const linesMax = 40

/** A table for each component or group; of components a picture too. */
export function PlacedParts({ card: { coefficients, model } }: { readonly card: Card }) {
  const { models } = useStrings()
  const outputs = [...new Set(coefficients.map(({ output }) => output))]
  const nameOf = ({ name }: { readonly name: string }): string =>
    name === shareName ? models.shareOfVariance : name === peopleName ? models.people : name
  return (
    <>
      {outputs.map((output, at) => {
        const parts = coefficients.filter((one) => one.output === output)
        const title = (model === "k-means" ? models.group : models.component)(`${at + 1}`)
        const lines = parts.flatMap(({ name, value, low, high }) =>
          name === shareName || low === undefined || high === undefined ? [] : [{ name, value, low, high }],
        )
        return (
          <section key={output} className="stack-tight" aria-label={title}>
            <h3>{title}</h3>
            {model === "k-means" || lines.length > linesMax ? null : (
              <ForestChart
                lines={lines}
                axis={models.loading}
                isRatio={false}
                label={models.loadingLabel(title)}
              />
            )}
            <Numbers coefficients={parts} nameOf={nameOf} heading={models.part} />
          </section>
        )
      })}
    </>
  )
}

/** As the server has them. */
const shareName = "(share of the variance)"
const peopleName = "(people)"
