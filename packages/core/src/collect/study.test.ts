import { describe, expect, test } from "vitest"
import { binaryProtocol, karyProtocol } from "../local/kary.ts"
import { keyValueProtocol } from "../local/key-value.ts"
import { uniformDraws } from "../local/draws.ts"
import { levelOf, meanProtocol } from "../local/mean.ts"
import { releaseReport } from "../local/protocol.ts"
import { rangeAnswer, rangeProtocol } from "../local/range.ts"
import { subsetProtocol } from "../local/subset.ts"
import { wordAnswer, wordProtocol } from "../local/words.ts"
import { refusalOf } from "../testing/refusals.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { chooseProtocol, describeChoice } from "./choose-protocol.ts"
import { countersFor, type Tally } from "./counters.ts"
import { estimateFrequencies } from "./frequencies.ts"
import { estimateKeyValues, estimateMean } from "./means.ts"
import { predictError } from "./predict.ts"
import { coverOf, estimateRanges } from "./ranges.ts"
import { robustnessOf } from "./robustness.ts"
import { findWords } from "./words.ts"

const nobody = { kind: "nobody" } as const

describe("a protocol is chosen by its error", () => {
  test.each([
    [2, 1, "subset"],
    [100, 1, "subset"],
    [100_000, 1, "projective"],
    [100_000, 4, "projective"],
  ] as const)("%d values at epsilon %d: %s", (values, epsilon, kind) => {
    const choice = chooseProtocol({
      domain: { kind: "values", values },
      epsilon,
      people: 1_000_000,
      trust: nobody,
      halfWidthMax: "0.01",
    })
    expect(choice.protocol.kind).toBe(kind)
    expect(choice.epsilon).toBeLessThanOrEqual(epsilon)
    const widths = choice.ranked.map(({ halfWidth }) => halfWidth)
    expect(widths).toEqual(widths.toSorted((a, b) => a - b))
  })

  test("says how far off it will be", () => {
    const plan = {
      domain: { kind: "values", values: 128 },
      epsilon: 1,
      people: 10_000,
      trust: nobody,
    } as const
    const choice = chooseProtocol({ ...plan, halfWidthMax: "0.05" })
    expect(choice.prediction.halfWidth).toBeCloseTo(1.96 * Math.sqrt(3.617 / 10_000), 4)
    expect(describeChoice(choice)).toContain(
      "with 10,000 people: 95% of estimates within 3.73 percentage points",
    )
  })

  test("refuses a study that cannot answer its question, and says what would help", () => {
    const plan = {
      domain: { kind: "values", values: 128 },
      epsilon: "0.5",
      people: 500,
      trust: nobody,
    } as const
    const error = refusalOf(() => chooseProtocol({ ...plan, halfWidthMax: "0.05" }))
    expect(error.code).toBe("local/cannot-answer")
    expect(error.message).toMatch(
      /^the study would be off by 34\.\d percentage points, and 5 percentage points is/,
    )
    expect(error.help).toMatch(/^ask 23,\d{3} people instead of 500, or allow epsilon 4$/)
  })

  test("means are hybrid, and codes are hashed", () => {
    const base = { epsilon: 2, people: 10_000, trust: nobody, halfWidthMax: "0.1" } as const
    const mean = chooseProtocol({ ...base, domain: { kind: "mean" } })
    expect(mean.prediction.standardError).toBeCloseTo(Math.sqrt(1.04234 / 10_000), 4)
    expect(chooseProtocol({ ...base, domain: { kind: "codes", bits: 64 } }).protocol.kind).toBe("hashing")
  })

  test("[L4] with a shuffler, the loss to one that colludes stands beside the other", () => {
    const choice = chooseProtocol({
      domain: { kind: "values", values: 2 },
      epsilon: 1,
      people: 2000,
      trust: { kind: "shuffler", delta: "1e-6", localEpsilonMax: 3, sybils: 100, crowdMin: 1000 },
      halfWidthMax: "0.05",
    })
    expect(choice.protocol.kind).toBe("kary")
    expect(choice.shuffled?.epsilon).toBeLessThanOrEqual(1)
    expect(choice.shuffled?.ifShufflerColludes).toBeGreaterThan(2)
    expect(describeChoice(choice)).toMatch(/if the shuffler colludes: epsilon \d/)
  })
})

test("shares, and shares that add up", () => {
  const protocol = subsetProtocol({ values: 5, epsilon: 3 })
  const counters = countersFor(protocol)
  const rng = seededBits("shares")
  for (let i = 0; i < 3000; i += 1) counters.add(releaseReport(protocol, i % 3, rng))
  const [tally] = counters.tallies()
  if (tally === undefined) throw new Error("there is one tally")
  const { raw, consistent } = estimateFrequencies(protocol, tally, { confidence: 0.999 })
  for (const [value, { lower, upper }] of raw.entries()) {
    const truth = value < 3 ? 1 / 3 : 0
    expect(lower <= truth && truth <= upper).toBe(true)
  }
  expect(consistent.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
  expect(Math.min(...consistent)).toBeGreaterThanOrEqual(0)
})

test("a mean in the units of the question", () => {
  const protocol = meanProtocol({ epsilon: 4 })
  const counters = countersFor(protocol)
  const rng = seededBits("means")
  const draws = uniformDraws(rng)
  for (let i = 0; i < 4000; i += 1) {
    const level = levelOf(protocol, { value: 60 + (i % 40), low: 0, high: 200 }, draws)
    counters.add(releaseReport(protocol, level, rng))
  }
  const [tally] = counters.tallies()
  if (tally === undefined) throw new Error("there is one tally")
  const { lower, upper, variance } = estimateMean(protocol, tally, { low: 0, high: 200, confidence: 0.9999 })
  expect(lower < 79.5 && 79.5 < upper).toBe(true)
  expect(Math.sqrt(variance)).toBeLessThan(1.2)
})

test("keys and their values", () => {
  const protocol = keyValueProtocol({ keys: 4, pairs: 2, epsilon: 4 })
  const counters = countersFor(protocol)
  const rng = seededBits("keys")
  for (let i = 0; i < 3000; i += 1) {
    const pairs =
      i % 2 === 0
        ? [{ key: 0, value: 0.5 }]
        : [
            { key: 0, value: 0.5 },
            { key: 2, value: -1 },
          ]
    counters.add(releaseReport(protocol, pairs, rng))
  }
  const [tally] = counters.tallies()
  if (tally === undefined) throw new Error("there is one tally")
  const keys = estimateKeyValues(protocol, tally, { confidence: 0.9999 })
  for (const [key, truth] of [1, 0, 0.5, 0].entries()) {
    const { lower = 1, upper = 0 } = keys[key] ?? {}
    expect(lower <= truth && truth <= upper).toBe(true)
  }
  expect(Math.abs((keys[0]?.mean ?? 0) - 0.5)).toBeLessThan(5 * Math.sqrt(keys[0]?.meanVariance ?? 0))
  expect(Math.abs((keys[2]?.mean ?? 0) + 1)).toBeLessThan(5 * Math.sqrt(keys[2]?.meanVariance ?? 0))
})

describe("ranges", () => {
  const range = rangeProtocol({ places: 100, epsilon: 4 })
  const rng = seededBits("ranges")
  const counters = countersFor(range.protocol)
  for (let i = 0; i < 6000; i += 1) {
    counters.add(releaseReport(range.protocol, rangeAnswer(range, 20 + (i % 40)), rng))
  }
  const estimates = estimateRanges(range, counters.tallies(), { confidence: 0.9999 })

  test("are covered by few nodes", () => {
    expect(range.spans).toEqual([64, 8, 1])
    const cover = coverOf(range, 7, 80)
    const places = cover.flatMap(({ level, index }) => {
      const span = range.spans[level] ?? 0
      return Array.from({ length: span }, (_, i) => index * span + i)
    })
    expect(places).toEqual(Array.from({ length: 74 }, (_, i) => i + 7))
    expect(cover).toHaveLength(1 + 9 + 1)
    expect(coverOf(range, 0, 99)).toHaveLength(2)
  })

  test("are estimated with intervals, and whole", () => {
    expect(estimates.places.reduce((a, b) => a + b)).toBeCloseTo(1, 9)
    for (const [from, to, truth] of [
      [20, 59, 1],
      [20, 39, 0.5],
      [0, 19, 0],
      [30, 31, 0.05],
    ] as const) {
      const { lower, upper } = estimates.range(from, to)
      expect(lower <= truth && truth <= upper).toBe(true)
    }
    expect(Math.abs(estimates.quantile(0.5) - 39)).toBeLessThan(6)
    expect(refusalOf(() => estimates.range(5, 4)).code).toBe("parameter/out-of-range")
  })
})

test("frequent words are found, whole ones and none that nobody has", () => {
  const words = wordProtocol({ bytes: 4, epsilon: 4 })
  const rng = seededBits("words")
  const spoken = ["rash", "ache", "rash", "flu", "rash", "é", "ache", "zzzz"]
  const reports = Array.from({ length: 3000 }, (_, i) => {
    // The last word is different for everybody.
    const word = spoken[i % 8] === "zzzz" ? `${i}` : (spoken[i % 8] ?? "")
    return releaseReport(words.protocol, wordAnswer(words, word), rng)
  })
  const found = findWords(words, reports, { keep: 8, alpha: 0.01, confidence: 0.999 })
  const shares = { rash: 3 / 8, ache: 2 / 8, flu: 1 / 8, é: 1 / 8 }
  expect(new Set(found.map(({ word }) => word))).toEqual(new Set(Object.keys(shares)))
  for (const { word, lower, upper } of found) {
    const truth = Object.entries(shares).find(([name]) => name === word)?.[1] ?? 0
    expect(lower <= truth && truth <= upper).toBe(true)
  }
})

test("fake devices move an estimate by their weight, and that is stated", () => {
  const protocol = binaryProtocol({ epsilon: 1 })
  const tally = (yes: number, no: number): Tally => ({ reports: yes + no, counts: [no, yes] })
  const share = (of: Tally): number =>
    estimateFrequencies(protocol, of, { confidence: 0.95 }).raw[1]?.share ?? 0
  const { up, down } = robustnessOf(protocol, { fakes: 100, people: 1000 })
  const honest = (900 / 1000) * share(tally(450, 450))
  expect(share(tally(550, 450)) - honest).toBeCloseTo(up, 12)
  expect(honest - share(tally(450, 550))).toBeCloseTo(down, 12)
  expect(robustnessOf(karyProtocol({ values: 9, epsilon: 1 }), { fakes: 0, people: 5 })).toMatchObject({
    up: 0,
  })
  for (const other of [meanProtocol({ epsilon: 1 }), keyValueProtocol({ keys: 3, pairs: 1, epsilon: 1 })]) {
    expect(robustnessOf(other, { fakes: 10, people: 1000 }).up).toBeGreaterThan(0.01)
  }
  expect(refusalOf(() => robustnessOf(protocol, { fakes: 2, people: 1 })).code).toBe("parameter/out-of-range")
})

test("without reports there is no estimate", () => {
  const empty = { reports: 0, counts: [0, 0] }
  const confidence = { confidence: 0.95 }
  expect(refusalOf(() => estimateFrequencies(binaryProtocol({ epsilon: 1 }), empty, confidence)).code).toBe(
    "parameter/empty",
  )
  expect(
    refusalOf(() => predictError(binaryProtocol({ epsilon: 1 }), { people: 0, ...confidence })).code,
  ).toBe("parameter/out-of-range")
})
