// Margins that agree: female + male = all, rows and columns add up to the same total, in tables of any number
// of attributes of which some marginals were measured, each with its own noise. Generalized least squares in
// closed form, after ResidualPlanner (Xiao, He, Zhang, Kifer 2023), for measurements that were not planned
// with it.

import { fail } from "../../errors/errors.ts"
import { allFinite, checkLength, checkLimit, notNegative } from "../estimates/check.ts"
import type { Estimate, NoiseLaw } from "../estimates/estimate.ts"
import { mixedLaw } from "../estimates/joint.ts"
import { cellsOf, reordered, residualsOf, tableOf, type Axis } from "./margin-residuals.ts"
import { mergeMoments, type Moments } from "./merge.ts"
import { at } from "../estimates/vector.ts"

/** A marginal: counts by some attributes, summed over all others. No attributes: the total. */
export interface ReleasedMargin {
  readonly attributes: readonly string[]
  /** Row-major: the last attribute runs fastest. */
  readonly values: readonly number[]
  /** The variance of the noise in each value; 0 for public counts. */
  readonly variance: number
  readonly law: NoiseLaw
  /** The step of the grid that the noise lies on, where there is one. */
  readonly grid?: number
}

/** Tables above this many cells are refused. */
const cellsMax = 2 ** 24

/**
 * Makes marginals of one table agree: every two of those wanted have the same sums over what they share.
 *
 * Guarantee: the best linear unbiased estimate of each wanted cell from all measurements together, with its
 * exact variance (the same for all cells of a marginal). Noise must be independent from cell to cell and of
 * equal variance within a marginal. A wanted marginal need not be measured; one that is not determined is
 * refused.
 * Bias: none. Values may be negative; clamp last, if at all.
 * Intervals: exact for continuous Gaussian noise, approximate otherwise. Cells share noise now: read sums off
 * a smaller marginal, with its own variance, instead of adding cells.
 * Needs: noise is independent from cell to cell and of equal variance within a marginal.
 * Proof: reconcile-margins.proof.md.
 * Numerics: doubles.
 * Source: Xiao, He, Zhang, Kifer 2023 (ResidualPlanner), for the parts; the merging is this proof.
 */
export function reconcileMargins(table: {
  /** How many values each attribute has. */
  readonly sizes: Readonly<Record<string, number>>
  readonly measured: readonly ReleasedMargin[]
  /** The marginals to work out; the measured ones unless given. */
  readonly wanted?: readonly (readonly string[])[]
}): ReleasedMargin[] {
  const axes = axesOf(table.sizes)
  const parts = mergedParts(axes, table.measured)
  const wanted = table.wanted ?? table.measured.map(({ attributes }) => attributes)
  const law = mixedLaw(table.measured.map(asEstimate))
  return wanted.map((attributes) => {
    const named = namedAxes(axes, attributes)
    const sorted = axes.filter((axis) => named.includes(axis))
    checkLimit(cellsOf(sorted), { name: "the number of cells", limit: cellsMax })
    const cells = tableOf(sorted, (subset) => partAt(parts, subset).cells)
    return {
      attributes,
      values: [...reordered({ axes: sorted, cells }, named).cells],
      variance: cellVariance(sorted, parts),
      law,
    }
  })
}

/** One part of the table, merged from all marginals that hold it. Each entry has this variance, times K. */
interface Part {
  readonly cells: Float64Array
  readonly variance: number
}

function mergedParts(axes: readonly Axis[], measured: readonly ReleasedMargin[]): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>()
  for (const [index, marginal] of measured.entries()) {
    const named = namedAxes(axes, marginal.attributes)
    checkLimit(cellsOf(named), { name: "the number of cells", limit: cellsMax })
    checkLength(marginal.values, { name: `marginal ${index}`, expected: cellsOf(named) })
    allFinite(marginal.values, `marginal ${index}, value`)
    notNegative(marginal.variance, `the variance of marginal ${index}`)
    const sorted = axes.filter((axis) => named.includes(axis))
    const ordered = reordered({ axes: named, cells: Float64Array.from(marginal.values) }, sorted)
    for (const part of residualsOf(ordered)) {
      const variance = (marginal.variance * cellsOf(sorted)) / cellsOf(part.axes)
      const key = keyOf(part.axes)
      const known = parts.get(key)
      parts.set(
        key,
        known === undefined ? { cells: part.cells, variance } : merged(known, part.cells, variance),
      )
    }
  }
  return parts
}

function merged(known: Part, cells: Float64Array, variance: number): Part {
  let both: Moments = { value: 0, variance: 0 }
  const values = cells.map((value, index) => {
    const old = { value: at(known.cells, index), variance: known.variance }
    both = mergeMoments(old, { value, variance }, "two public marginals")
    return both.value
  })
  return { cells: values, variance: both.variance }
}

function cellVariance(axes: readonly Axis[], parts: ReadonlyMap<string, Part>): number {
  // All subsets at once: each axis either is in A, with 1 - 1/c, or is not, with 1/c^2.
  let terms: { readonly subset: readonly Axis[]; readonly factor: number }[] = [{ subset: [], factor: 1 }]
  for (const axis of axes) {
    const { size } = axis
    terms = terms.flatMap(({ subset, factor }) => [
      { subset, factor: factor / (size * size) },
      { subset: [...subset, axis], factor: factor * (1 - 1 / size) },
    ])
  }
  return terms.reduce((sum, { subset, factor }) => sum + factor * partAt(parts, subset).variance, 0)
}

function partAt(parts: ReadonlyMap<string, Part>, subset: readonly Axis[]): Part {
  const names = subset.map(({ name }) => name).join(" by ")
  const what = subset.length === 0 ? "the total" : `the table ${names}`
  return parts.get(keyOf(subset)) ?? fail("postprocess/undetermined", { what })
}

function axesOf(sizes: Readonly<Record<string, number>>): readonly Axis[] {
  return Object.entries(sizes).map(([name, size]) => {
    if (!Number.isInteger(size))
      fail("parameter/not-an-integer", { name: `the size of ${name}`, got: `${size}` })
    if (size < 1) fail("parameter/not-positive", { name: `the size of ${name}`, got: `${size}` })
    return { name, size }
  })
}

function namedAxes(axes: readonly Axis[], attributes: readonly string[]): readonly Axis[] {
  const range = axes.map(({ name }) => name).join(", ")
  if (new Set(attributes).size !== attributes.length) {
    fail("parameter/out-of-range", {
      name: "attributes",
      got: attributes.join(", "),
      range: "names used once each",
    })
  }
  return attributes.map((attribute) => {
    const axis = axes.find(({ name }) => name === attribute)
    return axis ?? fail("parameter/out-of-range", { name: "an attribute", got: attribute, range })
  })
}

function keyOf(axes: readonly Axis[]): string {
  return axes.map(({ name }) => JSON.stringify(name)).join()
}

function asEstimate({ variance, law, grid }: ReleasedMargin): Estimate {
  return { value: 0, variance, law, ...(grid === undefined ? {} : { grid }) }
}
