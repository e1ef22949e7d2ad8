import { describe, expect, test } from "vitest"
import { laplaceHalfWidth } from "../../mechanisms/additive/laplace.ts"
import { rational } from "../../exact/rational.ts"
import { logNormalTail } from "../../exact/normal-doubles.ts"
import { selectedInterval, type SelectedCount } from "./selected-interval.ts"

type Noise = SelectedCount["noise"]

/** P(X >= m), from the definitions. */
function tailOf(noise: Noise, m: number): number {
  if (noise.law === "gaussian") return Math.exp(logNormalTail((m - 0.5) / Math.sqrt(noise.variance)))
  const q = Math.exp(-1 / noise.scale)
  return m >= 1 ? q ** m / (1 + q) : 1 - q ** (1 - m) / (1 + q)
}

/** How often the interval of a count of n holds n, among those that are shown: summed over all outcomes. */
function coverage(
  noise: Noise,
  { threshold, lowerChance }: { threshold: number; lowerChance: number },
  { n, miss }: { n: number; miss: number },
): number {
  let [held, shown] = [0, 0]
  for (let value = threshold - 1; value < threshold || tailOf(noise, value - n) > 1e-13; value += 1) {
    const all = tailOf(noise, value - n) - tailOf(noise, value + 1 - n)
    const mass = value < threshold ? lowerChance * all : all
    shown += mass
    if (mass === 0) continue
    const { lower, upper } = selectedInterval({ noise, value, threshold, lowerChance, least: 1 }, miss)
    if (lower <= n && n <= upper) held += mass
  }
  return held / shown
}

const laws: readonly (readonly [string, Noise, number, number])[] = [
  ["Laplace noise of scale 1", { law: "laplace", scale: 1 }, 15, 0],
  ["Laplace noise of scale 1, sometimes from 14 on", { law: "laplace", scale: 1 }, 15, 0.43],
  ["Laplace noise of scale 6", { law: "laplace", scale: 6 }, 91, 0.002],
  ["Gaussian noise of sigma 4.5", { law: "gaussian", variance: 20.25 }, 25, 0],
  ["Gaussian noise of sigma 1.5, often from 9 on", { law: "gaussian", variance: 2.25 }, 10, 0.97],
  ["Gaussian noise of sigma 20", { law: "gaussian", variance: 400 }, 103, 0.5],
]

describe.each(laws)("[P2] [E1] %s", (_name, noise, threshold, lowerChance) => {
  const from = { threshold, lowerChance }

  test.each([0.05, 0.01])("a count that is shown is held as often as stated (miss %s)", (miss) => {
    for (const n of [
      1,
      2,
      5,
      8,
      12,
      16,
      20,
      25,
      40,
      threshold - 1,
      threshold,
      threshold + 9,
      3 * threshold,
    ]) {
      const held = coverage(noise, from, { n, miss })
      expect(held, `${n}`).toBeGreaterThanOrEqual(1 - miss - 1e-9)
    }
  })

  test("far above the threshold nothing is lost", () => {
    const value = 40 * threshold
    const { lower, upper } = selectedInterval({ noise, value, ...from, least: 1 }, 0.05)
    expect(upper - value).toBe(value - lower)
    if (noise.law === "laplace") {
      const width = laplaceHalfWidth(rational(BigInt(noise.scale)), rational(1n, 20n))
      expect(upper - value).toBe(Number(width))
    }
    expect(coverage(noise, from, { n: 10 * threshold, miss: 0.05 })).toBeLessThan(0.985)
  })

  test("at the threshold anything may be below it, and never less than one", () => {
    const { lower, upper } = selectedInterval({ noise, value: threshold, ...from, least: 1 }, 0.05)
    expect(lower).toBe(1)
    expect(upper).toBeGreaterThanOrEqual(threshold)
  })
})

test("without the condition an interval of the same confidence fails", () => {
  const noise = { law: "gaussian", variance: 20.25 } as const
  // What is shown of 16 people is at least 9 too high: 2 sigma.
  expect(coverage(noise, { threshold: 25, lowerChance: 0 }, { n: 16, miss: 0.05 })).toBeGreaterThanOrEqual(
    0.95,
  )
  const plain = 1.96 * Math.sqrt(noise.variance)
  expect(25 - plain).toBeGreaterThan(16)
})

test("large numbers, and a value below its threshold", () => {
  const noise = { law: "laplace", scale: 3 } as const
  const { lower, upper } = selectedInterval(
    { noise, value: 2 ** 40, threshold: 50, lowerChance: 0.2, least: 1 },
    1e-9,
  )
  expect([lower, upper].every(Number.isSafeInteger)).toBe(true)
  const from = (value: number, lowerChance: number) => () =>
    selectedInterval({ noise, value, threshold: 5, lowerChance, least: 1 }, 0.05)
  expect(from(3, 0.5)).toThrow("reached")
  expect(from(4, 0)).toThrow("reached")
  expect(from(4, 0.5)().lower).toBe(1)
  expect(from(4, 1)).toThrow("chance")
})
