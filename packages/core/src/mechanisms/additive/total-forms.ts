// What is measured at each step of a running total, and how totals are read from it. Totals and measurements
// are linear in the amounts of the steps, and a good choice of measurements needs the least noise: sums over
// the nodes of a binary tree, or sums of all amounts so far with weights that fade with age.

import { assert } from "../../errors/assert.ts"
import { bitLength } from "../../exact/rational.ts"

/**
 * The form of the measurements.
 *
 * `fading`: at step s the sum of w(s - j) times the amount of each step j <= s, where w(d) are the
 * coefficients of (1 - z)^-a for a = sixteenths / 16, in whole numbers: w(0) is the largest, and none is
 * larger than the one before. With a = 0 it is the amount of the step itself, with a = 1/2 the square root of
 * the matrix of all totals.
 */
export type TotalForm = { readonly kind: "tree" } | { readonly kind: "fading"; readonly sixteenths: bigint }

/** The tree, for horizons of any length. */
export const treeForm: TotalForm = { kind: "tree" }

/** Each step is measured by itself. */
export const singleSteps: TotalForm = { kind: "fading", sixteenths: 0n }

/** The longest horizon of fading sums: their work grows with its square. */
export const fadingMost = 4096n

/** How many nodes of a tree a step is in at most: the bits of the horizon. */
export function levelsOf(spec: { readonly horizon: bigint }): bigint {
  return BigInt(bitLength(spec.horizon))
}

/** The steps whose amounts make up the node of a tree that ends at a step: (from, through]. */
export interface TotalNode {
  readonly from: bigint
  readonly through: bigint
}

/** The nodes of which the total at a step is the sum, the latest first; none at step 0. */
export function totalNodes(step: bigint): readonly TotalNode[] {
  if (step === 0n) return []
  const from = step & (step - 1n)
  return [{ from, through: step }, ...totalNodes(from)]
}

/** w(0), w(1), ...: so many of them. */
export function fadingWeights(sixteenths: bigint, count: number): readonly bigint[] {
  assert(sixteenths >= 0n && sixteenths <= 16n, "weights do not grow with age")
  if (sixteenths === 0n) return Array.from({ length: count }, (_, age) => (age === 0 ? 1n : 0n))
  // (1 - z)^-a has the coefficients c(d) = c(d - 1) (d - 1 + a) / d; each factor is at most 1, and rounding
  // down keeps the order.
  let fine = 1n << 64n
  return Array.from({ length: count }, (_, age) => {
    const d = BigInt(age)
    if (age > 0) fine = (fine * (16n * (d - 1n) + sixteenths)) / (16n * d)
    return fine >> 48n
  })
}

/** The measurement that ends at the last of the amounts, which are those of all steps so far. */
export function measuredSum(form: TotalForm, amounts: readonly bigint[]): bigint {
  if (form.kind === "tree") {
    const [node] = totalNodes(BigInt(amounts.length))
    return amounts.slice(Number(node?.from ?? 0n)).reduce((sum, amount) => sum + amount, 0n)
  }
  const weights = fadingWeights(form.sixteenths, amounts.length)
  return amounts.reduce(
    (sum, amount, index) => sum + (weights[amounts.length - 1 - index] ?? 0n) * amount,
    0n,
  )
}

/**
 * The most that one unit changes in each measurement of a horizon, in the order of the steps, if it is in so
 * many steps and adds 1 to each: what the norms of all that it changes are taken of.
 *
 * A tree: of each level one node by all of it, which is no smaller than the same spread over several. Fading
 * sums: a unit in steps p1 < p2 < ... changes them by the sum of the columns C(p1), C(p2), ..., where C(p) is
 * w(s - p) at steps s >= p. Its squared length is the sum over all pairs of the product of two columns,
 * sum of w(d) w(d + gap) over d <= horizon - later step, which is the larger the earlier both are and the
 * nearer to each other, because weights do not grow with age. So is the sum of the coordinates. The first
 * steps of all are the worst.
 */
export function changesOf(
  form: TotalForm,
  { horizon, steps }: { readonly horizon: bigint; readonly steps: bigint },
): readonly bigint[] {
  if (form.kind === "tree") return Array.from({ length: Number(levelsOf({ horizon })) }, () => steps)
  assert(horizon <= fadingMost, "fading sums have a longest horizon")
  const weights = fadingWeights(form.sixteenths, Number(horizon))
  let sum = 0n
  return weights.map((weight, index) => {
    const gone = weights[index - Number(steps)] ?? 0n
    sum += weight - gone
    return sum
  })
}

/**
 * What each measurement counts for in the total at its own step and later ones: that of d steps ago by
 * factor(d). Of a tree it depends on the step: see totalNodes.
 *
 * The factors solve sum of w(j) factor(d - j) over j <= d = 1 for every d: all amounts so far count once.
 */
export function fadingFactors(sixteenths: bigint, count: number): readonly number[] {
  const weights = fadingWeights(sixteenths, count).map(Number)
  const first = weights[0] ?? 1
  const factors: number[] = []
  for (let d = 0; d < count; d += 1) {
    let rest = 1
    for (let j = 1; j <= d; j += 1) rest -= (weights[j] ?? 0) * (factors[d - j] ?? 0)
    factors.push(rest / first)
  }
  return factors
}

/** Reads the total at the last of up to `most` steps from the noisy measurements of all; in whole numbers. */
export function totalReader(form: TotalForm, most: number): (measured: readonly bigint[]) => bigint {
  if (form.kind === "tree") {
    return (measured) =>
      totalNodes(BigInt(measured.length)).reduce(
        (sum, { through }) => sum + (measured[Number(through) - 1] ?? 0n),
        0n,
      )
  }
  // In units of 2^-64: no factor is above 1.
  const factors = fadingFactors(form.sixteenths, most).map((factor) => BigInt(Math.round(factor * 2 ** 64)))
  return (measured) => {
    const last = measured.length - 1
    const sum = measured.reduce((total, value, index) => total + (factors[last - index] ?? 0n) * value, 0n)
    return (sum + (1n << 63n)) >> 64n
  }
}

/** The sum of squared factors of the total at each step: its variance, where that of a measurement is 1. */
export function spreadOf(form: TotalForm, steps: number): readonly number[] {
  if (form.kind === "tree") {
    return Array.from({ length: steps }, (_, index) => totalNodes(BigInt(index + 1)).length)
  }
  let sum = 0
  return fadingFactors(form.sixteenths, steps).map((factor) => (sum += factor * factor))
}
