import { expect, test } from "vitest"
import { numberUp } from "../../exact/dyadic.ts"
import { rational } from "../../exact/rational.ts"
import { seededBits } from "../../testing/seeded-bits.ts"
import { laplaceKeys, releaseKeys, type KeySpec } from "./key-selection.ts"

test("[L2] a threshold is one lower as often as delta leaves room for", () => {
  // At epsilon 1 a lone unit passes 15 with probability e^-14 / (1 + e^-1), 6.08e-7; and 14 with 1.65e-6.
  const asked = { epsilon: 1, delta: "1e-6", groupsPerUnit: 1, neighbours: "add-or-remove" } as const
  const { threshold, lowerChance } = laplaceKeys(asked)
  expect(threshold).toBe(15n)
  expect(numberUp(lowerChance)).toBeCloseTo((1e-6 - 6.0789e-7) / (1.65242e-6 - 6.0789e-7), 4)
})

test("[M4] exactly the keys at their threshold are shown, by a coin for each key", () => {
  // No noise that is worth its name: counts are shown as they are, and only the coin decides.
  const bounds = { groupsPerUnit: 1n, rowsPerGroup: 1n, neighbours: "add-or-remove" } as const
  const quiet = { scale: rational(1n, 4000n), ...bounds }
  const from = { threshold: 5n, lowerChance: rational(1n, 4n) }
  const spec: KeySpec = { kind: "keys-laplace", ...quiet, ...from }
  const units = Array.from({ length: 6000 }, (_, key) => 3n + BigInt(key % 3))
  const shown = releaseKeys(spec, units, seededBits("coins"))
  const times = (count: bigint) => shown.filter(({ count: found }) => found === count).length
  expect([times(3n), times(5n)]).toEqual([0, 2000])
  // 500 expected of 2000, with a standard deviation of 19.4; the bits are always the same.
  expect(Math.abs(times(4n) - 500)).toBeLessThan(100)
})
