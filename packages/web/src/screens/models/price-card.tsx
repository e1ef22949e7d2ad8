// What a model costs, and what noise will do to it: before anything is paid.

import type { Reply } from "../../api/server.ts"
import { percentOf } from "../../parts/figures/format-number.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { aucUnknown } from "./model-draft.ts"

type Price = Reply<"priceModel">

interface PriceProps {
  readonly price: Price
  readonly isBusy: boolean
  readonly onTrain: () => void
}

/** Below this share a coefficient is said to be shrunk. */
const shrunkBelow = 0.9

/** The card, with the button that pays. */
export function PriceCard({ price, isBusy, onTrain }: PriceProps) {
  const { models } = useStrings()
  const { cost, features, free, noise } = price
  const most = noise.units.at(-1)
  return (
    <section className="card stack" aria-label={models.price}>
      <h2>{models.price}</h2>
      <p role="status">
        <b>{free ? models.free : models.costs(cost.words)}</b>
      </p>
      <p className="small soft">
        {models.noiseHelp[noise.part](models.measures[noise.of], `${features.length}`)}
      </p>
      <NoiseTable noise={noise} />
      {most !== undefined && most.noise > most.chance && most.reached < shrunkBelow ? (
        <Notice tone="now">{models.tooNoisy}</Notice>
      ) : null}
      <div>
        <Button variant="primary" isDisabled={isBusy} onPress={onTrain}>
          {free ? models.show : models.train}
        </Button>
      </div>
    </section>
  )
}

function NoiseTable({ noise }: Pick<Price, "noise">) {
  const { models } = useStrings()
  const locale = useLocale()
  const short = (value: number): string =>
    `± ${value.toLocaleString(locale, { maximumSignificantDigits: 2 })}`
  const hasAuc = noise.units.some(({ auc }) => auc !== undefined)
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={models.noise}>
      <table>
        <thead>
          <tr>
            <th scope="col" className="number">
              {models.people}
            </th>
            <th scope="col" className="number">
              {models.byNoise}
            </th>
            <th scope="col" className="number">
              {models.byChance}
            </th>
            <th scope="col" className="number">
              {models.reached}
            </th>
            {hasAuc ? (
              <th scope="col" className="number">
                {models.aucNoise}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {noise.units.map(({ units, noise: deviation, chance, reached, auc }) => (
            <tr key={units}>
              <td className="number">{units.toLocaleString(locale)}</td>
              <td className="number">{short(deviation)}</td>
              <td className="number">{short(chance)}</td>
              <td className="number">{percentOf(reached, locale)}</td>
              {hasAuc ? (
                <td className="number">
                  {auc === undefined || auc >= aucUnknown ? models.notTold : short(auc)}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
