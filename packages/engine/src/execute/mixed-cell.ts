// A cell of a margin as post-processing sees it: draws by their numbers, so that cells that share some know
// it.

import { rational, type Rational } from "@dosimeter/core"
import {
  spreadOfForms,
  spreadOfNormal,
  termForm,
  type Cell,
  type LinearForm,
  type NoiseBase,
} from "@dosimeter/sql"
import type { Draw, Mixture } from "./release-margins.ts"

/** What a share of a draw adds to a cell, the same object whenever it is met again. */
export type Shares = (draw: Draw, divisor: number) => LinearForm | undefined

interface Known {
  readonly base: NoiseBase
  readonly shares: Map<number, LinearForm | undefined>
}

/** Gives every draw a number, and remembers its shares: many cells take the same. */
export function sharesOf(numbers: { readonly next: () => number }): Shares {
  const known = new Map<Draw, Known>()
  return (draw, divisor) => {
    const own: Known = known.get(draw) ?? { base: baseOf(draw, numbers.next()), shares: new Map() }
    known.set(draw, own)
    const share = own.shares.get(divisor) ?? termForm(own.base, reciprocal(divisor))
    own.shares.set(divisor, share)
    return share
  }
}

/** The cell, with its spread. */
export function mixedCell(
  { value }: Pick<Cell, "value">,
  mixture: Mixture,
  { shares, state }: { readonly shares: Shares; readonly state: Cell["state"] },
): Cell {
  if (value.kind !== "number") return { value, state }
  const mixed = { value: mixture.estimate ?? value.value, rounding: mixture.rounding }
  if (mixture.kind === "normal") return { value, spread: spreadOfNormal(mixture, mixed), state }
  const spread = spreadOfForms(
    mixture.terms.map(({ draw, divisor }) => shares(draw, divisor)),
    mixed,
  )
  return spread === undefined ? { value, state } : { value, spread, state }
}

function reciprocal(divisor: number): Rational {
  return rational(divisor < 0 ? -1n : 1n, BigInt(Math.abs(divisor)))
}

function baseOf({ law, amount, grid }: Draw, id: number): NoiseBase {
  return law === "laplace" ? { law, id, grid, scale: amount } : { law, id, grid, variance: amount }
}
