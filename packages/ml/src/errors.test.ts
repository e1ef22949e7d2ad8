import { makeError, type ErrorDefinition } from "@dosimeter/core/errors"
import { expect, test } from "vitest"
import { errorOf, fail, mlErrors } from "./errors.ts"

const table: Readonly<Record<string, ErrorDefinition<never>>> = mlErrors
/** A text for every fact that any message asks for. */
const facts = new Proxy<Record<string, string>>({}, { get: (_, name) => `<${String(name)}>` })

test.each(Object.entries(table))("%s says what is wrong and what to do", (code, definition) => {
  const error = makeError(definition, { code, facts: facts as never })
  expect(error.code).toBe(code)
  expect(error.message).not.toMatch(/undefined|\[object|\n/)
  expect(error.help).toMatch(/^(?!.*(undefined|\[object)).+$/)
})

test("a failure names the feature", () => {
  const error = errorOf("model/unbounded-feature", { name: "weight" })
  expect(error.kind).toBe("refused")
  expect(error.help).toBe(
    "write CLAMP(weight, low, high), or ask the owner to declare min and max for weight",
  )
  expect(() => fail("model/constant-feature", { name: "one" })).toThrow("one can hold one value only")
})
