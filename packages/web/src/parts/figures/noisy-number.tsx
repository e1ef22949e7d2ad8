// A number with its interval. All screens write released numbers with this component.

import { useLocale, useStrings } from "../../strings/use-strings.ts"
import type { AnswerCell } from "../../api/answer.ts"
import { fixedNumber, placesFor, sureOf } from "./format-number.ts"

interface NoisyNumberProps {
  readonly cell: AnswerCell
  /** Of the interval; undefined where nobody says it. */
  readonly confidence: number | undefined
  /** Digits after the point, the same for a column; worked out from the cell alone if absent. */
  readonly places?: number
  readonly size?: "normal" | "large"
  /** Whether the parts of the interval stand below it: the noise, and what is left out. */
  readonly parts?: boolean
}

/** A released cell. */
export function NoisyNumber({ cell, confidence, places, size = "normal", parts = false }: NoisyNumberProps) {
  const { number } = useStrings()
  const locale = useLocale()
  const { value, low, high, state } = cell
  if (state === "below-threshold") {
    return (
      <span className="below" title={number.belowHelp}>
        {number.below}
      </span>
    )
  }
  if (value === null) return <span className="nothing">{number.nothing}</span>
  const digits = places ?? placesFor([value, low, high].filter(isNumber), [halfWidthOf(cell) ?? 0])
  const show = (end: AnswerCell["low"]): string =>
    isNumber(end) ? fixedNumber(end, digits, locale) : end === null ? number.open : `${end}`
  if (low === undefined && high === undefined) return <span className="noisy">{show(value)}</span>
  const ends = [show(low), show(high)] as const
  const whole =
    confidence === undefined ? number.ends(...ends) : number.between(...ends, sureOf(confidence, locale))
  const { noiseLow, noiseHigh, leftOut } = cell
  const noise = intervalText({ ...cell, low: noiseLow, high: noiseHigh }, digits, {
    locale,
    unknown: number.unknown,
  })
  const spoken =
    noiseLow === undefined ? whole : `${whole}; ${number.noiseAlone(show(noiseLow), show(noiseHigh))}`
  return (
    <span className="noisy" data-size={size} title={spoken}>
      {show(value)}{" "}
      <span className="pm" aria-hidden="true">
        {intervalText(cell, digits, { locale, unknown: number.unknown })}
      </span>
      <span className="sr-only">, {spoken}</span>
      {parts && noiseLow !== undefined ? (
        <span className="parts-line" aria-hidden="true">
          {leftOut === undefined ? number.noisePart(noise) : number.bothParts(noise, show(leftOut))}
        </span>
      ) : null}
    </span>
  )
}

/** Half of the interval's width, if both ends are there. */
export function halfWidthOf({ low, high }: AnswerCell): number | undefined {
  return isNumber(low) && isNumber(high) ? (high - low) / 2 : undefined
}

/** The number of digits after the point for a column of cells. */
export function placesOfColumn(cells: readonly AnswerCell[]): number {
  const values = cells.flatMap(({ value }) => (isNumber(value) ? [value] : []))
  return placesFor(
    values,
    cells.flatMap((cell) => halfWidthOf(cell) ?? []),
  )
}

function intervalText(
  cell: AnswerCell,
  places: number,
  { locale, unknown }: { readonly locale: string; readonly unknown: string },
): string {
  const { value, low, high } = cell
  const half = halfWidthOf(cell)
  if (low === null && high === null) return unknown
  if (half !== undefined && isNumber(low) && isNumber(high) && isNumber(value)) {
    const isCentred = Math.abs((low + high) / 2 - value) <= Math.max(half / 100, 1e-12 * Math.abs(value))
    if (isCentred) return `± ${fixedNumber(half, places, locale)}`
  }
  const end = (bound: AnswerCell["low"]): string =>
    isNumber(bound) ? fixedNumber(bound, places, locale) : bound === null ? "?" : `${bound}`
  return `[${end(low)}, ${end(high)}]`
}

function isNumber(value: unknown): value is number {
  return typeof value === "number"
}
