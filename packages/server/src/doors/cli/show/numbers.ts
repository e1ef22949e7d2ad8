// Numbers for people: as many digits as mean something, thousands apart.

/** With so many digits after the point. */
export function fixedNumber(value: number, places: number): string {
  const text = Math.abs(value) < 1e15 ? value.toFixed(Math.min(places, 12)) : `${value}`
  return group(/^-0(\.0*)?$/.test(text) ? text.slice(1) : text)
}

/** With at most four digits that count. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return `${value}`
  return group(`${Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4))}`)
}

/** Rounded up to four digits, so that no loss is understated: "0.5", "0.4597", "8.54e-7". */
export function costNumber(value: number): string {
  if (value === 0) return "0"
  const power = Math.floor(Math.log10(value)) - 3
  // A value barely above a short number is shown as that number: 0.5 must not become 0.5001.
  const digits = Math.ceil(value / 10 ** power - 1e-6)
  return `${Number(`${digits}e${power}`)}`
}

/** How many places after the point show two digits of this width. */
export function placesFor(width: number): number {
  if (!(width > 0) || !Number.isFinite(width)) return 0
  return Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(width))))
}

function group(text: string): string {
  if (text.includes("e")) return text
  const [whole = "", part] = text.split(".")
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")
  return part === undefined ? grouped : `${grouped}.${part}`
}
