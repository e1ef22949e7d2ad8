import { test } from "vitest"
import { parseDecimal } from "../exact/decimal.ts"
import { rational, type Rational } from "../exact/rational.ts"
import { checkSampler, checkUniformBits } from "../testing/check-sampler.ts"
import noise from "../testing/fixtures/noise.json" with { type: "json" }
import type { IntegerCdf } from "../testing/laws.ts"
import { numberExpected, recordsOf } from "../testing/vectors.ts"
import { bernoulli, bernoulliExp, fillBernoulliBits } from "./bernoulli.ts"
import type { RandomBits } from "./random-bits.ts"
import { systemBits } from "./system-bits.ts"
import { shuffledIndices, uniformBelow, uniformBelowBig } from "./uniform.ts"

/** 0 with probability 1 - p, 1 with probability p. */
function coinCdf(p: number): IntegerCdf {
  return (k) => (k < 0n ? 0 : k < 1n ? 1 - p : 1)
}

function uniformCdf(n: number): IntegerCdf {
  return (k) => Math.min(1, Math.max(0, (Number(k) + 1) / n))
}

test.each([2, 3, 1000, 2 ** 21 - 1, 2 ** 21 + 1, 2 ** 32 - 1, 2 ** 32 + 1, 3 * 2 ** 51, 2 ** 53])(
  "uniformBelow(%d) is uniform",
  (n) => {
    const check = {
      name: `uniform below ${n}`,
      draws: 40_000,
      draw: (rng: RandomBits) => uniformBelow(n, rng),
    }
    // A biased remainder doubles the chance of the lower values: here of the lower third.
    const biased: IntegerCdf = (k) => Math.min(1, uniformCdf(n)(k) * 0.5 + uniformCdf(n / 3)(k) * 0.5)
    checkSampler({ ...check, cdf: uniformCdf(n), mustReject: { "biased to low values": biased } })
    if (n > 1000) checkUniformBits(check)
  },
)

test("uniformBelowBig is uniform, beyond doubles too", () => {
  const n = 3n << 100n
  const draw = (rng: RandomBits) => uniformBelowBig(n, rng)
  checkSampler({
    name: "uniform below 3 * 2^100",
    draws: 40_000,
    draw,
    cdf: uniformCdf(Number(n)),
    mustReject: { "10 % too narrow": uniformCdf(Number(n) * 0.9) },
  })
  checkUniformBits({ name: "uniform below 3 * 2^100", draws: 40_000, draw })
})

/** The place of an order of 0..4 among all 120, first differing place first. */
function rankOfOrder(order: ArrayLike<number>): number {
  const left = [0, 1, 2, 3, 4]
  let rank = 0
  for (let i = 0; i < 5; i += 1) {
    const at = left.indexOf(order[i] ?? -1)
    if (at < 0) throw new Error("not an order of 0..4")
    rank = rank * (5 - i) + at
    left.splice(at, 1)
  }
  return rank
}

/** The law of the popular wrong shuffle, which swaps each place with any place: all 5^5 runs of it. */
function naiveShuffleCdf(): IntegerCdf {
  const counts = new Array<number>(120).fill(0)
  for (let run = 0; run < 3125; run += 1) {
    const order = [0, 1, 2, 3, 4]
    for (let i = 0, rest = run; i < 5; i += 1, rest = Math.floor(rest / 5)) {
      const j = rest % 5
      const moved = order[i] ?? 0
      order[i] = order[j] ?? 0
      order[j] = moved
    }
    const rank = rankOfOrder(order)
    counts[rank] = (counts[rank] ?? 0) + 1
  }
  let sum = 0
  const sums = counts.map((count) => (sum += count) / 3125)
  return (k) => (k < 0n ? 0 : (sums[Number(k)] ?? 1))
}

test("a shuffle of five has all 120 orders, equally often", () => {
  checkSampler({
    name: "shuffle of five",
    draws: 200_000,
    draw: (rng) => rankOfOrder(shuffledIndices(5, rng)),
    cdf: uniformCdf(120),
    mustReject: { "swapping with any place": naiveShuffleCdf() },
  })
})

// The certain coin, x = 0, is in bernoulli.test.ts.
const uncertain = recordsOf(noise, "bernoulli_exp.prob").filter((record) => numberExpected(record, "p") < 1)

test.each(uncertain)("bernoulliExp has the chance of $id", (record) => {
  const x = parseDecimal(String(record.inputs["x"]), "x")
  const p = numberExpected(record, "p")
  // A wrong chance that is certainly seen: 10 % of the rarer side, or a coin that is never wrong.
  const wrong = p > 0.5 ? p * 0.9 : p + 0.05
  checkSampler({
    name: record.id,
    draws: 60_000,
    draw: (rng) => (bernoulliExp(x, rng) ? 1 : 0),
    cdf: coinCdf(p),
    mustReject: { "wrong chance": coinCdf(wrong) },
  })
})

const chances: readonly (readonly [string, Rational, number])[] = [
  ["1/3", rational(1n, 3n), 1 / 3],
  ["9/10", rational(9n, 10n), 0.9],
  ["0.1 as a double", rational(3602879701896397n, 1n << 55n), 0.1],
  ["(2^70 - 1) / 2^71", rational((1n << 70n) - 1n, 1n << 71n), 0.5],
]

test.each(chances)("bernoulli and fillBernoulliBits have the chance %s", (name, p, about) => {
  const mustReject = { "5 % too often": coinCdf(about + 0.05), "5 % too rarely": coinCdf(about - 0.05) }
  const check = { name, draws: 60_000, cdf: coinCdf(about), mustReject }
  checkSampler({ ...check, draw: (rng) => (bernoulli(p, rng) ? 1 : 0) })
  checkSampler({
    ...check,
    fill: (count, rng) => {
      const words = new Uint32Array(Math.ceil(count / 32))
      fillBernoulliBits(words, p, rng)
      return Array.from({ length: count }, (_, i) => ((words[i >> 5] ?? 0) >>> (i & 31)) & 1)
    },
  })
})

test("the system's words are uniform, one at a time and in bulk", () => {
  const rng = systemBits()
  const draws = 60_000
  const cdf = uniformCdf(2 ** 32)
  const mustReject = { "the top bit stuck": uniformCdf(2 ** 31) }
  checkSampler({ name: "word", draws, draw: (bits) => bits.word(), cdf, mustReject, rng })
  checkUniformBits({ name: "word", draws, draw: (bits) => bits.word(), rng })
  const fill = (count: number, bits: RandomBits) => {
    const words = new Uint32Array(count)
    bits.fill(words)
    return words
  }
  checkSampler({ name: "fill", draws, fill, cdf, mustReject, rng })
  checkUniformBits({ name: "fill", draws, fill, rng })
})
