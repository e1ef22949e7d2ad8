import { test } from "vitest"
import { parseDecimal } from "../exact/decimal.ts"
import { divide, multiply, rational, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { checkSampler } from "../testing/check-sampler.ts"
import selection from "../testing/fixtures/selection.json" with { type: "json" }
import type { IntegerCdf } from "../testing/laws.ts"
import { parseNumber, recordsOf, type VectorRecord } from "../testing/vectors.ts"
import { sampleNoisyArgmax, sampleSoftmax } from "./argmax.ts"

const draws = 40_000

function textsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) throw new Error("not a list")
  return list.map(String)
}

function cdfOf(probabilities: readonly number[]): IntegerCdf {
  let sum = 0
  const sums = probabilities.map((p) => (sum += p))
  return (k) => (k < 0n ? 0 : k >= BigInt(sums.length) ? 1 : (sums[Number(k)] ?? 1))
}

/** The same with 4 % moved from the likeliest to the one beside it. */
function shifted(probabilities: readonly number[]): readonly number[] {
  const from = probabilities.indexOf(Math.max(...probabilities))
  const to = from === 0 ? 1 : from - 1
  return probabilities.map((p, i) => (i === from ? p - 0.04 : i === to ? p + 0.04 : p))
}

/** Decimal utilities as integers on a grid of 1/100, and the rate on that grid. */
function integerScores(record: VectorRecord, rate: Rational): { scores: bigint[]; rate: Rational } {
  const grid = rational(100n)
  const scores = textsOf(record.inputs["utilities"]).map((text) => {
    const scaled = multiply(parseDecimal(text, "utility"), grid)
    if (scaled.denominator !== 1n) throw new Error(`${record.id}: ${text} is off the grid`)
    return scaled.numerator
  })
  return { scores, rate: divide(rate, grid) }
}

function rateOf(record: VectorRecord): Rational {
  const [epsilon, sensitivity] = ["epsilon", "sensitivity"].map((name) =>
    parseDecimal(String(record.inputs[name]), name),
  )
  if (epsilon === undefined || sensitivity === undefined) throw new Error(`${record.id}: no rate`)
  const rate = divide(epsilon, sensitivity)
  return record.inputs["monotonic"] === true ? rate : divide(rate, rational(2n))
}

function check(record: VectorRecord, draw: (rng: RandomBits) => number): void {
  const probabilities = textsOf(record.expected["probabilities"]).map(parseNumber)
  const wrong = cdfOf(shifted(probabilities))
  checkSampler({ name: record.id, draws, draw, cdf: cdfOf(probabilities), mustReject: { shifted: wrong } })
}

test.each(recordsOf(selection, "selection.exponential"))("softmax has the law of $id", (record) => {
  const { scores, rate } = integerScores(record, rateOf(record))
  check(record, (rng) => sampleSoftmax({ scores }, rate, rng))
})

test.each(recordsOf(selection, "selection.permute_and_flip"))(
  "argmax with exponential noise has the law of $id",
  (record) => {
    const { scores, rate } = integerScores(record, rateOf(record))
    check(record, (rng) => sampleNoisyArgmax(scores, rate, "exponential", rng))
  },
)

test.each(recordsOf(selection, "selection.noisy_max_laplace"))(
  "argmax with Laplace noise has the law of $id",
  (record) => {
    const inverse = parseDecimal(String(record.inputs["laplace_scale"]), "scale")
    const { scores, rate } = integerScores(record, divide(rational(1n), inverse))
    check(record, (rng) => sampleNoisyArgmax(scores, rate, "laplace", rng))
  },
)

test("softmax with weights has each weight's share", () => {
  const powers = [5 * Math.exp(-2), 1, 20 * Math.exp(-1)]
  const total = powers.reduce((sum, power) => sum + power, 0)
  const probabilities = powers.map((power) => power / total)
  const candidates = { scores: [-2n, 0n, -1n], weights: [5n, 1n, 20n] }
  checkSampler({
    name: "weighted softmax",
    draws,
    draw: (rng) => sampleSoftmax(candidates, rational(1n), rng),
    cdf: cdfOf(probabilities),
    mustReject: { shifted: cdfOf(shifted(probabilities)) },
  })
})
