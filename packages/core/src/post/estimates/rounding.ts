// Rounding of released values: one by one, or all together so that a total is kept.

import { fail } from "../../errors/errors.ts"
import { allFinite, finite, greaterThanZero } from "./check.ts"
import { checkEstimate, type Estimate, type Interval } from "./estimate.ts"
import { at, sumOf } from "./vector.ts"

/**
 * Rounds values to the nearest multiple of a public step; a tie goes to the even multiple.
 *
 * Guarantee: no value moves by more than half a step. Bias: below half a step, and none on average over
 * values that are spread over more than a step. Intervals: see roundEstimate and roundInterval.
 * Needs: the step is public.
 * Proof: the nearest of two neighbouring multiples is at most half their distance away.
 * Numerics: doubles; a value within 1e-12 of a multiple counts as that multiple.
 * Source: elementary.
 */
export function roundToGrid(values: readonly number[], step: number): number[] {
  greaterThanZero(step, "step")
  return allFinite(values, "value").map((value) => nearestMultiple(value, step))
}

/** Rounds values to integers; a tie goes to the even one. */
export function roundToIntegers(values: readonly number[]): number[] {
  return roundToGrid(values, 1)
}

/**
 * Rounds one estimate. A value that lies on the grid is returned as it is, law and all. Otherwise the error
 * grows by at most half a step, so the variance stated, (sigma + step / 2)^2, is an upper bound; intervals
 * are approximate.
 */
export function roundEstimate(estimate: Estimate, step: number): Estimate {
  checkEstimate(estimate, "estimate")
  const value = nearestMultiple(estimate.value, greaterThanZero(step, "step"))
  if (value === estimate.value) return estimate
  return { value, variance: (Math.sqrt(estimate.variance) + step / 2) ** 2, law: "other" }
}

/**
 * Narrows an interval to the multiples of `step` inside it, for a quantity whose exact value is such a
 * multiple (counts: step 1). It covers exactly as often as before; one that holds no multiple becomes the
 * nearest one to its middle.
 */
export function roundInterval(interval: Interval, step: number): Interval {
  greaterThanZero(step, "step")
  const lower = ofSteps(Math.ceil(inSteps(interval.lower, step)), step)
  const upper = ofSteps(Math.floor(inSteps(interval.upper, step)), step)
  if (lower <= upper) return { ...interval, lower, upper }
  const nearest = nearestMultiple((interval.lower + interval.upper) / 2, step)
  return { ...interval, lower: nearest, upper: nearest }
}

/**
 * Controlled rounding: every value goes to the multiple of `step` just below or just above it, and the
 * results add up to `total` (the values' own sum, rounded, unless given).
 *
 * Guarantee: each value moves by less than a step; among all such roundings with this total, the sum of
 * squared changes is least, since those with the largest remainders go up (ties: the first). Non-negative
 * values stay so.
 * Bias: below a step for each value, none for the total. A total that lies outside the sum of the values
 * rounded down and the sum rounded up is refused: project onto the total first.
 * Needs: step and total are public or released.
 * Proof: with remainder r of a value, going up instead of down changes the sum of squares by 1 - 2 r steps
 * squared; so many must go up as the total says, and the sum is least if those have the largest remainders.
 * Numerics: doubles; a value within 1e-12 of a multiple counts as that multiple.
 * Source: elementary.
 */
export function roundKeepingTotal(
  values: readonly number[],
  { step, total }: { readonly step: number; readonly total?: number },
): number[] {
  greaterThanZero(step, "step")
  allFinite(values, "value")
  const steps = values.map((value) => inSteps(value, step))
  const floors = steps.map(Math.floor)
  const wanted = inSteps(finite(total ?? nearestMultiple(sumOf(values), step), "total"), step)
  const remainders = steps.map((value, index) => ({ index, remainder: value - at(floors, index) }))
  const movable = remainders.filter(({ remainder }) => remainder > 0)
  const ups = wanted - sumOf(floors)
  if (!Number.isInteger(ups)) fail("postprocess/infeasible", { what: "the total is a multiple of the step" })
  if (ups < 0 || ups > movable.length) {
    fail("postprocess/infeasible", {
      what: "each value moves by less than a step, and their sum is the total",
    })
  }
  const raised = movable.toSorted((a, b) => b.remainder - a.remainder || a.index - b.index).slice(0, ups)
  const rounded = [...floors]
  for (const { index } of raised) rounded[index] = at(floors, index) + 1
  return rounded.map((multiple) => ofSteps(multiple, step))
}

/** How many steps a value is; a multiple that doubles missed by a few units in the last place is put back. */
function inSteps(value: number, step: number): number {
  const steps = isUnitFraction(step) ? value * Math.round(1 / step) : value / step
  const nearest = Math.round(steps)
  return Math.abs(steps - nearest) <= 1e-12 * Math.max(1, Math.abs(steps)) ? nearest : steps
}

/** So many steps as a value; 3 steps of 0.1 are 3 / 10, since 3 * 0.1 is not 0.3. No negative zero. */
function ofSteps(steps: number, step: number): number {
  return (isUnitFraction(step) ? steps / Math.round(1 / step) : steps * step) + 0
}

function isUnitFraction(step: number): boolean {
  return step < 1 && 1 / Math.round(1 / step) === step
}

function nearestMultiple(value: number, step: number): number {
  const steps = inSteps(value, step)
  const below = Math.floor(steps)
  const part = steps - below
  const isUp = part > 0.5 || (part === 0.5 && below % 2 !== 0)
  return ofSteps(isUp ? below + 1 : below, step)
}
