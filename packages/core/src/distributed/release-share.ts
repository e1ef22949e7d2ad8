// A site's side of noise in shares: exact numbers plus a share. And what the coordinator reads from the sum.

import { assert } from "../errors/assert.ts"
import { numberNear } from "../exact/dyadic.ts"
import type { Rational } from "../exact/rational.ts"
import { addNoise } from "../mechanisms/shared/add-noise.ts"
import { fillDiscreteGaussian, sampleDiscreteGaussian } from "../noise/discrete-gaussian.ts"
import { fillLaplaceShares, sampleLaplaceShare } from "../noise/laplace-share.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { inParts, measuredNumbers, measuredVariances } from "./measured-numbers.ts"
import { fineVariance, type BellShare, type LaplaceShare, type ShareSpec } from "./share.ts"

/**
 * A site's exact numbers with its share of the noise, in the steps of the share.
 *
 * Guarantee: what is learnt from the sum over any set of sites with at least spec.honest honest ones, the
 *   others' shares known, loses no more than lossOfShares(spec). One share by itself has less noise than
 *   that: only sums leave.
 * Needs: neighbours change the exact numbers of one site by no more than the mechanism's bounds say (as for
 *   its own release function); every site draws for itself.
 * Proof: the sum is the exact numbers of all sites in steps of 2^-finer, plus the sum of independent shares,
 *   each drawn by fillDiscreteGaussian with fineVariance of its own number, or fillLaplaceShares: the laws
 *   that lossOfShares speaks of.
 * Numerics: integers plus exact integer noise; nothing is rounded.
 * Source: Kairouz, Liu, Steinke 2021, algorithm 1, without its rounding of inputs: ours are integers.
 */
export function releaseShare(share: ShareSpec, exact: readonly bigint[], rng: RandomBits): bigint[] {
  const numbers = measuredNumbers(share.of, exact).flat()
  assert(numbers.length === share.numbers, "a share has noise for every number")
  return share.kind === "laplace-share" ? laplaceShares(share, numbers, rng) : bells(share, numbers, rng)
}

/**
 * What the sum of all sites' shares says, as the mechanism's own release function would have returned it:
 * part by part, in whole steps of the mechanism. A Gaussian or Laplace vector is one part.
 */
export function readShares(share: ShareSpec, sum: readonly bigint[]): readonly (readonly bigint[])[] {
  assert(sum.length === share.numbers, "a sum of shares has every number")
  if (share.kind === "laplace-share") return [sum]
  const shift = BigInt(share.finer)
  const half = share.finer === 0 ? 0n : 1n << (shift - 1n)
  const lengths = measuredVariances(share.of, share.numbers).map((part) => part.length)
  // Shifting rounds down, for negative numbers too.
  const whole = sum.map((number) => (number + half) >> shift)
  return inParts(whole, lengths)
}

function laplaceShares({ of, honest }: LaplaceShare, numbers: readonly bigint[], rng: RandomBits): bigint[] {
  const law = { scale: of.scale, parts: honest }
  return addNoise(numbers, {
    scale: numberNear(of.scale),
    fill: (out) => fillLaplaceShares(out, law, rng),
    sample: () => sampleLaplaceShare(law, rng),
  })
}

// Numbers of equal noise are drawn together.
function bells(share: BellShare, numbers: readonly bigint[], rng: RandomBits): bigint[] {
  const places = new Map<Rational, number[]>()
  for (const [place, variance] of measuredVariances(share.of, share.numbers).flat().entries()) {
    const alike = places.get(variance)
    if (alike === undefined) places.set(variance, [place])
    else alike.push(place)
  }
  const shift = BigInt(share.finer)
  const noisy = Array<bigint>(numbers.length)
  for (const [variance, own] of places) {
    const fine = fineVariance(share, variance)
    const drawn = addNoise(
      own.map((place) => (numbers[place] ?? 0n) << shift),
      {
        // That of the proposals, which are a little wider.
        scale: Math.sqrt(numberNear(fine)) + 1,
        fill: (out) => fillDiscreteGaussian(out, fine, rng),
        sample: () => sampleDiscreteGaussian(fine, rng),
      },
    )
    for (const [index, place] of own.entries()) noisy[place] = drawn[index] ?? 0n
  }
  return noisy
}
