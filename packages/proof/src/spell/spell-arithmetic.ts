// How arithmetic is written: operands in a type that holds operands and result, then the result in its own.

import { compare, divide, multiply, negate, rational, type Rational } from "@dosimeter/core/exact"
import type { Domain, Range } from "../catalog/domain.ts"
import { leastDivisor } from "../functions/arithmetic.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"
import { castWithin } from "./held-type.ts"
import { writeDouble, writeInteger } from "./literal.ts"
import { isNumeric, mayBeZero, scaleOf } from "../functions/numeric-domain.ts"
import { argAs, asFloat, castTo, domainAt, type Spell, type Written } from "./spell.ts"
import { isShortDecimal, settled, storedType, widest, type Stored } from "./stored.ts"

/** Storage that holds the arguments and the result, all in the result's type. */
export function working({ domains, result }: Written): Stored {
  return widest(result.type, [
    result.range,
    ...domains.map(({ range, type }) => (type.kind === "null" ? undefined : range)),
  ])
}

/** Numbers nearer to 0 become 0 where a product that is too small for a double is an error. */
const tinySteps = 490n
const tiny: Rational = rational(1n, 2n ** tinySteps)

/** A float whose products and quotients cannot underflow where that is an error. */
export function withoutUnderflow(text: string, { type, range }: Domain, dialect: DialectSpelling): string {
  if (!dialect.numbers.underflowFails || type.kind !== "float" || range === undefined) return text
  if (compare(range.min.value, tiny) >= 0 || compare(range.max.value, negate(tiny)) <= 0) return text
  const limit = rational(2n ** 500n)
  const isSmall = compare(range.max.value, limit) < 0 && compare(range.min.value, negate(limit)) > 0
  if (!isSmall) return `CASE WHEN abs(${text}) < ${writeDouble(tiny, dialect)} THEN 0 ELSE ${text} END`
  const steps = writeDouble(rational(2n ** tinySteps), dialect)
  return `(trunc(${text} * ${steps}) / ${steps})`
}

/** The least double above 0: what is not nearer to 0 is not rounded to 0. */
const leastDouble: Rational = rational(1n, 2n ** 1074n)

/** How near to 0, and how far from it, values may be. */
function sizesOf({ range }: Domain): { readonly least: Rational; readonly most: Rational } {
  const none = rational(0n)
  if (range === undefined) return { least: none, most: none }
  const [a, b] = [range.min.value, range.max.value].map((end) => (end.numerator < 0n ? negate(end) : end))
  const [low, high] = [a ?? none, b ?? none]
  const most = compare(low, high) > 0 ? low : high
  return mayBeZero(range) ? { least: none, most } : { least: compare(low, high) > 0 ? high : low, most }
}

/**
 * A factor or a dividend whose results, the least of which is given, do not underflow. Where all are doubles
 * it stays as it is: the range that is claimed for them may not hold 0. Otherwise that range does.
 */
function asOperand(written: Written, index: number, leastResult: Rational): string {
  const text = asFloat(written, index)
  if (compare(leastResult, leastDouble) >= 0) return text
  return withoutUnderflow(text, domainAt(written, index), written.dialect)
}

function sum(operator: "+" | "-"): Spell {
  return (written) => {
    const { result, dialect } = written
    const type = working(written)
    const text = `(${argAs(written, 0, type)} ${operator} ${argAs(written, 1, type)})`
    const isKept = type.type.kind !== "decimal" || dialect.numbers.keepsDecimal.sum
    return settled(text, isKept ? keptType(type, written) : "", { to: result, dialect })
  }
}

/**
 * The type that a database gives to a result of one type, or "" where it is not known: an integer may stand
 * in place of a decimal that is found to be NULL before a row is read.
 */
function keptType(type: Stored, { dialect, domains }: Written): string {
  const mayBeNull = domains.some(({ nullable }) => nullable)
  const isLost = dialect.casts.nullIsInteger && type.type.kind === "decimal" && mayBeNull
  return isLost ? "" : storedType(type, dialect)
}

const product: Spell = (written) => {
  const { result, dialect } = written
  if (result.type.kind === "float") {
    const [top, other] = [0, 1].map((index) => sizesOf(domainAt(written, index)).least)
    const least = multiply(top ?? rational(0n), other ?? rational(0n))
    return `(${asOperand(written, 0, least)} * ${asOperand(written, 1, least)})`
  }
  if (result.type.kind === "integer") {
    const type = working(written)
    const text = `(${argAs(written, 0, type)} * ${argAs(written, 1, type)})`
    return settled(text, storedType(type, dialect), { to: result, dialect })
  }
  // Each keeps its own scale; the width is that of the widest. Nothing times a wide number is short.
  const width = [result, ...written.domains].every(isShort) ? 18 : 38
  const operands = [0, 1].map((index) => {
    const { type } = domainAt(written, index)
    const scale = isNumeric(type) ? scaleOf(type) : 0
    const wide = dialect.types.decimal(width, scale)
    return castUnless(argAs(written, index, domainAt(written, index)), domainAt(written, index), {
      wide,
      dialect,
    })
  })
  const natural = dialect.numbers.keepsDecimal.product ? storedType(result, dialect) : ""
  return settled(`(${operands.join(" * ")})`, natural, { to: result, dialect })
}

/** Whether 18 digits hold the values, as decimals. A bare NULL has none. */
function isShort({ type, range }: Domain): boolean {
  if (!isNumeric(type) || range === undefined) return type.kind === "null"
  return isShortDecimal(scaleOf(type), range)
}

function castUnless(
  text: string,
  from: Domain,
  { wide, dialect }: { readonly wide: string; readonly dialect: DialectSpelling },
): string {
  if (from.type.kind === "null") return `CAST(NULL AS ${wide})`
  return storedType(from, dialect) === wide ? text : castWithin(text, from.range, { type: wide, dialect })
}

/** A divisor that is NULL where it is 0, unless it cannot be. */
function divisor(text: string, { range }: Domain, zero: string): string {
  const cannot = range !== undefined && (range.min.value.numerator > 0n || range.max.value.numerator < 0n)
  return cannot ? text : `NULLIF(${text}, ${zero})`
}

const quotient: Spell = (written) => {
  const { result, dialect } = written
  const bottom = domainAt(written, 1)
  if (result.type.kind === "float") return floatQuotient(written)
  const type = working(written)
  const stored = storedType(type, dialect)
  const a = argAs(written, 0, type)
  const b = divisor(argAs(written, 1, type), bottom, "0")
  const text = wholeQuotient(a, b, { stored, dialect })
  return settled(text, stored, { to: result, dialect })
}

/** Toward zero, in a stored type of integers. */
export function wholeQuotient(
  a: string,
  b: string,
  { stored, dialect }: { readonly stored: string; readonly dialect: DialectSpelling },
): string {
  return dialect.numbers.wholeQuotient(a, b, stored)
}

const floatQuotient: Spell = (written) => {
  const { dialect } = written
  const [top, bottom] = [domainAt(written, 0), domainAt(written, 1)]
  const most = sizesOf(bottom).most
  const least = most.numerator === 0n ? rational(0n) : divide(sizesOf(top).least, most)
  const a = asOperand(written, 0, least)
  const b = asFloat(written, 1)
  if (bottom.type.kind !== "float")
    return `(${a} / ${divisor(b, bottom, writeDouble(rational(0n), dialect))})`
  const isFar = bottom.range !== undefined && isAwayFromZero(bottom.range)
  return isFar
    ? `(${a} / ${b})`
    : `(${a} / CASE WHEN abs(${b}) >= ${writeDouble(leastDivisor, dialect)} THEN ${b} END)`
}

function isAwayFromZero({ min, max }: Range): boolean {
  return compare(min.value, leastDivisor) > 0 || compare(max.value, negate(leastDivisor)) < 0
}

const remainder: Spell = (written) => {
  const { result, dialect } = written
  const type = working(written)
  const text = `(${argAs(written, 0, type)} % ${divisor(argAs(written, 1, type), domainAt(written, 1), zeroOf(type, dialect))})`
  return settled(text, naturalRemainder(type, dialect), { to: result, dialect })
}

function naturalRemainder(type: Stored, dialect: DialectSpelling): string {
  const isLost = type.type.kind === "decimal" && !dialect.numbers.keepsDecimal.remainder
  return isLost ? "" : storedType(type, dialect)
}

function zeroOf(type: Stored, dialect: DialectSpelling): string {
  return type.type.kind === "integer" ? writeInteger(0n, dialect) : castTo("0", type, dialect)
}

const negation: Spell = (written) => {
  const { result, dialect } = written
  const type = working(written)
  return settled(`(- ${argAs(written, 0, type)})`, keptType(type, written), { to: result, dialect })
}

const absolute: Spell = (written) => {
  const { result, dialect } = written
  const type = working(written)
  return settled(`abs(${argAs(written, 0, type)})`, keptType(type, written), { to: result, dialect })
}

const sign: Spell = (written) =>
  castTo(`sign(${argAs(written, 0, nullAsInteger(domainAt(written, 0)))})`, written.result, written.dialect)

function nullAsInteger(domain: Domain): Stored {
  return domain.type.kind === "null" ? { type: { kind: "integer" } } : domain
}

/** The spellings of arithmetic. */
export const arithmeticSpellings = {
  add: sum("+"),
  subtract: sum("-"),
  multiply: product,
  divide: quotient,
  modulo: remainder,
  negate: negation,
  abs: absolute,
  sign,
} satisfies Readonly<Record<string, Spell>>
