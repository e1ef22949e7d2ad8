// One way to add noise to a vector of exact integers, whatever the law.

import { float64ScaleMax, type NoiseArray, type Spill } from "../../noise/noise-array.ts"

/** A law of noise as mechanisms use it. */
export interface NoiseSource {
  /** Its scale as a double, to see whether draws fit a typed array. */
  readonly scale: number
  fill(out: NoiseArray): Spill[]
  sample(): bigint
}

/** Returns exact + noise, coordinate by coordinate, each with its own draw. */
export function addNoise(exact: readonly bigint[], source: NoiseSource): bigint[] {
  // Not `>`: where numerator and denominator are both too large for doubles, the scale is NaN.
  const fits = source.scale <= float64ScaleMax
  if (exact.length === 1 || !fits) return exact.map((x) => x + source.sample())
  const noise = new Float64Array(exact.length)
  const spills = new Map(source.fill(noise).map((spill) => [spill.index, spill.value]))
  const noisy = exact.map((x, i) => x + (spills.get(i) ?? BigInt(noise[i] ?? 0)))
  noise.fill(0)
  return noisy
}
