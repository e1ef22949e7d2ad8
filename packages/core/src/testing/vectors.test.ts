import { expect, test } from "vitest"
import anonymity from "./fixtures/anonymity.json" with { type: "json" }
import gaussian from "./fixtures/gaussian.json" with { type: "json" }
import noise from "./fixtures/noise.json" with { type: "json" }
import partitions from "./fixtures/partition_selection.json" with { type: "json" }
import selection from "./fixtures/selection.json" with { type: "json" }
import {
  checkRecord,
  numberExpected,
  numberInput,
  parseNumber,
  recordsOf,
  type Result,
  type Tolerance,
  type VectorRecord,
} from "./vectors.ts"

test.each([
  ["0.25", 0.25],
  ["-3", -3],
  ["1e-6", 1e-6],
  ["inf", Infinity],
  ["-inf", -Infinity],
  ["Infinity", Infinity],
  ["NaN", Number.NaN],
  ["1/3", 1 / 3],
  ["2^-2", 0.25],
  ["0x1.8p+3", 12],
  ["-0x1p-2", -0.25],
  ["0x1.fffffffffffffp+1023", Number.MAX_VALUE],
  ["ln(1.5)", Math.log(1.5)],
  ["2*ln(3)", 2 * Math.log(3)],
  [7, 7],
])("reads %s", (text, want) => {
  expect(parseNumber(text)).toBe(want)
})

test.each(["", " ", "abc", "1..2", "0x12", "1/2/3", "ln()", "3*"])("does not read %j as a number", (text) => {
  expect(() => parseNumber(text)).toThrow("not a number")
})

const recordWith = (tolerance: Tolerance, rest: Partial<VectorRecord> = {}): VectorRecord => ({
  id: "made.up/1",
  group: "made.up",
  inputs: { epsilon: "1/2" },
  expected: { value: "100", list: ["1", "1/3"], flag: true, word: "reject", none: "inf", zero: "0" },
  tolerance,
  ...rest,
})
const rel = { type: "rel", value: 1e-6 }
const exact = { type: "exact" }

const accepted: readonly (readonly [string, VectorRecord, string, Result])[] = [
  ["rel, within", recordWith(rel), "value", 100.00009],
  ["rel, a bigint", recordWith(rel), "value", 100n],
  ["abs, within", recordWith({ type: "abs", value: 0.5 }), "value", 100.5],
  ["rel_or_abs, by abs", recordWith({ type: "rel_or_abs", rel: 1e-9, abs: 1 }), "value", 99],
  ["rel_or_abs, by rel", recordWith({ type: "rel_or_abs", rel: 0.1, abs: 0 }), "value", 91],
  ["ge, above", recordWith(rel, { safe_direction: "ge" }), "value", 100.00009],
  ["ge, below by rounding only", recordWith(rel, { safe_direction: "ge" }), "value", 100 - 9e-11],
  ["le, below", recordWith(rel, { safe_direction: "le" }), "value", 99.99991],
  ["infinite", recordWith(rel, { safe_direction: "ge" }), "none", Infinity],
  ["list", recordWith(rel), "list", [1, 1 / 3]],
  ["truth value", recordWith(rel), "flag", true],
  ["exact integer", recordWith(exact), "value", 100n],
  ["exact fractions, not reduced", recordWith(exact), "list", [1n, "2/6"]],
  ["exact fraction as a double", recordWith(exact), "list", [1, 1 / 3]],
  ["exact word", recordWith(exact), "word", "reject"],
]
test.each(accepted)("accepts: %s", (_, record, field, got) => {
  checkRecord({ record, field, got })
})

const rejected: readonly (readonly [string, VectorRecord, string, Result, string])[] = [
  ["rel, beyond", recordWith(rel), "value", 100.00011, "off by"],
  ["abs, beyond", recordWith({ type: "abs", value: 0.5 }), "value", 100.6, "off by"],
  [
    "rel_or_abs, beyond both",
    recordWith({ type: "rel_or_abs", rel: 1e-3, abs: 1e-3 }),
    "value",
    99,
    "off by",
  ],
  ["ge, below", recordWith(rel, { safe_direction: "ge" }), "value", 100 - 2e-10, "unsafe side"],
  ["le, above", recordWith(rel, { safe_direction: "le" }), "value", 100 + 2e-10, "unsafe side"],
  ["ge, far above", recordWith(rel, { safe_direction: "ge" }), "value", 101, "off by"],
  ["ge, below zero", recordWith(rel, { safe_direction: "ge" }), "zero", -1e-300, "unsafe side"],
  ["NaN", recordWith(rel, { safe_direction: "ge" }), "value", Number.NaN, "off by"],
  ["finite for infinite", recordWith(rel, { safe_direction: "ge" }), "none", 1e308, "must be Infinity"],
  ["infinite for finite", recordWith(rel, { safe_direction: "ge" }), "value", Infinity, "off by"],
  ["one item of a list", recordWith(rel), "list", [1, 0.3], "expected.list[1]"],
  ["a list too short", recordWith(rel), "list", [1], "a list of 2"],
  ["a list for a number", recordWith(rel), "value", [100], "not a list"],
  ["the other truth value", recordWith(rel), "flag", false, "must be true"],
  ["exact, off by one", recordWith(exact), "value", 101n, "must be 100"],
  ["exact, another fraction", recordWith(exact), "list", [1n, "1/4"], "must be 1/3"],
  ["exact, another word", recordWith(exact), "word", "accept", "must be reject"],
  ["a number for a word", recordWith(rel), "word", 1, "not a number"],
  ["no such field", recordWith(rel), "missing", 1, "no expected.missing"],
  ["an interval", recordWith({ type: "interval" }), "value", 99, '"interval"'],
]
test.each(rejected)("rejects, naming the record: %s", (_, record, field, got, message) => {
  expect(() => checkRecord({ record, field, got })).toThrow(message)
  expect(() => checkRecord({ record, field, got })).toThrow("made.up/1: ")
})

test("widens the unsafe side on request", () => {
  const record = recordWith(rel, { safe_direction: "ge" })
  checkRecord({ record, field: "value", got: 100 - 2e-10, unsafeTolerance: 1e-9 })
})

test("reads inputs and expected values as numbers, and says where they are none", () => {
  const record = recordWith(rel)
  expect([numberInput(record, "epsilon"), numberExpected(record, "value")]).toEqual([0.5, 100])
  expect(() => numberInput(record, "delta")).toThrow("made.up/1: inputs.delta is not a number")
  expect(() => numberExpected(record, "word")).toThrow("made.up/1: expected.word is not a number")
})

test("finds every record of the fixtures by its group, and refuses an empty group", () => {
  for (const fixture of [anonymity, gaussian, noise, partitions, selection]) {
    const groups = new Set(fixture.records.map(({ group }) => group))
    const found = [...groups].flatMap((group) => recordsOf(fixture, group))
    expect(found).toHaveLength(fixture.count)
  }
  expect(() => recordsOf(noise, "noise.of.another.kind")).toThrow("no record of group")
})
