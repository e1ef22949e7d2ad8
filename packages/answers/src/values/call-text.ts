// Text functions on values, by code points.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import { likePattern, type LikeToken } from "@dosimeter/proof/functions/like-pattern"
import {
  leftOf,
  replaced,
  rightOf,
  substringOf,
  textMax,
  trimmed,
} from "@dosimeter/proof/functions/text-values"
import { booleanConstant, nullConstant, wholeConstant } from "./doubles.ts"
import type { ValueFunction } from "./value-function.ts"

/** A text from a text and further arguments, none of which is NULL. */
function mapped(map: (text: string, others: readonly Constant[]) => string | undefined): ValueFunction {
  return (values) => {
    const [text, ...others] = values
    if (text?.kind !== "text" || others.some(({ kind }) => kind === "null")) return nullConstant
    const value = map(text.value, others)
    return value === undefined ? nullConstant : { kind: "text", value }
  }
}

/** Two texts, neither NULL. */
function ofTwo(apply: (a: string, b: string) => Constant): ValueFunction {
  return ([a = nullConstant, b = nullConstant]) =>
    a.kind === "text" && b.kind === "text" ? apply(a.value, b.value) : nullConstant
}

/** Each character by itself, as DuckDB has it: one character for one. */
function upperOf(text: string): string {
  return Array.from(text, (character) => {
    const upper = character.toUpperCase()
    return Array.from(upper).length === 1 ? upper : oneUpper(character)
  }).join("")
}

/** Upper case where Unicode has two characters: sharp s, and Greek vowels with an iota below. Others stay. */
function oneUpper(character: string): string {
  if (character === "ß") return "ẞ"
  const point = character.codePointAt(0) ?? 0
  if (point >= 0x1f80 && point <= 0x1faf) return String.fromCodePoint(point | 8)
  return [0x1fb3, 0x1fc3, 0x1ff3].includes(point) ? String.fromCodePoint(point + 9) : character
}

/**
 * Each character by itself: the only lower case of several characters is that of I with a dot, which is i.
 */
function lowerOf(text: string): string {
  return Array.from(text, (character) => Array.from(character.toLowerCase())[0] ?? "").join("")
}

function lengthOf(text: string): bigint {
  return BigInt(Array.from(text).length)
}

/** The place of the first match from 1; 0 if there is none. */
function placeOf(text: string, wanted: string): bigint {
  const found = text.indexOf(wanted)
  return found < 0 ? 0n : lengthOf(text.slice(0, found)) + 1n
}

/** What is joined or replaced is cut to this many characters first. */
function short(text: string): string {
  return text.length <= textMax ? text : Array.from(text).slice(0, textMax).join("")
}

const concat: ValueFunction = (values) => {
  const [only] = values
  if (values.length === 1 && only !== undefined) return only
  const texts = values.flatMap((value) => (value.kind === "text" ? [short(value.value)] : []))
  return texts.length === values.length ? { kind: "text", value: texts.join("") } : nullConstant
}

function like(prepare: (text: string) => string): ValueFunction {
  return ([text = nullConstant, pattern, escape]) => {
    const tokens = likePattern(pattern, escape)
    if (text.kind !== "text" || tokens === "null" || tokens === "malformed") return nullConstant
    return booleanConstant(
      matches(
        Array.from(prepare(text.value)),
        tokens.map((token) => preparedToken(token, prepare)),
      ),
    )
  }
}

function preparedToken(token: LikeToken, prepare: (text: string) => string): LikeToken {
  return token.kind === "character" ? { kind: "character", value: prepare(token.value) } : token
}

/** Greedy with one place to come back to: time is at most the product of the lengths. */
function matches(text: readonly string[], tokens: readonly LikeToken[]): boolean {
  let [at, token, star, from] = [0, 0, -1, 0]
  while (at < text.length) {
    const wanted = tokens[token]
    if (wanted?.kind === "any-text") {
      star = token
      from = at
      token += 1
    } else if (
      wanted?.kind === "any-character" ||
      (wanted?.kind === "character" && wanted.value === text[at])
    ) {
      at += 1
      token += 1
    } else if (star >= 0) {
      from += 1
      at = from
      token = star + 1
    } else return false
  }
  return tokens.slice(token).every(({ kind }) => kind === "any-text")
}

/** The functions of this family. */
export const textFunctions = {
  lower: mapped(lowerOf),
  upper: mapped(upperOf),
  length: ([text = nullConstant]) =>
    text.kind === "text" ? wholeConstant(lengthOf(text.value)) : nullConstant,
  trim: mapped(trimmed("both")),
  "trim-start": mapped(trimmed("start")),
  "trim-end": mapped(trimmed("end")),
  substring: mapped(substringOf),
  left: mapped(leftOf),
  right: mapped(rightOf),
  concat,
  position: ofTwo((text, wanted) => wholeConstant(placeOf(text, wanted))),
  replace: mapped((text, others) => replaced(short(text), others)),
  "starts-with": ofTwo((text, start) => booleanConstant(text.startsWith(start))),
  like: like((text) => text),
  "like-any-case": like(lowerOf),
} satisfies Record<string, ValueFunction>
