import { makeError, renderError, type ErrorDefinition } from "@dosimeter/core/errors"
import { expect, test } from "vitest"
import { languageErrors } from "@dosimeter/language/errors"
import { policyErrors } from "@dosimeter/policy/errors"
import { proofErrors } from "@dosimeter/proof/errors"
import { errorOf, fail, plannerErrors } from "./errors.ts"

const table: Readonly<Record<string, ErrorDefinition<never>>> = {
  ...proofErrors,
  ...languageErrors,
  ...policyErrors,
  ...plannerErrors,
}
/** A text for every fact that any message asks for. */
const facts = new Proxy<Record<string, string>>({}, { get: (_, name) => `<${String(name)}>` })

test.each(Object.entries(table))("%s says what is wrong and what to do", (code, definition) => {
  const error = makeError(definition, { code, facts: facts as never })
  expect(error.message).toMatch(/^(?!.*(undefined|\[object|\n)).+[^.]$/)
  expect(error.help).toMatch(/^(?!.*(undefined|\[object|\n)).+[^.]$/)
  expect(renderError(error)).toBe(`error[${code}]: ${error.message}\nhelp: ${error.help}`)
})

test("a failure keeps its place and its facts", () => {
  const at = { start: 3, end: 5 }
  expect(errorOf("sql/not-a-query", { statement: "COPY" }, at).issues[0]).toMatchObject({
    at,
    facts: { statement: "COPY" },
  })
  expect(() => fail("sql/no-statement", {})).toThrow("there is no statement")
})
