// Values that tables should not hold and do: out of range, not a number, at infinity, empty, quoted, huge.

import type { Dice } from "./dice.ts"

/** The types of generated columns. */
export type ColumnKind = "integer" | "float" | "decimal" | "text" | "boolean" | "date" | "timestamp"

/** How a column is stored. */
export type StoredType =
  | "SMALLINT"
  | "INTEGER"
  | "BIGINT"
  | "HUGEINT"
  | "UBIGINT"
  | "DOUBLE"
  | "REAL"
  | "DECIMAL(12,2)"
  | "DECIMAL(38,10)"
  | "VARCHAR"
  | "VARCHAR COLLATE NOCASE"
  | "BOOLEAN"
  | "DATE"
  | "TIMESTAMP"
  | "TIMESTAMP_S"
  | "TIMESTAMP_NS"

const words = ["A", "B", "C", "a", "b", "x1", "7"]
const integers = ["0", "1", "2", "3", "5", "7", "10", "-1", "-4"]
const decimals = ["0.00", "1.25", "2.50", "3.99", "-1.75", "9.99"]
const moments = [
  "2020-01-01 00:00:00",
  "2020-02-29 23:59:59",
  "2020-03-31 12:30:00",
  "2021-12-31 23:00:00",
  "2019-06-15 04:05:06",
]

const tame: Readonly<Record<StoredType, readonly string[]>> = {
  SMALLINT: integers,
  INTEGER: integers,
  BIGINT: integers,
  HUGEINT: integers,
  UBIGINT: ["0", "1", "2", "3", "5", "7", "10"],
  DOUBLE: ["0.5", "1.0", "2.675", "3.0", "9.99", "-1.25", "4.005", "7.5", "10.0"],
  REAL: ["0.5", "1.0", "2.675", "3.0", "9.99", "-1.25", "7.5"],
  "DECIMAL(12,2)": decimals,
  "DECIMAL(38,10)": [...decimals, "0.0000000001", "2.675", "1.005"],
  VARCHAR: words,
  "VARCHAR COLLATE NOCASE": words,
  BOOLEAN: ["true", "false"],
  DATE: ["2020-01-01", "2020-02-29", "2020-03-31", "2021-12-31", "2019-06-15", "2020-02-01"],
  TIMESTAMP: [...moments, "2020-02-29 23:59:59.999999", "2019-06-15 04:05:06.789"],
  TIMESTAMP_S: moments,
  TIMESTAMP_NS: [...moments, "2020-02-29 23:59:59.999999999"],
}

const strangeTexts: readonly string[] = [
  "",
  " ",
  "it's",
  '"',
  "\\",
  "%",
  "_",
  "a%b",
  "😀",
  "é",
  "e\u0301",
  "ß",
  "NULL",
  "--",
  "; DROP TABLE visits",
  "12",
  " 12 ",
  "1e5",
  "12.5",
  "-0",
  "99999999999999999999",
  "NaN",
  "inf",
  "2020-02-30",
  "2020-01-01",
  "true",
  "no",
  "infinity",
  "0x10",
  "A ",
  "AB",
  "\n",
  "\t",
  "zebra",
  "x".repeat(300),
  // Marks that a reader may drop: of the byte order, of no width, of direction.
  "\uFEFF",
  "\uFEFFA",
  "A\uFEFF",
  "\u200B",
  "A\u200B",
  "\u200DA",
  "\u00AD",
  "\u202EA",
  "\u00A0",
  // NUL, which ends a text elsewhere.
  "\0",
  "A\0",
  "A\0B",
  // The ends of what is no surrogate, and of all.
  "\uD7FF",
  "\uE000",
  "\uFFFD",
  "\uFFFF",
  "\u{10FFFF}",
  // Letters with several cases, or that grow.
  "İ",
  "ſ",
  "ΑΣ",
  "ﬀ",
  "\u212A",
]

const wild: Readonly<Record<StoredType, readonly string[]>> = {
  SMALLINT: ["32767", "-32768", "100"],
  INTEGER: ["2147483647", "-2147483648", "1000000", "-999", "100"],
  BIGINT: ["9223372036854775807", "-9223372036854775808", "9007199254740993", "-100000", "2147483648", "100"],
  HUGEINT: [
    "170141183460469231731687303715884105727",
    "-170141183460469231731687303715884105728",
    "9223372036854775808",
    "-9223372036854775809",
    "100",
  ],
  UBIGINT: ["18446744073709551615", "9223372036854775808", "100"],
  DOUBLE: [
    "NaN",
    "Infinity",
    "-Infinity",
    "-0.0",
    "1.7976931348623157e308",
    "-1.7e308",
    "5e-324",
    "1e30",
    "9007199254740993",
    "-1e19",
    "1e100",
    "0.1",
    "123456.789",
    "-50",
  ],
  REAL: ["NaN", "Infinity", "-Infinity", "-0.0", "3.4e38", "1e-45", "16777217", "-50"],
  "DECIMAL(12,2)": ["9999999999.99", "-9999999999.99", "100.00", "-50.01"],
  "DECIMAL(38,10)": [
    "9999999999999999999999999999.9999999999",
    "-9999999999999999999999999999.9999999999",
    "1e20",
  ],
  VARCHAR: strangeTexts,
  "VARCHAR COLLATE NOCASE": strangeTexts,
  BOOLEAN: ["true", "false"],
  DATE: [
    "infinity",
    "-infinity",
    "0001-01-01",
    "9999-12-31",
    "10000-01-01",
    "290000-12-31",
    "0044-03-15 (BC)",
    "1900-02-28",
    "2100-03-01",
    "1970-01-01",
    "1969-12-31",
  ],
  TIMESTAMP: [
    "infinity",
    "-infinity",
    "0001-01-01 00:00:00",
    "9999-12-31 23:59:59.999999",
    "290000-01-01 00:00:00",
    "0044-03-15 (BC) 00:00:00",
    "1969-12-31 23:59:59.999999",
    "1900-01-01 00:00:00.000001",
  ],
  TIMESTAMP_S: [
    "infinity",
    "-infinity",
    "0001-01-01 00:00:00",
    "9999-12-31 23:59:59",
    "20000-01-01 00:00:00",
  ],
  TIMESTAMP_NS: ["infinity", "-infinity", "1700-01-01 00:00:00", "2262-01-01 00:00:00.000000001"],
}

/** A literal of a stored type: mostly an ordinary value, often a strange one, sometimes NULL. */
export function hostileValue(type: StoredType, dice: Dice): string {
  if (dice.chance(0.1)) return "NULL"
  return quoted(dice.pick(dice.chance(0.3) ? wild[type] : tame[type]), type)
}

/** All values of a stored type, ordinary and strange, without quotes. */
export function storedValues(type: StoredType): readonly string[] {
  const long = type.startsWith("VARCHAR") ? ["x".repeat(70_000), "é".repeat(40_000)] : []
  return [...tame[type], ...wild[type], ...long]
}

/** The same as literals. */
export function storedLiterals(type: StoredType): readonly string[] {
  return storedValues(type).map((value) => quoted(value, type))
}

/** A name in quotes. */
export function quotedName(name: string): string {
  return /^[a-z_]+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

/** A value as a literal of a stored type. */
export function quoted(value: string, type: StoredType): string {
  // SQL is read up to a NUL, so that is put in by a function.
  const parts = value.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`)
  const text = parts.length === 1 ? parts.join("") : `(${parts.join(" || chr(0) || ")})`
  return type === "VARCHAR COLLATE NOCASE" ? text : `${text}::${type}`
}
