// Calls of functions for generated questions, by the kind of value that they give: every name that people may
// write, over any arguments. random-expression.ts puts them together.

import type { Dice } from "@dosimeter/proof/testing/dice"
import type { ColumnKind } from "@dosimeter/proof/testing/hostile-values"

/** What calls are made of. */
export interface Parts {
  readonly dice: Dice
  /** An expression of a kind. */
  readonly part: (kind: ColumnKind) => string
  readonly condition: () => string
}

type Call = (parts: Parts) => string

const small = ["0", "1", "2", "3", "7", "-1", "10"]
/** At the ends of 32, 64 and 128 bits, and of what a double tells apart. */
const wide = [
  "2147483647",
  "-2147483648",
  "9007199254740993",
  "9223372036854775800",
  "-9223372036854775808",
  "100000000000000000000",
  "1000000000000000000000000000000000000",
]
const digits = ["-30", "-19", "-17", "-12", "-9", "-2", "-1", "0", "1", "2", "3", "12"]
const months = [
  "1 month",
  "-1 month",
  "2 months",
  "-13 months",
  "1 month 1 day",
  "6 months -31 days",
  "12 months",
]
const times = ["36 hours", "-1 second", "1 day -1 second", "90 minutes", "1 month 2 hours"]
const letters = ["' '", "'A'", "'AB '", "''", "'😀x'", "'\uFEFF'"]
const dateUnits = ["day", "week", "month", "quarter", "year"]
const timeUnits = ["second", "minute", "hour", ...dateUnits]
const dateFields = ["YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOW", "ISODOW", "DOY"]
const timeFields = ["HOUR", "MINUTE", "SECOND"]
/** The last days of March around midnight: months move them out of order. */
const marchEnds = ["TIMESTAMP '2020-03-30 23:59:59'", "TIMESTAMP '2020-03-31 00:00:02'"]
const marchDays = ["DATE '2020-03-29'", "DATE '2020-03-31'"]

const integers: readonly Call[] = [
  ({ part }) => `(${part("integer")} + ${part("integer")})`,
  ({ part }) => `(${part("integer")} - ${part("integer")})`,
  ({ part, dice }) => `(${part("integer")} * ${dice.pick(small)})`,
  ({ part }) => `(${part("integer")} / ${part("integer")})`,
  ({ part, dice }) => `(${part("integer")} % ${dice.pick(["3", "0", part("integer")])})`,
  ({ part }) => `MOD(${part("integer")}, ${part("integer")})`,
  ({ part }) => `ABS(${part("integer")})`,
  ({ part }) => `(- ${part("integer")})`,
  ({ part, dice }) => `SIGN(${part(dice.pick<ColumnKind>(["integer", "decimal", "float"]))})`,
  ({ part, dice }) => `CLAMP(${part("integer")}, ${dice.pick(["0", "-3"])}, ${dice.pick(["5", "8"])})`,
  ({ part, dice }) => `(CLAMP(${part("integer")}, 0, 5) + ${dice.pick(wide)})`,
  ({ part, dice }) => `ROUND(CLAMP(${part("integer")}, 0, 5) + ${dice.pick(wide)}, ${dice.pick(digits)})`,
  ({ part, dice }) =>
    `${dice.pick(["ROUND", "TRUNC", "TRUNCATE"])}(${part("integer")}, ${dice.pick(digits)})`,
  ({ part, dice }) => `${dice.pick(["ROUND", "TRUNC", "FLOOR", "CEIL", "CEILING"])}(${part("decimal")})`,
  ({ part, dice }) => `${dice.pick(["LENGTH", "LEN", "CHAR_LENGTH", "CHARACTER_LENGTH"])}(${part("text")})`,
  ({ part }) => `POSITION(${part("text")} IN ${part("text")})`,
  ({ part, dice }) => `${dice.pick(["STRPOS", "INSTR"])}(${part("text")}, ${dice.pick(letters)})`,
  ({ part, dice }) =>
    `EXTRACT(${dice.pick(dateFields)} FROM ${part(dice.pick<ColumnKind>(["date", "timestamp"]))})`,
  ({ part, dice }) => `DATE_PART('${dice.pick(timeFields)}', ${part("timestamp")})`,
  ({ part, dice }) => `${dice.pick(["YEAR", "QUARTER", "MONTH", "DAY"])}(${part("date")})`,
  ({ part, dice }) =>
    `EXTRACT(${dice.pick(["YEAR", "MONTH"])} FROM AGE(${part("timestamp")}, ${part("date")}))`,
  ({ part, dice }) => `${dice.pick(["DATE_DIFF", "DATEDIFF"])}('day', ${part("date")}, ${part("timestamp")})`,
  ({ part }) => `EXTRACT(DAY FROM ${part("timestamp")} - ${part("timestamp")})`,
  ({ part }) => `(${part("date")} - ${part("date")})`,
  ({ part, dice }) =>
    `CAST(${part(dice.pick<ColumnKind>(["text", "float", "decimal", "boolean"]))} AS integer)`,
  ({ part, dice }) =>
    `CAST(EXTRACT(EPOCH FROM (CASE WHEN ${part("boolean")} THEN ${marchEnds.join(" ELSE ")} END + INTERVAL '${dice.pick(months)}')) AS integer)`,
  ({ part, condition, dice }) =>
    `${dice.pick(["IF", "IFF"])}(${condition()}, ${part("integer")}, ${dice.pick(wide)})`,
  ({ part, dice }) => `${dice.pick(["IFNULL", "NVL"])}(${part("integer")}, ${part("integer")})`,
]

const floats: readonly Call[] = [
  ({ part, dice }) => `(${part("float")} ${dice.pick(["+", "-", "*"])} ${part("float")})`,
  ({ part, dice }) => `(${part("float")} / ${part(dice.pick<ColumnKind>(["integer", "decimal", "float"]))})`,
  ({ part }) => `(${part("decimal")} / ${part("decimal")})`,
  ({ part }) => `SQRT(${part("float")})`,
  ({ part, dice }) =>
    `${dice.pick(["LN", "LOG", "LOG10"])}(${part(dice.pick<ColumnKind>(["float", "integer", "decimal"]))})`,
  ({ part }) => `LOG(2, ${part("float")})`,
  ({ part }) => `EXP(CLAMP(${part("float")}, -5, 5))`,
  ({ part }) => `POWER(CLAMP(${part("float")}, -5, 5), 2)`,
  ({ part, dice }) =>
    `${dice.pick(["POWER", "POW"])}(CLAMP(${part("integer")}, -5, 5), CLAMP(${part("decimal")}, -3, 3))`,
  ({ part }) => `(CLAMP(${part("decimal")}, 0, 5) ^ 3)`,
  ({ part, dice }) => `${dice.pick(["ROUND", "FLOOR", "CEIL", "TRUNC"])}(${part("float")})`,
  ({ part, dice }) => `EXTRACT(EPOCH FROM ${part(dice.pick<ColumnKind>(["date", "timestamp"]))})`,
  ({ part, dice }) =>
    `CAST(${part(dice.pick<ColumnKind>(["integer", "decimal", "text"]))} AS double precision)`,
  ({ part, dice }) => `CAST(${dice.pick(wide)} + CLAMP(${part("decimal")}, 0, 1) AS double precision)`,
  ({ part }) => `CLAMP(${part("float")}, -1.5, 4)`,
  ({ part }) => `ABS(- ${part("float")})`,
]

const decimals: readonly Call[] = [
  ({ part, dice }) =>
    `(${part("decimal")} ${dice.pick(["+", "-"])} ${part(dice.pick<ColumnKind>(["integer", "decimal"]))})`,
  ({ part, dice }) => `(${part("decimal")} * ${dice.pick(["1.5", "0.25", "CLAMP(1, 0, 0)"])})`,
  ({ part, dice }) =>
    `(CAST(CLAMP(${part("integer")}, 0, 0) AS decimal(12,1)) * ${dice.pick(["999999999999999999999999998.0", "1.0"])})`,
  ({ part }) => `(${part("decimal")} % ${part("decimal")})`,
  ({ part, dice }) => `${dice.pick(["ROUND", "TRUNC"])}(${part("decimal")}, ${dice.pick(digits)})`,
  ({ part, dice }) => `ROUND(${part("float")}, ${dice.pick(["1", "2", "6"])})`,
  ({ part, dice }) => `CAST(${part(dice.pick<ColumnKind>(["integer", "float", "text"]))} AS decimal(12,2))`,
  ({ part }) => `CAST(${part("decimal")} AS decimal(20,7))`,
  ({ part }) => `EXTRACT(EPOCH FROM ${part("timestamp")} - ${part("timestamp")})`,
  ({ part }) => `ABS(${part("decimal")})`,
  ({ part }) => `(- ${part("decimal")})`,
  ({ part }) => `CLAMP(${part("decimal")}, -0.5, 7.25)`,
]

const texts: readonly Call[] = [
  ({ part, dice }) => `${dice.pick(["LOWER", "LCASE", "UPPER", "UCASE"])}(${part("text")})`,
  ({ part, dice }) => `${dice.pick(["TRIM", "BTRIM", "LTRIM", "RTRIM"])}(${part("text")})`,
  ({ part, dice }) =>
    `${dice.pick(["BTRIM", "LTRIM", "RTRIM"])}(${part("text")}, ${dice.pick([...letters, part("text")])})`,
  ({ part, dice }) =>
    `TRIM(${dice.pick(["BOTH", "LEADING", "TRAILING"])} ${dice.pick(letters)} FROM ${part("text")})`,
  ({ part, dice }) =>
    `SUBSTRING(${part("text")} FROM ${dice.pick(["1", "2", "0", "-1"])} FOR ${dice.pick(["1", "3"])})`,
  ({ part, dice }) =>
    `${dice.pick(["SUBSTRING", "SUBSTR"])}(${part("text")}, ${part("integer")}, ${part("integer")})`,
  ({ part }) => `SUBSTR(${part("text")}, ${part("integer")})`,
  ({ part, dice }) =>
    `${dice.pick(["LEFT", "RIGHT"])}(${part("text")}, ${dice.pick(["1", "0", "-1", part("integer")])})`,
  ({ part }) => `(${part("text")} || ${part("text")})`,
  ({ part }) => `CONCAT(${part("text")}, ${part("integer")}, ${part("text")})`,
  ({ part, dice }) => `REPLACE(${part("text")}, ${dice.pick(letters)}, 'bb')`,
  ({ part, dice }) =>
    `CAST(${part(dice.pick<ColumnKind>(["integer", "date", "decimal", "timestamp", "boolean"]))} AS text)`,
]

const dates: readonly Call[] = [
  ({ part, dice }) =>
    `(${part("date")} ${dice.pick(["+", "-"])} ${dice.pick(["1", "30", "365", part("integer")])})`,
  ({ part }) => `CAST(${part("timestamp")} AS date)`,
  ({ part }) => `DATE(${part("timestamp")})`,
  ({ part, dice }) => `CAST(DATE_TRUNC('${dice.pick(dateUnits)}', ${part("date")}) AS date)`,
  ({ part, dice }) => `CAST(${part("date")} + INTERVAL '${dice.pick(months)}' AS date)`,
  ({ part, dice }) =>
    `CAST(CASE WHEN ${part("boolean")} THEN ${marchDays.join(" ELSE ")} END - INTERVAL '${dice.pick(months)}' AS date)`,
  ({ part }) => `CAST(${part("text")} AS date)`,
  ({ part }) => `CLAMP(${part("date")}, DATE '2020-01-31', DATE '2020-03-01')`,
]

const timestamps: readonly Call[] = [
  ({ part, dice }) =>
    `(${part("timestamp")} ${dice.pick(["+", "-"])} INTERVAL '${dice.pick([...times, ...months])}')`,
  ({ part, dice }) =>
    `(CASE WHEN ${part("boolean")} THEN ${marchEnds.join(" ELSE ")} END - INTERVAL '${dice.pick(months)}')`,
  ({ part, dice }) => `DATE_TRUNC('${dice.pick(timeUnits)}', ${part("timestamp")})`,
  ({ part, dice }) => `CAST(${part(dice.pick<ColumnKind>(["date", "date", "text"]))} AS timestamp)`,
]

/** The calls of each kind but boolean: those are conditions. */
export const calls: Readonly<Record<Exclude<ColumnKind, "boolean">, readonly Call[]>> = {
  integer: integers,
  float: floats,
  decimal: decimals,
  text: texts,
  date: dates,
  timestamp: timestamps,
}

const patterns = ["%", "A%", "_", "%x_", "\\%%", "%''%", "\uFEFF%", "%b%a%"]

/** Conditions of one step. `any` is a kind that can be compared. */
export const conditions: readonly ((parts: Parts, any: ColumnKind) => string)[] = [
  ({ part, dice }, any) =>
    `${part(any)} ${dice.pick(["=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"])} ${part(any)}`,
  ({ part, dice }, any) => `${part(any)} IS ${dice.pick(["", "NOT "])}NULL`,
  ({ part, dice }) =>
    `${part("integer")} ${dice.pick(["=", "<", ">="])} ${dice.pick([part("float"), part("decimal"), "CAST(1e20 AS double precision)"])}`,
  ({ part, dice }) =>
    `${part("integer")} BETWEEN ${dice.pick(["-1", "0", "2"])} AND ${dice.pick(["2", "5"])}`,
  ({ part, dice }, any) =>
    `${part(any)} ${dice.pick(["", "NOT "])}BETWEEN SYMMETRIC ${part(any)} AND ${part(any)}`,
  ({ part, dice }) =>
    `${part("text")} ${dice.pick(["", "NOT "])}${dice.pick(["LIKE", "ILIKE"])} '${dice.pick(patterns)}'`,
  ({ part, dice }) => `${part("text")} LIKE '${dice.pick(["!%A", "%!_%", "A!!"])}' ESCAPE '!'`,
  ({ part, dice }) => `STARTS_WITH(${part("text")}, ${dice.pick([...letters, part("text")])})`,
  ({ part, dice }) =>
    `${part("integer")} ${dice.pick(["", "NOT "])}IN (1, 2, ${dice.pick(["3", "NULL", "99", part("integer")])})`,
  ({ part, dice }) =>
    `${part("text")} ${dice.pick(["", "NOT "])}IN ('A', '', ${dice.pick(["'c1'", "NULL", "'\uFEFFA'"])})`,
  ({ part }) => `(${part("integer")}, ${part("text")}) = (${part("integer")}, ${part("text")})`,
  ({ part, dice }) => `CAST(${part(dice.pick<ColumnKind>(["integer", "text"]))} AS boolean)`,
]
