// Text in quotes as dates, times, intervals, numbers and booleans: the ISO forms, and PostgreSQL's usual
// words.

import { parseDecimal, rational, type Rational } from "@dosimeter/core/exact"
import { dayOfCivil } from "@dosimeter/proof/catalog/civil-date"
import { microsPerDay, type Constant } from "@dosimeter/proof/catalog/constant"

/** Reads 2024-12-31 or 20241231. */
export function readDate(text: string): Constant | undefined {
  const match = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text) ?? /^\s*(\d{4})(\d{2})(\d{2})\s*$/.exec(text)
  const day = match === null ? undefined : dayOf(match[1], match[2], match[3])
  return day === undefined ? undefined : { kind: "date", day }
}

const timestampShape =
  /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6})\d*)?)?)?\s*$/

/** Reads 2024-12-31 23:59:59.999999, or a part of it from the left; no time zone. */
export function readTimestamp(text: string): Constant | undefined {
  const match = timestampShape.exec(text)
  if (match === null) return undefined
  const [, year, month, date, hour = "0", minute = "0", second = "0", part = ""] = match
  const day = dayOf(year, month, date)
  if (day === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const micros = timeMicros(hour, minute, second) + BigInt(part.padEnd(6, "0"))
  return { kind: "timestamp", micros: day * microsPerDay + micros }
}

function timeMicros(hour: string, minute: string, second: string): bigint {
  return ((BigInt(hour) * 60n + BigInt(minute)) * 60n + BigInt(second)) * 1_000_000n
}

const unitsOfInterval: Readonly<Record<string, readonly ["months" | "days" | "micros", bigint]>> = {
  year: ["months", 12n],
  yr: ["months", 12n],
  y: ["months", 12n],
  month: ["months", 1n],
  mon: ["months", 1n],
  week: ["days", 7n],
  w: ["days", 7n],
  day: ["days", 1n],
  d: ["days", 1n],
  hour: ["micros", 3_600_000_000n],
  hr: ["micros", 3_600_000_000n],
  h: ["micros", 3_600_000_000n],
  minute: ["micros", 60_000_000n],
  min: ["micros", 60_000_000n],
  m: ["micros", 60_000_000n],
  second: ["micros", 1_000_000n],
  sec: ["micros", 1_000_000n],
  s: ["micros", 1_000_000n],
}

/**
 * Reads '30 days', '1 year 2 months', '-1 day', '02:30:00'. A number without a word is in `unit`, the last
 * field of INTERVAL '30' DAY. Fractions only of what is counted in microseconds.
 */
export function readInterval(text: string, unit: string | undefined): Constant | undefined {
  const total = { months: 0n, days: 0n, micros: 0n }
  const words = text.trim().toLowerCase()
  if (words === "" || words.length > 200) return undefined
  const piece =
    /\s*([+-]?)(?:(\d+):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?|(\d+)(?:\.(\d{1,6}))?\s*([a-z]+)?)\s*/y
  while (piece.lastIndex < words.length) {
    const match = piece.exec(words)
    if (match === null) return undefined
    const [, sign, hour, minute, second = "0", part = "", whole, fraction = "", word = unit] = match
    const factor = sign === "-" ? -1n : 1n
    if (hour !== undefined && minute !== undefined) {
      total.micros += factor * (timeMicros(hour, minute, second) + BigInt(part.padEnd(6, "0")))
      continue
    }
    const known = word === undefined ? undefined : unitOf(word)
    if (known === undefined || whole === undefined) return undefined
    const [field, size] = known
    if (fraction !== "" && field !== "micros") return undefined
    const scaled = fraction === "" ? 0n : (BigInt(fraction.padEnd(6, "0")) * size) / 1_000_000n
    total[field] += factor * (BigInt(whole) * size + scaled)
  }
  const isSmall = [total.months, total.days * 32n, total.micros >> 32n].every(
    (n) => n < 1_000_000n && n > -1_000_000n,
  )
  return isSmall ? { kind: "interval", ...total } : undefined
}

function unitOf(word: string): readonly ["months" | "days" | "micros", bigint] | undefined {
  const find = (name: string) => (Object.hasOwn(unitsOfInterval, name) ? unitsOfInterval[name] : undefined)
  return find(word) ?? (word.endsWith("s") ? find(word.slice(0, -1)) : undefined)
}

/** Reads what PostgreSQL takes for a boolean. */
export function readBoolean(text: string): Constant | undefined {
  const word = text.trim().toLowerCase()
  if (["t", "true", "y", "yes", "on", "1"].includes(word)) return { kind: "boolean", value: true }
  if (["f", "false", "n", "no", "off", "0"].includes(word)) return { kind: "boolean", value: false }
  return undefined
}

/** Reads a decimal number: 12, -0.5, .5, 1e3. */
export function readNumber(text: string): Rational | undefined {
  if (text.length > 300) return undefined
  const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?\s*$/i.exec(text)
  if (match === null) return undefined
  const [, sign = "", whole = "", part = "", exponent = "0"] = match
  if (whole === "" && part === "") return undefined
  return parseDecimal(
    `${sign}${whole === "" ? "0" : whole}${part === "" ? "" : `.${part}`}e${exponent}`,
    "number",
  )
}

/** How many digits after the point a decimal needs, up to 40; undefined if it has no end. */
export function scaleOf({ denominator }: Rational): number | undefined {
  for (let scale = 0; scale <= 40; scale += 1) {
    if (10n ** BigInt(scale) % denominator === 0n) return scale
  }
  return undefined
}

/** A number rounded to a whole multiple of 10^-scale, halves away from zero. */
export function roundTo(value: Rational, scale: number): Rational {
  const unit = 10n ** BigInt(scale)
  const doubled = 2n * value.numerator * unit
  const sign = value.numerator < 0n ? -1n : 1n
  const digits = (sign * doubled + value.denominator) / (2n * value.denominator)
  return rational(sign * digits, unit)
}

function dayOf(year = "", month = "", date = ""): bigint | undefined {
  const [y, m, d] = [Number(year), Number(month), Number(date)]
  if (y < 1 || m < 1 || m > 12 || d < 1 || d > daysInMonth(y, m)) return undefined
  return dayOfCivil({ year: BigInt(y), month: BigInt(m), day: BigInt(d) })
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
