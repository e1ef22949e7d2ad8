// The largest probability of showing a key of n units that (epsilon, delta) a key allows, as a table of
// fractions with a power of two below. The table's own privacy is checked, entry by entry, in integers.

import { assert } from "../../errors/assert.ts"
import { fail } from "../../errors/errors.ts"
import { showParameter } from "../../exact/decimal.ts"
import { exponentOf, fixedPoint } from "../../exact/dyadic.ts"
import { expDown } from "../../exact/exp.ts"
import { compare, minimum, one, rational, showRational, type Rational } from "../../exact/rational.ts"

/** Keep probabilities by number of units: 0 for none, growing to 1. */
export interface KeepProbabilities {
  /** The probability of showing a key of this many units. */
  of(units: bigint): Rational
  /** The least number of units that is shown with at least this probability. */
  reaches(probability: Rational): bigint
}

const tableMax = 1_000_000
const kept = new Map<string, KeepProbabilities>()

/**
 * The optimal table for (epsilon, delta) a key.
 *
 * With p(0) = 0, p(n) = min(g p(n-1) + delta, 1 - (1 - p(n-1) - delta) / g, 1) and g = e^epsilon is the
 * largest choice under which adding a unit multiplies P(shown) and P(not shown) by at most g, plus delta.
 * Here g is rounded down and every p(n) too, which only tightens the first inequality and, by raising 1 -
 * p(n), the second; both are asserted for each entry, with the inequalities of the other direction, which
 * hold because p grows.
 */
export function keepProbabilities(epsilon: Rational, delta: Rational): KeepProbabilities {
  const key = `${showRational(epsilon)} ${showRational(delta)}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const table = buildTable(epsilon, delta)
  if (kept.size >= 32) kept.clear()
  kept.set(key, table)
  return table
}

function buildTable(epsilon: Rational, delta: Rational): KeepProbabilities {
  // A smaller factor is only stricter; the power of a large number would only cost time.
  const factor = expDown(minimum(epsilon, rational(4096n)), 128)
  // 128 bits after the first digit of delta.
  const bits = 128 + Math.max(0, -exponentOf(delta))
  const unit = 1n << BigInt(bits)
  const d = fixedPoint(delta, bits)
  const table = [0n]
  for (let p = 0n; p < unit;) {
    const grown = (p * factor.numerator) / factor.denominator + d
    const rest = unit - p - d
    const shrunk = rest <= 0n ? unit : unit - ceilDivide(rest * factor.denominator, factor.numerator)
    const next = grown < shrunk ? grown : shrunk
    assertPrivate(p, next, { factor, d, unit })
    p = next
    table.push(p)
    if (table.length > tableMax) {
      const got = showParameter(epsilon)
      fail("parameter/out-of-range", {
        name: "epsilon a key",
        got,
        range: "values that need a shorter table",
      })
    }
  }
  return {
    of: (units) => {
      const p = units < BigInt(table.length) ? table[Number(units)] : undefined
      return p === undefined ? one : rational(p, unit)
    },
    reaches: (probability) => BigInt(table.findIndex((p) => compare(rational(p, unit), probability) >= 0)),
  }
}

/** P(shown) and P(not shown), in both directions, differ by at most a factor and d. */
function assertPrivate(
  before: bigint,
  after: bigint,
  limits: { factor: Rational; d: bigint; unit: bigint },
): void {
  const { numerator, denominator } = limits.factor
  const { d, unit } = limits
  const holds = (a: bigint, b: bigint): boolean => a * denominator <= b * numerator + d * denominator
  assert(after > before && after <= unit, "keep probabilities grow to 1")
  assert(holds(after, before) && holds(before, after), "showing a key is private")
  assert(
    holds(unit - before, unit - after) && holds(unit - after, unit - before),
    "not showing it is private",
  )
}

function ceilDivide(n: bigint, d: bigint): bigint {
  return (n + d - 1n) / d
}
