// Cells whose Laplace noise is the sum of several draws: what arrives from more sites than were counted on.

import { rational } from "@dosimeter/core/exact"
import type { Draw, DrawTerm, NoisyCell, NoisyDraw, NoisyRow } from "./noisy-cell.ts"

/**
 * The same rows, with so many independent draws in place of each draw of Laplace noise; Gaussian noise stays
 * as it is. For intervals only.
 */
export function withDraws(
  rows: readonly (readonly NoisyRow[])[],
  draws: number,
): readonly (readonly NoisyRow[])[] {
  if (draws === 1) return rows
  const numbers = new Copies<NoisyDraw>(draws)
  const terms = new Copies<Draw>(draws)
  const cells = new Map<NoisyCell, NoisyCell>()
  const ofCell = (cell: NoisyCell): NoisyCell => {
    const known = cells.get(cell) ?? several(cell, numbers, terms)
    cells.set(cell, known)
    return known
  }
  return rows.map((release) => release.map(({ keys, cells: own }) => ({ keys, cells: own.map(ofCell) })))
}

/** The copies of one draw, itself among them: the same ones whenever it is asked for. */
class Copies<Drawn extends { readonly law: string } | { readonly noise: { readonly law: string } }> {
  readonly #count: number
  readonly #known = new Map<Drawn, readonly Drawn[]>()

  constructor(count: number) {
    this.#count = count
  }

  of(draw: Drawn): readonly Drawn[] {
    const law = "law" in draw ? draw.law : draw.noise.law
    if (law !== "laplace") return [draw]
    const known = this.#known.get(draw) ?? [
      draw,
      ...Array.from({ length: this.#count - 1 }, () => ({ ...draw })),
    ]
    this.#known.set(draw, known)
    return known
  }
}

function several(cell: NoisyCell, numbers: Copies<NoisyDraw>, terms: Copies<Draw>): NoisyCell {
  const { value, noise, mixed, mixture } = cell
  if (mixed !== undefined) {
    const parts = mixed.parts.flatMap(({ draw, factor }) =>
      numbers.of(draw).map((one) => ({ draw: one, factor })),
    )
    return { ...cell, mixed: { ...mixed, parts } }
  }
  if (mixture?.kind === "draws") {
    const all = mixture.terms.flatMap((term): readonly DrawTerm[] =>
      terms
        .of(term.draw)
        .map((draw) => ("divisor" in term ? { draw, divisor: term.divisor } : { draw, factor: term.factor })),
    )
    return { ...cell, mixture: { ...mixture, terms: all } }
  }
  if (noise?.law !== "laplace" || value.kind !== "number") return cell
  const parts = numbers.of({ steps: 0n, noise }).map((draw) => ({ draw, factor: rational(1n) }))
  return { value, mixed: { parts, centre: value.value } }
}
