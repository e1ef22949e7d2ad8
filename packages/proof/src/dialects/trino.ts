// Trino.

import type { ExtractField } from "../functions/dates.ts"
import type { DialectSpelling } from "./dialect.ts"
import { secondsOf } from "./shared-forms.ts"

/** How Trino spells what differs. */
export const trino: DialectSpelling = {
  types: {
    huge: "DECIMAL(38, 0)",
    float: "DOUBLE",
    text: "VARCHAR",
    timestamp: "TIMESTAMP(6)",
    decimal: (digits, scale) => `DECIMAL(${digits}, ${scale})`,
    oneDecimal: false,
    rounding: (stored) => stored,
  },
  constants: {
    isBareInteger: (type) => !type.startsWith("DECIMAL"),
    double: (digits) => `DOUBLE '${digits}'`,
    text: (doubled) => `'${doubled}'`,
    typedText: (text) => text,
  },
  casts: {
    tryCast: (text, type) => `TRY_CAST(${text} AS ${type})`,
    attempt: (text) => `try(${text})`,
    roundsToEven: () => false,
    nullIsInteger: false,
  },
  numbers: {
    underflowFails: false,
    keepsDecimal: { sum: false, product: false, remainder: false },
    // Quotients of decimals are rounded; without the remainder there is nothing to round.
    wholeQuotient: (a, b, stored) =>
      stored.startsWith("DECIMAL") ? `CAST((${a} - (${a} % ${b})) / ${b} AS ${stored})` : `(${a} / ${b})`,
    truncate: (x) => `truncate(${x})`,
    roundEven: (x) =>
      `CASE WHEN abs(${x} - truncate(${x})) = DOUBLE '5e-1' THEN 2 * round(${x} / 2) ELSE round(${x}) END`,
    roundAway: (double) => `round(${double})`,
    exact: (x) => x,
    log10: (double) => `log10(${double})`,
    // GREATEST and LEAST give NULL as soon as one value is NULL.
    greatest: (values) => `array_max(${notNull(values)})`,
    least: (values) => `array_min(${notNull(values)})`,
    decimalText: (decimal) => `CAST(${decimal} AS VARCHAR)`,
    sumWidens: false,
    sumMayFail: () => false,
    nearestWhole: undefined,
  },
  texts: {
    byCodePoint: (text) => text,
    lower: (text) => `lower(${text})`,
    upper: (text) => `upper(${text})`,
    first: (text, count) => `substr(${text}, 1, ${count})`,
    left: (text, count) => {
      const rest = `CASE WHEN length(${text}) + ${count} > 0 THEN length(${text}) + ${count} ELSE 0 END`
      return `substr(${text}, 1, CASE WHEN ${count} >= 0 THEN ${count} WHEN ${count} < 0 THEN ${rest} END)`
    },
    right: (text, count) => {
      const from = `CASE WHEN ${count} < length(${text}) THEN length(${text}) - ${count} + 1 ELSE 1 END`
      return `substr(${text}, CASE WHEN ${count} >= 0 THEN ${from} WHEN ${count} < 0 THEN 1 - ${count} END)`
    },
    trim: (side, text, characters) => `trim(${side} ${characters} FROM ${text})`,
    substring: "substr",
    isLike: (text, expression) => `regexp_like(${text}, '\\A(${expression})\\z')`,
    // LIKE is an automaton.
    linearLike: undefined,
    lists: undefined,
  },
  dates: {
    plusDays: (date, days) => `date_add('day', ${days}, ${date})`,
    daysBetween: (to, from) => `date_diff('day', ${from}, ${to})`,
    plusInterval: (x, { months, days, micros: more }) => {
      const withMonths = months === 0n ? x : `date_add('month', ${months}, ${x})`
      const withDays = days === 0n ? withMonths : `date_add('day', ${days}, ${withMonths})`
      if (more === 0n) return withDays
      // Trino's intervals have milliseconds.
      return more % 1000n === 0n
        ? `date_add('millisecond', ${more / 1000n}, ${withDays})`
        : atMicros(`(${micros(withDays)} + BIGINT '${more}')`)
    },
    secondsBetween: (to, from, type) => secondsOf(`(${micros(to)} - ${micros(from)})`, type),
    field: (field, x) => fields[field](x),
    epoch: (timestamp) => `to_unixtime(${timestamp})`,
    truncatesDates: true,
    age: {
      kind: "keys",
      microsOfDay: (x) =>
        `(date_diff('second', date_trunc('day', ${x}), date_trunc('second', ${x})) * BIGINT '1000000' + ${fraction(x)})`,
    },
    dateText: (date) => `CAST(${date} AS VARCHAR)`,
    timestampText: (timestamp) => `CAST(${timestamp} AS VARCHAR)`,
  },
  columns: {
    text: (column) => `CAST(${column} AS VARCHAR)`,
    textSize: (text) => `length(${text})`,
    isNumber: (column) => `NOT is_nan(CAST(${column} AS DOUBLE))`,
    bound: (decimal) => `DOUBLE '${decimal}'`,
    exactBounds: false,
  },
  secrets: {
    parameter: () => "CAST(? AS VARCHAR)",
    values: "each",
    hash: (text) => `lower(to_hex(sha256(to_utf8(${text}))))`,
    orderHash: undefined,
    hashNumber: (hash) => `from_base(substr(${hash}, 1, 8), 16)`,
  },
  relations: { depthMax: Infinity, totals: "windows", fullJoin: "equalities" },
}

function notNull(values: readonly string[]): string {
  return `filter(ARRAY[${values.join(", ")}], v -> v IS NOT NULL)`
}

/** Microseconds since 1970: Trino counts whole seconds, and shows six digits more. */
function micros(x: string): string {
  return `(date_diff('second', TIMESTAMP '1970-01-01 00:00:00.000000', date_trunc('second', ${x})) * BIGINT '1000000' + ${fraction(x)})`
}

/** The timestamp at so many microseconds since 1970. */
function atMicros(count: string): string {
  const nanos = `CAST(${count} AS DECIMAL(24, 0)) * DECIMAL '1000'`
  return `CAST(from_unixtime_nanos(${nanos}) AT TIME ZONE 'UTC' AS TIMESTAMP(6))`
}

function fraction(x: string): string {
  return `CAST(substr(CAST(${x} AS VARCHAR), -6) AS BIGINT)`
}

const fields: Readonly<Record<Exclude<ExtractField, "epoch">, (x: string) => string>> = {
  year: (x) => `year(${x})`,
  quarter: (x) => `quarter(${x})`,
  month: (x) => `month(${x})`,
  week: (x) => `week(${x})`,
  day: (x) => `day(${x})`,
  dow: (x) => `(day_of_week(${x}) % 7)`,
  isodow: (x) => `day_of_week(${x})`,
  doy: (x) => `day_of_year(${x})`,
  hour: (x) => `hour(${x})`,
  minute: (x) => `minute(${x})`,
  second: (x) => `second(${x})`,
}
