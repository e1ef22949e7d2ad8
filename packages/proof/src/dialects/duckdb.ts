// DuckDB.

import type { DialectSpelling } from "./dialect.ts"
import { secondsOf } from "./shared-forms.ts"

/** How DuckDB spells what differs. */
export const duckdb: DialectSpelling = {
  types: {
    huge: "HUGEINT",
    float: "DOUBLE",
    text: "VARCHAR",
    timestamp: "TIMESTAMP",
    decimal: (digits, scale) => `DECIMAL(${digits}, ${scale})`,
    oneDecimal: false,
    rounding: (stored) => stored,
  },
  constants: {
    isBareInteger: () => true,
    double: (digits) => `CAST('${digits}' AS DOUBLE)`,
    text: (doubled) => `'${doubled}'`,
    typedText: (text) => text,
  },
  casts: {
    tryCast: (text, type) => `TRY_CAST(${text} AS ${type})`,
    attempt: (text) => `TRY(${text})`,
    // The end of 32 bits is looked at before a double is rounded: -2147483648.25 would fail.
    roundsToEven: ({ numerator, denominator }) => numerator >= -(2n ** 31n) * denominator,
    nullIsInteger: true,
  },
  numbers: {
    underflowFails: false,
    keepsDecimal: { sum: true, product: false, remainder: false },
    wholeQuotient: (a, b) => `(${a} // ${b})`,
    truncate: (x) => `trunc(${x})`,
    roundEven: (double) => `round_even(${double}, 0)`,
    roundAway: (double) => `round(${double})`,
    exact: (x) => x,
    log10: (double) => `log10(${double})`,
    greatest: (values) => `GREATEST(${values.join(", ")})`,
    least: (values) => `LEAST(${values.join(", ")})`,
    decimalText: (decimal) => `CAST(${decimal} AS VARCHAR)`,
    sumWidens: true,
    sumMayFail: (type) => /^(HUGEINT|DECIMAL\(38)/.test(type),
    nearestWhole: (double, type) => `TRY_CAST(round(${double}) AS ${type})`,
  },
  texts: {
    byCodePoint: (text) => text,
    lower: (text) => `lower(${text})`,
    upper: (text) => `upper(${text})`,
    first: (text, count) => `left(${text}, ${count})`,
    left: (text, count) => `left(${text}, ${count})`,
    right: (text, count) => `right(${text}, ${count})`,
    trim: (side, text, characters) => `${trims[side]}(${text}, ${characters})`,
    substring: "substring",
    isLike: (text, expression) => `regexp_full_match(${text}, '${expression}')`,
    // What is escaped and what is put in lower case is its own doing: no rule of ours can differ from it.
    // `s`: `.` is any character, a line break too.
    linearLike: (text, parts) => {
      const written = parts.map((part) =>
        part.kind === "operators" ? part.text : `regexp_escape(${part.text})`,
      )
      return `regexp_full_match(${text}, ${written.join(" || ")}, 's')`
    },
    lists: {
      contains: (items, text) => `list_contains([${items.join(", ")}], ${text})`,
      containsOrNull: (items, text) =>
        `(list_position([${[...items, "NULL"].join(", ")}], ${text}) IS NOT NULL)`,
    },
  },
  dates: {
    plusDays: (date, days) => `(${date} + ${days})`,
    daysBetween: (to, from) => `(${to} - ${from})`,
    plusInterval: (x, { months, days, micros }) =>
      `(${x} + INTERVAL '${months} months' + INTERVAL '${days} days' + INTERVAL '${micros} microseconds')`,
    secondsBetween: (to, from, type) => secondsOf(`(epoch_us(${to}) - epoch_us(${from}))`, type),
    field: (field, x) =>
      field === "second" ? `floor(EXTRACT(second FROM ${x}))` : `EXTRACT(${field} FROM ${x})`,
    epoch: (timestamp) => `epoch(${timestamp})`,
    truncatesDates: false,
    age: { kind: "keys", microsOfDay: (x) => `(epoch_us(${x}) - epoch_us(date_trunc('day', ${x})))` },
    dateText: (date) => `CAST(${date} AS VARCHAR)`,
    timestampText: (timestamp) => `strftime(${timestamp}, '%Y-%m-%d %H:%M:%S.%f')`,
  },
  columns: {
    // The collation of a source is lost: what it takes for equal would be one person, or one group.
    text: (column) => `(CAST(${column} AS VARCHAR) COLLATE "C")`,
    textSize: (text) => `strlen(${text})`,
    isNumber: (column) => `NOT isnan(CAST(${column} AS DOUBLE))`,
    // As a double: a decimal bound would make DuckDB cast a column that may not fit it.
    bound: (decimal) => `CAST('${decimal}' AS DOUBLE)`,
    exactBounds: false,
  },
  secrets: {
    parameter: () => "CAST($1 AS VARCHAR)",
    values: "one",
    hash: (text) => `sha256(${text})`,
    // Twice: DuckDB puts the hashes of several values together by XOR, and in that order alone some keys
    // would come first for half of all units.
    orderHash: (values) => `hash(hash(${values.join(", ")}))`,
    hashNumber: (hash) => `CAST(${hash} >> 32 AS BIGINT)`,
  },
  relations: { depthMax: 8, totals: "joined", fullJoin: "any" },
}

const trims = { BOTH: "trim", LEADING: "ltrim", TRAILING: "rtrim" } as const
