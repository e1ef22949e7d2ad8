import { expect, test } from "vitest"
import { nearNames } from "./near-names.ts"

test.each([
  ["wrad", ["ward", "word", "fee"], "ward"],
  ["visit", ["visit_occurrence", "visits", "orders"], "visits or visit_occurrence"],
  ["nothing", ["ward", "fee"], ""],
  ["FEE", ["fee"], "fee"],
])("%s among %j is perhaps %s", (wanted, known, near) => {
  expect(nearNames(wanted, known)).toBe(near)
})
