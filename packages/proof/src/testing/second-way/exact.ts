// Values as a database writes them, read by code of their own: nothing here is shared with what derives
// ranges, writes literals or evaluates. Small on purpose.

/** numerator / denominator, not in lowest terms; the denominator is positive. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Is a < b? */
export function isBelow(a: Fraction, b: Fraction): boolean {
  return a.numerator * b.denominator < b.numerator * a.denominator
}

/** Is a = b? */
export function isEqual(a: Fraction, b: Fraction): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator
}

/** A whole number or a decimal: digits, perhaps a point. */
export function exactOf(cell: string): Fraction | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(cell)
  if (match === null) return undefined
  const [, sign = "", whole = "", part = ""] = match
  const size = BigInt(whole + part)
  return { numerator: sign === "-" ? -size : size, denominator: 10n ** BigInt(part.length) }
}

/** A double, from its bits. NaN and infinities are no numbers. */
export function doubleOf(cell: string): Fraction | undefined {
  const value = Number(cell)
  if (cell.trim() === "" || !Number.isFinite(value)) return undefined
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const exponent = (bits >> 52n) & 0x7ffn
  const digits = bits & 0xfffffffffffffn
  const size = exponent === 0n ? digits : digits | (1n << 52n)
  const shift = (exponent === 0n ? 1n : exponent) - 1075n
  const signed = bits >> 63n === 0n ? size : -size
  return shift >= 0n
    ? { numerator: signed << shift, denominator: 1n }
    : { numerator: signed, denominator: 1n << -shift }
}

/** A moment taken apart. */
export interface Moment {
  /** Days since 1970-01-01. */
  readonly day: bigint
  /** Microseconds since midnight. */
  readonly time: bigint
  readonly month: number
  readonly dayOfMonth: number
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A date, or a date and a time, of the years 0001 to 9999. Days are counted month by month. */
export function momentOf(cell: string): Moment | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?$/.exec(cell)
  if (match === null) return undefined
  const [year = 0, month = 0, dayOfMonth = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? "0"))
  const isLeap = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)
  const lengths = monthDays.map((days, index) => (index === 1 && isLeap ? 29 : days))
  const most = lengths[month - 1] ?? 0
  if (year === 0 || dayOfMonth < 1 || dayOfMonth > most || hour > 23 || minute > 59 || second > 59)
    return undefined
  const before = year - 1
  const leaps = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400)
  const inYear = lengths.slice(0, month - 1).reduce((sum, days) => sum + days, 0) + dayOfMonth - 1
  // 719162 days lie before 1970-01-01.
  const day = BigInt(before * 365 + leaps + inYear - 719_162)
  const micros = BigInt((match[7] ?? "").padEnd(6, "0"))
  return { day, time: BigInt(hour * 3600 + minute * 60 + second) * 1_000_000n + micros, month, dayOfMonth }
}
