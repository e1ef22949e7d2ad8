import { afterEach, expect, test, vi } from "vitest"
import { isText, keep, readKept } from "./kept.ts"

afterEach(() => vi.unstubAllGlobals())

function storage(isForbidden = false) {
  const kept = new Map<string, string>()
  const check = (): void => {
    if (isForbidden) throw new Error("forbidden")
  }
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => {
      check()
      return kept.get(name) ?? null
    },
    setItem: (name: string, text: string) => {
      check()
      kept.set(name, text)
    },
  })
  return kept
}

test("what is kept is read again, under a name of ours", () => {
  const kept = storage()
  keep("question", "SELECT 1")
  expect([...kept.keys()]).toEqual(["dosimeter.question"])
  expect(readKept("question", isText)).toBe("SELECT 1")
  expect(readKept("another", isText)).toBeUndefined()
})

test("what is broken or of another kind is not taken", () => {
  const kept = storage()
  kept.set("dosimeter.question", "{")
  expect(readKept("question", isText)).toBeUndefined()
  keep("question", 3)
  expect(readKept("question", isText)).toBeUndefined()
})

test("a browser that forbids it keeps nothing, and nothing fails", () => {
  storage(true)
  keep("question", "SELECT 1")
  expect(readKept("question", isText)).toBeUndefined()
})
