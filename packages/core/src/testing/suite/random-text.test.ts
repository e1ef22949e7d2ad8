import { expect, test } from "vitest"
import { withoutRandomText } from "./random-text.ts"

test("hashes, keys and ids are left out", () => {
  const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
  const key = "3q2-7wAAada_8fE1kq0ZVY-dEadbeefCAFEadaXYZ01"
  expect(withoutRandomText(`plan ${hash}, key ${key}`)).toBe("plan …, key …")
  expect(withoutRandomText(`"${hash.slice(0, 16)}"`)).toBe('"…"')
})

test("what people wrote stays, values that must not leak among it", () => {
  const text = "ada asked for 4242424242 and 8675309 at 2026-11-16T07:09:00.000Z: SELECT COUNT(*)"
  expect(withoutRandomText(text)).toBe(text)
  expect(withoutRandomText("a_rather_long_name_of_a_column")).toBe("a_rather_long_name_of_a_column")
})
