import { rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import {
  askOf,
  bodyOf,
  isTypedAsk,
  needsServer,
  questionBody,
  usual,
  wrongFields,
  type TypedAsk,
} from "./wanted.ts"

const sql = "SELECT COUNT(*) FROM person"
const wanted = (changes: Partial<TypedAsk>): TypedAsk => ({ ...usual, ...changes })

test("nothing but the question is sent where everything is as usual", () => {
  expect(bodyOf(sql, usual)).toEqual({ sql })
  expect(askOf(usual)).toEqual({})
  expect(questionBody(sql, usual, "heart")).toEqual({ sql, study: "heart" })
  expect(needsServer(usual)).toBe(false)
  expect(wrongFields(usual)).toEqual([])
})

test("what is typed goes to the compiler and to the server with the same meaning", () => {
  const typed = wanted({
    epsilon: "0.5",
    groupsPerUnit: "3",
    rowsPerGroup: "2",
    norm: "auto",
    aim: "least-error",
    raw: true,
    nonNegative: false,
    quantileIntervals: false,
    reuse: "never",
    keysDelta: "1e-9",
    weights: "persons=2, visits=0.5",
  })
  expect(askOf(typed)).toEqual({
    epsilon: rational(1n, 2n),
    groupsPerUnit: 3n,
    rowsPerGroup: 2n,
    norm: "auto",
    aim: "least-error",
    nonNegative: false,
    quantileIntervals: false,
    keysDelta: rational(1n, 1_000_000_000n),
    weights: { persons: rational(2n), visits: rational(1n, 2n) },
  })
  expect(bodyOf(sql, typed)).toEqual({
    sql,
    epsilon: "0.5",
    groupsPerUnit: 3,
    rowsPerGroup: 2,
    norm: "auto",
    aim: "least-error",
    nonNegative: false,
    quantileIntervals: false,
    reuse: "never",
    keysDelta: "1e-9",
    weights: { persons: "2", visits: "0.5" },
  })
})

test("an aim is that of a learnt norm, and is not sent beside a fixed one", () => {
  const aim = "least-error"
  expect(bodyOf(sql, wanted({ aim }))).toEqual({ sql, aim })
  expect(bodyOf(sql, wanted({ norm: "fixed", aim }))).toEqual({ sql, norm: "fixed" })
  expect(askOf(wanted({ norm: "fixed", aim }))).toEqual({ norm: "fixed" })
  expect(bodyOf(sql, wanted({ aim, within: "50" }))).toEqual({ sql, within: "50", aim })
})

test("an error to reach takes the place of epsilon, and the server prices it", () => {
  const typed = wanted({ epsilon: "0.5", within: "5%" })
  expect(bodyOf(sql, typed)).toEqual({ sql, within: "5%" })
  expect(needsServer(typed)).toBe(true)
})

test.each([
  { within: "50" },
  { bounds: "auto" as const },
  { bounds: "all" as const },
  { groupsPerUnit: "auto" },
  { groupsPerUnit: " auto " },
])("what is learnt or looked at first is priced by the server: %j", (changes) => {
  expect(needsServer(wanted(changes))).toBe(true)
})

test("spaces around what is typed are no mistake and change nothing", () => {
  const spaced = wanted({
    epsilon: " 0.5 ",
    groupsPerUnit: " 3",
    rowsPerGroup: "2 ",
    weights: " n=2 ",
  })
  const plain = wanted({ epsilon: "0.5", groupsPerUnit: "3", rowsPerGroup: "2", weights: "n=2" })
  expect(wrongFields(spaced)).toEqual([])
  expect(bodyOf(sql, spaced)).toEqual(bodyOf(sql, plain))
  expect(askOf(spaced)).toEqual(askOf(plain))
  const empty = wanted({ epsilon: "  ", within: " ", groupsPerUnit: " ", rowsPerGroup: " ", weights: " " })
  expect(wrongFields(empty)).toEqual([])
  expect(bodyOf(sql, empty)).toEqual({ sql })
  expect(askOf(empty)).toEqual({})
  expect(bodyOf(sql, wanted({ groupsPerUnit: " auto " }))).toEqual({ sql, groupsPerUnit: "auto" })
})

test.each([
  ["epsilon", ["-1", "x", "1/2", "1e3", "0.5.5"], ["0", "0.5", "12"]],
  ["within", ["%", "-5", "5%%"], ["50", "0.5", "5%", "5 %"]],
  ["groupsPerUnit", ["0", "1.5", "automatic"], ["1", "auto", "100"]],
  ["rowsPerGroup", ["0", "auto", "-1"], ["1", "1000"]],
  ["keysDelta", ["-1e-9", "1e", "1/9", "small"], ["1e-9", "0.000001", "5e-10"]],
  ["weights", ["n", "n=x", "=2", "n=-1"], ["n=2", "a b=0.5, c=1", "n=2,"]],
] as const)("%s that cannot be read is named", (field, bad, good) => {
  for (const text of bad) expect(wrongFields(wanted({ [field]: text })), text).toEqual([field])
  for (const text of good) expect(wrongFields(wanted({ [field]: text })), text).toEqual([])
})

test("a column may hold an equals sign", () => {
  expect(bodyOf(sql, wanted({ weights: "a=b=2" })).weights).toEqual({ "a=b": "2" })
})

test("what an older page kept is not taken for what is wanted", () => {
  expect(isTypedAsk(usual)).toBe(true)
  const { reuse: _reuse, ...older } = usual
  for (const other of [older, { ...usual, raw: "yes" }, null, "usual", []])
    expect(isTypedAsk(other)).toBe(false)
})
