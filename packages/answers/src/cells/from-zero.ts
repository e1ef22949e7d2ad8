// Columns of counts, and of sums of what is not negative, as they are shown: none below 0, and the same sum.
// Spreads keep what was measured, so intervals and all that is worked out from them stay those of the noise.

import { multiply, numberNear, rational, type Rational } from "@dosimeter/core/exact"
import { formVariance, formWidth, wholeFromZero } from "@dosimeter/core/post"
import type { LinearSpread } from "./spread.ts"
import type { Cell } from "./table.ts"

/** A cell whose noise is a sum of draws. */
type NoisyNumber = Cell & {
  readonly value: { readonly kind: "number"; readonly value: Rational }
  readonly spread: LinearSpread
}

/**
 * The cells of a column whose exact values are not negative. A cell that noise alone does not explain stays
 * as it was measured; the others are lowered together (wholeFromZero). Columns whose noise is no sum of draws
 * stay as they are.
 */
export function cellsFromZero(cells: readonly Cell[]): readonly Cell[] {
  if (!cells.every(isNoisyNumber)) return cells
  const perStep = cells.reduce((steps, { value }) => commonMultiple(steps, value.value.denominator), 1n)
  // Of all groups with nothing in them, half of one on average is taken for a sure one, at most.
  const miss = Math.min(missMax, 1 / Math.max(1, cells.length))
  const variances = relative(cells.map(({ spread }) => formVariance(spread.form)))
  const shown = wholeFromZero(
    cells.map(({ value: { value }, spread }, index) => ({
      value: (value.numerator * perStep) / value.denominator,
      variance: variances[index] ?? 1n,
      isSure: value.numerator > 0n && numberNear(value) > formWidth(spread.form, miss) + spread.slack,
    })),
  )
  const step = rational(1n, perStep)
  return cells.map((cell, index): Cell => ({
    ...cell,
    value: { kind: "number", value: multiply(rational(shown[index] ?? 0n), step) },
    spread: { ...cell.spread, fromZero: true },
  }))
}

const missMax = 0.05

function isNoisyNumber(cell: Cell): cell is NoisyNumber {
  return cell.value.kind === "number" && cell.spread?.kind === "linear"
}

/** The least whole number that both divide. */
function commonMultiple(a: bigint, b: bigint): bigint {
  return a * rational(a, b).denominator
}

/** Whole numbers in the same proportion, but for a thousandth. */
function relative(variances: readonly number[]): readonly bigint[] {
  const least = variances.reduce((a, b) => Math.min(a, b), Infinity)
  if (variances.every((variance) => variance <= least * (1 + 1e-9))) return variances.map(() => 1n)
  return variances.map((variance) => BigInt(Math.max(1, Math.round((variance / least) * fineness))))
}

const fineness = 1000
