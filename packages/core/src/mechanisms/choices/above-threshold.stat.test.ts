import { describe, test } from "vitest"
import { divide, rational } from "../../exact/rational.ts"
import { exactly } from "../../exact/decimal.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { checkPrivacy, expectViolation } from "../../testing/check-privacy.ts"
import { checkSampler } from "../../testing/check-sampler.ts"
import vectors from "../../testing/fixtures/selection.json" with { type: "json" }
import type { IntegerCdf } from "../../testing/laws.ts"
import { parseNumber, recordsOf } from "../../testing/vectors.ts"
import { aboveThreshold, releaseAboveThreshold, type AboveThresholdSpec } from "./above-threshold.ts"

const listOf = (value: unknown): number[] =>
  Array.isArray(value) ? value.map((item: unknown) => parseNumber(String(item))) : []

const cdfOf =
  (probabilities: readonly number[]): IntegerCdf =>
  (k) =>
    k < 0n
      ? 0
      : Math.min(
          1,
          probabilities.slice(0, Number(k) + 1).reduce((a, b) => a + b, 0),
        )

/** The place of the first answer "above"; one past the last if there is none. */
function firstAbove(spec: AboveThresholdSpec, queries: readonly bigint[], rng: RandomBits): number {
  const run = releaseAboveThreshold(spec, 0n, rng)
  const place = queries.findIndex((query) => run.ask(query))
  return place < 0 ? queries.length : place
}

/** The law if the threshold had no noise: independent questions. */
function lawWithoutThresholdNoise(gaps: readonly number[], scale: number): number[] {
  let left = 1
  const first = gaps.map((gap) => {
    const below = gap > 0 ? 1 - Math.exp(-gap / scale) / 2 : Math.exp(gap / scale) / 2
    const here = left * (1 - below)
    left *= below
    return here
  })
  return [...first, left]
}

/** So many steps of the grid are one: the records are of the continuous law. */
const grid = 1000

test.each(recordsOf(vectors, "selection.above_threshold"))("has the law of $id on a fine grid", (record) => {
  const epsilon = parseNumber(String(record.inputs["epsilon"]))
  const threshold = parseNumber(String(record.inputs["threshold"]))
  const queries = listOf(record.inputs["queries"])
  const scale = (of: bigint) => divide(rational(of * BigInt(grid)), exactly(epsilon, "epsilon"))
  const spec: AboveThresholdSpec = {
    kind: "above-threshold",
    thresholdScale: scale(2n),
    queryScale: scale(4n),
    answers: 1n,
    questions: BigInt(queries.length),
    sensitivity: BigInt(grid),
    queries: "any",
  }
  const gaps = queries.map((query) => threshold - query)
  checkSampler({
    name: record.id,
    draw: (rng) =>
      firstAbove(
        spec,
        gaps.map((gap) => BigInt(-gap * grid)),
        rng,
      ),
    cdf: cdfOf(listOf(record.expected["p_first_above_index_1_to_n_then_none"])),
    draws: 60_000,
    mustReject: { "no noise on the threshold": cdfOf(lawWithoutThresholdNoise(gaps, 4 / epsilon)) },
  })
})

/** All answers of a run, as text. */
function answersOf(spec: AboveThresholdSpec, queries: readonly bigint[]) {
  return (rng: RandomBits): string => {
    const run = releaseAboveThreshold(spec, 1n, rng)
    let [text, left] = ["", spec.answers]
    for (const query of queries) {
      if (left === 0n) break
      const isAbove = run.ask(query)
      if (isAbove) left -= 1n
      text += isAbove ? "1" : "0"
    }
    return text
  }
}

/** The inputs on which StatDP (Ding and others 2018) caught the broken variants. */
const pairs: Record<string, readonly [readonly bigint[], readonly bigint[]]> = {
  "one below": [
    [1n, 1n, 1n, 1n, 1n],
    [0n, 1n, 1n, 1n, 1n],
  ],
  "one above, rest below": [
    [1n, 1n, 1n, 1n, 1n],
    [2n, 0n, 0n, 0n, 0n],
  ],
  "half above": [
    [0n, 0n, 0n, 0n, 0n, 2n, 2n, 2n, 2n, 2n],
    [1n, 1n, 1n, 1n, 1n, 1n, 1n, 1n, 1n, 1n],
  ],
}

const claim = { epsilon: 1, delta: 0, draws: 40_000 } as const
const specFor = (queries: readonly bigint[], answers: number) =>
  aboveThreshold({ epsilon: 1, answers, questions: queries.length, sensitivity: 1, queries: "any" })

describe("a run", () => {
  test.each(Object.entries(pairs))("keeps its loss on the pair %s", (name, [a, b]) => {
    const spec = specFor(a, 2)
    checkPrivacy({ name, onD: answersOf(spec, a), onNeighbour: answersOf(spec, b), ...claim })
  })

  // A missing noise on the threshold is what `mustReject` above shows: an attack would need too many draws.
  test("would be caught with hardly any noise on its questions", () => {
    const [a, b] = pairs["half above"] ?? [[], []]
    const faint: AboveThresholdSpec = { ...specFor(a, 2), queryScale: rational(1n, 10n) }
    expectViolation({ name: "faint", onD: answersOf(faint, a), onNeighbour: answersOf(faint, b), ...claim })
  })

  test("would be caught if it went on after its answers were used up", () => {
    const [a, b] = pairs["half above"] ?? [[], []]
    const one = aboveThreshold({ epsilon: 2, answers: 1, questions: 10, sensitivity: 1, queries: "any" })
    const endless: AboveThresholdSpec = { ...one, answers: 10n }
    const [onD, onNeighbour] = [answersOf(endless, a), answersOf(endless, b)]
    expectViolation({ name: "endless", onD, onNeighbour, epsilon: 2, delta: 0, draws: 60_000 })
  })
})
