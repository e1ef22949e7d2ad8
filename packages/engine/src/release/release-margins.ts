// Margins, from the noisy parts or cells of one table: a row for each combination of each grouping.

import type { RandomBits } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { multiply, numberUp, rational, type Rational } from "@dosimeter/core/exact"
import {
  marginPartVariances,
  marginVariance,
  releaseLaplace,
  releaseMargins,
  type LaplaceSpec,
  type MarginsSpec,
} from "@dosimeter/core/mechanisms"
import {
  cellsOfParts,
  marginOfCells,
  marginTermCount,
  marginTerms,
  placeInMargin,
  wholeCells,
} from "@dosimeter/core/post"
import type { MeasuredTogether } from "@dosimeter/answers/reuse/joint-table"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { KeyPlan, MarginsPlan, Release } from "@dosimeter/proof/algebra/release-plan"

/** Told what was measured, while it is released. */
export type OnMeasured = (measured: MeasuredTogether) => void

/** A draw of noise: its own object, shared by all cells that it is in. */
export interface Draw {
  readonly law: "laplace" | "gaussian"
  /** The scale of a Laplace law, the variance of a Gaussian one, in steps. */
  readonly amount: Rational
  readonly grid: Rational
}

/**
 * The noise in a cell of a margin: draws, each divided by a whole number, or only its variance where they
 * are too many.
 */
export type Mixture = {
  readonly rounding: number
  /** The estimate, where another number is shown. */
  readonly estimate?: Rational
} & (
  | { readonly kind: "draws"; readonly terms: readonly DrawTerm[] }
  | { readonly kind: "normal"; readonly variance: Rational; readonly grid: Rational }
)

/** A draw, and what a cell has of it: one through a whole number, or a fraction. */
export type DrawTerm =
  | { readonly draw: Draw; readonly divisor: number }
  | { readonly draw: Draw; readonly factor: Rational }

/** A row of margins. */
export interface MarginRow {
  readonly keys: readonly Constant[]
  readonly cells: readonly { readonly value: Constant; readonly mixture: Mixture }[]
}

type MarginKeys = Extract<KeyPlan, { readonly kind: "margins" }>
type MarginCell = MarginRow["cells"][number]

/** The cells of each grouping, in the order of its combinations. */
type Measured = readonly (readonly MarginCell[])[]

/** Tables with more terms than this keep only the variances of their cells. */
const termsMax = 150_000

/**
 * The rows of all groupings. `tableOf` gives the exact column of a measure, over all combinations of keys.
 *
 * Guarantee: the loss of the result is the sum of lossOf over the release's mechanisms.
 * Needs: as releaseTables.
 * Proof: what leaves `noisyParts` and `noisyCells` came out of releaseMargins and releaseLaplace; all else is
 *   computed from that, from lists and from groupings.
 * Numerics: whole steps of 2^-bits of the grid, so that margins add up exactly.
 * Source: core's margins.
 */
export function marginRows(
  { keys, measures }: Release & { readonly keys: MarginKeys },
  tableOf: (extract: number, column: number) => readonly bigint[],
  rng: RandomBits,
  onMeasured: OnMeasured,
): readonly MarginRow[] {
  const columns: Measured[] = []
  for (const measure of measures) {
    if (measure.kind === "same") columns.push(columns[measure.measure] ?? missing())
    else if (measure.kind === "margins")
      columns.push(measured(measure, { keys, onMeasured }, tableOf(measure.extract, measure.column), rng))
    else missing()
  }
  return keys.sets.flatMap((set, number) =>
    combinations(keys, set).map((shown, place): MarginRow => ({
      keys: [...shown, { kind: "number", value: rational(BigInt(number)) }],
      cells: columns.map((column) => column[number]?.[place] ?? missing()),
    })),
  )
}

function measured(
  measure: MarginsPlan,
  { keys, onMeasured }: { readonly keys: MarginKeys; readonly onMeasured: OnMeasured },
  exact: readonly bigint[],
  rng: RandomBits,
): Measured {
  const { spec, grid, bits, isWhole } = measure
  assert(spec.kind !== "tree", "margins have no tree")
  const noisy =
    spec.kind === "laplace" ? [releaseLaplace(spec, exact, rng)] : releaseMargins(spec, exact, rng)
  onMeasured({ measure, noisy })
  const table =
    spec.kind === "laplace"
      ? ofCells(spec, { keys, grid, noisy: noisy[0] ?? missing() })
      : ofParts(spec, { keys, grid, bits, noisy })
  return isWhole ? asWhole(table, { keys, grid }) : table.margins
}

/** All cells of the finest table, in steps of 2^-bits of the grid, and the margins made of them. */
interface Estimated {
  readonly cells: readonly bigint[]
  readonly bits: number
  readonly margins: Measured
}

/** Whole numbers from 0 in place of the estimates, which intervals still are of. */
function asWhole(
  { cells, bits, margins }: Estimated,
  { keys, grid }: { readonly keys: MarginKeys; readonly grid: Rational },
): Measured {
  const sizes = sizesOf(keys)
  const whole = wholeCells(sizes, cells, bits)
  return keys.sets.map((set, number) =>
    marginOfCells(sizes, whole, set).map((sum, place): MarginCell => {
      const { value, mixture } = margins[number]?.[place] ?? missing()
      const estimate = value.kind === "number" ? value.value : missing()
      return {
        value: { kind: "number", value: multiply(rational(sum), grid) },
        mixture: { ...mixture, estimate },
      }
    }),
  )
}

interface Noisy<Values> {
  readonly keys: MarginKeys
  readonly grid: Rational
  readonly noisy: Values
}

/** Sums of noisy cells. */
function ofCells(spec: LaplaceSpec, { keys, grid, noisy }: Noisy<readonly bigint[]>): Estimated {
  const sizes = sizesOf(keys)
  const terms = noisy.map(() => ({
    draw: { law: "laplace", amount: spec.scale, grid } as const,
    divisor: 1,
  }))
  const margins = keys.sets.map((set) => {
    const placeOf = placeInMargin(sizes, set)
    const sums = marginOfCells(sizes, noisy, set)
    const own = sums.map((): (typeof terms)[number][] => [])
    for (const [cell, term] of terms.entries()) own[placeOf(cell)]?.push(term)
    return sums.map((sum, place): MarginCell => ({
      value: { kind: "number", value: multiply(rational(sum), grid) },
      mixture: { kind: "draws", rounding: 0, terms: own[place] ?? [] },
    }))
  })
  return { cells: noisy, bits: 0, margins }
}

/** Margins put together from noisy parts. */
function ofParts(
  spec: MarginsSpec,
  { keys, grid, bits, noisy }: Noisy<readonly (readonly bigint[])[]> & { readonly bits: number },
): Estimated {
  const { sizes } = spec
  const parts = spec.parts.map(({ attributes, variance }, index) => {
    const coefficients = noisy[index] ?? missing()
    const draws = marginPartVariances(sizes, { attributes, variance }).map((amount): Draw => ({
      law: "gaussian",
      amount,
      grid,
    }))
    return { attributes, coefficients, draws }
  })
  const cells = cellsOfParts(sizes, parts, bits)
  const count = keys.sets.reduce((sum, set) => sum + marginTermCount(sizes, parts, set), 0)
  const margins = keys.sets.map((set) => {
    const sums = marginOfCells(sizes, cells, set)
    const steps = rational(BigInt(cells.length / sums.length), 1n << BigInt(bits))
    const rounding = numberUp(multiply(steps, grid))
    const terms = count > termsMax ? undefined : marginTerms(sizes, parts, set)
    const variance = marginVariance(spec, set)
    return sums.map((sum, place): MarginCell => ({
      value: { kind: "number", value: multiply(rational(sum, 1n << BigInt(bits)), grid) },
      mixture:
        terms === undefined
          ? { kind: "normal", variance, grid, rounding }
          : {
              kind: "draws",
              rounding,
              terms: (terms[place] ?? missing()).map((term) => ({
                draw: parts[term.part]?.draws[term.place] ?? missing(),
                divisor: term.divisor,
              })),
            },
    }))
  })
  return { cells, bits, margins }
}

function sizesOf({ lists }: MarginKeys): readonly bigint[] {
  return lists.map((list) => BigInt(list.length))
}

/** The combinations of a grouping, the last key fastest; NULL for the keys that it has not. */
function combinations({ lists }: MarginKeys, set: readonly number[]): readonly (readonly Constant[])[] {
  return lists.reduce<readonly (readonly Constant[])[]>(
    (rows, list, place) => {
      const values: readonly Constant[] = set.includes(place) ? list : [{ kind: "null" }]
      return rows.flatMap((row) => values.map((value) => [...row, value]))
    },
    [[]],
  )
}

function missing(): never {
  assert(false, "every margin has a cell for every combination")
}
