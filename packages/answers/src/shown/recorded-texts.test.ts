import fc from "fast-check"
import { describe, expect, test } from "vitest"
import recorded from "../testing/recorded-texts.json" with { type: "json" }
import { readAnswer, readRecordedAnswer, writeAnswer, writeAnswers } from "./answer-text.ts"
import { Unreadable } from "./read-fields.ts"
import { readReceipt, writeReceipt } from "./receipt-text.ts"

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Path = readonly (string | number)[]

const answers = recorded.filter(({ what }) => what !== "series" && what !== "workload")
const receipts = recorded.map(({ receipt }) => receipt).filter((text) => text !== "{}")

/** Reading either refuses a text, or loses nothing of it. */
function isKept(text: string, again: (text: string) => string): boolean {
  try {
    return again(text) === text
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return true
  }
}

function isRefused(text: string, read: (text: string) => unknown): boolean {
  try {
    read(text)
    return false
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return true
  }
}

/** All places in a value, the value itself first. */
function pathsIn(value: Json): readonly Path[] {
  const parts: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? value.map((item: Json, index) => [index, item] as const)
    : value !== null && typeof value === "object"
      ? Object.entries(value)
      : []
  return [[], ...parts.flatMap(([name, part]) => pathsIn(part).map((path) => [name, ...path]))]
}

/** The same with another value at a place; without it, if that is undefined. */
function changed(value: Json, [name, ...rest]: Path, to: Json | undefined): Json {
  if (name === undefined) return to ?? null
  const part = (found: Json | undefined): Json | undefined =>
    rest.length === 0 ? to : changed(found ?? null, rest, to)
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => {
      const next = index === name ? part(item) : item
      return next === undefined ? [] : [next]
    })
  }
  const fields: readonly (readonly [string, Json])[] = Object.entries(value ?? {})
  const entries = fields.flatMap(([key, found]): readonly [string, Json][] => {
    const next = key === name ? part(found) : found
    return next === undefined ? [] : [[key, next]]
  })
  return Object.fromEntries(entries)
}

const again = {
  answer: (text: string): string => writeAnswer(readAnswer(text)),
  receipt: (text: string): string => writeReceipt(readReceipt(text)),
}
const optional = {
  answer: ["bias", "mechanism", "scale", "grid", "sensitivity", "low", "high"],
  receipt: ["consent", "study", "scale", "sensitivity", "grid", "groupsProof", "rowsProof"],
}
const samples = [
  ...answers.map(({ what, answer }) => ({ kind: "answer" as const, what, text: answer })),
  ...recorded
    .filter(({ receipt }) => receipt !== "{}")
    .map(({ what, receipt }) => ({ kind: "receipt" as const, what, text: receipt })),
]

test("what version 0.1.0 has recorded is read, and written again as it was", () => {
  for (const { answer } of answers) expect(again.answer(answer)).toBe(answer)
  for (const { receipt } of recorded) expect(again.receipt(receipt)).toBe(receipt)
  expect(new Set(receipts.map((text) => readReceipt(text).format)).size).toBe(2)
})

test("a text of the ledger says what it is", () => {
  const kindOf = (name: string): unknown => {
    const found = recorded.find(({ what }) => what === name)
    return readRecordedAnswer(found?.answer ?? "")
  }
  expect(kindOf("series")).toEqual({ kind: "series" })
  expect(kindOf("SELECT MODE(ward) FROM stays")).toMatchObject({ kind: "answer" })
  const workload = recorded.find(({ what }) => what === "workload")?.answer ?? ""
  const read = readRecordedAnswer(workload)
  if (read.kind !== "workload") throw new Error("several questions were asked")
  expect(read.answers).toHaveLength(2)
  expect(writeAnswers(read.answers)).toBe(workload)
  expect(() => readRecordedAnswer('["{}"]')).toThrow("answers[0] has no columns")
  expect(() => readRecordedAnswer('{"format":"dosimeter-series/2"}')).toThrow(Unreadable)
  expect(() => readReceipt('{"format":"dosimeter-receipt/2"}')).toThrow("a format that is not known")
  expect(() => readReceipt("{")).toThrow("the text is not JSON")
  expect(readReceipt("{}")).toEqual({})
})

test("a receipt that is read has its keys in the order of its text", () => {
  for (const text of receipts) expect(JSON.stringify(readReceipt(text))).toBe(text)
})

describe.each(samples)("the $kind of $what", ({ kind, text }) => {
  const value: Json = JSON.parse(text)

  test("is refused with another kind of thing in any place, with more, and with less", () => {
    for (const path of pathsIn(value)) {
      const spoilt = (to: Json | undefined): string => JSON.stringify(changed(value, path, to))
      expect([path, isRefused(spoilt({ unheard: 1 }), again[kind])]).toEqual([path, true])
      const name = path.at(-1)
      if (typeof name !== "string") continue
      // The ends of a bias are there or null.
      const isNeeded = !optional[kind].includes(name) || (path[0] === "bias" && path.length > 1)
      expect([path, isRefused(spoilt(undefined), again[kind])]).toEqual([path, isNeeded])
    }
    for (const path of pathsIn(value)) {
      const part = path.reduce<unknown>((at, name) => Reflect.get(Object(at), name), value)
      if (typeof part !== "object" || part === null || Array.isArray(part)) continue
      const more = JSON.stringify(
        changed(value, path, { ...(part as { readonly [name: string]: Json }), zz: 1 }),
      )
      expect([path, isRefused(more, again[kind])]).toEqual([path, true])
    }
  })

  test("is refused or kept whole, whatever stands in one place of it", () => {
    const places = fc.constantFrom(...pathsIn(value))
    fc.assert(
      fc.property(places, fc.jsonValue(), (path, other) => {
        const to: Json = JSON.parse(JSON.stringify(other))
        return isKept(JSON.stringify(changed(value, path, to)), again[kind])
      }),
    )
  })
})
