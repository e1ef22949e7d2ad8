import { expect, test } from "vitest"
import { isCode } from "./is-code.ts"

test.each([
  "write SUM(CLAMP(fee, 0, 500))",
  "dosimeter user add ada",
  "SET dosimeter.study = 'heart'",
  "min: 0",
])("%s is to be typed", (text) => expect(isCode(text)).toBe(true))

test.each([
  "try again, or ask the owner for a new password",
  "look at the list of releases",
  "perhaps person, visit_occurrence",
  "请重试，或向所有者索取新密码",
])("%s is a sentence", (text) => expect(isCode(text)).toBe(false))
