// Columns at which a claim was false once, each with everything that can be asked of it.

import type { Dice } from "../dice.ts"
import { dayAt, dayMicros, exactMost } from "./corners.ts"
import { exactBetween, floatBetween, timesBetween, type Slot } from "./slots.ts"
import { ofMoment, ofNumber, type Suite } from "./suites.ts"

/** The suites. */
export function knownCorners(dice: Dice): readonly Suite[] {
  const numbers: readonly (readonly [string, Slot])[] = [
    // ROUND to tens passes the end of 64 bits, and TRUNC's step passes 32 bits.
    [
      "integers at the end of 64 bits",
      exactBetween({ low: 2n ** 63n - 8n, high: 2n ** 63n - 2n, scale: undefined }, dice),
    ],
    ["small integers", exactBetween({ low: 0n, high: 120n, scale: undefined }, dice)],
    ["the widest integers", exactBetween({ low: exactMost - 5n, high: exactMost, scale: undefined }, dice)],
    // DuckDB adds the fraction of a decimal to its rounded whole part.
    [
      "decimals beside doubles",
      exactBetween(
        {
          low: -9_007_199_254_740_994_290_263_346_258n,
          high: -9_007_199_254_740_994_290_263_346_250n,
          scale: 12,
        },
        dice,
      ),
    ],
    // A float that is rounded into 32 bits.
    ["floats below 32 bits", floatBetween(-2147483648.25, -2147483647.5, dice)],
    // A float at the very end of what has an integer.
    ["floats at the end of integers", floatBetween(9.199999999999999e18, 9.2e18, dice)],
    ["floats at the lower end of integers", floatBetween(-9.2e18, -9.199999999999999e18, dice)],
    // PostgreSQL fails where a product is too small for a double, and 0 stood in place of such factors.
    ["floats next to 0", floatBetween(-2e-150, -1e-150, dice)],
  ]
  // Months move the last days of a month out of order.
  const moments = [
    [dayAt(2020, 3, 30), dayMicros - 1_000_000n, 86_402_000_000n],
    [dayAt(2021, 3, 28), dayMicros - 1n, 3n * dayMicros],
  ] as const
  return [
    ...numbers.map(([name, slot]): Suite => ({ name, slot, exprs: () => ofNumber(slot) })),
    ...moments.map(([day, time, width]): Suite => {
      const from = day * dayMicros + time
      const slot = timesBetween(from, from + width - time, dice)
      return { name: "moments at the end of March", slot, exprs: () => ofMoment(slot) }
    }),
  ]
}
