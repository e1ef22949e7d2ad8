import { languageErrors } from "@dosimeter/language/errors"
import { plannerErrors } from "@dosimeter/planner/errors"
import { policyErrors } from "@dosimeter/policy/errors"
import { proofErrors } from "@dosimeter/proof/errors"
import { expect, test } from "vitest"
import { errorText, errorTexts } from "./error-text.ts"
import { compilerErrorsZh } from "./zh/compiler-errors.ts"

/** Every fact says its own name, so that messages show which they use. */
const names: Readonly<Record<string, string>> = new Proxy(
  {},
  { get: (_, name) => (typeof name === "string" ? `{${name}}` : undefined) },
)

const placesIn = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted()

const compilerErrors = { ...proofErrors, ...languageErrors, ...policyErrors, ...plannerErrors }

test("what the compiler and policies can say has Chinese texts, and nothing else has", () => {
  expect(Object.keys(compilerErrorsZh).toSorted()).toEqual(Object.keys(compilerErrors).toSorted())
})

test.each(Object.entries(compilerErrors))("%s names the same facts in both languages", (code, definition) => {
  const { message, help } = compilerErrorsZh[code] ?? { message: "" }
  const said = String(Reflect.apply(definition.message, undefined, [names]))
  expect(placesIn(message)).toEqual(placesIn(said))
  const { help: helpOf } = definition
  const remedy = helpOf === undefined ? "" : String(Reflect.apply(helpOf, undefined, [names]))
  // A remedy that is nothing but the compiler's own is left to it.
  if (help === undefined) expect(remedy).toMatch(/^\{remedy\}$|^$/)
  else expect(placesIn(help)).toEqual(placesIn(remedy))
})

test("facts are put into their places; without them the English stands", () => {
  const error = { code: "sql/unknown-table", message: "there is no table pson", help: "perhaps person" }
  const facts = { name: "pson", near: "person" }
  expect(errorText({ ...error, facts }, "zh")).toEqual({ message: "没有表 pson", help: "也许是 person" })
  expect(errorText({ ...error, facts }, "en")).toEqual({ message: error.message, help: error.help })
  expect(errorText({ ...error, facts: { name: "pson", near: "" } }, "zh").help).toBe("perhaps person")
  expect(errorText(error, "zh").message).toBe("there is no table pson")
  expect(errorText({ code: "other/code", message: "what" }, "zh")).toEqual({
    message: "what",
    help: undefined,
  })
})

test("texts are Chinese", () => {
  const plain = Object.entries(errorTexts.zh).filter(
    ([, { message, help = "好" }]) => !/\p{Script=Han}/u.test(message) || !/\p{Script=Han}/u.test(help),
  )
  // A remedy may be a fact alone.
  expect(plain.map(([code]) => code)).toEqual([])
})
