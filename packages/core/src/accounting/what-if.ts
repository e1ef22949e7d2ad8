// A list of planned releases under every accountant, side by side. Each total is valid by itself, so the
// least may be used; all but those marked adaptive need the whole list to be fixed beforehand.

import { unreachable } from "../errors/assert.ts"
import { betweenZeroAndOne, positive, wholeNumber, type Numeric } from "../exact/decimal.ts"
import { numberDown, numberUp, rationalOfNumber } from "../exact/dyadic.ts"
import { sqrtUp } from "../exact/log.ts"
import {
  add,
  compare,
  divide,
  isPositive,
  multiply,
  rational,
  subtract,
  zero,
  type Rational,
} from "../exact/rational.ts"
import { composeBasic } from "./compose.ts"
import type { LossEvent, Planned } from "./event.ts"
import { approxOf, gdpOf, pairOf, renyiOf, zcdpOf } from "./event-losses.ts"
import { gdpToEpsilon } from "./conversions/gaussian-delta.ts"
import { optimalToEpsilon } from "./conversions/optimal-composition.ts"
import { PldAccount, type CountedPair } from "./distributions/pld.ts"
import { addCurves, renyiToEpsilon } from "./renyi.ts"
import { zcdpToEpsilon } from "./conversions/zcdp-to-approx.ts"

/** An accountant by name. */
export type AccountantName = "basic" | "advanced" | "optimal" | "zcdp" | "gdp" | "renyi" | "pld"

/** What one accountant says of all planned releases together. */
export interface Total {
  readonly accountant: AccountantName
  /** epsilon at the delta asked; Infinity if it can promise none. */
  readonly epsilon: number
  /** Does the total hold if later releases are chosen after seeing earlier answers? */
  readonly adaptive: boolean
  /** For numerical accountants: the truth is at least this. */
  readonly atLeast?: number
}

const plainNames = ["basic", "advanced", "optimal", "zcdp", "gdp", "renyi"] as const
const names: readonly AccountantName[] = [...plainNames, "pld"]
const adaptiveNames: readonly AccountantName[] = ["basic", "zcdp", "gdp"]

/** The total of planned releases at delta, under every accountant. */
export function whatIf(planned: readonly Planned[], delta: Numeric): Total[] {
  const at = betweenZeroAndOne(delta, "delta")
  return names.map((accountant) => totalBy(accountant, planned, at))
}

/** The total under one accountant. */
export function totalBy(accountant: AccountantName, planned: readonly Planned[], delta: Rational): Total {
  const adaptive = adaptiveNames.includes(accountant)
  checkCounts(planned)
  if (accountant === "pld") {
    const { upper, lower } = accountByPld(planned).epsilonAt(numberDown(delta))
    // Where a lattice is coarse for its widest loss, a plain sum may be nearer: every total holds by itself.
    const others = plainNames.map((name) => epsilonBy(name, planned, delta))
    return { accountant, adaptive, epsilon: Math.min(upper, ...others), atLeast: lower }
  }
  return { accountant, adaptive, epsilon: epsilonBy(accountant, planned, delta) }
}

/**
 * How many more releases of one kind fit under (epsilon, delta), after those planned already, by one
 * accountant.
 */
export function howManyFit(options: {
  readonly event: LossEvent
  readonly planned: readonly Planned[]
  readonly epsilon: Numeric
  readonly delta: Numeric
  readonly accountant: AccountantName
}): number {
  const epsilon = positive(options.epsilon, "epsilon")
  const delta = betweenZeroAndOne(options.delta, "delta")
  const fits = (count: number): boolean => {
    const all = [...options.planned, { event: options.event, count }]
    if (options.accountant !== "basic") {
      return totalBy(options.accountant, all, delta).epsilon <= numberDown(epsilon)
    }
    // Exactly: two of 0.05 fit into 0.1, whatever doubles make of these.
    const total = basicTotal(all, delta)
    return total !== undefined && compare(total, epsilon) <= 0
  }
  if (!fits(1)) return 0
  let low = 1
  while (low < 1e6 && fits(2 * low)) low *= 2
  let high = 2 * low
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

/** A batch as privacy-loss distributions; `cells` makes it coarser and quicker (see PldBatch). */
export function accountByPld(
  planned: readonly Planned[],
  { cells }: { readonly cells?: number } = {},
): PldAccount {
  checkCounts(planned)
  let muSquared = zero
  const pairs: CountedPair[] = []
  for (const { event, count } of planned) {
    if (event.kind === "gaussian")
      muSquared = add(muSquared, multiply(rational(BigInt(count)), event.muSquared))
    else pairs.push({ pair: pairOf(event), count })
  }
  return new PldAccount({
    gaussianMu: isPositive(muSquared) ? numberUp(sqrtUp(muSquared)) : 0,
    pairs,
    ...(cells === undefined ? {} : { cells }),
  })
}

function epsilonBy(
  accountant: Exclude<AccountantName, "pld">,
  planned: readonly Planned[],
  delta: Rational,
): number {
  switch (accountant) {
    case "basic":
      return basic(planned, delta)
    case "advanced":
      return advanced(planned, delta)
    case "optimal":
      return optimal(planned, delta)
    case "zcdp":
      return bySums(planned, delta, { read: (event) => zcdpOf(event), convert: zcdpToEpsilon })
    case "gdp":
      return bySums(planned, delta, {
        read: (event) => {
          const loss = gdpOf(event)
          return loss === undefined ? undefined : { rho: loss.muSquared, delta: loss.delta }
        },
        convert: (sum, rest) => gdpToEpsilon(sqrtUp(sum), rest),
      })
    case "renyi":
      return byRenyi(planned, delta)
    default:
      return unreachable(accountant)
  }
}

/** Sums of rho or mu squared, turned into epsilon with the delta that is left. */
function bySums(
  planned: readonly Planned[],
  delta: Rational,
  measure: {
    read(event: LossEvent): { readonly rho: Rational; readonly delta: Rational } | undefined
    convert(sum: Rational, delta: Rational): Rational
  },
): number {
  let sum = zero
  let rest = delta
  for (const { event, count } of planned) {
    const loss = measure.read(event)
    if (loss === undefined) return Infinity
    const times = rational(BigInt(count))
    sum = add(sum, multiply(times, loss.rho))
    rest = subtract(rest, multiply(times, loss.delta))
  }
  if (!isPositive(rest)) return Infinity
  return isPositive(sum) ? numberUp(measure.convert(sum, rest)) : 0
}

/** Each loss as (epsilon, delta): Gaussians share evenly the delta that the others leave. */
function approxLosses(planned: readonly Planned[], delta: Rational): Planned[] | undefined {
  const own = planned.map(({ event, count }) => ({ loss: approxOf(event), count }))
  const used = composeBasic(
    own.flatMap(({ loss, count }) => (loss === undefined ? [] : [times(loss, count)])),
  ).delta
  const sharers = own.reduce((sum, { loss, count }) => sum + (loss === undefined ? count : 0), 0)
  const share = sharers === 0 ? zero : divide(subtract(delta, used), rational(BigInt(sharers)))
  if (sharers > 0 && !isPositive(share)) return undefined
  return planned.map(({ event, count }) => {
    const loss = approxOf(event)
    if (loss !== undefined)
      return { event: { kind: "approx", epsilon: loss.epsilon, delta: loss.delta }, count }
    return { event: { kind: "approx", epsilon: ownEpsilon(event, share), delta: share }, count }
  })
}

function basic(planned: readonly Planned[], delta: Rational): number {
  const total = basicTotal(planned, delta)
  return total === undefined ? Infinity : numberUp(total)
}

/** The sum of epsilons; undefined where the deltas do not allow one. */
function basicTotal(planned: readonly Planned[], delta: Rational): Rational | undefined {
  checkCounts(planned)
  const losses = approxLosses(planned, delta)
  if (losses === undefined) return undefined
  const total = composeBasic(
    losses.flatMap(({ event, count }) => (event.kind === "approx" ? [times(event, count)] : [])),
  )
  return isPositive(subtract(total.delta, delta)) ? undefined : total.epsilon
}

/**
 * Kairouz, Oh, Viswanath 2017, theorem 3.5: sum of e tanh(e/2), and the root of 2 ln(1/slack) times the sum
 * of e^2.
 */
function advanced(planned: readonly Planned[], delta: Rational): number {
  const losses = approxLosses(planned, divide(delta, rational(2n)))
  if (losses === undefined) return Infinity
  let drift = 0
  let squares = 0
  let used = zero
  for (const { event, count } of losses) {
    if (event.kind !== "approx") continue
    const e = numberUp(event.epsilon)
    drift += count * e * Math.tanh(e / 2)
    squares += count * e * e
    used = add(used, multiply(rational(BigInt(count)), event.delta))
  }
  const slack = numberDown(subtract(delta, used))
  return slack > 0 ? (drift + Math.sqrt(2 * Math.log(1 / slack) * squares)) * (1 + 1e-12) : Infinity
}

function optimal(planned: readonly Planned[], delta: Rational): number {
  const losses = approxLosses(planned, divide(delta, rational(2n)))
  if (losses === undefined) return Infinity
  const repeated = losses.flatMap(({ event, count }) =>
    event.kind === "approx"
      ? [{ epsilon: numberUp(event.epsilon), delta: numberUp(event.delta), count }]
      : [],
  )
  const size = repeated.reduce((product, { count }) => product * (count + 1), 1)
  // Too many different sums: left to the lattice.
  if (size > 1_000_000) return Infinity
  return optimalToEpsilon(repeated, numberDown(delta))
}

function byRenyi(planned: readonly Planned[], delta: Rational): number {
  const parts = planned.map(({ event, count }) => ({ ...renyiOf(event), count }))
  // Exactly: what is left may be small against what is taken away.
  const used = parts
    .map((part) => multiply(rational(BigInt(part.count)), rationalOfNumber(part.delta)))
    .reduce(add, zero)
  const rest = numberDown(subtract(delta, used))
  if (!(rest > 0)) return Infinity
  return renyiToEpsilon(addCurves(parts), rest)
}

/** Callers without types come here too; a count below 1 would make the rest look cheaper. */
function checkCounts(planned: readonly Planned[]): void {
  for (const { count } of planned) wholeNumber(count, "the number of releases")
}

/** The epsilon of a single Gaussian release at its share of delta. */
function ownEpsilon(event: LossEvent, delta: Rational): Rational {
  if (event.kind === "gaussian") return gdpToEpsilon(sqrtUp(event.muSquared), delta)
  return rationalOfNumber(renyiToEpsilon(renyiOf(event).curve, numberDown(delta)))
}

function times(
  loss: { readonly epsilon: Rational; readonly delta: Rational },
  count: number,
): { measure: "approx"; epsilon: Rational; delta: Rational } {
  const k = rational(BigInt(count))
  return { measure: "approx", epsilon: multiply(k, loss.epsilon), delta: multiply(k, loss.delta) }
}
