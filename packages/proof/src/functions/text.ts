// Text. Lists of values are carried through where the other arguments are constants, so keys stay public.

import { rational } from "@dosimeter/core"
import { constantKey, type Constant } from "../catalog/constant.ts"
import type { Domain } from "../catalog/domain.ts"
import type { Argument, NoResult } from "./definition.ts"
import { isTooLong, likePattern, patternMax } from "./like-pattern.ts"
import { mismatch, wrongTypes } from "./no-result.ts"
import { endAt } from "./numeric-domain.ts"
import { leftOf, mapsExactly, replaced, rightOf, substringOf, trimmed } from "./text-values.ts"

type Result = Domain | NoResult
type Mapping = (text: string, others: readonly Constant[]) => string | undefined

/** The longest replacement: it bounds how much a text can grow. */
const replacementMax = 256

/** A text of some arguments: the first is the text, the others as the signature says. */
interface Signature {
  readonly what: string
  readonly wants: string
  /** Letters for the kinds of arguments: t(ext), i(nteger); those after `|` may be left out. */
  readonly takes: string
  /** What becomes of a listed text, given the constants after it; undefined: NULL, or not known here. */
  readonly map: Mapping
}

function textFunction(signature: Signature) {
  return (args: readonly Argument[]): Result => {
    const problem = takes(signature, args)
    if (problem !== undefined) return problem
    const nullable = args.some(({ domain }) => domain.nullable) || signature.what === "SUBSTRING"
    const values = mapped(args, signature.map)
    const isFree = args.some(({ domain }) => domain.freeText === true)
    return {
      type: { kind: "text" },
      nullable,
      ...(values === undefined ? {} : { values }),
      ...(isFree ? { freeText: true as const } : {}),
    }
  }
}

/** The images of a listed text; none if one of them is not known here. */
function mapped(args: readonly Argument[], map: Mapping): readonly Constant[] | undefined {
  const [first, ...others] = args
  const constants = others.flatMap(({ literal }) => (literal === undefined ? [] : [literal]))
  const values = first?.domain.values
  if (values === undefined || values.length === 0 || constants.length !== others.length) return undefined
  const found = new Map<string, Constant>()
  for (const value of values) {
    const image = value.kind === "text" ? map(value.value, constants) : undefined
    if (image === undefined) return undefined
    const constant: Constant = { kind: "text", value: image }
    found.set(constantKey(constant), constant)
  }
  return [...found.values()]
}

function takes(
  { what, wants, takes: letters }: Omit<Signature, "map">,
  args: readonly Argument[],
): NoResult | undefined {
  const [needed = "", optional = ""] = letters.split("|")
  const all = needed + optional
  const fits =
    args.length >= needed.length &&
    args.length <= all.length &&
    args.every(({ domain: { type } }, index) => {
      const kind = all.charAt(index) === "t" ? "text" : "integer"
      return type.kind === kind || type.kind === "null"
    })
  return fits ? undefined : wrongTypes(what, args, wants)
}

function concat(args: readonly Argument[]): Result {
  if (args.length === 0 || !args.every(isText)) return wrongTypes("||", args, "texts")
  const lists = args.map(({ domain }) => domain.values)
  const isFree = args.some(({ domain }) => domain.freeText === true)
  const values = joined(lists)
  return {
    type: { kind: "text" },
    nullable: args.some(({ domain }) => domain.nullable),
    ...(values === undefined ? {} : { values }),
    ...(isFree ? { freeText: true as const } : {}),
  }
}

/** All joins of one text from each list, if there are at most a thousand. */
function joined(lists: readonly (readonly Constant[] | undefined)[]): readonly Constant[] | undefined {
  let found: readonly string[] = [""]
  for (const list of lists) {
    if (list === undefined || found.length * list.length > 1000) return undefined
    found = found.flatMap((text) =>
      list.flatMap((value) => (value.kind === "text" ? [text + value.value] : [])),
    )
  }
  const texts = [...new Set(found)]
  return texts.length === 0 ? undefined : texts.map((value) => ({ kind: "text", value }))
}

function isText({ domain }: Argument): boolean {
  return domain.type.kind === "text" || domain.type.kind === "null"
}

/** A whole number from 0: a length or a place. */
function countFunction(what: string, letters: string, wants: string) {
  return (args: readonly Argument[]): Result =>
    takes({ what, wants, takes: letters }, args) ?? {
      type: { kind: "integer" },
      nullable: args.some(({ domain }) => domain.nullable),
      range: { min: endAt(rational(0n), true), max: endAt(rational(2_147_483_647n), false) },
    }
}

function startsWith(args: readonly Argument[]): Result {
  const problem = takes({ what: "STARTS_WITH", wants: "two texts", takes: "tt" }, args)
  return problem ?? { type: { kind: "boolean" }, nullable: args.some(({ domain }) => domain.nullable) }
}

/** The pattern and its escape are constants: whether a pattern is well formed must not depend on a row. */
function like(args: readonly Argument[]): Result {
  const problem = takes({ what: "LIKE", wants: "a text and a pattern", takes: "tt|t" }, args)
  if (problem !== undefined) return problem
  const [, pattern, escape] = args
  const isConstant = pattern?.literal !== undefined && (escape === undefined || escape.literal !== undefined)
  if (!isConstant)
    return mismatch("LIKE has a pattern that is not a constant", "write the pattern as a text: x LIKE 'A%'")
  const tokens = likePattern(pattern.literal, escape?.literal)
  if (tokens === "malformed") {
    return mismatch(
      "LIKE has a pattern that ends with the escape character, or an escape of several characters",
      "write ESCAPE with one character, and the escape character twice where it stands for itself",
    )
  }
  if (tokens !== "null" && isTooLong(tokens)) {
    return mismatch(
      "LIKE has a pattern that would take too long to match",
      `write at most ${patternMax.pieces} characters, and at most ${patternMax.anyCharacters} _ beside several %`,
    )
  }
  return {
    type: { kind: "boolean" },
    nullable: args.some(({ domain }) => domain.nullable) || tokens === "null",
  }
}

function replace(args: readonly Argument[]): Result {
  const problem = takes({ what: "REPLACE", wants: "a text, and two constant texts", takes: "ttt" }, args)
  if (problem !== undefined) return problem
  const constants = args.slice(1).map(({ literal }) => literal)
  const isShort = constants.every(
    (one) => one?.kind === "null" || (one?.kind === "text" && Array.from(one.value).length <= replacementMax),
  )
  if (!isShort) {
    return mismatch(
      "REPLACE has texts to find and to put that are not short constants",
      `write them as texts of at most ${replacementMax} characters: REPLACE(x, '-', '')`,
    )
  }
  return textFunction({ what: "REPLACE", wants: "texts", takes: "ttt", map: replaced })(args)
}

/** What each function of this family gives. */
export const textResults = {
  lower: textFunction({
    what: "LOWER",
    wants: "a text",
    takes: "t",
    map: (text) => (mapsExactly(text) ? text.toLowerCase() : undefined),
  }),
  upper: textFunction({
    what: "UPPER",
    wants: "a text",
    takes: "t",
    map: (text) => (mapsExactly(text) ? text.toUpperCase() : undefined),
  }),
  length: countFunction("LENGTH", "t", "a text"),
  trim: textFunction({ what: "TRIM", wants: "a text", takes: "t|t", map: trimmed("both") }),
  "trim-start": textFunction({ what: "LTRIM", wants: "a text", takes: "t|t", map: trimmed("start") }),
  "trim-end": textFunction({ what: "RTRIM", wants: "a text", takes: "t|t", map: trimmed("end") }),
  substring: textFunction({
    what: "SUBSTRING",
    wants: "a text, a start and a length",
    takes: "ti|i",
    map: substringOf,
  }),
  left: textFunction({ what: "LEFT", wants: "a text and a length", takes: "ti", map: leftOf }),
  right: textFunction({ what: "RIGHT", wants: "a text and a length", takes: "ti", map: rightOf }),
  concat,
  position: countFunction("POSITION", "tt", "two texts"),
  replace,
  "starts-with": startsWith,
  like,
  "like-any-case": like,
} satisfies Record<string, (args: readonly Argument[]) => Result>
