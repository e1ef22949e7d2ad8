import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"

const dist = join(import.meta.dirname, "../packages/web/dist")

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  readFileSync(join(dist, ".vite/manifest.json"), "utf8"),
)

/** The files that must be there before anything is shown. */
function firstLoad(): readonly string[] {
  const found = new Set<string>(["index.html"])
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined || found.has(chunk.file)) return
    found.add(chunk.file)
    chunk.css?.forEach((file) => found.add(file))
    chunk.imports?.forEach(visit)
  }
  Object.keys(manifest)
    .filter((name) => manifest[name]?.isEntry === true)
    .forEach(visit)
  return [...found]
}

test("the first load is under 350 kB gzipped, without editor, grammar and charts", () => {
  const files = firstLoad()
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(350_000)
  const text = files.map((file) => readFileSync(join(dist, file), "utf8")).join("\n")
  expect(text).not.toMatch(/cm-editor|plot-d6a7b5|libpg_query/)
})

test("nothing in the pages comes from another host", () => {
  const page = readFileSync(join(dist, "index.html"), "utf8")
  expect(page.match(/(?:src|href)="(?!\/)[^"]*"/g) ?? []).toEqual([])
})
