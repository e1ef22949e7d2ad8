import { describe, test } from "vitest"
import { rational } from "../../exact/rational.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { attack } from "../../testing/attack.ts"
import { checkCoverage } from "../../testing/check-coverage.ts"
import { countedEnds, releaseCountedEnds, type CountedEnds, type CountedSpend } from "./counted-ends.ts"
import { rankVariances } from "./quantile-tree.ts"
import { quantiles, releaseQuantiles, type QuantilesSpec } from "./quantile.ts"

type Spec = QuantilesSpec & { readonly counted: CountedEnds }

function specOf(wanted: readonly string[], cells: number, spend: CountedSpend, miss = "0.2"): Spec {
  const histogram = { quantiles: wanted, cells, rowsPerUnit: 1, neighbours: "add-or-remove" } as const
  // One slot a cell, for speed: where values lie does not decide what holds.
  const spec: QuantilesSpec = { ...quantiles({ ...histogram, epsilon: "0.5" }), slots: 1n }
  const variances = rankVariances(spec.quantiles, spec.tree)
  return { ...spec, counted: countedEnds({ ...spec, variances }, { spend, miss }) }
}

/** The cell of a row, from 1. */
function cellOf(histogram: readonly bigint[], row: number): number {
  let below = 0
  return histogram.findIndex((count) => (below += Number(count)) >= row)
}

/** Draws once: do all intervals hold the rows that any definition of their quantiles takes? */
const holds =
  (spec: Spec, histogram: readonly bigint[], shares: readonly number[]) =>
  (rng: RandomBits): boolean => {
    const rows = histogram.reduce((sum, count) => sum + Number(count), 0)
    const drawn = releaseQuantiles(spec, histogram, rng)
    const intervals = releaseCountedEnds(spec, { histogram, drawn }, rng)
    return intervals.every(({ lower, upper }, which) => {
      const q = shares[which] ?? 0
      const place = 1 + (rows - 1) * q
      const first = cellOf(histogram, Math.max(1, Math.min(Math.floor(place), Math.ceil(q * rows))))
      const last = cellOf(histogram, Math.min(rows, Math.max(Math.ceil(place), Math.ceil(q * rows))))
      return lower <= first && last <= upper
    })
  }

describe("[E1] intervals with counted ends hold their quantiles on every histogram", () => {
  const shapes: Readonly<Record<string, readonly bigint[]>> = {
    "one row": Array.from({ length: 60 }, (_, cell) => (cell === 17 ? 1n : 0n)),
    "one crowded cell": Array.from({ length: 60 }, (_, cell) =>
      cell === 17 ? 900n : cell % 9 === 0 ? 3n : 0n,
    ),
    "rows spread evenly": Array.from({ length: 60 }, () => 12n),
    "a gap at each quantile": Array.from({ length: 60 }, (_, cell) => (cell % 15 < 2 ? 80n : 0n)),
  }
  const laws: readonly CountedSpend[] = [
    { kind: "pure", ends: "0.4", counts: "0.4" },
    { kind: "rho", ends: "0.02", counts: "0.02" },
  ]
  const cases = Object.entries(shapes).flatMap(([name, rows]) =>
    laws.map((spend) => [name, spend, rows] as const),
  )
  test.each(cases)("%s, %j", (name, spend, rows) => {
    const spec = specOf(["1/4", "1/2", "3/4"], 60, spend)
    const check = holds(spec, rows, [0.25, 0.5, 0.75])
    checkCoverage({ name, holds: check, confidence: 0.8, draws: 300 })
  })
})

test("counted ends keep their loss, and counts with a sixteenth of the noise are caught", () => {
  const spec = specOf(["1/4", "3/4"], 3, { kind: "pure", ends: "0.5", counts: 1 })
  const on = (histogram: readonly bigint[]) => (used: QuantilesSpec, rng: RandomBits) => {
    const counted = used.counted ?? spec.counted
    const near = { ...used, counted: { ...counted, shifts: [1n, 1n], miss: rational(9n, 10n) } }
    const intervals = releaseCountedEnds(near, { histogram, drawn: [1, 1] }, rng)
    return intervals.map(({ lower, upper }) => `${lower}-${upper}`).join()
  }
  const noise = { law: "laplace", scale: rational(1n) } as const
  const broken: QuantilesSpec = { ...spec, counted: { ...spec.counted, noise } }
  // The rows before the second cell minus a quarter of all are -1.75, which proves an end there, and -1.
  const pair = [on([1n, 8n, 2n]), on([2n, 8n, 2n])] as const
  attack("counted ends", { spec, measure: "pure", on: pair, broken, draws: 4000 })
})
