// The grid on which sizes of values are learnt, the same for every table, and what its cells stand for.

import { decimalExponent, rational, type Rational } from "@dosimeter/core/exact"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import type { LearntRange } from "../scope/auto-value.ts"

/**
 * The grid: cells of a quarter of an octave, from 2^-20 to 2^50, for either sign, and one for what is nearer
 * to 0. It is the same for every table.
 */
export const sizeGrid = { perOctave: 4n, least: -20n, most: 50n } as const
/** How many of its cells are of positive values, and how many of negative ones. */
export const perSign: bigint = (sizeGrid.most - sizeGrid.least) * sizeGrid.perOctave
/** How many cells it has; the one in the middle is that of 0. */
export const sizeCells: bigint = 2n * perSign + 1n

/**
 * The bounds that two cells stand for, rounded outward to two digits and to what the type holds; never a
 * single value.
 */
export function rangeOfCells(low: bigint, high: bigint, type: SqlType): LearntRange {
  const [first, last] = low <= high ? [low, high] : [high, low]
  const least = -roundedUp(endOf(2n * perSign - first), type)
  const most = roundedUp(endOf(last), type)
  const range = { low: rationalOf(least), high: rationalOf(most) }
  if (least < most) return range
  return least < 0
    ? { ...range, high: rational(0n) }
    : { low: rational(0n), high: rationalOf(Math.max(most, 1)) }
}

/** The upper end of a cell. */
function endOf(cell: bigint): number {
  const exponent = (index: bigint): number =>
    Number(index + sizeGrid.least * sizeGrid.perOctave) / Number(sizeGrid.perOctave)
  if (cell === perSign) return 0
  return cell > perSign ? 2 ** exponent(cell - perSign) : -(2 ** exponent(perSign - 1n - cell))
}

function roundedUp(value: number, type: SqlType): number {
  if (value === 0) return 0
  const unit = 10 ** (decimalExponent(Math.abs(value)) - 1)
  const step =
    type.kind === "integer"
      ? Math.max(unit, 1)
      : type.kind === "decimal"
        ? Math.max(unit, 10 ** -type.scale)
        : unit
  return Number((Math.ceil(value / step - 1e-9) * step).toPrecision(12))
}

function rationalOf(value: number): Rational {
  const text = value.toFixed(12)
  const [whole = "0", part = ""] = text.split(".")
  return rational(BigInt(`${whole}${part}`), 10n ** BigInt(part.length))
}
