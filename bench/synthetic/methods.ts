// Ways to make synthetic data at the same loss: Dosimeter's rounds; every column by itself; and a tree of
// pairs, as the winner of the NIST contest of 2018 measures it, but with the tree chosen from rough tables.

import { exactly, numberNear, rationalOfNumber, square } from "@dosimeter/core/exact"
import { approxToMu } from "@dosimeter/core/meaning"
import { fillRoundedGaussian, systemBits } from "@dosimeter/core/noise"
import { coarserPlaces, sumInto } from "@dosimeter/ml/synthetic/cell-places"
import { tableOfRows, type CodedRows } from "@dosimeter/ml/synthetic/sample-rows"
import type { Round, SyntheticSpec } from "@dosimeter/ml/synthetic/rounds"
import { Synthesis } from "@dosimeter/ml/synthetic/synthesis"
import type { CodedData } from "./coded-data.ts"

/** One way to make synthetic data. */
export interface Method {
  readonly name: string
  readonly spec: Partial<Pick<SyntheticSpec, "rounds" | "isTree">>
}

/** All of them. */
export const methods: readonly Method[] = [
  { name: "columns alone", spec: { rounds: { columns: 1 } } },
  {
    name: "a tree of pairs",
    spec: { rounds: { columns: 0.3, "rough pairs": 0.3, "close pairs": 0.4 }, isTree: true },
  },
  { name: "Dosimeter", spec: {} },
]

/** Makes rows at (epsilon, delta), with exact noise on exact tables. */
export function makeRows(
  data: CodedData,
  method: Method,
  at: { epsilon: string; delta: string; seed: string },
): CodedRows {
  const muSquared = numberNear(square(approxToMu(exactly(at.epsilon, "epsilon"), exactly(at.delta, "delta"))))
  const synthesis = new Synthesis({ attributes: data.attributes, rules: [], seed: at.seed, ...method.spec })
  for (let round = synthesis.next(); round !== undefined; round = synthesis.next()) {
    synthesis.take(round, measure(data, round, muSquared))
  }
  return synthesis.make(data.columns[0]?.length ?? 0, at.seed)
}

export function measure(
  data: CodedData,
  round: Round,
  muSquared: number,
): readonly { readonly counts: Float64Array; readonly variance: number }[] {
  const sizes = data.attributes.map(({ size }) => size)
  const rng = systemBits()
  return round.tables.map((table) => {
    const { attributes, groups, share } = table
    const variance = 1 / (muSquared * share)
    const cells = groups.reduce((count, own) => count * (Math.max(...own) + 1), 1)
    const fine = tableOfRows(data.columns, sizes, attributes)
    const counts = sumInto(fine, coarserPlaces(attributes, sizes, table), new Float64Array(cells))
    const noise = new Float64Array(cells)
    fillRoundedGaussian(noise, rationalOfNumber(variance), rng)
    return { counts: counts.map((count, cell) => count + (noise[cell] ?? 0)), variance }
  })
}
