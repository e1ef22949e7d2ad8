// A count that is shown because it reached a threshold: its interval holds among those that are shown. It is
// no linear form: what is worked out from it goes by ranges.

import { numberDown, numberNear, type Rational } from "@dosimeter/core/exact"
import { selectedInterval, type NoiseBase } from "@dosimeter/core/post"
import { anything } from "./range.ts"
import type { RegionSpread } from "./spread.ts"

/** Below this the doubles behind a tail are not good enough, and there is no bound. */
const missMin = 1e-12

/** From where on a count is shown; with a chance, from one less on. */
export interface ShownFrom {
  readonly shownFrom: bigint
  readonly lowerChance?: Rational | undefined
}

/** The spread of a noisy number of units that was shown from a threshold on: at least one unit is there. */
export function selectedSpread(
  base: NoiseBase,
  value: Rational,
  { shownFrom, lowerChance }: ShownFrom,
): RegionSpread {
  const noise =
    base.law === "laplace"
      ? ({ law: "laplace", scale: numberNear(base.scale) } as const)
      : ({ law: "gaussian", variance: numberNear(base.variance) } as const)
  const count = {
    noise,
    value: numberDown(value),
    threshold: Number(shownFrom),
    lowerChance: lowerChance === undefined ? 0 : numberNear(lowerChance),
    least: 1,
  }
  return {
    kind: "region",
    event: {},
    rangeAt: (miss) => {
      if (miss < missMin) return { ...anything, mayBeNull: false }
      const { lower, upper } = selectedInterval(count, miss)
      return { low: lower, high: upper, mayBeNull: false }
    },
  }
}
