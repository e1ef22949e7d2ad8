// What each unit adds to a sum, unit by unit: whoever adds up can hold every unit's part to the bound that is
// charged for, without knowing how it is made.

import { WholeSums } from "./whole-sums.ts"

/** The parts of all units. */
export interface UnitVectors {
  readonly length: number
  /** Adds a unit's whole numbers to others. Of what is exact they depend on this unit's rows alone. */
  add(unit: number, into: Float64Array): void
}

/** The sum over so many units, each of whose numbers is at most `most`. */
export function sumOfUnits(vectors: UnitVectors, units: number, most: number): bigint[] {
  const sums = new WholeSums(vectors.length, most)
  for (let unit = 0; unit < units; unit += 1) vectors.add(unit, sums.next())
  return sums.total()
}
