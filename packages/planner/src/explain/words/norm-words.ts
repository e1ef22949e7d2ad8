// The norm that a ladder chose for a release, in the units of the answer.

import { multiply, numberUp, rational } from "@dosimeter/core/exact"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { showNumber } from "./show-number.ts"

/** What one unit adds at most to the numbers of each column, where a ladder chose it; undefined elsewhere. */
export function chosenNorm({ bounds: { scaled }, measurements }: Release): readonly number[] | undefined {
  const measured = measurements.find((one) => hasStrategy(one, "scaled"))
  if (scaled?.beyond === undefined || measured === undefined) return undefined
  return measured.strategy.worths.map((worth) => numberUp(multiply(rational(scaled.bound), worth)))
}

/** The same in words, such as "a length of 3.1". */
export function normWords(release: Release): string | undefined {
  const most = chosenNorm(release)
  if (most === undefined) return undefined
  const kind = release.bounds.scaled?.norm === "l1" ? "a sum" : "a length"
  return `${kind} of ${most.map(showNumber).join(" and ")}`
}
