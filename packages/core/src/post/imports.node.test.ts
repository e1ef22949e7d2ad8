import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

test("[P1] imports nothing that can see an exact value or draw noise", () => {
  const folder = new URL("./", import.meta.url)
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.includes(".test."),
  )
  const imported = sources.flatMap((name) => {
    const file = new URL(name, folder)
    return [...readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g)].map(
      ([, path = ""]) => /src\/([a-z]+)\//.exec(new URL(path, file).pathname)?.[1] ?? "",
    )
  })
  expect(sources.length).toBeGreaterThan(10)
  expect([...new Set(imported)].toSorted()).toEqual(["errors", "exact", "post"])
})
