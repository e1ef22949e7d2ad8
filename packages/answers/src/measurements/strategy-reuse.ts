// What re-use has to know of a strategy.

import type { LinearMeasurement, StrategyKind } from "@dosimeter/proof/algebra/measurement"
import type { GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import type { JointLaw, NumberNoise } from "./noise-law.ts"

/** How later questions may use what a strategy has measured. */
export interface StrategyReuse<Kind extends StrategyKind> {
  /** The noise in a column of a group; undefined where groups share their draws. */
  readonly noise: (measurement: LinearMeasurement<Kind>, column: number) => NumberNoise | undefined
  /** The law of draws that several groupings share; undefined where a strategy has no groupings. */
  readonly law: (measurement: LinearMeasurement<Kind>) => JointLaw | undefined
  /** What is drawn for several groupings, with zeros for values: enough to say how well they are known. */
  readonly zeros: (measurement: LinearMeasurement<Kind>, keys: GroupedKeys) => readonly (readonly bigint[])[]
}

/** As many zeros as there are items. */
export function zerosFor(items: readonly unknown[]): readonly bigint[] {
  return items.map(() => 0n)
}
