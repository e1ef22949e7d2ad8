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
        <Notice tone="now">{isOfPoints(noise.part) ? models.hidden : models.tooNoisy}</Notice>
      ) : null}
      <div>
        <Button variant="primary" isDisabled={isBusy} onPress={onTrain}>
          {free ? models.show : models.train}
        </Button>
      </div>
    </section>
  )
}

function isOfPoints(part: Price["noise"]["part"]): boolean {
  return part === "component" || part === "centre"
}

// A line for each kind of error, a column for each number of rows: so that it fits a phone.
function NoiseTable({ noise }: Pick<Price, "noise">) {
  const { models } = useStrings()
  const locale = useLocale()
  const { units, part } = noise
  const short = (value: number): string =>
    `± ${value.toLocaleString(locale, { maximumSignificantDigits: 2 })}`
  const lines: readonly (readonly [string, readonly string[]])[] = [
    [models.byNoise, units.map((one) => short(one.noise))],
    [models.byChance, units.map(({ chance }) => short(chance))],
    [models.reachedOf[part], units.map(({ reached }) => percentOf(reached, locale))],
    ...(units.some(({ auc }) => auc !== undefined)
      ? [
          [
            models.aucNoise,
            units.map(({ auc = aucUnknown }) => (auc >= aucUnknown ? models.notTold : short(auc))),
          ] as const,
        ]
      : []),
    ...(units.some(({ share }) => share !== undefined)
      ? [
          [
            models.shareNoise,
            units.map(({ share = aucUnknown }) => (share >= aucUnknown ? models.notTold : short(share))),
          ] as const,
        ]
      : []),
  ]
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={models.noise}>
      <table>
        <thead>
          <tr>
            <th scope="col">{models.rowCount}</th>
            {units.map(({ units: rows }) => (
              <th key={rows} scope="col" className="number">
                {rows.toLocaleString(locale)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([name, cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((text, at) => (
                <td key={units[at]?.units} className="number">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
