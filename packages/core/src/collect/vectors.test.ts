import { describe, expect, test } from "vitest"
import { hadamardProtocol } from "../local/hadamard.ts"
import { hashingProtocol } from "../local/hashing.ts"
import { karyProtocol } from "../local/kary.ts"
import { meanProtocol, type MeanMethod } from "../local/mean.ts"
import { memoKary, memoUnary } from "../local/memo.ts"
import type { FrequencyProtocol } from "../local/protocol.ts"
import { projectiveProtocol } from "../local/projective.ts"
import { subsetProtocol } from "../local/subset.ts"
import { symmetricUnaryProtocol, unaryProtocol } from "../local/unary.ts"
import ldp from "../testing/fixtures/ldp.json" with { type: "json" }
import { checkRecord, numberInput, recordsOf, type VectorRecord } from "../testing/vectors.ts"
import { estimateFrequencies, shareNoise } from "./frequencies.ts"
import { readingVariance } from "./means.ts"
import { frequencyVariance } from "./predict.ts"

const epsilonOf = (record: VectorRecord): string => String(record.inputs["epsilon"])
const valuesOf = (record: VectorRecord): number => numberInput(record, "k")

function checkNoise(record: VectorRecord, protocol: FrequencyProtocol): void {
  const { p, q } = shareNoise(protocol)
  if ("p" in record.expected) checkRecord({ record, field: "p", got: p })
  if ("q" in record.expected) checkRecord({ record, field: "q", got: q })
  const field = "variance" in record.expected ? "variance" : "variance_fixed_count"
  const got = frequencyVariance(protocol, numberInput(record, "f")) / numberInput(record, "n")
  checkRecord({ record, field, got })
}

describe("probabilities and variances are the reference's", () => {
  test.each(recordsOf(ldp, "ldp.grr"))("$id", (record) => {
    checkNoise(record, karyProtocol({ values: valuesOf(record), epsilon: epsilonOf(record) }))
  })
  test.each(recordsOf(ldp, "ldp.oue"))("$id", (record) => {
    checkNoise(record, unaryProtocol({ values: 8, epsilon: epsilonOf(record) }))
  })
  test.each(recordsOf(ldp, "ldp.sue_basic_rappor"))("$id", (record) => {
    checkNoise(record, symmetricUnaryProtocol({ values: 8, epsilon: epsilonOf(record) }))
  })
  test.each(recordsOf(ldp, "ldp.hadamard_response"))("$id", (record) => {
    checkNoise(record, hadamardProtocol({ values: valuesOf(record), epsilon: epsilonOf(record) }))
  })
  test.each(recordsOf(ldp, "ldp.blh"))("$id", (record) => {
    checkNoise(record, hashingProtocol({ bits: 8, epsilon: epsilonOf(record), field: 2 }))
  })
  test.each(recordsOf(ldp, "ldp.subset_selection"))("$id", (record) => {
    const protocol = subsetProtocol({ values: valuesOf(record), epsilon: epsilonOf(record) })
    // The record rounds k / (e^epsilon + 1); ours is the better of the two sizes next to it.
    if (protocol.size === record.expected["subset_size"]) checkNoise(record, protocol)
    const variance = frequencyVariance(protocol, 0)
    const theirs = numberInput(record, "n") * Number(record.expected["variance"])
    if (numberInput(record, "f") === 0) expect(variance).toBeLessThanOrEqual(theirs * (1 + 1e-10))
  })
  test.each(recordsOf(ldp, "ldp.olh"))("$id", (record) => {
    const field = Number(record.inputs["g"])
    // Fields have prime or binary sizes; the others of the reference are left out.
    if (![2, 3, 4, 8, 16].includes(field)) return
    checkNoise(record, hashingProtocol({ bits: 8, epsilon: epsilonOf(record), field }))
  })
})

describe("means have the reference's variance", () => {
  const check = (record: VectorRecord, method: MeanMethod): void => {
    const protocol = meanProtocol({ epsilon: epsilonOf(record), method })
    const level = Math.round(((numberInput(record, "t") + 1) / 2) * protocol.levels)
    const got = readingVariance(protocol, level)
    const want = Number(record.expected["variance"])
    // The grid is finite, and a window of whole places; both are the protocol's own.
    expect(Math.abs(got / want - 1)).toBeLessThan(method === "sign" ? 1e-9 : 0.01)
  }
  const onGrid = (record: VectorRecord): boolean => Number.isInteger((numberInput(record, "t") + 1) * 512)
  test.each(recordsOf(ldp, "ldp.duchi").filter(onGrid))("$id", (record) => check(record, "sign"))
  test.each(recordsOf(ldp, "ldp.piecewise").filter(onGrid))("$id", (record) => check(record, "piecewise"))
  test.each(recordsOf(ldp, "ldp.hybrid").filter(onGrid))("$id", (record) => check(record, "hybrid"))
})

describe("estimates are the reference's, negative ones too", () => {
  test.each([...recordsOf(ldp, "ldp.grr_estimate"), ...recordsOf(ldp, "ldp.oue_estimate")])(
    "$id",
    (record) => {
      const counts = record.inputs["report_counts"] ?? record.inputs["bit_counts"]
      if (!Array.isArray(counts)) throw new Error("the record has counts")
      const values = counts.length
      const epsilon = epsilonOf(record)
      const protocol =
        "k" in record.inputs ? karyProtocol({ values, epsilon }) : unaryProtocol({ values, epsilon })
      const tally = { reports: numberInput(record, "n"), counts: counts.map(Number) }
      const { raw } = estimateFrequencies(protocol, tally, { confidence: 0.95 })
      checkRecord({ record, field: "estimated_frequencies", got: raw.map(({ share }) => share) })
    },
  )
})

/** V0 of the table in the literature, to six digits: epsilon, then k-ary, subsets with their size, points. */
const table: readonly (readonly [string, number, number, number, number, number])[] = [
  ["0.5", 8, 18.175, 11.759, 3, 13.435],
  ["0.5", 128, 303.3, 15.411, 48, 15.729],
  ["1", 16, 5.6624, 3.1107, 4, 3.2529],
  ["1", 1024, 347.07, 3.6736, 275, 3.6848],
  ["2", 32, 0.91595, 0.61842, 3, 0.6781],
  ["4", 128, 0.062866, 0.058424, 2, 0.0753],
]
test.each(table)(
  "the variance at epsilon %s and %d values",
  (epsilon, values, kary, subset, size, points) => {
    const near = (protocol: FrequencyProtocol, want: number): void =>
      expect(Math.abs(frequencyVariance(protocol, 0) / want - 1)).toBeLessThan(2e-4)
    near(karyProtocol({ values, epsilon }), kary)
    near(subsetProtocol({ values, epsilon }), subset)
    expect(subsetProtocol({ values, epsilon }).size).toBe(size)
    // We look at all fields, so ours may be better.
    expect(frequencyVariance(projectiveProtocol({ values, epsilon }), 0)).toBeLessThan(points * 1.0002)
  },
)

test("a memory costs nothing: one report of it is as accurate as one without", () => {
  const near = (got: number, want: number): void => expect(Math.abs(got / want - 1)).toBeLessThan(2e-4)
  near(frequencyVariance(memoKary({ values: 4, permanent: 2, each: 1 }), 0), 1.5981)
  near(frequencyVariance(memoKary({ values: 16, permanent: 4, each: 2 }), 0), 0.524)
  near(frequencyVariance(memoKary({ values: 128, permanent: 2, each: 1 }), 0), 43.5965)
  near(frequencyVariance(memoUnary({ values: 8, permanent: 2, each: 1 }), 0), 3.6827)
  const { fresh } = memoUnary({ values: 8, permanent: 2, each: 1 })
  near(fresh.kind === "unary" ? fresh.one / 2 ** 52 : 0, 0.803388)
})
