import { expect, test } from "vitest"
import { ServerTrouble, troubleOf, unreachable } from "./trouble.ts"

const problem = {
  kind: "refused",
  code: "budget/exhausted",
  message: "the question takes more than is left",
  help: null,
  facts: { left: "0.1" },
  others: [{ code: "a/b", message: "another", help: "do this" }],
} as const

test("what the server says is kept whole, and a help that is none is none", () => {
  const error = new ServerTrouble(problem, 403)
  expect(error.status).toBe(403)
  expect(troubleOf(error)).toEqual({
    kind: "refused",
    code: "budget/exhausted",
    message: "the question takes more than is left",
    help: undefined,
    facts: { left: "0.1" },
    others: [{ code: "a/b", message: "another", help: "do this" }],
  })
})

test("a server that cannot be reached is no bug", () => {
  expect(troubleOf(unreachable(new TypeError("Failed to fetch")))).toEqual({
    kind: "unavailable",
    code: "web/offline",
    message: "Failed to fetch",
    help: undefined,
    others: [],
  })
})

test("an error without an explanation is a bug, whatever its class", () => {
  const error = new TypeError("Cannot read properties of undefined")
  expect(troubleOf(error)).toMatchObject({ kind: "bug", code: "web/unexpected", message: error.message })
  expect(troubleOf(new RangeError("out of range"))).toMatchObject({ kind: "bug", code: "web/unexpected" })
  expect(troubleOf("no error at all")).toMatchObject({
    kind: "bug",
    message: "something unexpected happened",
  })
})
