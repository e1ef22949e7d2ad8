// PostgreSQL.

import type { DialectSpelling } from "./dialect.ts"

/** How PostgreSQL spells what differs. */
export const postgres: DialectSpelling = {
  types: {
    huge: "NUMERIC",
    float: "DOUBLE PRECISION",
    text: "TEXT",
    timestamp: "TIMESTAMP",
    decimal: () => "NUMERIC",
    oneDecimal: true,
    // Only with a scale does NUMERIC round; it holds any range of ours if it has all digits that it may have.
    rounding: (stored, scale) => (stored === "NUMERIC" ? `NUMERIC(1000, ${scale})` : stored),
  },
  constants: {
    isBareInteger: () => true,
    double: (digits) => `CAST('${digits}' AS DOUBLE PRECISION)`,
    // A backslash is written so that no setting of the server changes its meaning.
    text: (doubled) => (doubled.includes("\\") ? `E'${doubled.replaceAll("\\", "\\\\")}'` : `'${doubled}'`),
    // A bare text is of no type yet.
    typedText: (text) => `CAST(${text} AS TEXT)`,
  },
  casts: {
    tryCast: undefined,
    attempt: undefined,
    roundsToEven: () => true,
    nullIsInteger: false,
  },
  numbers: {
    underflowFails: true,
    keepsDecimal: { sum: true, product: true, remainder: true },
    wholeQuotient: (a, b, stored) => (stored === "NUMERIC" ? `div(${a}, ${b})` : `(${a} / ${b})`),
    truncate: (x) => `trunc(${x})`,
    roundEven: (double) => `round(${double})`,
    // Its own round goes to even.
    roundAway: (double) =>
      `CASE WHEN abs(${double} - trunc(${double})) >= 0.5 THEN trunc(${double}) + sign(${double}) ELSE trunc(${double}) END`,
    exact: (x) => `CAST(${x} AS NUMERIC)`,
    log10: (double) => `log(${double})`,
    greatest: (values) => `GREATEST(${values.join(", ")})`,
    least: (values) => `LEAST(${values.join(", ")})`,
    decimalText: (decimal, scale) => `CAST(CAST(${decimal} AS NUMERIC(1000, ${scale})) AS TEXT)`,
    sumWidens: true,
    sumMayFail: () => false,
    nearestWhole: undefined,
  },
  texts: {
    byCodePoint: (text) => `(${text} COLLATE "C")`,
    // Under the collation "C" letters have no case but the ASCII ones.
    lower: (text) => `(lower(${text} COLLATE "default") COLLATE "C")`,
    upper: (text) => `(upper(${text} COLLATE "default") COLLATE "C")`,
    first: (text, count) => `left(${text}, ${count})`,
    left: (text, count) => `left(${text}, ${count})`,
    right: (text, count) => `right(${text}, ${count})`,
    trim: (side, text, characters) => `${trims[side]}(${text}, ${characters})`,
    substring: "substring",
    isLike: (text, expression) => `${text} ~ '^(${expression})$'`,
    // LIKE gives up once a later part is nowhere to be found.
    linearLike: undefined,
    lists: undefined,
  },
  dates: {
    plusDays: (date, days) => `(${date} + ${days})`,
    daysBetween: (to, from) => `(${to} - ${from})`,
    plusInterval: (x, { months, days, micros }) =>
      `(${x} + INTERVAL '${months} months' + INTERVAL '${days} days' + INTERVAL '${micros} microseconds')`,
    secondsBetween: (to, from) => `CAST(EXTRACT(EPOCH FROM (${to} - ${from})) AS NUMERIC(1000, 6))`,
    field: (field, x) =>
      field === "second" ? `floor(EXTRACT(second FROM ${x}))` : `EXTRACT(${field} FROM ${x})`,
    epoch: (timestamp) => `CAST(EXTRACT(EPOCH FROM ${timestamp}) AS DOUBLE PRECISION)`,
    // Of a date it would make a time with the zone of the session.
    truncatesDates: false,
    age: {
      kind: "function",
      between: (to, from, unit) => {
        const years = `EXTRACT(YEAR FROM age(${to}, ${from}))`
        return unit === "years" ? years : `${years} * 12 + EXTRACT(MONTH FROM age(${to}, ${from}))`
      },
    },
    dateText: (date) => `to_char(${date}, 'YYYY-MM-DD')`,
    timestampText: (timestamp) => `to_char(${timestamp}, 'YYYY-MM-DD HH24:MI:SS.US')`,
  },
  columns: {
    text: (column) => `(CAST(${column} AS TEXT) COLLATE "C")`,
    textSize: (text) => `octet_length(${text})`,
    // As a text: before version 14 infinity is no NUMERIC, and the cast would fail.
    isNumber: (column) => `CAST(${column} AS TEXT) <> 'NaN'`,
    // A bare number takes the type of what it is compared with.
    bound: (decimal) => decimal,
    exactBounds: true,
  },
  secrets: {
    parameter: () => "CAST($1 AS TEXT)",
    values: "one",
    hash: (text) => `(encode(sha256(convert_to(${text}, 'UTF8')), 'hex') COLLATE "C")`,
    orderHash: undefined,
    hashNumber: (hash) => `CAST(CAST('x' || left(${hash}, 8) AS BIT(32)) AS BIGINT)`,
  },
  relations: { depthMax: Infinity, totals: "windows", fullJoin: "equalities" },
}

const trims = { BOTH: "btrim", LEADING: "ltrim", TRAILING: "rtrim" } as const
