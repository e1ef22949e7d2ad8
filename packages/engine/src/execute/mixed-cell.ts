// A cell of a margin as post-processing sees it: draws by their numbers, so that cells that share some know it.

import { spreadOfNormal, spreadOfTerms, type Cell, type NoiseBase } from "@dosimeter/sql"
import type { Draw, Mixture } from "./release-margins.ts"

/** Gives every draw a number, the same whenever it is met again. */
export function drawNumbers(numbers: { readonly next: () => number }): (draw: Draw) => number {
  const known = new Map<Draw, number>()
  return (draw) => {
    const number = known.get(draw) ?? numbers.next()
    known.set(draw, number)
    return number
  }
}

/** The cell, with its spread. */
export function mixedCell(
  { value }: Pick<Cell, "value">,
  mixture: Mixture,
  { numberOf, state }: { readonly numberOf: (draw: Draw) => number; readonly state: Cell["state"] },
): Cell {
  if (value.kind !== "number") return { value, state }
  const mixed = { value: value.value, rounding: mixture.rounding }
  if (mixture.kind === "normal") return { value, spread: spreadOfNormal(mixture, mixed), state }
  const terms = mixture.terms.map(({ draw, weight }) => ({ base: baseOf(draw, numberOf(draw)), weight }))
  const spread = spreadOfTerms(terms, mixed)
  return spread === undefined ? { value, state } : { value, spread, state }
}

function baseOf({ law, amount, grid }: Draw, id: number): NoiseBase {
  return law === "laplace" ? { law, id, grid, scale: amount } : { law, id, grid, variance: amount }
}
