// How rounding, roots, powers and logarithms are written, so that they have no error for any number.

import { add, compare, rational, type Rational } from "@dosimeter/core/exact"
import type { Domain, Range } from "../catalog/domain.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"
import { castWithin } from "./held-type.ts"
import { writeDecimal, writeDouble, writeInteger } from "./literal.ts"
import { exponentMin } from "../functions/math.ts"
import { isNumeric, scaleOf } from "../functions/numeric-domain.ts"
import { argAs, asFloat, castTo, domainAt, type Spell, type Written } from "./spell.ts"
import { wholeQuotient, withoutUnderflow } from "./spell-arithmetic.ts"
import { settled, storedType, widest, type Stored } from "./stored.ts"

/** floor, ceil and trunc. Integers stay as they are. */
function toWhole(word: "floor" | "ceil" | "trunc"): Spell {
  return (written) => {
    const { result, dialect } = written
    const { type } = domainAt(written, 0)
    if (type.kind === "integer" || type.kind === "null") return argAs(written, 0, result)
    const x = argAs(written, 0, domainAt(written, 0))
    const text = word === "trunc" ? dialect.numbers.truncate(x) : `${word}(${x})`
    return result.type.kind === "float" ? text : castTo(text, result, dialect)
  }
}

const round: Spell = (written) => {
  const { result, dialect } = written
  const { type } = domainAt(written, 0)
  const digits = digitsOf(written)
  if (type.kind === "null") return argAs(written, 0, result)
  if (type.kind === "float")
    return (digits ?? 0) === 0 ? roundFloat(written) : floatAsDecimal(asFloat(written, 0), result, dialect)
  if ((digits ?? 0) >= (isNumeric(type) ? scaleOf(type) : 0)) return argAs(written, 0, result)
  // A cast rounds halves away from zero.
  if ((digits ?? 0) >= 0) return exactCast(argAs(written, 0, domainAt(written, 0)), result, dialect)
  return toTens(written, { digits: -(digits ?? 0), halves: "away" })
}

/**
 * To tens, hundreds and so on: whole steps of a type that holds value, step and half a step. Never ROUND:
 * DuckDB adds half a step in the number's own type, and wraps around at its end.
 */
function toTens(
  written: Written,
  { digits, halves }: { readonly digits: number; readonly halves: "away" | "dropped" },
): string {
  const { result, dialect } = written
  const { type, range } = domainAt(written, 0)
  const size = 10n ** BigInt(digits)
  const whole = widest({ kind: "integer" }, [range, result.range, pointRange(rational(size))])
  const wide = halves === "away" ? plusHalf(whole, size) : whole
  const stored = storedType(wide, dialect)
  const x = argAs(written, 0, domainAt(written, 0))
  // Digits after the point decide nothing: half a step is whole.
  const cut = type.kind === "integer" ? x : dialect.numbers.truncate(x)
  const value = castWithin(cut, range, { type: stored, dialect })
  const [step, half] = [size, size / 2n].map((one) =>
    castWithin(writeInteger(one, dialect), pointRange(rational(one)), { type: stored, dialect }),
  )
  const moved =
    halves === "away" ? `(${value} + CASE WHEN ${value} < 0 THEN - ${half} ELSE ${half} END)` : value
  const steps = wholeQuotient(moved, step ?? "", { stored, dialect })
  return settled(`(${steps} * ${step})`, stored, { to: result, dialect })
}

function pointRange(value: Rational): Range {
  return { min: { value, declared: false }, max: { value, declared: false } }
}

function plusHalf({ type, range }: Stored, step: bigint): Stored {
  const most = add(range?.max.value ?? rational(0n), rational(step, 2n))
  return widest(type, [pointRange(most)])
}

/** Halves to even, as PostgreSQL does with floats. */
function roundFloat(written: Written): string {
  const { result, dialect } = written
  const text = dialect.numbers.roundEven(asFloat(written, 0))
  return result.type.kind === "float" ? text : castTo(text, result, dialect)
}

/** A float rounded to a decimal; what is tiny is 0. */
export function floatAsDecimal(text: string, to: Domain, dialect: DialectSpelling): string {
  return exactCast(dialect.numbers.exact(text), to, dialect)
}

/** A cast to a decimal or integer that rounds. */
export function exactCast(text: string, to: Domain, dialect: DialectSpelling): string {
  const scale = isNumeric(to.type) ? scaleOf(to.type) : 0
  return `CAST(${text} AS ${dialect.types.rounding(storedType(to, dialect), scale)})`
}

const trunc: Spell = (written) => {
  const digits = digitsOf(written)
  const { result, dialect } = written
  const { type } = domainAt(written, 0)
  if (digits === undefined || digits === 0) return toWhole("trunc")(written)
  const scale = isNumeric(type) ? scaleOf(type) : 0
  if (type.kind === "null" || digits >= scale) return argAs(written, 0, result)
  if (digits > 0) {
    const x = argAs(written, 0, domainAt(written, 0))
    const step = writeDecimal(rational(1n, 10n ** BigInt(digits)), scale, dialect)
    return exactCast(`(${x} - (${x} % ${step}))`, result, dialect)
  }
  return toTens(written, { digits: -digits, halves: "dropped" })
}

function digitsOf({ arguments: args }: Written): number | undefined {
  const literal = args[1]?.literal
  return literal?.kind === "number" ? Number(literal.value.numerator) : undefined
}

const sqrt: Spell = (written) => {
  const x = asFloat(written, 0)
  return `sqrt(${atLeast(domainAt(written, 0), rational(0n)) ? x : `CASE WHEN ${x} >= 0 THEN ${x} END`})`
}

const exp: Spell = (written) => {
  const x = asFloat(written, 0)
  if (atLeast(domainAt(written, 0), rational(BigInt(exponentMin)))) return `exp(${x})`
  return `CASE WHEN ${x} < ${exponentMin} THEN 0 ELSE exp(${x}) END`
}

/** A number that has a logarithm, or NULL. */
function positive(written: Written): string {
  const x = asFloat(written, 0)
  const isPositive = atLeast(domainAt(written, 0), rational(1n, 10n ** 300n))
  return isPositive ? x : `CASE WHEN ${x} > 0 THEN ${x} END`
}

/** Every case by itself: what has no real value is NULL, what is too small for a double is 0. */
const power: Spell = (written) => {
  const { dialect } = written
  const x = asFloat(written, 0)
  const y = asFloat(written, 1)
  const factor = withoutUnderflow(y, domainAt(written, 1), dialect)
  const least = writeDouble(rational(1n, 10n ** 30n), dialect)
  const raised = `CASE WHEN ${factor} * ln(abs(${x})) < -690 THEN 0 ELSE power(${x}, ${y}) END`
  return [
    `CASE WHEN ${x} = 0 THEN CASE WHEN ${y} > 0 THEN 0 WHEN ${y} = 0 THEN 1 END`,
    `WHEN ${y} < 0 AND abs(${x}) < ${least} THEN NULL`,
    `WHEN ${x} > 0 OR ${y} = floor(${y}) THEN ${raised} END`,
  ].join(" ")
}

function atLeast({ range }: Domain, least: Rational): boolean {
  return range !== undefined && compare(range.min.value, least) >= 0
}

/** The spellings of these functions. */
export const mathSpellings = {
  round,
  trunc,
  floor: toWhole("floor"),
  ceil: toWhole("ceil"),
  sqrt,
  exp,
  ln: (written) => `ln(${positive(written)})`,
  log10: (written) => written.dialect.numbers.log10(positive(written)),
  power,
} satisfies Readonly<Record<string, Spell>>
