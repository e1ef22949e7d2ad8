import { expect, test } from "vitest"
import { en } from "./en.ts"
import { labCatalogues } from "./lab-texts.ts"
import { zh } from "./zh.ts"

/** Every text by its path; functions are called with their own places. */
function texts(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[path, value]]
  if (typeof value === "function") {
    const places = Array.from({ length: value.length }, (_, place) => `{${place}}`)
    const made: unknown = Reflect.apply(value, undefined, places)
    return [[path, String(made)]]
  }
  return Object.entries(value ?? {}).flatMap(([name, part]) => texts(part, `${path}/${name}`))
}

const english = texts({ ...en, lab: labCatalogues.en }, "")
const chinese = new Map(texts({ ...zh, lab: labCatalogues.zh }, ""))

test("both languages have the same texts, and none is empty", () => {
  expect([...chinese.keys()]).toEqual(english.map(([path]) => path))
  expect([...english, ...chinese].filter(([, text]) => text.trim() === "")).toEqual([])
})

test("a translation names everything that the original names", () => {
  const places = (text: string): readonly string[] => [...new Set(text.match(/\{\d\}/g) ?? [])].toSorted()
  const different = english.filter(
    ([path, text]) => places(text).join(" ") !== places(chinese.get(path) ?? "").join(" "),
  )
  expect(different).toEqual([])
})

test("what is translated is Chinese, but for names and symbols", () => {
  const same = english.filter(([path, text]) => chinese.get(path) === text).map(([path]) => path)
  expect(same).toEqual(["/app/name", "/app/apiDocs", "/ask/epsilon", "/ask/csv", "/ask/json"])
})
