// The door for numbers typed by people: "0.1" is one tenth, not the double next to it.

import { numberNear, rationalOfNumber } from "./dyadic.ts"
import { fail } from "../errors/errors.ts"
import { rational, showRational, zero, compare, one, type Rational } from "./rational.ts"

/**
 * A parameter as callers may give it: text ("0.1", "1/3", "1e-9") is read exactly, a number is the double it
 * is.
 */
export type Numeric = Rational | bigint | number | string

const decimalShape = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,5}))?$/
const fractionShape = /^([+-]?\d+)\/(\d+)$/
/** Longer literals are hostile or a mistake; the arithmetic behind them would be slow. */
const digitsMax = 400

/** Reads a parameter exactly, or refuses it by name. */
export function exactly(value: Numeric, name: string): Rational {
  if (typeof value === "bigint") return limited(rational(value), name)
  if (typeof value === "number") {
    if (!Number.isFinite(value)) fail("parameter/not-a-number", { name, got: `${value}` })
    return rationalOfNumber(value)
  }
  if (typeof value === "string") return parseDecimal(value, name)
  // Callers without types come through this door too; what is no fraction must not look like one.
  if (!isFraction(value)) return fail("parameter/not-a-number", { name, got: shorten(String(value)) })
  if (value.denominator === 0n) fail("parameter/not-a-number", { name, got: `${value.numerator}/0` })
  return limited(rational(value.numerator, value.denominator), name)
}

/** Reads "12", "-0.25", "1e-9" or "1/3" exactly. */
export function parseDecimal(text: string, name: string): Rational {
  const fraction = fractionShape.exec(text)
  if (fraction !== null && text.length <= digitsMax) {
    const denominator = BigInt(fraction[2] ?? "1")
    if (denominator !== 0n) return rational(BigInt(fraction[1] ?? "0"), denominator)
  }
  const decimal = decimalShape.exec(text)
  if (decimal === null || text.length > digitsMax)
    return fail("parameter/not-a-number", { name, got: shorten(text) })
  const [, sign, whole = "0", part = "", exponentText = "0"] = decimal
  const exponent = Number(exponentText) - part.length
  if (Math.abs(exponent) > digitsMax) {
    return fail("parameter/out-of-range", {
      name,
      got: shorten(text),
      range: `1e-${digitsMax} to 1e${digitsMax}`,
    })
  }
  const digits = BigInt(`${sign}${whole}${part}`)
  return exponent >= 0
    ? rational(digits * 10n ** BigInt(exponent))
    : rational(digits, 10n ** BigInt(-exponent))
}

/** Reads a parameter that must be greater than 0. */
export function positive(value: Numeric, name: string): Rational {
  const exact = exactly(value, name)
  if (exact.numerator <= 0n) fail("parameter/not-positive", { name, got: showParameter(exact) })
  return exact
}

/** Reads a parameter that must be 0 or more. */
export function atLeastZero(value: Numeric, name: string): Rational {
  const exact = exactly(value, name)
  if (exact.numerator < 0n) fail("parameter/negative", { name, got: showParameter(exact) })
  return exact
}

/** Reads a parameter strictly between 0 and 1, such as a confidence. */
export function betweenZeroAndOne(value: Numeric, name: string): Rational {
  const exact = exactly(value, name)
  if (exact.numerator <= 0n || compare(exact, one) >= 0) outOfRange(name, exact, "the open interval (0, 1)")
  return exact
}

/** Reads a delta: 0 is allowed, 1 is not. */
export function deltaOf(value: Numeric, name = "delta"): Rational {
  const exact = exactly(value, name)
  if (compare(exact, zero) < 0 || compare(exact, one) >= 0) outOfRange(name, exact, "[0, 1)")
  return exact
}

/** Reads a whole number of at least `least`. */
export function wholeNumber(value: Numeric, name: string, least = 1n): bigint {
  const exact = exactly(value, name)
  if (exact.denominator !== 1n) fail("parameter/not-an-integer", { name, got: showParameter(exact) })
  if (exact.numerator < least) outOfRange(name, exact, `the integers from ${least}`)
  return exact.numerator
}

/** The power of ten of the first digit of a positive double, as it is written: 2 for 123, -2 for 0.05. */
export function decimalExponent(value: number): number {
  return Number(value.toExponential().split("e")[1])
}

/** A parameter as a person would write it: a decimal where it is one and short, a fraction otherwise. */
export function showParameter(value: Rational): string {
  const { numerator, denominator } = value
  for (let places = 0; places <= 12; places += 1) {
    const scale = 10n ** BigInt(places)
    if (scale % denominator !== 0n) continue
    const digits = (numerator * scale) / denominator
    // 0.00000000005 is easier to read as 5e-11.
    return places > 6 && digits < 1000n && digits > -1000n
      ? `${digits}e-${places}`
      : placePoint(digits, places)
  }
  const near = numberNear(value)
  return Number.isFinite(near) && near !== 0 ? `${near}` : shorten(showRational(value))
}

function isFraction(value: unknown): value is Rational {
  if (typeof value !== "object" || value === null) return false
  if (!("numerator" in value) || !("denominator" in value)) return false
  return typeof value.numerator === "bigint" && typeof value.denominator === "bigint"
}

function placePoint(digits: bigint, places: number): string {
  if (places === 0) return `${digits}`
  const sign = digits < 0n ? "-" : ""
  const text = `${digits < 0n ? -digits : digits}`.padStart(places + 1, "0")
  return `${sign}${text.slice(0, -places)}.${text.slice(-places)}`
}

function outOfRange(name: string, value: Rational, range: string): never {
  return fail("parameter/out-of-range", { name, got: showParameter(value), range })
}

/** Keeps hostile sizes out: a parameter beyond 2^4096 would make every later step slow. */
function limited(value: Rational, name: string): Rational {
  const limit = 1n << 4096n
  if (value.numerator > limit || value.numerator < -limit || value.denominator > limit) {
    fail("parameter/too-large", { name, got: "more than 4096 bits", limit: "4096 bits" })
  }
  return value
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`
}
