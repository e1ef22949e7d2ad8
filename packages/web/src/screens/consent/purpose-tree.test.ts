import { expect, test } from "vitest"
import { purposeTree, type PurposeNode } from "./purpose-tree.ts"

const item = (code: string, wider: string | null) => ({ code, wider })
const shown = (nodes: readonly PurposeNode<{ readonly code: string }>[]): string =>
  nodes
    .map(({ item: { code }, inside }) => (inside.length === 0 ? code : `${code}(${shown(inside)})`))
    .join(" ")

test("purposes stand inside of what contains them, each once", () => {
  const all = [
    item("any", null),
    item("general", "any"),
    item("health", "general"),
    item("disease", "health"),
  ]
  expect(shown(purposeTree([...all, item("ancestry", "general")]))).toBe(
    "any(general(health(disease) ancestry))",
  )
})

test("what is inside of something unknown stands at the top", () => {
  expect(shown(purposeTree([item("health", "general"), item("disease", "health")]))).toBe("health(disease)")
  expect(purposeTree([])).toEqual([])
})
