import { describe, expect, test } from "vitest"
import { refusalOf } from "../testing/refusals.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { certificateOf, checkPromise, parametersOf } from "./certificate.ts"
import { whole } from "./draws.ts"
import { hadamardProtocol } from "./hadamard.ts"
import { hashingProtocol } from "./hashing.ts"
import { karyProtocol } from "./kary.ts"
import { keyValueProtocol } from "./key-value.ts"
import { meanProtocol } from "./mean.ts"
import { memoKary, memoUnary } from "./memo.ts"
import { oneOf } from "./one-of.ts"
import { projectiveProtocol } from "./projective.ts"
import { releaseReport, type Protocol } from "./protocol.ts"
import { rangeProtocol } from "./range.ts"
import { readProtocol } from "./read-protocol.ts"
import { makeReport, openReport, toBase64, fromBase64 } from "./report.ts"
import { sha256 } from "./sha256.ts"
import { subsetProtocol } from "./subset.ts"
import { unaryProtocol } from "./unary.ts"
import { wordProtocol } from "./words.ts"

const protocols: readonly Protocol[] = [
  karyProtocol({ values: 5, epsilon: 1 }),
  unaryProtocol({ values: 5, epsilon: 1 }),
  subsetProtocol({ values: 50, epsilon: 1 }),
  hadamardProtocol({ values: 50, epsilon: 1 }),
  projectiveProtocol({ values: 5000, epsilon: 1 }),
  hashingProtocol({ bits: 64, epsilon: 1 }),
  memoKary({ values: 5, permanent: 2, each: 1 }),
  memoUnary({ values: 5, permanent: 2, each: 1 }),
  meanProtocol({ epsilon: 1 }),
  meanProtocol({ epsilon: "0.1" }),
  keyValueProtocol({ keys: 6, pairs: 2, epsilon: 1 }),
  oneOf([karyProtocol({ values: 3, epsilon: 1 }), meanProtocol({ epsilon: 1 })]),
  rangeProtocol({ places: 100, epsilon: 1 }).protocol,
  wordProtocol({ bytes: 4, epsilon: 2 }).protocol,
]

test.each(protocols.map((protocol) => [protocol.kind, protocol] as const))(
  "reads what was published: %s",
  (_kind, protocol) => {
    const read = readProtocol(JSON.parse(JSON.stringify(protocol)))
    expect(read).toEqual(protocol)
    expect(parametersOf(read)).toBe(parametersOf(protocol))
  },
)

describe("[L5] a device refuses a protocol that is none", () => {
  const base = karyProtocol({ values: 5, epsilon: 1 })
  const mean = meanProtocol({ epsilon: 1 })
  const bad: readonly (readonly [string, unknown])[] = [
    ["nothing", null],
    ["an unknown kind", { ...base, kind: "plain" }],
    ["an answer that is always kept", { ...base, keep: whole }],
    ["an answer that is never kept", { ...base, keep: 0 }],
    ["half a value", { ...base, values: 2.5 }],
    ["text", { ...base, keep: "1" }],
    ["another field", { ...base, extra: 1 }],
    ["a set of everything", { ...subsetProtocol({ values: 5, epsilon: 1 }), size: 5 }],
    ["a set that speaks against the answer", { ...subsetProtocol({ values: 5, epsilon: 1 }), hold: 1 }],
    ["too few columns", { ...hadamardProtocol({ values: 5, epsilon: 1 }), columns: 4 }],
    ["a field of six", { ...hashingProtocol({ bits: 5, epsilon: 1 }), field: 6 }],
    ["more values than points", { ...projectiveProtocol({ values: 5, epsilon: 1 }), values: 5000 }],
    ["rounds of two kinds", { ...memoKary({ values: 5, permanent: 2, each: 1 }), fresh: protocols[1] }],
    ["signs that are biased", { ...mean, least: mean.least + 1 }],
    ["places that are likelier far away", { ...mean, near: 1 }],
    [
      "keys that speak less when present",
      { ...keyValueProtocol({ keys: 5, pairs: 1, epsilon: 1 }), present: 1 },
    ],
    ["one of nothing", { kind: "one-of", parts: [] }],
    ["one of one of", { kind: "one-of", parts: [oneOf([base])] }],
  ]
  test.each(bad)("%s", (_name, json) => {
    expect(refusalOf(() => readProtocol(json)).code).toBe("local/not-a-protocol")
  })
})

test("[L5] a device refuses a protocol that loses more than was promised", () => {
  const protocol = karyProtocol({ values: 5, epsilon: "1.01" })
  expect(() => checkPromise(protocol, "1.01")).not.toThrow()
  expect(refusalOf(() => checkPromise(protocol, 1)).code).toBe("local/promise-broken")
})

test("a certificate states fractions, bytes and a hash", () => {
  const { probabilities, parameters, ...rest } = certificateOf({ kind: "kary", values: 2, keep: whole / 2 })
  expect(rest).toEqual({ protocol: "kary", ratio: "3", epsilon: 1.0986122886681098, bytes: 1 })
  expect(Object.values(probabilities)).toEqual(["3/4", "1/4", "1/4"])
  expect(parameters).toBe(sha256(`{"keep":${whole / 2},"kind":"kary","values":2}`))
  const memo = certificateOf(memoKary({ values: 4, permanent: 2, each: 1 }))
  expect(memo.epsilon).toBeLessThan(1)
  expect(memo.permanentEpsilon).toBeCloseTo(2, 9)
})

test("the hash is SHA-256", () => {
  expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  expect(sha256("a".repeat(119))).toBe("31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb")
  expect(sha256("é€😀")).toBe("df9226927fd572c1ee66eec85de1bb139497614899f36e4e90474cb71f6ef9d0")
})

test("[L5] a report of other parameters, or no report, is refused", () => {
  const [protocol, other] = [karyProtocol({ values: 5, epsilon: 1 }), karyProtocol({ values: 5, epsilon: 2 })]
  const rng = seededBits("reports")
  const report = makeReport(protocol, releaseReport(protocol, 3, rng), rng)
  expect(openReport(protocol, JSON.parse(JSON.stringify(report)))).toHaveLength(1)
  expect(refusalOf(() => openReport(other, report)).code).toBe("local/other-parameters")
  const malformed = [
    null,
    {},
    { ...report, id: "short" },
    { ...report, payload: "" },
    { ...report, payload: "AAAA" },
    { ...report, payload: "A!" },
    // Bits beyond the last byte: another spelling of the same bytes.
    { ...report, payload: "AB" },
  ]
  for (const one of malformed) {
    expect(refusalOf(() => openReport(protocol, one)).code).toBe("local/malformed-report")
  }
})

test("base64url has one text for all bytes", () => {
  for (const length of [0, 1, 2, 3, 4, 5, 31]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 89 + 7) & 255)
    expect(fromBase64(toBase64(bytes), length)).toEqual(bytes)
    expect(toBase64(bytes)).toMatch(/^[\w-]*$/)
  }
})

test("[E2] refuses answers that are none, without saying which", () => {
  const rng = seededBits("answers")
  const cases: readonly (readonly [Protocol, readonly unknown[]])[] = [
    [karyProtocol({ values: 5, epsilon: 1 }), [5, -1, 1.5, Number.NaN]],
    [subsetProtocol({ values: 5, epsilon: 1 }), [5, -1]],
    [hadamardProtocol({ values: 5, epsilon: 1 }), [5]],
    [projectiveProtocol({ values: 5, epsilon: 1 }), [5]],
    [hashingProtocol({ bits: 4, epsilon: 1 }), [16, -1]],
    [meanProtocol({ epsilon: 1 }), [1025]],
  ]
  for (const [protocol, answers] of cases) {
    for (const answer of answers) {
      const error = refusalOf(() => releaseReport(protocol, Number(answer), rng))
      expect(error.code).toBe("parameter/out-of-range")
      expect(error.message).toContain("another value")
    }
  }
  const pairs = keyValueProtocol({ keys: 3, pairs: 1, epsilon: 1 })
  const twice = [
    { key: 1, value: 0 },
    { key: 1, value: 1 },
  ]
  for (const answer of [twice, [{ key: 3, value: 0 }], [{ key: 0, value: 2 }]]) {
    expect(refusalOf(() => releaseReport(pairs, answer, rng)).code).toBe("parameter/out-of-range")
  }
  for (const [protocol, answer] of [
    [pairs, 1],
    [karyProtocol({ values: 5, epsilon: 1 }), []],
    [karyProtocol({ values: 5, epsilon: 1 }), { answers: [] }],
    [oneOf([karyProtocol({ values: 5, epsilon: 1 })]), 1],
    [hashingProtocol({ bits: 4, epsilon: 1 }), []],
  ] as const) {
    expect(refusalOf(() => releaseReport(protocol, answer, rng)).code).toBe("parameter/out-of-range")
  }
})

test("refuses parameters that make no sense", () => {
  expect(refusalOf(() => karyProtocol({ values: 1, epsilon: 1 })).code).toBe("parameter/out-of-range")
  expect(refusalOf(() => karyProtocol({ values: 5, epsilon: 21 })).code).toBe("parameter/out-of-range")
  expect(refusalOf(() => karyProtocol({ values: 5, epsilon: 0 })).code).toBe("parameter/not-positive")
  expect(refusalOf(() => unaryProtocol({ values: 1e9, epsilon: 1 })).code).toBe("parameter/too-large")
  expect(refusalOf(() => memoKary({ values: 5, permanent: 1, each: 1 })).code).toBe("parameter/out-of-range")
  expect(refusalOf(() => oneOf([])).code).toBe("parameter/empty")
})
