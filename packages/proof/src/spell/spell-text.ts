// How text functions are written: by code points, with constants in place of everything that could be an
// error.

import { assert } from "@dosimeter/core/errors"
import type { Constant } from "../catalog/constant.ts"
import { expressionParts, goesBack, likePattern, writePattern } from "../functions/like-pattern.ts"
import { textMax } from "../functions/text-values.ts"
import { writeText } from "./literal.ts"
import { argOf, castTo, domainAt, type Spell, type Written } from "./spell.ts"

const text = { kind: "text" } as const
const textAt = (written: Written, index: number): string => argOf(written, index, text)

/** As part of something longer; a constant is short already. */
function part(written: Written, index: number): string {
  const value = textAt(written, index)
  return written.arguments[index]?.literal === undefined ? written.dialect.texts.first(value, textMax) : value
}

const concat: Spell = (written) => {
  const parts = written.args.map((_, index) => part(written, index))
  if (parts.length === 1) return textAt(written, 0)
  const joined = `(${parts.join(" || ")})`
  const { dialect, result } = written
  return dialect.casts.nullIsInteger && result.nullable ? castTo(joined, result, dialect) : joined
}

const length: Spell = (written) => castTo(`length(${textAt(written, 0)})`, written.result, written.dialect)

const position: Spell = (written) =>
  castTo(`strpos(${textAt(written, 0)}, ${textAt(written, 1)})`, written.result, written.dialect)

function trim(side: "BOTH" | "LEADING" | "TRAILING"): Spell {
  return (written) => {
    const characters = written.args.length > 1 ? textAt(written, 1) : "' '"
    return written.dialect.texts.trim(side, textAt(written, 0), characters)
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
  const name = dialect.texts.substring
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

/** Nothing is found in place of an empty text, though a database might find it everywhere. */
const replace: Spell = (written) => {
  const { literal } = written.arguments[1] ?? {}
  if (literal?.kind === "text" && literal.value === "" && written.arguments[2]?.literal?.kind === "text") {
    return textAt(written, 0)
  }
  return `replace(${written.dialect.texts.first(textAt(written, 0), textMax)}, ${textAt(written, 1)}, ${textAt(written, 2)})`
}

function like(letters: "exact" | "any-case"): Spell {
  return (written) => {
    const { dialect, arguments: args } = written
    const tokens = likePattern(args[1]?.literal, args[2]?.literal)
    assert(tokens !== "malformed", "a pattern is well formed")
    if (tokens === "null") return castTo("NULL", { type: { kind: "boolean" } }, dialect)
    const value = textAt(written, 0)
    const lowered = (one: string): string => (letters === "exact" ? one : dialect.texts.lower(one))
    const { linearLike } = dialect.texts
    if (linearLike !== undefined && goesBack(tokens)) {
      const parts = expressionParts(tokens).map(({ kind, text: part }) => {
        const quoted = writeText(part, dialect)
        return { kind, text: kind === "operators" ? quoted : lowered(quoted) }
      })
      return linearLike(lowered(value), parts)
    }
    const pattern = writeText(writePattern(tokens), dialect)
    const escape = `ESCAPE ${writeText("\\", dialect)}`
    return `(${lowered(value)} LIKE ${lowered(pattern)} ${escape})`
  }
}

function integerOf(constant: Constant | undefined): bigint | undefined {
  return constant?.kind === "number" && constant.value.denominator === 1n
    ? constant.value.numerator
    : undefined
}

/** The spellings of text functions. */
export const textSpellings = {
  lower: (written) => written.dialect.texts.lower(textAt(written, 0)),
  upper: (written) => written.dialect.texts.upper(textAt(written, 0)),
  length,
  trim: trim("BOTH"),
  "trim-start": trim("LEADING"),
  "trim-end": trim("TRAILING"),
  substring,
  left: (written) => written.dialect.texts.left(textAt(written, 0), indexAt(written, 1)),
  right: (written) => written.dialect.texts.right(textAt(written, 0), indexAt(written, 1)),
  concat,
  position,
  replace,
  "starts-with": (written) => `starts_with(${textAt(written, 0)}, ${textAt(written, 1)})`,
  like: like("exact"),
  "like-any-case": like("any-case"),
} satisfies Readonly<Record<string, Spell>>
