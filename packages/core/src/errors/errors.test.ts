import { expect, test } from "vitest"
import { assert } from "./assert.ts"
import { defineError, makeError, type ErrorDefinition } from "./define-errors.ts"
import { DosimeterError, renderError } from "./dosimeter-error.ts"
import { coreErrors, errorOf, fail } from "./errors.ts"

const table: Readonly<Record<string, ErrorDefinition<never>>> = coreErrors
/** A text for every fact that any message asks for. */
const facts = new Proxy<Record<string, string>>({}, { get: (_, name) => `<${String(name)}>` })

test.each(Object.entries(table))("%s says what is wrong and what to do", (code, definition) => {
  const error = makeError(definition, { code, facts: facts as never })
  expect(error).toBeInstanceOf(DosimeterError)
  expect(error).toBeInstanceOf(Error)
  expect(error.code).toBe(code)
  expect(error.kind).toBe(definition.kind)
  expect(error.message).not.toMatch(/undefined|\[object|\n/)
  expect(error.help).toMatch(/^(?!.*(undefined|\[object)).+$/)
  expect(renderError(error)).toBe(`error[${code}]: ${error.message}\nhelp: ${error.help}`)
})

test("a failure names the parameter and keeps the facts", () => {
  const wrong = () => fail("parameter/not-positive", { name: "epsilon", got: "0" })
  expect(wrong).toThrow("epsilon must be greater than 0, not 0")
  const error = errorOf("parameter/not-positive", { name: "epsilon", got: "0" })
  expect(error.issues[0].facts).toEqual({ name: "epsilon", got: "0" })
  expect(error.name).toBe("DosimeterError")
})

test("bug/invariant: an assertion that does not hold stops with what must hold", () => {
  expect(() => assert(true, "one is one")).not.toThrow()
  const broken = () => assert(false, "one is two")
  expect(broken).toThrow("an invariant of Dosimeter does not hold: one is two")
  expect(broken).toThrow(expect.objectContaining({ code: "bug/invariant", kind: "bug" }))
})

test("an error has a place, a cause and no help only when it was given so", () => {
  const bare = defineError<Record<string, string>>({ kind: "refused", message: () => "no" })
  const plain = makeError(bare, { code: "test/bare", facts: {} })
  expect(plain.help).toBeUndefined()
  expect(plain.cause).toBeUndefined()
  expect(plain.issues).toEqual([{ code: "test/bare", message: "no", facts: {} }])
  expect(renderError(plain)).toBe("error[test/bare]: no")
  const cause = new Error("below")
  const placed = makeError(bare, { code: "test/bare", facts: {}, at: { start: 3, end: 5 }, cause })
  expect(placed.cause).toBe(cause)
  expect(placed.issues[0].at).toEqual({ start: 3, end: 5 })
})

test("an error with several issues draws each of them", () => {
  const error = new DosimeterError("invalid", [
    { code: "a/b", message: "first", facts: {} },
    { code: "c/d", message: "second", help: "mend it", facts: {} },
  ])
  expect(error.message).toBe("first")
  expect(renderError(error)).toBe("error[a/b]: first\nerror[c/d]: second\nhelp: mend it")
})
