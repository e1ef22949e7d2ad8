// How text functions are written: by code points, with constants in place of everything that could be an
// error.

import { assert } from "@dosimeter/core/errors"
import type { Constant } from "../catalog/constant.ts"
import type { Dialect } from "../functions/definition.ts"
import {
  expressionParts,
  goesBack,
  likePattern,
  writePattern,
  type LikeToken,
} from "../functions/like-pattern.ts"
import { writeText } from "../functions/literal.ts"
import { argOf, castTo, domainAt, inEach, type Spell, type Written } from "./spell.ts"

/** Texts are read, and joined, up to this many characters: what grows with every step must end somewhere. */
export const textMax = 65_536

const text = { kind: "text" } as const
const textAt = (written: Written, index: number): string => argOf(written, index, text)

/** In PostgreSQL letters have no case under the collation "C" but the ASCII ones. */
function otherCase(word: "lower" | "upper", value: string, dialect: Dialect): string {
  return dialect === "postgres" ? `(${word}(${value} COLLATE "default") COLLATE "C")` : `${word}(${value})`
}

/** The first characters of a text. */
export function cutText(value: string, dialect: Dialect): string {
  return dialect === "trino" ? `substr(${value}, 1, ${textMax})` : `left(${value}, ${textMax})`
}

/** As part of something longer; a constant is short already. */
function part(written: Written, index: number): string {
  const value = textAt(written, index)
  return written.arguments[index]?.literal === undefined ? cutText(value, written.dialect) : value
}

const concat: Spell = (written) => {
  const parts = written.args.map((_, index) => part(written, index))
  if (parts.length === 1) return textAt(written, 0)
  const joined = `(${parts.join(" || ")})`
  // What DuckDB finds to be NULL before it reads a row would be an integer.
  const { dialect, result } = written
  return dialect === "duckdb" && result.nullable ? castTo(joined, result, dialect) : joined
}

const length: Spell = (written) => castTo(`length(${textAt(written, 0)})`, written.result, written.dialect)

const position: Spell = (written) =>
  castTo(`strpos(${textAt(written, 0)}, ${textAt(written, 1)})`, written.result, written.dialect)

function trim(side: "BOTH" | "LEADING" | "TRAILING"): Spell {
  const names = { BOTH: ["trim", "btrim"], LEADING: ["ltrim", "ltrim"], TRAILING: ["rtrim", "rtrim"] }[side]
  return (written) => {
    const value = textAt(written, 0)
    const characters = written.args.length > 1 ? textAt(written, 1) : "' '"
    if (written.dialect === "trino") return `trim(${side} ${characters} FROM ${value})`
    return `${written.dialect === "duckdb" ? names[0] : names[1]}(${value}, ${characters})`
  }
}

/** A whole number as an index: what is far outside every text is all the same. */
function indexAt(written: Written, index: number): string {
  const value = argOf(written, index, { kind: "integer" })
  const { range } = domainAt(written, index)
  const limit = 10_000_000n
  const isSmall =
    range !== undefined && range.min.value.numerator >= -limit && range.max.value.numerator <= limit
  if (isSmall) return value
  return `CAST(CASE WHEN ${value} > ${limit} THEN ${limit} WHEN ${value} < -${limit} THEN -${limit} ELSE ${value} END AS INTEGER)`
}

const substring: Spell = (written) => {
  const { dialect, arguments: args } = written
  const name = dialect === "trino" ? "substr" : "substring"
  const value = textAt(written, 0)
  const [start, count] = [integerOf(args[1]?.literal), integerOf(args[2]?.literal)]
  if (args.length === 2) {
    const from = start === undefined ? atLeastOne(indexAt(written, 1)) : `${start < 1n ? 1n : capped(start)}`
    return `${name}(${value}, ${from})`
  }
  if (start !== undefined && count !== undefined) {
    if (count < 0n) return castTo("NULL", { type: text }, dialect)
    const first = start < 1n ? 1n : start
    const rest = start + count - first
    return `${name}(${value}, ${capped(first)}, ${rest < 0n ? 0n : capped(rest)})`
  }
  const [from, many] = [indexAt(written, 1), indexAt(written, 2)]
  // A start below 1 uses up a part of the length.
  const rest = `CASE WHEN ${from} >= 1 THEN ${many} WHEN ${from} + ${many} > 1 THEN ${from} + ${many} - 1 ELSE 0 END`
  return `CASE WHEN ${many} >= 0 THEN ${name}(${value}, ${atLeastOne(from)}, ${rest}) END`
}

function atLeastOne(index: string): string {
  return `CASE WHEN ${index} < 1 THEN 1 ELSE ${index} END`
}

function capped(value: bigint): bigint {
  return value > 10_000_000n ? 10_000_000n : value
}

const left: Spell = (written) => {
  const [value, count] = [textAt(written, 0), indexAt(written, 1)]
  if (written.dialect !== "trino") return `left(${value}, ${count})`
  const rest = `CASE WHEN length(${value}) + ${count} > 0 THEN length(${value}) + ${count} ELSE 0 END`
  return `substr(${value}, 1, CASE WHEN ${count} >= 0 THEN ${count} WHEN ${count} < 0 THEN ${rest} END)`
}

const right: Spell = (written) => {
  const [value, count] = [textAt(written, 0), indexAt(written, 1)]
  if (written.dialect !== "trino") return `right(${value}, ${count})`
  const from = `CASE WHEN ${count} < length(${value}) THEN length(${value}) - ${count} + 1 ELSE 1 END`
  return `substr(${value}, CASE WHEN ${count} >= 0 THEN ${from} WHEN ${count} < 0 THEN 1 - ${count} END)`
}

/** Nothing is found in place of an empty text; Trino would find it everywhere. */
const replace: Spell = (written) => {
  const { literal } = written.arguments[1] ?? {}
  if (literal?.kind === "text" && literal.value === "" && written.arguments[2]?.literal?.kind === "text") {
    return textAt(written, 0)
  }
  return `replace(${cutText(textAt(written, 0), written.dialect)}, ${textAt(written, 1)}, ${textAt(written, 2)})`
}

function like(letters: "exact" | "any-case"): Spell {
  return (written) => {
    const { dialect, arguments: args } = written
    const tokens = likePattern(args[1]?.literal, args[2]?.literal)
    assert(tokens !== "malformed", "a pattern is well formed")
    if (tokens === "null") return castTo("NULL", { type: { kind: "boolean" } }, dialect)
    const value = textAt(written, 0)
    // PostgreSQL gives up once a later part is nowhere to be found, and Trino has an automaton.
    if (dialect === "duckdb" && goesBack(tokens)) return matches(value, tokens, letters)
    const pattern = writeText(writePattern(tokens), dialect)
    const escape = `ESCAPE ${writeText("\\", dialect)}`
    if (letters === "exact") return `(${value} LIKE ${pattern} ${escape})`
    return `(${otherCase("lower", value, dialect)} LIKE ${otherCase("lower", pattern, dialect)} ${escape})`
  }
}

/**
 * A pattern as a regular expression, which DuckDB matches in time that is linear in the text. What is escaped
 * and what is put in lower case is its own doing: no rule of ours can differ from it. `s`: `.` is any
 * character, a line break too.
 */
function matches(value: string, tokens: readonly LikeToken[], letters: "exact" | "any-case"): string {
  const parts = expressionParts(tokens).map(({ kind, text: part }) => {
    const quoted = writeText(part, "duckdb")
    if (kind === "operators") return quoted
    return `regexp_escape(${letters === "exact" ? quoted : otherCase("lower", quoted, "duckdb")})`
  })
  const matched = letters === "exact" ? value : otherCase("lower", value, "duckdb")
  return `regexp_full_match(${matched}, ${parts.join(" || ")}, 's')`
}

function integerOf(constant: Constant | undefined): bigint | undefined {
  return constant?.kind === "number" && constant.value.denominator === 1n
    ? constant.value.numerator
    : undefined
}

/** The spellings of text functions. */
export const textSpellings = {
  lower: inEach((written) => otherCase("lower", textAt(written, 0), written.dialect)),
  upper: inEach((written) => otherCase("upper", textAt(written, 0), written.dialect)),
  length: inEach(length),
  trim: inEach(trim("BOTH")),
  "trim-start": inEach(trim("LEADING")),
  "trim-end": inEach(trim("TRAILING")),
  substring: inEach(substring),
  left: inEach(left),
  right: inEach(right),
  concat: inEach(concat),
  position: inEach(position),
  replace: inEach(replace),
  "starts-with": inEach((written) => `starts_with(${textAt(written, 0)}, ${textAt(written, 1)})`),
  like: inEach(like("exact")),
  "like-any-case": inEach(like("any-case")),
}
