// A dialogue with rows in memory, as a ledger would lead it: every unit's vector by itself, sums with noise.

import { releaseGaussian, type GaussianSpec } from "@dosimeter/core/mechanisms"
import type { RandomBits } from "@dosimeter/core/noise"
import type { UnitVectors } from "../regression/unit-vectors.ts"

/** The sums that a plan has, by their kinds. */
export interface PlannedSums {
  readonly kind: string
  readonly length: number
  readonly bound: number
  readonly spec: GaussianSpec
}

/** Answers all asks, and gives the model; `look` sees what each unit adds. */
export function answered<Ask extends { readonly kind: string }, Model>(
  dialogue: Generator<Ask, Model, readonly bigint[]>,
  of: {
    readonly sums: readonly PlannedSums[]
    readonly units: number
    readonly vectorsOf: (ask: Ask) => UnitVectors
    readonly rng: RandomBits
    readonly look?: (ask: Ask, vectors: readonly Float64Array[], planned: PlannedSums) => void
  },
): Model {
  const { sums, units, vectorsOf, rng, look } = of
  let turn = dialogue.next()
  while (turn.done !== true) {
    const { value: ask } = turn
    const planned = sums.find(({ kind }) => kind === ask.kind)
    if (planned === undefined) throw new Error("every ask is planned")
    const { length, add } = vectorsOf(ask)
    const vectors = Array.from({ length: units }, (_, unit) => {
      const into = new Float64Array(length)
      add(unit, into)
      return into
    })
    look?.(ask, vectors, planned)
    const total = new Float64Array(length)
    for (const vector of vectors)
      for (const [at, value] of vector.entries()) total[at] = (total[at] ?? 0) + value
    turn = dialogue.next(releaseGaussian(planned.spec, [...total].map(BigInt), rng))
  }
  return turn.value
}

/** What the vectors of an ask show. */
export interface SeenVectors {
  /** Whether each has the numbers that were planned, all of them whole, and is no longer than its bound. */
  readonly areWithin: boolean
  /** The longest, squared, as a part of the square of the bound. */
  readonly longest: number
  /** Whether units add the same where the one of row 3 is missing. */
  readonly areOwn: boolean
}

/** Looks at the vectors of all units, and at those of some without the unit of row 3. */
export function seenIn(
  vectors: readonly Float64Array[],
  { bound, length }: PlannedSums,
  without: UnitVectors,
): SeenVectors {
  const squares = vectors.map(squareOf)
  const isSame = (row: number): boolean => {
    const into = new Float64Array(length)
    without.add(row, into)
    const own = vectors[row < 3 ? row : row + 1]
    return own?.length === length && into.every((value, at) => Object.is(value, own[at]))
  }
  return {
    areWithin: vectors.every(
      (vector, at) => vector.length === length && (squares[at] ?? -1n) <= BigInt(bound) ** 2n,
    ),
    longest: Math.max(...squares.map(Number)) / bound ** 2,
    areOwn: [0, 2, 3, 6].every(isSame),
  }
}

// Of whole numbers, exactly: BigInt refuses others.
function squareOf(vector: Float64Array): bigint {
  return vector.reduce((sum, value) => sum + BigInt(value) ** 2n, 0n)
}
