// Exponentials and logarithms of doubles, near the truth and the same in every engine: ECMAScript leaves
// Math.exp and its kin to the engine, and what decides a plan or a charge must not depend on that. Only
// + - * / and exact functions are used, which IEEE 754 fixes to the last bit. Proposals and comparisons;
// what is promised is certified by expUp, lnUp and enclosures.

import { certifiedExp } from "./certified-exp.ts"

/** ln 2, to the nearest double. */
const ln2 = 0.6931471805599453
/** Mantissas lie in [root / 2, root), around 1: root is about the square root of 2. */
const root = 1.4142135623730951
/** 2^512, 2^256, ..., 2, exactly, with their exponents. */
const powers = powersOfTwo()

/** e^x, within a part in 2^46; Infinity beyond 709.78, and 0 below -745. */
export function expNear(x: number): number {
  if (Number.isNaN(x)) return x
  if (x > 709.78) return Infinity
  if (x < -745) return 0
  // Two factors: each is a normal double, and only their product may be a subnormal one.
  if (x < -700) return certifiedExp(-x / 2) * certifiedExp(-x / 2)
  return x <= 0 ? certifiedExp(-x) : x <= 700 ? 1 / certifiedExp(x) : expNear(x / 2) * expNear(x / 2)
}

/** e^x - 1, within a part in 2^45, also for tiny x. */
export function expm1Near(x: number): number {
  if (!(Math.abs(x) < 0.5)) return expNear(x) - 1
  let term = x
  let sum = x
  // Terms fall by a factor of at least 4: the 20th is below 2^-60 of the first.
  for (let k = 2; k <= 20 && term !== 0; k += 1) {
    term *= x / k
    sum += term
  }
  return sum
}

/** ln x for x >= 0, within a part in 2^48; -Infinity at 0, NaN below. */
export function lnNear(x: number): number {
  if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x > 0 ? x : Number.NaN
  let mantissa = x
  let exponent = 0
  // Multiplying by powers of two is exact, or for a subnormal x makes it a normal one.
  for (const [step, power] of powers) {
    while (mantissa >= power) {
      mantissa /= power
      exponent += step
    }
    while (mantissa < 1 / power) {
      mantissa *= power
      exponent -= step
    }
  }
  if (mantissa >= root) {
    mantissa /= 2
    exponent += 1
  } else if (mantissa < root / 2) {
    mantissa *= 2
    exponent -= 1
  }
  // From 1 - 0.293 to 1 + 0.415 the difference from 1 is exact (Sterbenz), so that nothing cancels.
  return exponent * ln2 + twiceAtanh((mantissa - 1) / (mantissa + 1))
}

/** ln(1 + x) for x >= -1, within a part in 2^48, also for tiny x. */
export function ln1pNear(x: number): number {
  return Math.abs(x) < 0.25 ? twiceAtanh(x / (2 + x)) : lnNear(1 + x)
}

/** tanh x, within a part in 2^44, also for tiny x. */
export function tanhNear(x: number): number {
  if (Math.abs(x) > 22) return x > 0 ? 1 : -1
  const grown = expm1Near(2 * x)
  return grown / (grown + 2)
}

/** 2 atanh s for |s| <= 0.1716, by its series: the 12th term is below 2^-58 of the first. */
function twiceAtanh(s: number): number {
  const z = s * s
  let sum = 0
  for (let odd = 25; odd >= 3; odd -= 2) sum = z * (sum + 1 / odd)
  return 2 * s + 2 * s * sum
}

function powersOfTwo(): readonly (readonly [exponent: number, power: number])[] {
  const made: [number, number][] = []
  for (let [step, power] = [1, 2]; step <= 512; [step, power] = [step * 2, power * power]) {
    made.unshift([step, power])
  }
  return made
}
