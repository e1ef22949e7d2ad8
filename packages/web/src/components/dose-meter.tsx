// The dose meter: spent, this question, left. The one drawing that goes through every screen.

import { Label, Meter } from "react-aria-components"
import type { Strings } from "../strings/en.ts"
import { useLocale, useStrings } from "../strings/use-strings.ts"
import { percentOf } from "./format-number.ts"

interface DoseMeterProps {
  readonly label: string
  /** Shares of the whole budget, from 0 to 1: they add up, as the ledger adds them up. */
  readonly spent: number
  readonly now?: number
  readonly fits?: boolean
  readonly size?: "small" | "normal"
  /** Beside the label, such as "ε 1.2 of 3". */
  readonly detail?: string
  /** How losses are added up: said in words where it is not epsilon. */
  readonly accounting?: keyof Strings["budget"]["accounting"]
}

/** A dose meter. */
export function DoseMeter(props: DoseMeterProps) {
  const { label, spent, now = 0, fits = true, size = "normal", detail, accounting = "pure" } = props
  const { meter, budget } = useStrings()
  const locale = useLocale()
  const percent = (share: number): string => percentOf(share, locale)
  const shown = { spent: Math.min(1, spent), now: Math.min(now, Math.max(0, 1 - spent)) }
  const left = Math.max(0, 1 - spent - (fits ? now : 0))
  const text =
    now > 0
      ? meter.text(percent(spent), fits ? percent(now) : meter.doesNotFit, percent(left))
      : meter.textShort(percent(spent), percent(left))
  return (
    <Meter
      className="meter"
      value={shown.spent * 100}
      valueLabel={text}
      data-size={size}
      data-fits={fits ? "yes" : "no"}
    >
      <div className="meter-head">
        <Label className="label">{label}</Label>
        {detail === undefined ? null : <span className="small soft figure">{detail}</span>}
      </div>
      <div className="meter-scale" aria-hidden="true">
        <div className="meter-track">
          <div className="meter-spent" style={{ width: `${shown.spent * 100}%` }} />
          {now > 0 ? (
            <div className="meter-now" style={{ width: `${(fits ? shown.now : 1 - shown.spent) * 100}%` }} />
          ) : null}
        </div>
        <div className="meter-hair" style={{ left: `${(shown.spent + shown.now) * 100}%` }} />
      </div>
      {size === "small" ? null : (
        <ul className="meter-legend plain" aria-hidden="true">
          <li>
            <span className="swatch" data-of="spent" /> <b>{percent(spent)}</b> {meter.spent}
          </li>
          {now > 0 ? (
            <li>
              <span className="swatch" data-of="now" /> <b>{fits ? percent(now) : meter.doesNotFit}</b>{" "}
              {meter.now}
            </li>
          ) : null}
          <li>
            <span className="swatch" /> <b>{percent(left)}</b> {meter.left}
          </li>
        </ul>
      )}
      {size === "small" || accounting === "pure" ? null : (
        <p className="small soft">{meter.addsUp(budget.accounting[accounting])}</p>
      )}
    </Meter>
  )
}
