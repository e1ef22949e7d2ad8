// The weight of a unit by the norm of what it adds. A float makes a guess; integers decide whether it stands.

import { assert } from "@dosimeter/core/errors"
import { rational } from "@dosimeter/core/exact"
import type { WeightExpr } from "../algebra/expr.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"
import { castWithin } from "../spell/held-type.ts"
import { writeDouble, writeInteger } from "../spell/literal.ts"
import { wholeQuotient } from "../spell/spell-arithmetic.ts"
import { storedType } from "../spell/stored.ts"

/** Types of totals that 64 bits hold. */
const narrow: readonly string[] = ["INTEGER", "BIGINT"]

/** Above this the squares of full x bound pass 38 digits. */
export const weightedMax: bigint = 1n << 61n

/**
 * The weight, an integer from 0 to `full`; `text` is the total.
 *
 * Guarantee: in every row, whatever the total is, the value w is a whole number from 0 to full, and where w
 *   is not 0 the total t is a number from 0 on with w t <= full bound (l1), or w^2 t <= (full bound)^2 (l2).
 * Needs: quotients of whole numbers are written toward zero; the database compares integers exactly.
 * Proof: every branch but the last compares before it gives. `full` is given where 0 <= t <= bound (l1) or
 *   0 <= t <= bound^2 (l2): full t <= full bound, and full^2 t <= (full bound)^2. A guess w is given only
 *   where t is above that and w <= (full bound) // t, or w^2 <= (full bound)^2 // t: for whole numbers a <=
 *   b // t is a t <= b. The last branch is 0, also where t is NULL. No float is believed: it makes the guess.
 *   Nothing fails: the divisor is at least 1, the root of a number from 1 on is one, and the guess is cut to
 *   `full` before it is cast; a quotient times its own divisor is at most full bound, whatever the total is.
 * Numerics: (full bound)^2 has fewer than 38 digits, and full bound fewer than 62 bits (asserted), so that 64
 *   bits hold what is worked out by an l1 norm of a total that they hold; the guess is at most one too large,
 *   since doubles are within 2^-50 of the quotient and full is below 2^40; the branch after it is one less.
 * Source: this file; run against big integers in print-weight.node.test.ts.
 */
export function printWeight(
  { norm, total, bound, full, domain }: WeightExpr,
  text: string,
  dialect: DialectSpelling,
): string {
  assert(bound > 0n && full > 0n && full < 1n << 40n, "a weight has a bound")
  assert(full * bound < weightedMax, "the square of a weighed bound fits 38 digits")
  const { huge } = dialect.types
  const isNarrow = norm === "l1" && narrow.includes(storedType(total.domain, dialect))
  const type = isNarrow ? "BIGINT" : huge
  const whole = (value: bigint): string => `CAST(${writeInteger(value, dialect)} AS ${type})`
  const t = castWithin(text, total.domain.range, { type, dialect })
  const atLeastOne = dialect.numbers.greatest([t, whole(1n)])
  const stored = storedType(domain, dialect)
  const result = (value: string): string => castWithin(value, domain.range, { type: stored, dialect })
  const all = result(whole(full))
  const none = result(whole(0n))
  const limit = norm === "l1" ? bound : bound * bound
  const reach = norm === "l1" ? full * bound : (full * bound) ** 2n
  const within = `${t} >= ${whole(0n)} AND ${t} <= ${whole(limit)}`
  const beyond = `${t} > ${whole(limit)}`
  const quotient = wholeQuotient(whole(reach), atLeastOne, { stored: type, dialect })
  if (norm === "l1") {
    const fits = `${beyond} AND ${quotient} <= ${whole(full)} AND ${quotient} * ${atLeastOne} <= ${whole(reach)}`
    return `CASE WHEN ${within} THEN ${all} WHEN ${fits} THEN ${result(quotient)} ELSE ${none} END`
  }
  const root = `sqrt(CAST(${atLeastOne} AS ${dialect.types.float}))`
  const ratio = `${writeDouble(rational(full * bound), dialect)} / ${root}`
  const cut = dialect.numbers.least([writeDouble(rational(full), dialect), ratio])
  const guess = `CAST(floor(${cut}) AS ${huge})`
  const less = `(${guess} - ${whole(1n)})`
  const fits = (value: string): string => `${beyond} AND ${value} * ${value} <= ${quotient}`
  return [
    `CASE WHEN ${within} THEN ${all}`,
    `WHEN ${fits(guess)} THEN ${result(guess)}`,
    `WHEN ${fits(less)} AND ${less} >= ${whole(0n)} THEN ${result(less)}`,
    `ELSE ${none} END`,
  ].join(" ")
}
