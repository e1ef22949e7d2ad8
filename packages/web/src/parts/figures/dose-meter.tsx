// The dose meter: spent, this question, left. Every screen uses this one drawing. Of loss and delta it shows
// the one that runs out first, as the server and the command line do.

import { showShare, type Used } from "@dosimeter/core/accounting"
import { Label, Meter } from "react-aria-components"
import type { Strings } from "../../strings/en.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { sharesOf } from "./meter-shares.ts"

interface DoseMeterProps {
  readonly label: string
  /** How much is used, and after this question. */
  readonly used: Used
  readonly after?: Used | undefined
  readonly fits?: boolean
  readonly size?: "small" | "normal"
  /** Beside the label, such as "ε 1.2 of 3"; how much is used if left out. */
  readonly detail?: string
  /** How losses are added up; explained below the bar if given. */
  readonly accounting?: keyof Strings["budget"]["accounting"]
}

/** A dose meter. */
export function DoseMeter(props: DoseMeterProps) {
  const { label, used, after = used, fits = true, size = "normal", accounting } = props
  const { meter } = useStrings()
  const { spent, now, left } = sharesOf(used, after, fits)
  const text =
    now > 0
      ? meter.text(showShare(spent), fits ? showShare(now) : meter.doesNotFit, showShare(left))
      : meter.textShort(showShare(spent), showShare(left))
  const detail = props.detail ?? meter.used(showShare(spent))
  return (
    <Meter
      className="meter"
      value={spent * 100}
      valueLabel={text}
      data-size={size}
      data-fits={fits ? "yes" : "no"}
    >
      <div className="meter-head">
        <Label className="label">{label}</Label>
        <span className="small soft figure">{detail}</span>
      </div>
      <div className="meter-scale" aria-hidden="true">
        <div className="meter-track">
          <div className="meter-spent" style={{ width: `${spent * 100}%` }} />
          {now > 0 ? <div className="meter-now" style={{ width: `${now * 100}%` }} /> : null}
        </div>
        <div className="meter-hair" style={{ left: `${(spent + now) * 100}%` }} />
      </div>
      {size === "small" ? null : <Legend spent={spent} now={now} left={left} fits={fits} />}
      {size === "small" || accounting === undefined ? null : (
        <Counted used={used} after={after} accounting={accounting} />
      )}
    </Meter>
  )
}

interface LegendProps {
  readonly spent: number
  readonly now: number
  readonly left: number
  readonly fits: boolean
}

function Legend({ spent, now, left, fits }: LegendProps) {
  const { meter } = useStrings()
  return (
    <ul className="meter-legend plain" aria-hidden="true">
      <li>
        <span className="swatch" data-of="spent" /> <b>{showShare(spent)}</b> {meter.spent}
      </li>
      {now > 0 || !fits ? (
        <li>
          <span className="swatch" data-of="now" /> <b>{fits ? showShare(now) : meter.doesNotFit}</b>{" "}
          {meter.now}
        </li>
      ) : null}
      <li>
        <span className="swatch" /> <b>{showShare(left)}</b> {meter.left}
      </li>
    </ul>
  )
}

interface CountedProps {
  readonly used: Used
  readonly after: Used
  readonly accounting: keyof Strings["budget"]["accounting"]
}

/** Which of the two the bar shows, loss or delta, and how much of the other is used. */
function Counted({ used, after, accounting }: CountedProps) {
  const { meter, budget } = useStrings()
  const name = budget.accounting[accounting]
  const change = (before: number, next: number): string =>
    before === next ? showShare(before) : `${showShare(before)} → ${showShare(next)}`
  const loss = `${name} ${change(used.loss, after.loss)}`
  const delta = `δ ${change(used.delta, after.delta)}`
  return (
    <p className="small soft">
      {after.delta > 0 ? `${meter.twoRunOut(loss, delta)} ` : ""}
      {after.first === "loss" && accounting !== "pure" ? meter.addsUp(name) : ""}
    </p>
  )
}
