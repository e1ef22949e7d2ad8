import { describe, expect, test } from "vitest"
import { exactly } from "../exact/decimal.ts"
import { expDown } from "../exact/exp.ts"
import { add, compare, multiply, one, rational, showRational, subtract, zero } from "../exact/rational.ts"
import type { Rational } from "../exact/rational.ts"
import { readCount } from "./read-report.ts"
import { largestRatio, lawOf } from "../testing/enumerate-draws.ts"
import { ratioOf, supportOf } from "../local/channel.ts"
import { hadamardProtocol } from "../local/hadamard.ts"
import { hashingProtocol } from "../local/hashing.ts"
import { binaryProtocol, karyProtocol } from "../local/kary.ts"
import { keyValueProtocol, type KeyValuePair } from "../local/key-value.ts"
import { meanProtocol, meanReading, meanReports, releaseLevel, type MeanProtocol } from "../local/mean.ts"
import { memoKary, memoUnary } from "../local/memo.ts"
import { oneOf } from "../local/one-of.ts"
import { toBase64, fromBase64 } from "../local/report.ts"
import { projectiveProtocol } from "../local/projective.ts"
import {
  encodeWith,
  payloadBytes,
  type Answer,
  type FrequencyProtocol,
  type Protocol,
} from "../local/protocol.ts"
import { subsetProtocol } from "../local/subset.ts"
import { symmetricUnaryProtocol, unaryProtocol } from "../local/unary.ts"

/** The law of the report's bytes for one answer. */
const lawFor = (protocol: Protocol, answer: Answer): ReadonlyMap<string, Rational> =>
  lawOf((draws) => toBase64(encodeWith(protocol, answer, draws)))

const total = (law: ReadonlyMap<string, Rational>): Rational => [...law.values()].reduce(add, zero)

const frequency: readonly (readonly [string, FrequencyProtocol, string, number])[] = [
  ["binary", binaryProtocol({ epsilon: "1.5" }), "1.5", 2],
  ["k-ary", karyProtocol({ values: 5, epsilon: 1 }), "1", 5],
  ["unary, optimised", unaryProtocol({ values: 4, epsilon: 1 }), "1", 4],
  ["unary, symmetric", symmetricUnaryProtocol({ values: 4, epsilon: "0.7" }), "0.7", 4],
  ["subsets", subsetProtocol({ values: 6, epsilon: "0.5" }), "0.5", 6],
  ["subsets of one", subsetProtocol({ values: 4, epsilon: 3 }), "3", 4],
  ["Hadamard", hadamardProtocol({ values: 6, epsilon: 1 }), "1", 6],
  ["projective, prime field", projectiveProtocol({ values: 10, epsilon: "0.8" }), "0.8", 10],
  ["projective, four elements", projectiveProtocol({ values: 20, epsilon: "1.2" }), "1.2", 20],
  ["hashing, prime field", hashingProtocol({ bits: 2, epsilon: "0.6", field: 3 }), "0.6", 4],
  ["hashing, four elements", hashingProtocol({ bits: 3, epsilon: "1.1", field: 4 }), "1.1", 8],
  ["memory, k-ary", memoKary({ values: 4, permanent: 2, each: 1 }), "1", 4],
  ["memory, unary", memoUnary({ values: 3, permanent: 2, each: 1 }), "1", 3],
]

describe.each(frequency)("%s", (_name, protocol, epsilon, values) => {
  const laws = Array.from({ length: values }, (_, answer) => lawFor(protocol, answer))

  test("[L1] no report is likelier under one answer than e^epsilon times under another", () => {
    for (const law of laws) expect(total(law)).toEqual(one)
    const ratio = largestRatio(laws)
    expect(ratio).toEqual(ratioOf(protocol))
    expect(compare(ratioOf(protocol), expDown(exactly(epsilon, "epsilon"), 128))).toBeLessThanOrEqual(0)
  })

  test("[L2] a report stands for a value as often as the estimate assumes", () => {
    const { p, q } = supportOf(protocol)
    for (const [answer, law] of laws.entries()) {
      const stood = Array.from({ length: values }, () => zero)
      for (const [text, chance] of law) {
        for (const value of readCount(protocol, fromBase64(text, payloadBytes(protocol)), values)) {
          stood[value] = add(stood[value] ?? zero, chance)
        }
      }
      expect(stood.map(showRational)).toEqual(stood.map((_, value) => showRational(value === answer ? p : q)))
    }
  })
})

/** A small grid: the formulas are the same, and all pairs of levels can be tried. */
const coarse = (protocol: MeanProtocol): MeanProtocol => {
  const levels = 8
  const window = Math.max(1, Math.round((protocol.window * levels) / protocol.levels))
  const step = Math.floor((2 ** 52 - 2 * protocol.least) / levels)
  return { ...protocol, levels, window, step, least: (2 ** 52 - levels * step) / 2 }
}

describe.each(["sign", "piecewise", "hybrid"] as const)("a mean by %s", (method) => {
  const protocol = coarse(meanProtocol({ epsilon: 1, method }))
  const laws = Array.from({ length: 9 }, (_, level) =>
    lawOf((draws) => `${releaseLevel(protocol, level, draws)}`),
  )

  test("[L1] has the ratio that it states", () => {
    for (const law of laws) expect(total(law)).toEqual(one)
    expect(largestRatio(laws)).toEqual(ratioOf(protocol))
    for (const epsilon of ["0.3", "1", "2.5", "8"]) {
      const ratio = ratioOf(meanProtocol({ epsilon, method }))
      expect(compare(ratio, expDown(exactly(epsilon, "epsilon"), 128))).toBeLessThanOrEqual(0)
    }
  })

  test("[L2] is read as the number, on average", () => {
    const { offset, slope, sign } = meanReading(protocol)
    const places = meanReports(protocol) - 2
    const read = (report: number): Rational =>
      report < places
        ? add(offset, multiply(slope, rational(BigInt(report))))
        : multiply(sign, rational(report === places ? -1n : 1n))
    for (const [level, law] of laws.entries()) {
      const mean = [...law].map(([text, chance]) => multiply(read(Number(text)), chance)).reduce(add, zero)
      expect(showRational(mean)).toBe(showRational(rational(BigInt(level - 4), 4n)))
    }
  })
})

describe("keys with values", () => {
  const people: readonly (readonly KeyValuePair[])[] = [
    [],
    [{ key: 0, value: 1 }],
    [{ key: 0, value: -1 }],
    [{ key: 2, value: 1 }],
    [
      { key: 1, value: -1 },
      { key: 2, value: 0.5 },
    ],
  ]

  test.each(["0.5", "1", "3"])("[L1] have the ratio that they state at epsilon %s", (epsilon) => {
    const protocol = keyValueProtocol({ keys: 3, pairs: 1, epsilon })
    const laws = people.map((pairs) => lawFor(protocol, pairs))
    for (const law of laws) expect(total(law)).toEqual(one)
    expect(largestRatio(laws)).toEqual(ratioOf(protocol))
    expect(compare(ratioOf(protocol), expDown(exactly(epsilon, "epsilon"), 128))).toBeLessThanOrEqual(0)
  })
})

test("[L1] several questions lose what the worst of them does", () => {
  const protocol = oneOf([karyProtocol({ values: 3, epsilon: 1 }), subsetProtocol({ values: 4, epsilon: 2 })])
  const laws = [0, 1, 2].flatMap((a) => [0, 3].map((b) => lawFor(protocol, { answers: [a, b] })))
  expect(largestRatio(laws)).toEqual(ratioOf(protocol))
  expect(ratioOf(protocol)).toEqual(ratioOf(subsetProtocol({ values: 4, epsilon: 2 })))
})

test("[L3] all reports about one answer lose what the permanent answer does", () => {
  const protocol = memoKary({ values: 3, permanent: 2, each: 1 })
  const { permanent, fresh } = protocol
  if (permanent.kind !== "kary" || fresh.kind !== "kary") throw new Error("both rounds are k-ary")
  // Two reports from one memory.
  const laws = [0, 1, 2].map((answer) =>
    lawOf((draws) => {
      const kept = encodeWith(permanent, answer, draws)
      return [0, 1].map(() => encodeWith(fresh, kept[0] ?? 0, draws)[0]).join()
    }),
  )
  const ratio = largestRatio(laws) ?? zero
  expect(compare(ratio, ratioOf(permanent))).toBeLessThanOrEqual(0)
  expect(compare(ratio, ratioOf(protocol))).toBeGreaterThan(0)
  expect(compare(ratioOf(permanent), subtract(ratio, one))).toBeGreaterThan(0)
})
