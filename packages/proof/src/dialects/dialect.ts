// What a database differs in from the others: one complete object for each, in a file of its own. Everything
// else that is printed is the same in all of them. Arguments and results are written SQL; what is returned
// stands by itself: a name, a call, or something in brackets.

import type { Rational } from "@dosimeter/core"
import type { ExtractField, Interval } from "../functions/dates.ts"

/** The databases that we print for. */
export type Dialect = "duckdb" | "postgres" | "trino"

/** Everything that printing asks a database for. It has no name: what is written cannot depend on one. */
export interface DialectSpelling {
  readonly types: TypeSpelling
  readonly constants: ConstantSpelling
  readonly casts: CastSpelling
  readonly numbers: NumberSpelling
  readonly texts: TextSpelling
  readonly dates: DateSpelling
  readonly columns: ColumnSpelling
  readonly secrets: SecretSpelling
  readonly relations: RelationSpelling
}

/** Types of stored values. INTEGER, BIGINT, BOOLEAN and DATE are the same everywhere. */
export interface TypeSpelling {
  /** Whole numbers beyond 64 bits. */
  readonly huge: string
  readonly float: string
  readonly text: string
  readonly timestamp: string
  /** Decimals of so many digits, some of them after the point. */
  readonly decimal: (digits: 18 | 38, scale: number) => string
  /** Whether decimals of all scales and widths are one type. */
  readonly oneDecimal: boolean
  /** The type that a cast to a stored type is written with if it must round to the scale. */
  readonly rounding: (stored: string, scale: number) => string
}

/** Constants. */
export interface ConstantSpelling {
  /** Whether the digits of a whole number are read as a number of this type, or a word must say so. */
  readonly isBareInteger: (type: string) => boolean
  readonly double: (digits: string) => string
  /** A text whose quotes are doubled already. */
  readonly text: (doubled: string) => string
  /** A text for a function that takes any type. */
  readonly typedText: (text: string) => string
}

/** Casts, and what may fail. */
export interface CastSpelling {
  /** A cast that gives NULL where there is no result, if the database has one. */
  readonly tryCast: ((text: string, type: string) => string) | undefined
  /** An expression over one row, with NULL in place of a failure, if the database has that. */
  readonly attempt: ((text: string) => string) | undefined
  /** Whether a cast of doubles, the least of which is given, to integers rounds halves to even. */
  readonly roundsToEven: (least: Rational) => boolean
  /** Whether what is found to be NULL before a row is read becomes an integer, whatever its type was. */
  readonly nullIsInteger: boolean
}

/** Arithmetic. */
export interface NumberSpelling {
  /** Whether a product that is too small for a double is an error; otherwise it is 0. */
  readonly underflowFails: boolean
  /** Whether a sum, product or remainder of decimals of one type has that type again. */
  readonly keepsDecimal: Readonly<Record<"sum" | "product" | "remainder", boolean>>
  /** A quotient toward zero, of integers in a stored type. */
  readonly wholeQuotient: (a: string, b: string, stored: string) => string
  /** A double, or an exact number, without its digits after the point. */
  readonly truncate: (x: string) => string
  /** A double to the nearest whole double, halves to even. */
  readonly roundEven: (double: string) => string
  /** A double to the nearest whole double, halves away from zero. */
  readonly roundAway: (double: string) => string
  /** A number of any type, to be cast to a decimal or integer with rounding. */
  readonly exact: (x: string) => string
  readonly log10: (double: string) => string
  /** The greatest and the least of values that are not NULL. */
  readonly greatest: (values: readonly string[]) => string
  readonly least: (values: readonly string[]) => string
  /** A decimal as a text, with all digits of its scale. */
  readonly decimalText: (decimal: string, scale: number) => string
  /** Whether a sum has a wider type than what is added up. */
  readonly sumWidens: boolean
  /** Whether a sum of numbers of a type may pass the widest type. */
  readonly sumMayFail: (type: string) => boolean
  /**
   * A double as the nearest whole number of a type, halves away from zero, NULL where the type does not hold
   * it: if the database computes that faster for all rows than in a branch for some.
   */
  readonly nearestWhole: ((double: string, type: string) => string) | undefined
}

/** Texts. */
export interface TextSpelling {
  /** Compared by code points. */
  readonly byCodePoint: (text: string) => string
  readonly lower: (text: string) => string
  readonly upper: (text: string) => string
  /** The first characters, a constant number of them. */
  readonly first: (text: string, count: number) => string
  /** LEFT and RIGHT; a negative count leaves characters off at the other end. */
  readonly left: (text: string, count: string) => string
  readonly right: (text: string, count: string) => string
  readonly trim: (side: "BOTH" | "LEADING" | "TRAILING", text: string, characters: string) => string
  /** The name of SUBSTRING. */
  readonly substring: string
  /** Whether a whole text is written like a regular expression. */
  readonly isLike: (text: string, expression: string) => string
  /**
   * A LIKE that goes back and forth as a regular expression in linear time, if LIKE itself takes longer.
   * Characters are to be escaped, operators are not.
   */
  readonly linearLike: ((text: string, parts: readonly PatternPart[]) => string) | undefined
  /**
   * Whether a text is one of a short list of constants, and the same with TRUE in place of NULL, if the
   * database asks a function of one column once for each text that is stored.
   */
  readonly lists: ListSpelling | undefined
}

/** A part of a regular expression, as a written constant. */
export interface PatternPart {
  readonly kind: "characters" | "operators"
  readonly text: string
}

/** Places in lists. */
export interface ListSpelling {
  readonly contains: (items: readonly string[], text: string) => string
  readonly containsOrNull: (items: readonly string[], text: string) => string
}

/** Dates and times. */
export interface DateSpelling {
  readonly plusDays: (date: string, days: string) => string
  /** Days from `from` to `to`. */
  readonly daysBetween: (to: string, from: string) => string
  /** Months, then days, then microseconds. */
  readonly plusInterval: (x: string, interval: Interval) => string
  /** Seconds from `from` to `to`, with six digits, in a type. */
  readonly secondsBetween: (to: string, from: string, type: string) => string
  /** A whole number. */
  readonly field: (field: Exclude<ExtractField, "epoch">, x: string) => string
  /** Seconds since 1970, a double. */
  readonly epoch: (timestamp: string) => string
  /** Whether date_trunc of a date is a date; otherwise it takes timestamps only. */
  readonly truncatesDates: boolean
  readonly age: AgeSpelling
  /** As YYYY-MM-DD, and with HH:MM:SS and up to six digits after it. */
  readonly dateText: (date: string) => string
  readonly timestampText: (timestamp: string) => string
}

/** Whole years or months between two moments: by a function, or from keys made of the fields of both. */
export type AgeSpelling =
  | {
      readonly kind: "function"
      readonly between: (to: string, from: string, unit: "years" | "months") => string
    }
  | { readonly kind: "keys"; readonly microsOfDay: (timestamp: string) => string }

/** Reading of stored columns. */
export interface ColumnSpelling {
  /** A stored text as a text of ours, compared by code points. */
  readonly text: (column: string) => string
  /** Bytes of a text, or its characters where those are cheaper; never fewer than characters. */
  readonly textSize: (text: string) => string
  /** Whether a stored number, of any type, is a number at all. It is asked of large ones only. */
  readonly isNumber: (column: string) => string
  /** A bound that stored numbers of any type are compared with. */
  readonly bound: (decimal: string) => string
  /** Whether bounds are written with all their digits, or as a double. */
  readonly exactBounds: boolean
}

/** The secret of the data version, and hashes with it. */
export interface SecretSpelling {
  /** The secret as a text; `use` counts its uses from 1. */
  readonly parameter: (use: number) => string
  /** Whether one value serves all uses of the secret, or each use needs its own. */
  readonly values: "one" | "each"
  /** The SHA-256 of a text, in lower-case hexadecimal. */
  readonly hash: (text: string) => string
  /**
   * A cheaper keyed hash for orders, of the secret and some values, if the database has one. It need not be
   * cryptographic, nor the same in every database: see `hashOrder`.
   */
  readonly orderHash: ((values: readonly string[]) => string) | undefined
  /** 32 bits of a hash (of `orderHash` where there is one) as a whole number from 0. */
  readonly hashNumber: (hash: string) => string
}

/** Whole queries. */
export interface RelationSpelling {
  /**
   * After so many groupings and windows on top of one another a step is kept apart. DuckDB's optimizer takes
   * twice as long for each one more.
   */
  readonly depthMax: number
  /**
   * Whether totals over a unit's rows are windows, or joined to the rows: faster where windows are sorted but
   * groups and joins hashed, and where a step can be computed once (MATERIALIZED).
   */
  readonly totals: "windows" | "joined"
  /** Whether FULL JOIN takes any condition, or equalities only. */
  readonly fullJoin: "any" | "equalities"
}
