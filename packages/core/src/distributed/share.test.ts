// Noise in shares, checked by code that shares nothing with its proof: laws are added up by convolution, and
// the privacy loss of the sums is measured.

import { describe, expect, test } from "vitest"
import { numberNear, numberUp } from "../exact/dyadic.ts"
import { compare, rational, type Rational } from "../exact/rational.ts"
import { gaussianAt, gaussianOfRho, gaussianOfVariance } from "../mechanisms/additive/gaussian.ts"
import { laplace } from "../mechanisms/additive/laplace.ts"
import { lossOf } from "../mechanisms/mechanism.ts"
import { margins } from "../mechanisms/tables/margins.ts"
import { tree } from "../mechanisms/tables/tree.ts"
import { boundedSensitivity } from "../privacy/sensitivity.ts"
import { refusalOf } from "../testing/refusals.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { roundedGaussianCdf } from "../testing/laws.ts"
import { inParts, measuredNumbers, measuredVariances, type SharedSpec } from "./measured-numbers.ts"
import { readShares, releaseShare } from "./release-share.ts"
import { distanceUp, fineVariance, lossOfShares, shareOf, type BellShare, type ShareSpec } from "./share.ts"
import { marginOfSum, noiseOfSum, reachOfSum } from "./sum-law.ts"

const neighbours = "add-or-remove"
const sensitivity = boundedSensitivity({ groupsPerUnit: 1, lower: 0, upper: 1, neighbours })
const bounds = { groupsPerUnit: 1, lower: 0n, upper: 1n, neighbours } as const

const bells: Readonly<Record<string, readonly [Exclude<SharedSpec, { kind: "laplace" }>, number]>> = {
  gaussian: [gaussianOfRho({ sensitivity, rho: "0.01" }), 5],
  "narrow gaussian": [gaussianOfRho({ sensitivity, rho: 4 }), 5],
  margins: [
    margins({
      ...bounds,
      sizes: [3, 2],
      wanted: [{ attributes: [0, 1] }, { attributes: [0] }, { attributes: [] }],
      muSquared: "0.3",
    }),
    6,
  ],
  tree: [tree({ ...bounds, children: [[2], [3, 2]], wanted: [1, 1, 1], muSquared: "0.3" }), 5],
}
const scale = laplace({ sensitivity, epsilon: "0.25" })

function bellShare(name: string, honest: number): BellShare {
  const [of, exact] = bells[name] ?? [gaussianOfVariance({ sensitivity, variance: 1 }), 1]
  const share = shareOf({ of, exact, honest })
  if (share.kind !== "bell-share") throw new Error("a bell has bells for shares")
  return share
}

/** A law on -reach .. reach. */
type Weights = Float64Array

function discreteGaussian(variance: number): Weights {
  const reach = Math.ceil(14 * Math.sqrt(variance)) + 2
  const weights = Float64Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * variance)),
  )
  const total = weights.toSorted().reduce((sum, one) => sum + one, 0)
  return weights.map((one) => one / total)
}

function convolve(a: Weights, b: Weights): Weights {
  const sum = new Float64Array(a.length + b.length - 1)
  for (const [i, x] of a.entries()) {
    for (const [j, y] of b.entries()) sum[i + j] = (sum[i + j] ?? 0) + x * y
  }
  return sum
}

function sumOf(one: Weights, count: number): Weights {
  let sum = one
  for (let i = 1; i < count; i += 1) sum = convolve(sum, one)
  return sum
}

/** The Rényi divergence of a law from itself moved by some steps. */
function divergence(law: Weights, steps: number, order: number): number {
  let sum = 0
  for (const [i, p] of law.entries()) {
    const q = law[i + steps]
    if (q !== undefined && p > 1e-280 && q > 1e-280) sum += p * (p / q) ** (order - 1)
  }
  return Math.log(sum) / (order - 1)
}

const orders = [1.01, 1.5, 2, 4, 16]

describe("the sum of discrete Gaussians", () => {
  test.each([1, 1.25, 1.5, 2])(
    "of variance %d is as near to one as is said, and not much nearer",
    (variance) => {
      for (const count of [2, 3, 5]) {
        const law = sumOf(discreteGaussian(variance), count)
        const one = discreteGaussian(variance * count)
        const [middle, centre] = [(law.length - 1) / 2, (one.length - 1) / 2]
        let most = 0
        for (let x = 0; x < 6 * Math.sqrt(variance * count); x += 1) {
          most = Math.max(most, Math.abs(Math.log((law[middle + x] ?? 0) / (one[centre + x] ?? 1))))
        }
        const said = numberUp(distanceUp(rational(BigInt(variance * 4), 4n), BigInt(count)))
        expect(2 * most).toBeLessThanOrEqual(said)
        if (variance === 1 && count === 2) expect(2 * most).toBeGreaterThan(said / 16)
      }
    },
  )

  test.each(Object.keys(bells))("[L1] of shares of a %s loses no more than is charged", (name) => {
    for (const honest of [2, 4]) {
      const share = bellShare(name, honest)
      const charged = numberNear(lossOf(share.of).zcdp.rho)
      const exact = bells[name]?.[1] ?? 0
      const variances = measuredVariances(share.of, share.numbers).flat()
      const laws = new Map<Rational, Weights>()
      for (const variance of variances) {
        laws.set(variance, discreteGaussian(numberNear(fineVariance(share, variance))))
      }
      for (const survivors of [honest, honest + 1]) {
        const sums = new Map([...laws].map(([variance, law]) => [variance, sumOf(law, survivors)]))
        // One unit, in each cell: what it changes of every number that is measured.
        for (const cell of [0, exact - 1]) {
          const unit = Array<bigint>(exact).fill(0n).with(cell, 1n)
          const changes = measuredNumbers(share.of, unit).flat()
          // Beyond these orders the ends of the laws count that are cut off here.
          for (const order of orders.filter((one) => one * Math.sqrt(2 * charged) < 10)) {
            const lost = changes.reduce((sum, change, place) => {
              const law = sums.get(variances[place] ?? rational(1n))
              const steps = Number(change < 0n ? -change : change) * 2 ** share.finer
              return change === 0n || law === undefined ? sum : sum + divergence(law, steps, order)
            }, 0)
            // Sums of probabilities are known to some units of 2^-53, which is more of a logarithm near 0.
            const slack = 1e-13 / (order - 1)
            expect(lost / order).toBeLessThanOrEqual(charged + slack)
            const said = numberUp(lossOfShares(share, survivors).zcdp.rho)
            expect(lost / order).toBeLessThanOrEqual(said + slack)
            // And not much less: noise is not thrown in.
            if (survivors === honest && order === 2) expect(lost / order).toBeGreaterThan(0.98 * charged)
          }
        }
      }
    }
  })

  test("strays from 0 no further than its stated noise, rounded to whole steps", () => {
    for (const name of ["gaussian", "narrow gaussian"]) {
      const share = bellShare(name, 2)
      const variance = measuredVariances(share.of, 1)[0]?.[0] ?? rational(1n)
      for (const survivors of [2, 3]) {
        const law = sumOf(discreteGaussian(numberNear(fineVariance(share, variance))), survivors)
        const middle = (law.length - 1) / 2
        const rounded = (i: number): number =>
          Math.floor((i - middle + 2 ** share.finer / 2) / 2 ** share.finer)
        const { spec, draws } = noiseOfSum(share, survivors)
        expect(draws).toBe(1)
        const cdf = roundedGaussianCdf(spec.kind === "gaussian" ? numberNear(spec.variance) : 0)
        for (let r = 0n; r < 12n; r += 1n) {
          let beyond = 0
          for (const [i, p] of law.entries()) if (Math.abs(rounded(i)) > Number(r)) beyond += p
          expect(beyond).toBeLessThanOrEqual(2 * cdf(-r - 1n) * (1 + 1e-9) + 1e-14)
        }
        expect(marginOfSum(share, survivors)).toBeGreaterThan(Math.sqrt(survivors / 2))
        expect(marginOfSum(share, survivors)).toBeLessThan(1.003 * Math.sqrt(survivors / 2))
      }
    }
  })
})

describe("parts of a discrete Laplace", () => {
  /** The difference of two negative binomial variables of this shape, from their formula. */
  function part(shape: number, width: number): Weights {
    const q = Math.exp(-1 / width)
    const reach = Math.ceil(44 * width)
    const counts = [(1 - q) ** shape]
    for (let k = 1; k <= reach; k += 1) counts.push((counts[k - 1] ?? 0) * q * ((k - 1 + shape) / k))
    const one = Float64Array.from(counts)
    return convolve(one, one.toReversed())
  }

  test.each([2, 3, 5])("%d of them are one, and more lose no more", (honest) => {
    const width = 4
    const own = part(1 / honest, width)
    const whole = sumOf(own, honest)
    const middle = (whole.length - 1) / 2
    const q = Math.exp(-1 / width)
    for (let x = -60; x <= 60; x += 1) {
      const expected = ((1 - q) / (1 + q)) * q ** Math.abs(x)
      expect(Math.abs((whole[middle + x] ?? 0) / expected - 1)).toBeLessThan(1e-6)
    }
    const more = convolve(whole, own)
    const centre = (more.length - 1) / 2
    for (let x = -60; x < 60; x += 1) {
      const ratio = Math.abs(Math.log((more[centre + x] ?? 0) / (more[centre + x + 1] ?? 1)))
      expect(ratio).toBeLessThanOrEqual((1 / width) * (1 + 1e-6))
    }
    const share = shareOf({ of: scale, exact: 3, honest })
    expect(lossOfShares(share, honest + 4)).toEqual(lossOf(scale))
    expect(noiseOfSum(share, honest)).toEqual({ spec: scale, draws: 1 })
    expect(noiseOfSum(share, honest + 1)).toEqual({ spec: scale, draws: 2 })
  })
})

describe("a share spec", () => {
  const all: readonly (readonly [string, SharedSpec, number])[] = [
    ...Object.entries(bells).map(([name, [of, exact]]) => [name, of, exact] as const),
    ["laplace", scale, 4],
  ]

  test.each(all)("of a %s: numbers come back in the form of the mechanism's own release", (_, of, exact) => {
    const share = shareOf({ of, exact, honest: 2 })
    const values = Array.from({ length: exact }, (_value, index) => BigInt(index * 1000))
    const measured = measuredNumbers(of, values)
    const fine = "finer" in share ? BigInt(share.finer) : 0n
    const noiseless = measured.flat().map((number) => number << fine)
    expect(readShares(share, noiseless)).toEqual(measured)
    const sent = releaseShare(share, values, seededBits("share"))
    expect(sent.length).toBe(share.numbers)
    // Rounded half up to whole steps.
    const half = fine === 0n ? 0n : 1n << (fine - 1n)
    expect(
      readShares(
        share,
        noiseless.map((number) => number + half),
      ).flat(),
    ).toEqual(measured.flat().map((number) => (fine === 0n ? number : number + 1n)))
    const reach = reachOfSum(
      share,
      3,
      measured.flat().reduce((sum, number) => sum + (number < 0n ? -number : number), 0n),
    )
    expect(sent.every((number) => number < reach && number > -reach)).toBe(true)
  })

  test("what is sent stays in the steps of the share", () => {
    const share = bellShare("narrow gaussian", 2)
    const large = Array<bigint>(5).fill(1n << 40n)
    for (const number of releaseShare(share, large, seededBits("steps"))) {
      const off = number - (1n << BigInt(40 + share.finer))
      expect(off < 400n && off > -400n).toBe(true)
    }
  })

  test("noise of every number is its own, and differs from draw to draw", () => {
    const share: ShareSpec = shareOf({
      of: gaussianOfRho({ sensitivity, rho: "0.0001" }),
      exact: 50,
      honest: 2,
    })
    const zeros = Array<bigint>(50).fill(0n)
    const rng = seededBits("fresh")
    const [first, second] = [releaseShare(share, zeros, rng), releaseShare(share, zeros, rng)]
    expect(new Set(first).size).toBeGreaterThan(30)
    expect(first.filter((number, place) => number === second[place]).length).toBeLessThan(5)
  })

  test("has steps in which a share is at least 8 wide, and no finer ones than that needs", () => {
    for (const name of Object.keys(bells)) {
      for (const honest of [1, 2, 50, 1000]) {
        const share = bellShare(name, honest)
        const least = Math.min(
          ...measuredVariances(share.of, share.numbers)
            .flat()
            .map((variance) => numberNear(fineVariance(share, variance))),
        )
        expect(least).toBeGreaterThanOrEqual(64)
        expect(share.finer === 0 || least < 257).toBe(true)
        expect(compare(lossOfShares(share).zcdp.rho, lossOf(share.of).zcdp.rho)).toBeLessThanOrEqual(0)
      }
    }
  })

  test("[L2] states zCDP alone where noise is a sum of discrete Gaussians", () => {
    const at = gaussianAt({ sensitivity, epsilon: 1, delta: "1e-6" })
    expect(Object.keys(lossOfShares(shareOf({ of: at, exact: 1, honest: 2 })))).toEqual(["zcdp"])
    // More survivors, less loss.
    const share = bellShare("gaussian", 2)
    const [two, four] = [lossOfShares(share).zcdp.rho, lossOfShares(share, 4).zcdp.rho]
    expect(numberNear(four) / numberNear(two)).toBeCloseTo(0.5, 9)
  })

  test("bug/invariant: shares narrower than 1 are not believed", () => {
    const bug = expect.objectContaining({ code: "bug/invariant" })
    expect(() => distanceUp(rational(99n, 100n), 3n)).toThrow(bug)
    expect(() => distanceUp(rational(1n), 0n)).toThrow(bug)
  })

  test("[M1] refuses what makes no sense", () => {
    const code = (honest: number, exact: number): string =>
      refusalOf(() => shareOf({ of: scale, exact, honest })).code
    expect(code(0, 1)).toBe("parameter/out-of-range")
    expect(code(2, 0)).toBe("parameter/out-of-range")
    expect(code(1 << 17, 1)).toBe("parameter/too-large")
    const share = shareOf({ of: scale, exact: 2, honest: 3 })
    expect(refusalOf(() => lossOfShares(share, 2)).code).toBe("parameter/out-of-range")
    expect(refusalOf(() => inParts([1, 2, 3], [1, 1])).code).toBe("bug/invariant")
  })
})
