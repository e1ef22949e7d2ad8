// A dose in odds: how far all answers together can move a guess about one person. From the trusted core.

import { exactly } from "@dosimeter/core"
import { posteriorBounds } from "@dosimeter/core/meaning"
import { useMemo } from "react"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { roundedDown, roundedUp } from "./format-number.ts"

interface OddsProps {
  readonly epsilon: string
  readonly delta: string
}

const priors: readonly string[] = ["0.01", "0.1", "0.5"]

/** Three guesses, each with the bounds between which it stays. */
export function Odds({ epsilon, delta }: OddsProps) {
  const { consent } = useStrings()
  const locale = useLocale()
  const bounds = useMemo(
    () => priors.map((prior) => ({ prior, ...beliefOf(epsilon, delta, prior) })),
    [epsilon, delta],
  )
  const show = (share: number, round: (value: number) => number): string =>
    `${(round(share * 1000) / 10).toLocaleString(locale, { maximumFractionDigits: 1 })} %`
  return (
    <div className="odds">
      {bounds.map(({ prior, lower, upper }) => (
        <div key={prior}>
          <p className="small soft">{consent.from(show(Number(prior), Math.round))}</p>
          <p>
            <b className="figure">{consent.to(show(lower, roundedDown), show(upper, roundedUp))}</b>
          </p>
        </div>
      ))}
    </div>
  )
}

/** The bounds; with a delta they hold except with a probability of one in a thousand. */
function beliefOf(epsilon: string, delta: string, prior: string) {
  const loss = {
    measure: "approx",
    epsilon: exactly(epsilon, "epsilon"),
    delta: exactly(delta, "delta"),
  } as const
  return posteriorBounds({ loss, prior, failure: "0.001" })
}
