// What the functions of this folder ask of their arguments. Messages name the argument and its position; a
// released value itself is never shown, only the fact that it is not finite.

import { fail } from "../../errors/errors.ts"
import { at } from "./vector.ts"

/** Returns a finite number, or refuses it by name. */
export function finite(value: number, name: string): number {
  if (!Number.isFinite(value)) fail("parameter/not-a-number", { name, got: `${value}` })
  return value
}

/** Returns numbers that are all finite; `name` is the name of one of them, such as "value". */
export function allFinite(values: readonly number[], name: string): readonly number[] {
  for (let index = 0; index < values.length; index += 1) finite(at(values, index), `${name} ${index}`)
  return values
}

/** Returns a finite number of at least 0. */
export function notNegative(value: number, name: string): number {
  if (finite(value, name) < 0) fail("parameter/negative", { name, got: `${value}` })
  return value
}

/** Returns a finite number greater than 0. */
export function greaterThanZero(value: number, name: string): number {
  if (finite(value, name) <= 0) fail("parameter/not-positive", { name, got: `${value}` })
  return value
}

/** Returns a probability strictly between 0 and 1, such as a confidence. */
export function openUnit(value: number, name: string): number {
  if (!(value > 0 && value < 1)) {
    fail("parameter/out-of-range", { name, got: `${value}`, range: "the open interval (0, 1)" })
  }
  return value
}

/** Returns a position in a list of `count` entries. */
export function position(value: number, of: { readonly name: string; readonly count: number }): number {
  if (!Number.isInteger(value) || value < 0 || value >= of.count) {
    const range = of.count === 0 ? "an empty list" : `the positions 0 to ${of.count - 1}`
    fail("parameter/out-of-range", { name: of.name, got: `${value}`, range })
  }
  return value
}

/** Refuses a list whose length is not the expected one. */
export function checkLength(
  list: { readonly length: number },
  of: { readonly name: string; readonly expected: number },
): void {
  if (list.length !== of.expected) {
    fail("parameter/length", { name: of.name, got: `${list.length}`, expected: `${of.expected}` })
  }
}

/** Refuses a size above the limit that keeps time and memory bounded. */
export function checkLimit(size: number, of: { readonly name: string; readonly limit: number }): void {
  if (size > of.limit) fail("parameter/too-large", { name: of.name, got: `${size}`, limit: `${of.limit}` })
}

/** The weights of `count` values: those given, all positive and finite, or 1 each. */
export function weightsOf(weights: readonly number[] | undefined, count: number): readonly number[] {
  if (weights === undefined) return Array.from({ length: count }, () => 1)
  checkLength(weights, { name: "weights", expected: count })
  for (let index = 0; index < count; index += 1) greaterThanZero(at(weights, index), `weight ${index}`)
  return weights
}
