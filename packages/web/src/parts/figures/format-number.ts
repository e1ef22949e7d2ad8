// Numbers for people: digits by the width of the interval, written in the style of the language.

/** Digits after the point: two significant ones of the narrowest interval, none for whole numbers. */
export function placesFor(values: readonly number[], halfWidths: readonly number[]): number {
  if (values.every((value) => Number.isInteger(value))) return 0
  const narrow = Math.min(...halfWidths.filter((width) => width > 0), Infinity)
  if (!Number.isFinite(narrow)) return 2
  return Math.min(8, Math.max(0, 1 - Math.floor(Math.log10(narrow))))
}

/** A number with so many digits after the point. */
export function fixedNumber(value: number, places: number, locale: string): string {
  return value.toLocaleString(locale, { minimumFractionDigits: places, maximumFractionDigits: places })
}

/** An amount of loss: three significant digits, never rounded to zero. */
export function lossNumber(value: number, locale: string): string {
  if (value === 0) return "0"
  if (Math.abs(value) < 0.001) return value.toExponential(1).replace(".0e", "e")
  return value.toLocaleString(locale, { maximumSignificantDigits: 3 })
}

/** A share as percent: more than 0 is never shown as 0 %, less than 1 never as 100 %. */
export function percentOf(share: number, locale: string): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return "< 1 %"
  if (percent > 99 && percent < 100) return "> 99 %"
  return `${Math.round(percent).toLocaleString(locale)} %`
}

/** The rounding error that a product of doubles may have: 0.07 times 1000 is more than 70. */
const dust = 1e-9

/** Rounded up to a whole number, ignoring rounding errors of doubles. */
export function roundedUp(value: number): number {
  // Plus zero, so that -0 becomes 0.
  return Math.ceil(value - dust) + 0
}

/** Rounded down to a whole number, ignoring rounding errors of doubles. */
export function roundedDown(value: number): number {
  return Math.floor(value + dust)
}

/** An upper bound of a probability as percent, rounded up. */
export function atMostPercent(share: number, locale: string): string {
  return `${(roundedUp(share * 1000) / 10).toLocaleString(locale, { maximumFractionDigits: 1 })} %`
}

/** A confidence such as 0.95. */
export function sureOf(confidence: number, locale: string): string {
  return `${(confidence * 100).toLocaleString(locale, { maximumSignificantDigits: 4 })} %`
}

/** An upper bound of a factor, rounded up to a few digits. */
export function factorNumber(factor: number, locale: string): string {
  const step = factor < 10 ? 100 : 1
  return (roundedUp(factor * step) / step).toLocaleString(locale)
}
