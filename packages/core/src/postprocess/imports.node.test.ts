import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

test("[P1] imports nothing that can see an exact value or draw noise", () => {
  const folder = new URL("./", import.meta.url)
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.includes(".test."))
  const imported = sources.flatMap((name) => {
    const text = readFileSync(new URL(name, folder), "utf8")
    return [...text.matchAll(/from "\.\.\/([a-z]+)\//g)].map(([, layer]) => layer ?? "")
  })
  expect(sources.length).toBeGreaterThan(10)
  expect([...new Set(imported)].toSorted()).toEqual(["errors", "exact"])
})
