import { DosimeterError } from "@dosimeter/core"
import { expect, test } from "vitest"
import { errorOf } from "../../../errors.ts"
import { problemOf } from "./http-error.ts"

test("facts leave with the message that says them, and no others do", () => {
  expect(
    problemOf(
      errorOf("study/wrong-state", { study: "heart", state: "draft", move: "close", from: "active" }),
    ),
  ).toMatchObject({
    code: "study/wrong-state",
    facts: { study: "heart", state: "draft", move: "close", from: "active" },
  })
  const issue = { code: "a/b", message: "there is no x", facts: { name: "x", path: "/home/olga" } }
  const several = new DosimeterError("invalid", [issue, { ...issue, help: "look into /home/olga" }])
  expect(problemOf(several)).toMatchObject({
    facts: { name: "x" },
    others: [{ facts: { name: "x", path: "/home/olga" } }],
  })
  expect(problemOf(several).facts).toEqual({ name: "x" })
  expect(problemOf(new Error("a value")).facts).toBeUndefined()
})
