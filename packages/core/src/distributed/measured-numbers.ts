// The numbers that a linear mechanism measures, and the noise that each would get from one trusted party.
// Sites of a federation add theirs up before anybody sees one, so they are needed apart from the noise.

import { assert, unreachable } from "../errors/assert.ts"
import { multiply, type Rational } from "../exact/rational.ts"
import type { GaussianSpec } from "../mechanisms/additive/gaussian.ts"
import type { LaplaceSpec } from "../mechanisms/additive/laplace.ts"
import { marginComparisons, marginPartVariances, type MarginsSpec } from "../mechanisms/tables/margins.ts"
import { treeComparisons, treeDrawVariances, type TreeSpec } from "../mechanisms/tables/tree.ts"

/** Mechanisms that add Gaussian noise to linear combinations of exact numbers. */
export type BellSpec = GaussianSpec | MarginsSpec | TreeSpec

/** Mechanisms whose noise can be made in shares. */
export type SharedSpec = BellSpec | LaplaceSpec

/**
 * The exact integers that get noise, part by part, as the spec's own release function would draw them:
 * `exact` is what that function takes. Gaussian and Laplace vectors are one part.
 */
export function measuredNumbers(spec: SharedSpec, exact: readonly bigint[]): readonly (readonly bigint[])[] {
  switch (spec.kind) {
    case "gaussian":
    case "laplace":
      return [exact]
    case "margins":
      return marginComparisons(spec, exact)
    case "tree":
      return treeComparisons(spec, exact)
    default:
      return unreachable(spec)
  }
}

/** The variance of each of them from one trusted party, in the same order; `count` of a plain vector. */
export function measuredVariances(spec: BellSpec, count: number): readonly (readonly Rational[])[] {
  switch (spec.kind) {
    case "gaussian":
      return [Array<Rational>(count).fill(spec.variance)]
    case "margins":
      return spec.parts.map((part) => marginPartVariances(spec.sizes, part))
    case "tree":
      return treeDrawVariances(spec)
    default:
      return unreachable(spec)
  }
}

/** The same mechanism with all variances times a factor. */
export function withVariances<Spec extends BellSpec>(spec: Spec, factor: Rational): Spec
export function withVariances(spec: BellSpec, factor: Rational): BellSpec {
  const wider = (variance: Rational): Rational => multiply(variance, factor)
  switch (spec.kind) {
    case "gaussian":
      return { kind: "gaussian", sensitivity: spec.sensitivity, variance: wider(spec.variance) }
    case "margins":
      return { ...spec, parts: spec.parts.map((part) => ({ ...part, variance: wider(part.variance) })) }
    case "tree":
      return { ...spec, total: wider(spec.total), variances: spec.variances.map((level) => level.map(wider)) }
    default:
      return unreachable(spec)
  }
}

/** Cuts a list into parts of these lengths. */
export function inParts<Value>(values: readonly Value[], lengths: readonly number[]): readonly Value[][] {
  let start = 0
  const parts = lengths.map((length) => {
    const part = values.slice(start, start + length)
    start += length
    return part
  })
  assert(start === values.length, "all numbers are in a part")
  return parts
}
