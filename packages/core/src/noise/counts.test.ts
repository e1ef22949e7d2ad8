// Poisson, Skellam and binomial draws: how they use their tables.

import { describe, expect, test } from "vitest"
import { rational } from "../exact/rational.ts"
import { replayBits } from "../testing/replay-bits.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { sampleBinomial } from "./binomial.ts"
import { binomialOracle, poissonOracle } from "./cdf-oracles.ts"
import { LazyTable } from "./lazy-table.ts"
import { fillPoisson, fillSkellam, samplePoisson, sampleSkellam } from "./poisson.ts"

const bug = expect.objectContaining({ code: "bug/invariant" })

describe("Poisson", () => {
  test("a draw is the table's, counted from the mode", () => {
    const mean = rational(27n, 2n)
    const table = new LazyTable(poissonOracle(mean))
    const [a, b] = [seededBits("poisson"), seededBits("poisson")]
    for (let i = 0; i < 300; i += 1) expect(samplePoisson(mean, a)).toBe(BigInt(table.sample(b) + 13))
    const out = new Int32Array(300)
    fillPoisson(out, mean, seededBits("poisson"))
    const again = seededBits("poisson")
    expect([...out]).toEqual(Array.from(out, () => table.sample(again) + 13))
    expect(samplePoisson(mean, seededBits("p"))).toBeGreaterThanOrEqual(0n)
  })

  test("a large mean is a sum of draws of 10^6 and what is left", () => {
    const mean = rational(5_000_001n, 2n)
    const [a, b] = [seededBits("large"), seededBits("large")]
    const parts = [rational(1_000_000n), rational(1_000_000n), rational(1_000_001n, 2n)]
    const expected = parts.reduce((sum, part) => sum + samplePoisson(part, b), 0n)
    expect(samplePoisson(mean, a)).toBe(expected)
  })

  test("a tiny mean gives 0 at once", () => {
    expect(samplePoisson(rational(1n, 1n << 60n), replayBits([0x80000000]))).toBe(0n)
    expect(samplePoisson(rational(1n, 10n ** 300n), replayBits([0]))).toBe(0n)
  })

  test("Skellam is the difference of two, from one word in a batch", () => {
    const mean = rational(10n)
    const table = new LazyTable(poissonOracle(mean))
    const [a, b] = [seededBits("skellam"), seededBits("skellam")]
    expect(sampleSkellam(mean, a)).toBe(samplePoisson(mean, b) - samplePoisson(mean, b))
    const out = new Int32Array(500)
    fillSkellam(out, mean, seededBits("skellam"))
    const rng = seededBits("skellam")
    const expected = Array.from(out, () => {
      const word = rng.word()
      return table.outcome(word & 0xffff, rng) - table.outcome(word >>> 16, rng)
    })
    expect([...out]).toEqual(expected)
  })

  test("bug/invariant: means outside their range are refused", () => {
    const rng = seededBits("refused")
    const out = new Int32Array(1)
    for (const mean of [rational(0n), rational(-1n), rational(1_000_000_001n)]) {
      expect(() => samplePoisson(mean, rng)).toThrow(bug)
      expect(() => sampleSkellam(mean, rng)).toThrow(bug)
    }
    for (const mean of [rational(0n), rational(1_000_001n)]) {
      expect(() => fillPoisson(out, mean, rng)).toThrow(bug)
      expect(() => fillSkellam(out, mean, rng)).toThrow(bug)
    }
  })
})

describe("binomial", () => {
  test("one fair coin is one bit", () => {
    expect(sampleBinomial(1n, rational(1n, 2n), replayBits([0]))).toBe(1n)
    expect(sampleBinomial(1n, rational(1n, 2n), replayBits([0x7fffffff]))).toBe(1n)
    expect(sampleBinomial(1n, rational(1n, 2n), replayBits([0x80010000]))).toBe(0n)
    expect(sampleBinomial(1n, rational(1n, 2n), replayBits([0xffffffff]))).toBe(0n)
    expect(sampleBinomial(1n, rational(1n, 2n), replayBits([0x80000000, 0, 0]))).toBe(0n)
  })

  test("trials are split by their binary digits", () => {
    const p = rational(3n, 10n)
    const [a, b] = [seededBits("binomial"), seededBits("binomial")]
    const parts = [1n, 4n, 32n].map((trials) => {
      const oracle = binomialOracle(trials, p)
      return oracle.mode + BigInt(new LazyTable(oracle).sample(b))
    })
    expect(sampleBinomial(37n, p, a)).toBe(parts.reduce((sum, part) => sum + part, 0n))
    const [c, d] = [seededBits("many"), seededBits("many")]
    const twice = sampleBinomial(1n << 20n, p, d) + sampleBinomial(1n << 20n, p, d)
    expect(sampleBinomial((2n << 20n) + 1n, p, c)).toBe(twice + sampleBinomial(1n, p, d))
  })

  test("the ends are certain, and read nothing", () => {
    expect(sampleBinomial(0n, rational(1n, 2n), replayBits([]))).toBe(0n)
    expect(sampleBinomial(100n, rational(0n), replayBits([]))).toBe(0n)
    expect(sampleBinomial(100n, rational(1n), replayBits([]))).toBe(100n)
  })

  test.each([
    rational(1n, 1n << 60n),
    rational(1n, 10n ** 100n),
    rational((1n << 60n) - 1n, 1n << 60n),
    rational(10n ** 100n - 1n, 10n ** 100n),
  ])("a chance next to 0 or 1 is drawn too: %o", (p) => {
    for (const trials of [1n, 2n, 1000n, 1n << 20n]) {
      const expected = p.numerator === 1n ? 0n : trials
      expect(sampleBinomial(trials, p, seededBits("edge"))).toBe(expected)
    }
  })

  test("bug/invariant: trials and chances outside their range are refused", () => {
    const rng = seededBits("refused")
    expect(() => sampleBinomial(-1n, rational(1n, 2n), rng)).toThrow(bug)
    expect(() => sampleBinomial((1n << 40n) + 1n, rational(1n, 2n), rng)).toThrow(bug)
    expect(() => sampleBinomial(1n, rational(3n, 2n), rng)).toThrow(bug)
    expect(() => sampleBinomial(1n, rational(-1n, 2n), rng)).toThrow(bug)
  })
})
