// The one goodness-of-fit check of the suite. It states its false-alarm rate, proves its power before it
// draws, and prints the seed when it fails.

import type { RandomBits } from "../random/random-bits.ts"
import { spendAlpha } from "./alpha-budget.ts"
import { dkwThreshold, empiricalDistance, lawDistance } from "./dkw.ts"
import type { IntegerCdf } from "./laws.ts"
import { freshSeed, seededBits } from "./seeded-bits.ts"

/** The false-alarm rate of an assertion that states none. */
export const alphaDefault = 1e-9

/** Bits handed to a check; with a seed, where there is one, so that a failure can print it. */
export interface CheckBits extends RandomBits {
  readonly seed?: string
}

interface SamplerClaim {
  readonly name: string
  /** The exact law: P(value <= k). */
  readonly cdf: IntegerCdf
  readonly draws: number
  /** The false-alarm rate; 1e-9 unless given. */
  readonly alpha?: number
  /** Wrong laws that these draws must be able to tell from the right one. At least one. */
  readonly mustReject: Readonly<Record<string, IntegerCdf>>
  /** A fresh seed unless given. */
  readonly rng?: CheckBits
}

/** Draws one value. */
export interface DrawsOne {
  readonly draw: (rng: RandomBits) => bigint | number
  readonly fill?: never
}

/** Draws a batch of exactly `count` values. */
export interface DrawsMany {
  readonly fill: (count: number, rng: RandomBits) => ArrayLike<bigint | number>
  readonly draw?: never
}

/** A sampler, the law it claims, and the wrong laws that the check must be able to reject. */
export type SamplerCheck = SamplerClaim & (DrawsOne | DrawsMany)

/** What a passed check measured. */
export interface SamplerFit {
  readonly distance: number
  readonly threshold: number
  readonly seed: string
}

/**
 * Compares draws with the exact law: throws when their largest distance exceeds the
 * Dvoretzky-Kiefer-Wolfowitz-Massart threshold, which the right law does with probability at most alpha.
 *
 * Throws as well, before drawing, when a law in `mustReject` is nearer than two thresholds: then a miss would
 * not be improbable, and the check would show nothing.
 */
export function checkSampler(check: SamplerCheck): SamplerFit {
  const { name, cdf, draws, alpha = alphaDefault } = check
  const threshold = dkwThreshold({ draws, alpha })
  checkPower(check, threshold)
  spendAlpha(alpha)
  const rng: CheckBits = check.rng ?? seededBits(freshSeed())
  const seed = rng.seed ?? "of the given rng"
  const counts = countDraws(check, rng)
  const distance = empiricalDistance(counts, cdf)
  if (!(distance <= threshold)) {
    throw new Error(
      `${name}: ${draws} draws are ${distance.toPrecision(4)} away from the law, ` +
        `more than ${threshold.toPrecision(4)} (alpha ${alpha}). Replay with SEED=${seed}`,
    )
  }
  return { distance, threshold, seed }
}

/** How many low residues `checkUniformBits` looks at: four bits. */
const residues = 16n

/**
 * Checks the four lowest bits of a wide law, which a distance between distribution functions cannot see:
 * values modulo 16 must be uniform. The caller answers for the law being that wide (a Gaussian from sigma 64
 * on, a Laplace from scale 1000 on, are uniform modulo 16 far below what a test can see).
 */
export function checkUniformBits(
  check: Omit<SamplerClaim, "cdf" | "mustReject"> & (DrawsOne | DrawsMany),
): SamplerFit {
  const { name, draws } = check
  const uniformOver =
    (step: bigint): IntegerCdf =>
    (k) => {
      const reached = k < 0n ? 0n : k >= residues ? residues : (k / step + 1n) * step
      return Number(reached) / Number(residues)
    }
  return checkSampler({
    name: `${name}, low bits`,
    draws,
    ...(check.alpha === undefined ? {} : { alpha: check.alpha }),
    ...(check.rng === undefined ? {} : { rng: check.rng }),
    fill: (count, rng) =>
      Array.from(valuesOf(check, { count, rng }), (value) => modulo(BigInt(value), residues)),
    cdf: uniformOver(1n),
    mustReject: { "the lowest bit stuck at 0": uniformOver(2n) },
  })
}

function checkPower({ name, cdf, mustReject }: SamplerCheck, threshold: number): void {
  const wrongLaws = Object.entries(mustReject)
  if (wrongLaws.length === 0)
    throw new Error(`${name}: mustReject names no wrong law, so the check shows nothing`)
  for (const [wrongName, wrong] of wrongLaws) {
    const distance = lawDistance({ right: cdf, wrong })
    if (!(distance >= 2 * threshold)) {
      const more = ((2 * threshold) / distance) ** 2
      throw new Error(
        `${name}: no power against "${wrongName}": it is ${distance.toPrecision(4)} away from the right law, ` +
          `and ${(2 * threshold).toPrecision(4)} is needed. Draw ${more.toFixed(1)} times as many`,
      )
    }
  }
}

function countDraws(check: SamplerCheck, rng: CheckBits): ReadonlyMap<bigint, number> {
  const values = valuesOf(check, { count: check.draws, rng })
  if (values.length !== check.draws)
    throw new Error(`${check.name}: ${values.length} values, not ${check.draws}`)
  const counts = new Map<bigint, number>()
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    if (value === undefined || (typeof value === "number" && !Number.isInteger(value))) {
      throw new Error(
        `${check.name}: ${value} is not an integer. Replay with SEED=${rng.seed ?? "of the given rng"}`,
      )
    }
    const key = BigInt(value)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

function valuesOf(
  sampler: DrawsOne | DrawsMany,
  { count, rng }: { readonly count: number; readonly rng: RandomBits },
): ArrayLike<bigint | number> {
  if (sampler.fill !== undefined) return sampler.fill(count, rng)
  return Array.from({ length: count }, () => sampler.draw(rng))
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by
}
