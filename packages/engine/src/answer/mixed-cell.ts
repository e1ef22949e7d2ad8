// A cell of a margin as post-processing sees it: draws by their numbers, so that cells that share some know
// it.

import { rational, showRational, type Rational } from "@dosimeter/core/exact"
import { spreadOfForms, spreadOfNormal } from "@dosimeter/answers/cells/mixture-spread"
import { termForm, type LinearForm, type NoiseBase } from "@dosimeter/core/post"
import type { Cell } from "@dosimeter/answers/cells/table"
import type { Draw, DrawTerm, Mixture } from "../release/measurements/noisy-cell.ts"

/** What a share of a draw adds to a cell, the same object whenever it is met again. */
export type Shares = (term: DrawTerm) => LinearForm | undefined

interface Known {
  readonly base: NoiseBase
  readonly shares: Map<number | string, LinearForm | undefined>
}

/** Gives every draw a number, and remembers its shares: many cells take the same. */
export function sharesOf(numbers: { readonly next: () => number }): Shares {
  const known = new Map<Draw, Known>()
  return (term) => {
    const { draw } = term
    const own: Known = known.get(draw) ?? { base: baseOf(draw, numbers.next()), shares: new Map() }
    known.set(draw, own)
    const name = "divisor" in term ? term.divisor : showRational(term.factor)
    const share = own.shares.get(name) ?? termForm(own.base, factorOf(term))
    own.shares.set(name, share)
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
    mixture.terms.map((term) => shares(term)),
    mixed,
  )
  return spread === undefined ? { value, state } : { value, spread, state }
}

function factorOf(term: DrawTerm): Rational {
  if ("factor" in term) return term.factor
  const { divisor } = term
  return rational(divisor < 0 ? -1n : 1n, BigInt(Math.abs(divisor)))
}

function baseOf({ law, amount, grid }: Draw, id: number): NoiseBase {
  return law === "laplace" ? { law, id, grid, scale: amount } : { law, id, grid, variance: amount }
}
