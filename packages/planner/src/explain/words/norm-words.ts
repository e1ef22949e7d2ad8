// The norm that the units of a release are scaled to, in the units of the answer. It is worked out from the
// bound that is charged, which the verifier proves, and not from the groups and rows that it may stand for.

import { multiply, numberUp, rational } from "@dosimeter/core/exact"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import { mostFactor } from "@dosimeter/proof/algebra/scaled-reading"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { showNumber } from "./show-number.ts"

/** What one unit adds at most to the numbers of each column, where a ladder chose it; undefined elsewhere. */
export function chosenNorm(release: Release): readonly number[] | undefined {
  return isChosen(release) ? normOf(release) : undefined
}

/** The norm in words, such as "a length of 3.1"; undefined where sums and counts are not scaled. */
export function normWords(release: Release): string | undefined {
  const most = normOf(release)
  if (most === undefined) return undefined
  const kind = release.bounds.scaled?.norm === "l1" ? "a sum" : "a length"
  const words = `${kind} of ${most.map(showNumber).join(" and ")}`
  return isChosen(release) ? `${words} (learnt)` : words
}

function isChosen({ bounds: { scaled } }: Release): boolean {
  return scaled?.beyond !== undefined
}

function normOf({ bounds: { scaled }, measurements }: Release): readonly number[] | undefined {
  const measured = measurements.find((one) => hasStrategy(one, "scaled"))
  if (scaled === undefined || measured === undefined) return undefined
  return measured.columns.map((_, column) =>
    numberUp(multiply(rational(scaled.bound), mostFactor(measured, column))),
  )
}
