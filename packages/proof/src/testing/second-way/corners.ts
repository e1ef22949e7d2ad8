// Values at which arithmetic turns: ends of types, powers of ten and their halves, month ends, the last
// microsecond of a day, strange letters. And the values next to them.

/** Whole numbers up to about a thousand, and at the ends of what people count. */
export const smallCorners: readonly bigint[] = signed([
  0n,
  1n,
  2n,
  3n,
  5n,
  7n,
  9n,
  10n,
  12n,
  50n,
  99n,
  100n,
  499n,
  500n,
  999n,
])

/** At the ends of 32 and 64 bits, of what a double holds, and of powers of ten between. */
export const wideCorners: readonly bigint[] = signed([
  ...powers(3, 18),
  2n ** 31n,
  2n ** 32n,
  2n ** 53n,
  2n ** 62n,
  2n ** 63n,
  9_200_000_000_000_000_000n,
  9_223_372_036_854_775_800n,
])

/** Up to the largest that is held. */
export const hugeCorners: readonly bigint[] = signed([
  ...powers(19, 36),
  2n ** 64n,
  2n ** 100n,
  2n ** 120n,
  10n ** 37n - 1n,
])

/** The last whole number that is held, and unscaled decimal. */
export const exactMost: bigint = 10n ** 37n - 1n

function powers(from: number, to: number): readonly bigint[] {
  return Array.from({ length: to - from + 1 }, (_, index) => 10n ** BigInt(from + index)).flatMap((power) => [
    power,
    5n * power,
    power / 2n,
  ])
}

function signed(values: readonly bigint[]): readonly bigint[] {
  return [...new Set(values.flatMap((value) => [value, -value]))]
}

const floatSizes = [
  0,
  5e-324,
  2.2250738585072014e-308,
  1e-300,
  1e-290,
  1e-200,
  1e-150,
  1e-30,
  1e-12,
  1e-6,
  0.1,
  0.25,
  0.3,
  0.5,
  1,
  1.005,
  1.5,
  2,
  2.5,
  2.675,
  3,
  3.5,
  10,
  99.5,
  100,
  123.456,
  690,
  700,
  999.995,
  1e6,
  2147483647.5,
  2147483648,
  4503599627370495.5,
  4503599627370497,
  2 ** 52 + 2,
  9007199254740991,
  9007199254740992,
  9007199254740994,
  1e15,
  1e16,
  1e18,
  9.2e18,
  2 ** 63,
  1e19,
  1e22,
  1e30,
  1e37,
  1e38,
  1e100,
  1e149,
  1e150,
  1e299,
]

/** Doubles at their corners, with both signs. */
export const floatCorners: readonly number[] = [...floatSizes, ...floatSizes.slice(1).map((size) => -size)]

/** The next double above or below. */
export function besideDouble(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * 5e-324
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const isAway = value > 0 === direction > 0
  view.setBigUint64(0, view.getBigUint64(0) + (isAway ? 1n : -1n))
  return view.getFloat64(0)
}

const years = [
  1, 4, 100, 400, 1582, 1899, 1900, 1969, 1970, 1972, 1999, 2000, 2001, 2019, 2020, 2021, 2023, 2024, 2100,
  9996, 9999,
]

/** Days since 1970-01-01 of a date. */
export function dayAt(year: number, month: number, day: number): bigint {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return BigInt(Math.round(date.getTime() / 86_400_000))
}

/** 0001-01-01 and 9999-12-31. */
export const firstDayHeld: bigint = dayAt(1, 1, 1)
/** The last day that is held. */
export const lastDayHeld: bigint = dayAt(9999, 12, 31)

/** The last days of all months of some years, the days around them, and the ends of what is held. */
export const dayCorners: readonly bigint[] = years
  .flatMap((year) =>
    Array.from({ length: 12 }, (_, month) => dayAt(year, month + 2, 0)).flatMap((end) =>
      [-3n, -2n, -1n, 0n, 1n, 2n].map((away) => end + away),
    ),
  )
  .filter((day) => day >= firstDayHeld && day <= lastDayHeld)

/** Microseconds of a day. */
export const dayMicros = 86_400_000_000n
/** Times of a day, in microseconds. */
export const timeCorners: readonly bigint[] = [
  0n,
  1n,
  2_000_000n,
  999_999n,
  3_599_999_999n,
  3_600_000_000n,
  43_200_500_000n,
  dayMicros - 1_000_000n,
  dayMicros - 1n,
]

/** First days of years, quarters, months and weeks. */
export const calendarDays: Readonly<Record<"week" | "month" | "quarter" | "year", readonly bigint[]>> = {
  week: [1, 1900, 1970, 2000, 2020, 2024, 9999].flatMap((year) =>
    [0n, 7n, 14n, 364n]
      .map((days) => mondayAfter(dayAt(year, 1, 1)) + days)
      .filter((day) => day <= lastDayHeld),
  ),
  month: years.flatMap((year) => [1, 2, 3, 12].map((month) => dayAt(year, month, 1))),
  quarter: years.flatMap((year) => [1, 4, 7, 10].map((month) => dayAt(year, month, 1))),
  year: years.map((year) => dayAt(year, 1, 1)),
}

function mondayAfter(day: bigint): bigint {
  let monday = day
  while ((((monday + 3n) % 7n) + 7n) % 7n !== 0n) monday += 1n
  return monday
}

/** Texts: empty, quoted, numbers, dates, marks and letters that databases treat in their own ways. */
export const textCorners: readonly string[] = [
  ..."|a|A|abc|ABC|a b| abc |ab|aab|zz|é|É|😀|a😀b|'|''|\"|\\|%|_|a%b|a\\%b|ß|İ|ſ|Σς|ǅ|ﬀ|--".split("|"),
  ..."0|12| 12 |-7|+5|1.5|.5|5.|1e3|1E-2|1e99|NaN|inf|1e400|99999999999999999999|999999999999999999|0x10".split(
    "|",
  ),
  ..."-0|0.005|2.675|true|T|oN|of|no|1_000|١٢|1e-99|999999999999999999.9999999999999|000000000000000000".split(
    "|",
  ),
  ..."2020-02-29|2019-02-29|0001-01-01|9999-12-31|0000-01-01|2020-01-31 23:59:59.999999|2020-01-31T23:59".split(
    "|",
  ),
  ..."2020-01-31 24:00:00|9999-12-31 23:59:59.999999|2020-1-1|infinity|-infinity|epoch|0044-03-15 (BC)".split(
    "|",
  ),
  "\uFEFF",
  "\uFEFFa",
  "a\uFEFF",
  "\u200B",
  "\u200Ba",
  "a\u200Db",
  "e\u0301",
  "\u00AD",
  "\u2028",
  "\u0085",
  "\u00A0 a",
  "\uFFFD",
  "\uFFFE",
  "\uFFFF",
  "\uE000",
  "\uD7FF",
  "\u{10FFFF}",
  "\u{1D11E}",
  "\u0001",
  "\u007F",
  "\n",
  "\t",
  "a\nb",
  "\r",
  "x".repeat(300),
  "é".repeat(120),
  "%".repeat(40),
  "12 ".padStart(40),
]
