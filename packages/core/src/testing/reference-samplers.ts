// The executable specification of the noise: plain BigInt, one bit at a time, nothing cached. The fast
// samplers are tested against these laws. Canonne, Kamath, Steinke 2020 (The Discrete Gaussian for
// Differential Privacy) for the discrete laws; Karney 2016 (Sampling Exactly from the Normal Distribution,
// algorithm N) for the rounded Gaussian.

import type { BitSource } from "./bit-source.ts"

/** numerator / denominator, with denominator > 0; need not be reduced. A `Rational` is one. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Draws an integer from 0 to n - 1, each with probability 1/n: takes enough bits for n - 1, and again if
 * beyond. */
export function referenceUniformBelow(n: bigint, bits: BitSource): bigint {
  if (n <= 0n) throw new Error(`there is no integer from 0 to ${n - 1n}`)
  for (;;) {
    let value = 0n
    for (let span = n - 1n; span > 0n; span >>= 1n) value = 2n * value + BigInt(bits.bit())
    if (value < n) return value
  }
}

/** Draws true with probability p, 0 <= p <= 1: compares fair bits with the binary digits of p until they
 * differ. */
export function referenceBernoulli(p: Fraction, bits: BitSource): boolean {
  demand(p.numerator >= 0n && p.numerator <= p.denominator, "a probability", p)
  if (p.numerator === p.denominator) return true
  let rest = p.numerator
  while (rest > 0n) {
    rest *= 2n
    const digit = rest >= p.denominator ? 1 : 0
    if (digit === 1) rest -= p.denominator
    const bit = bits.bit()
    if (bit !== digit) return bit < digit
  }
  return false
}

/** Draws true with probability exp(-x), x >= 0 (Canonne-Kamath-Steinke, algorithm 1). */
export function referenceBernoulliExp(x: Fraction, bits: BitSource): boolean {
  demand(x.numerator >= 0n && x.denominator > 0n, "zero or positive", x)
  for (let whole = x.numerator / x.denominator; whole > 0n; whole -= 1n) {
    if (!bernoulliExpBelowOne({ numerator: 1n, denominator: 1n }, bits)) return false
  }
  return bernoulliExpBelowOne({ numerator: x.numerator % x.denominator, denominator: x.denominator }, bits)
}

/** For x <= 1: the run x/1, x/2, x/3, ... of successes stops at an even length with probability exp(-x). */
function bernoulliExpBelowOne(x: Fraction, bits: BitSource): boolean {
  let trial = 1n
  while (referenceBernoulli({ numerator: x.numerator, denominator: x.denominator * trial }, bits)) trial += 1n
  return trial % 2n === 1n
}

/** Draws k = 0, 1, 2, ... with probability proportional to exp(-k / scale). */
export function referenceGeometric(scale: Fraction, bits: BitSource): bigint {
  demand(scale.numerator > 0n && scale.denominator > 0n, "positive", scale)
  const { numerator, denominator } = scale
  // whole * numerator + rest is geometric with scale `numerator`; dividing gives the scale wanted.
  let rest = referenceUniformBelow(numerator, bits)
  while (!referenceBernoulliExp({ numerator: rest, denominator: numerator }, bits)) {
    rest = referenceUniformBelow(numerator, bits)
  }
  let whole = 0n
  while (referenceBernoulliExp({ numerator: 1n, denominator: 1n }, bits)) whole += 1n
  return (whole * numerator + rest) / denominator
}

/** Draws k with probability proportional to exp(-|k| / scale) (Canonne-Kamath-Steinke, algorithm 2). */
export function referenceDiscreteLaplace(scale: Fraction, bits: BitSource): bigint {
  for (;;) {
    const magnitude = referenceGeometric(scale, bits)
    const negative = bits.bit() === 1
    if (!negative) return magnitude
    if (magnitude > 0n) return -magnitude
  }
}

/** Draws k with probability proportional to exp(-k^2 / (2 variance)) (Canonne-Kamath-Steinke, algorithm 3).
 * */
export function referenceDiscreteGaussian(variance: Fraction, bits: BitSource): bigint {
  demand(variance.numerator > 0n && variance.denominator > 0n, "positive", variance)
  const { numerator: p, denominator: q } = variance
  const t = squareRootDown(p / q) + 1n
  for (;;) {
    const candidate = referenceDiscreteLaplace({ numerator: t, denominator: 1n }, bits)
    const magnitude = candidate < 0n ? -candidate : candidate
    // (|k| - variance/t)^2 / (2 variance) over a common denominator.
    const gap = magnitude * q * t - p
    if (referenceBernoulliExp({ numerator: gap * gap, denominator: 2n * p * q * t * t }, bits))
      return candidate
  }
}

/** Draws round(Z), Z normal with mean 0 and this variance; exact, ties have probability zero. */
export function referenceRoundedGaussian(variance: Fraction, bits: BitSource): bigint {
  demand(variance.numerator > 0n && variance.denominator > 0n, "positive", variance)
  const standard = halfNormal(bits)
  for (;;) {
    // |Z| lies in [low, high) * sqrt(variance); done when both ends round to the same integer.
    const low = standard.whole * 2n ** standard.power + standard.fraction
    const scale = variance.denominator * 4n ** standard.power
    const doubledLow = squareRootDown((4n * variance.numerator * low * low) / scale)
    const square = 4n * variance.numerator * (low + 1n) * (low + 1n)
    const doubledHigh = squareRootDown((square + scale - 1n) / scale - 1n)
    // floor(z + 1/2) = floor((floor(2 z) + 1) / 2).
    const rounded = (doubledLow + 1n) / 2n
    if (rounded === (doubledHigh + 1n) / 2n) return bits.bit() === 1 ? -rounded : rounded
    reveal(standard, bits)
  }
}

/** The real number whole + (fraction + something in [0, 1)) / 2^power, whose further bits are not yet drawn.
 * */
interface LazyReal {
  whole: bigint
  fraction: bigint
  power: bigint
}

function reveal(real: LazyReal, bits: BitSource): void {
  real.fraction = 2n * real.fraction + BigInt(bits.bit())
  real.power += 1n
}

/** |N(0, 1)| as k + x: exp(-k/2) exp(-k(k-1)/2) exp(-x(2k+x)/2) = exp(-(k+x)^2/2). Karney's steps N1 to N4.
 * */
function halfNormal(bits: BitSource): LazyReal {
  for (;;) {
    let whole = 0n
    while (referenceBernoulliExp({ numerator: 1n, denominator: 2n }, bits)) whole += 1n
    if (!referenceBernoulliExp({ numerator: whole * (whole - 1n), denominator: 2n }, bits)) continue
    const real = { whole, fraction: 0n, power: 0n }
    if (acceptsFraction(real, bits)) return real
  }
}

/** Draws true with probability exp(-x(2k+x)/2), as k + 1 times exp(-x(2k+x)/(2k+2)), whose exponent is below
 * 1. */
function acceptsFraction(real: LazyReal, bits: BitSource): boolean {
  for (let factor = 0n; factor <= real.whole; factor += 1n) {
    let trial = 1n
    while (isBelowSlope({ real, divisor: (2n * real.whole + 2n) * trial }, bits)) trial += 1n
    if (trial % 2n === 0n) return false
  }
  return true
}

/** Draws true with probability x(2k+x)/divisor, revealing x and a uniform v side by side until their order is
 * sure. */
function isBelowSlope(
  options: { readonly real: LazyReal; readonly divisor: bigint },
  bits: BitSource,
): boolean {
  const { real, divisor } = options
  const v: LazyReal = { whole: 0n, fraction: 0n, power: 0n }
  for (;;) {
    reveal(v, bits)
    if (real.power < v.power) reveal(real, bits)
    const slope = (x: bigint) => x * (2n * real.whole * 2n ** real.power + x) * 2n ** v.power
    const unit = divisor * 4n ** real.power
    if ((v.fraction + 1n) * unit <= slope(real.fraction)) return true
    if (v.fraction * unit >= slope(real.fraction + 1n)) return false
  }
}

/** The largest r with r * r <= n, by Newton's iteration from above. */
function squareRootDown(n: bigint): bigint {
  if (n < 2n) return n
  let root = 1n << BigInt((n.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + n / root) / 2n
    if (next >= root) return root
    root = next
  }
}

function demand(holds: boolean, what: string, got: Fraction): void {
  if (!holds) throw new Error(`must be ${what}: ${got.numerator}/${got.denominator}`)
}
