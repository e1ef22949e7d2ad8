// What synthetic rows cost, and how much noise there will be: before anything is paid.

import { Fragment } from "react"
import type { Reply } from "../../api/server.ts"
import { percentOf } from "../../parts/figures/format-number.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

interface PriceProps {
  readonly price: Reply<"priceSynthetic">
  readonly isBusy: boolean
  readonly onMake: () => void
}

/** The card, with the button that pays. */
export function PriceCard({ price: { cost, quality, free }, isBusy, onMake }: PriceProps) {
  const { synthetic } = useStrings()
  const locale = useLocale()
  const facts: readonly (readonly [string, string])[] = [
    [
      synthetic.noise,
      synthetic.noiseOf(quality.column.toLocaleString(locale, { maximumSignificantDigits: 3 })),
    ],
    ...quality.misplaced.map(
      ({ units, share }) =>
        [
          synthetic.misplaced(units.toLocaleString(locale)),
          synthetic.about(percentOf(share, locale)),
        ] as const,
    ),
  ]
  return (
    <section className="card stack" aria-label={synthetic.price}>
      <h2>{synthetic.price}</h2>
      <p role="status">
        <b>{free ? synthetic.free : synthetic.costs(cost.words)}</b>
      </p>
      <dl className="facts">
        {facts.map(([term, text]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
      <div>
        <Button variant="primary" isDisabled={isBusy} onPress={onMake}>
          {free ? synthetic.make : synthetic.measure}
        </Button>
      </div>
    </section>
  )
}
