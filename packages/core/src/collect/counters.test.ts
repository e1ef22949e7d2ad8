import { describe, expect, test } from "vitest"
import { hadamardProtocol } from "../local/hadamard.ts"
import { hashingProtocol } from "../local/hashing.ts"
import { karyProtocol } from "../local/kary.ts"
import { keyValueProtocol } from "../local/key-value.ts"
import { oneOf } from "../local/one-of.ts"
import { projectiveProtocol } from "../local/projective.ts"
import { payloadBytes, releaseReport, type FrequencyProtocol, type Protocol } from "../local/protocol.ts"
import { subsetProtocol } from "../local/subset.ts"
import { unaryProtocol } from "../local/unary.ts"
import { refusalOf } from "../testing/refusals.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { countersFor } from "./counters.ts"
import { estimateFrequencies, standingCounts } from "./frequencies.ts"
import { readCount } from "./read-report.ts"

const kinds: readonly (readonly [string, FrequencyProtocol, number])[] = [
  ["k-ary", karyProtocol({ values: 7, epsilon: 1 }), 7],
  ["unary", unaryProtocol({ values: 9, epsilon: 1 }), 9],
  ["subset", subsetProtocol({ values: 9, epsilon: 1 }), 9],
  ["Hadamard", hadamardProtocol({ values: 9, epsilon: 1 }), 9],
  ["points over 2", { ...projectiveProtocol({ values: 9, epsilon: "0.01" }), values: 9 }, 9],
  ["points over 3", projectiveProtocol({ values: 30, epsilon: "0.5" }), 30],
  ["points over 4", projectiveProtocol({ values: 60, epsilon: 1 }), 60],
  ["points over 8", projectiveProtocol({ values: 500, epsilon: 2 }), 500],
  ["points over a larger prime", projectiveProtocol({ values: 40, epsilon: "2.4" }), 40],
]

test.each(kinds)("counts what each report stands for: %s", (_name, protocol, values) => {
  const rng = seededBits(`counters ${values}`)
  const counters = countersFor(protocol)
  const expected = Array.from({ length: values }, () => 0)
  for (let i = 0; i < 60; i += 1) {
    const payload = releaseReport(protocol, (i * 7) % values, rng)
    counters.add(payload)
    for (const value of readCount(protocol, payload, values)) expected[value] = (expected[value] ?? 0) + 1
  }
  const [tally] = counters.tallies()
  if (tally === undefined) throw new Error("there is one tally")
  expect(tally.reports).toBe(60)
  expect([...standingCounts(protocol, tally)]).toEqual(expected)
})

test.each([
  [2, 5],
  [3, 6],
  [4, 6],
  [7, 6],
  [8, 7],
])("hashes into a field of %d are found as they are made", (field, bits) => {
  const protocol = hashingProtocol({ bits, epsilon: 1, field })
  const rng = seededBits(`hashes ${field}`)
  const answers = Array.from({ length: 2 ** bits }, (_, answer) => answer)
  for (let i = 0; i < 20; i += 1) {
    const payload = releaseReport(protocol, i, rng)
    const counters = countersFor(protocol, { candidates: [answers] })
    counters.add(payload)
    const found = counters.tallies()[0]?.counts.flatMap((count, answer) => (count === 1 ? [answer] : []))
    expect(found).toEqual(readCount(protocol, payload, 2 ** bits))
  }
})

test("hashes are counted for the answers that are asked about", () => {
  const protocol = hashingProtocol({ bits: 16, epsilon: 2 })
  const candidates = [3, 500, 40_000]
  const counters = countersFor(protocol, { candidates: [candidates] })
  const rng = seededBits("hashes")
  for (let i = 0; i < 400; i += 1) counters.add(releaseReport(protocol, 500, rng))
  const [tally] = counters.tallies()
  if (tally === undefined) throw new Error("there is one tally")
  const { raw } = estimateFrequencies(protocol, tally, { confidence: 0.99 })
  expect(raw.map(({ lower, upper }) => lower > 0.5 && upper >= 0.9)).toEqual([false, true, false])
})

test("counting goes on from where it stood", () => {
  const protocol = oneOf([karyProtocol({ values: 3, epsilon: 1 }), karyProtocol({ values: 300, epsilon: 1 })])
  const rng = seededBits("again")
  const reports = Array.from({ length: 30 }, () => releaseReport(protocol, { answers: [1, 299] }, rng))
  const all = countersFor(protocol)
  const first = countersFor(protocol)
  for (const report of reports) all.add(report)
  for (const report of reports.slice(0, 10)) first.add(report)
  const second = countersFor(protocol, { tallies: first.tallies() })
  for (const report of reports.slice(10)) second.add(report)
  expect(second.tallies()).toEqual(all.tallies())
  expect(all.tallies().reduce((sum, { reports: count }) => sum + count, 0)).toBe(30)
})

describe("[L5] refuses bytes that no device sends, and counts nothing of them", () => {
  const bad: readonly (readonly [string, Protocol, readonly number[]])[] = [
    ["another length", karyProtocol({ values: 5, epsilon: 1 }), [0, 0]],
    ["no such value", karyProtocol({ values: 5, epsilon: 1 }), [5]],
    ["no such column", hadamardProtocol({ values: 5, epsilon: 1 }), [8]],
    ["a set of another size", subsetProtocol({ values: 8, epsilon: "0.5" }), [0b10000000]],
    ["bits after the last", subsetProtocol({ values: 4, epsilon: 3 }), [0b00001000]],
    ["all ones", unaryProtocol({ values: 1024, epsilon: 4 }), new Array<number>(128).fill(255)],
    ["no such element", hashingProtocol({ bits: 2, epsilon: 1, field: 3 }), [0, 0, 0, 3]],
    ["two signs", keyValueProtocol({ keys: 4, pairs: 1, epsilon: 1 }), [0b11000000]],
    ["no such part", oneOf([karyProtocol({ values: 5, epsilon: 1 })]), [1, 0]],
    [
      "filled with something",
      oneOf([karyProtocol({ values: 5, epsilon: 1 }), karyProtocol({ values: 500, epsilon: 1 })]),
      [0, 1, 1],
    ],
  ]
  test.each(bad)("%s", (_name, protocol, bytes) => {
    const counters = countersFor(protocol)
    const error = refusalOf(() => counters.add(Uint8Array.from(bytes)))
    expect(error.code).toBe("local/malformed-report")
    for (const { reports, counts } of counters.tallies()) {
      expect([reports, ...counts].every((count) => count === 0)).toBe(true)
    }
  })
  test("every report of a protocol has the same length", () => {
    const protocol = oneOf([
      karyProtocol({ values: 5, epsilon: 1 }),
      subsetProtocol({ values: 50, epsilon: 1 }),
    ])
    const rng = seededBits("lengths")
    const lengths = Array.from({ length: 20 }, () => releaseReport(protocol, { answers: [1, 2] }, rng).length)
    expect(new Set(lengths)).toEqual(new Set([payloadBytes(protocol)]))
  })
})
