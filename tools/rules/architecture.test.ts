// Holds ARCHITECTURE.md to the code: what it names exists, and its tables hold every folder of every package,
// with the word "trusted" where tools/rules/import-policy.ts has it.

import { expect, test } from "vitest"
import { isTrusted } from "./import-policy.ts"
import { isTest, listFiles, readRepoFile } from "./repo.ts"

const page = readRepoFile("ARCHITECTURE.md").text
const files = listFiles("")

test("every path and file name in ARCHITECTURE.md exists", () => {
  expect(missingPaths(page, files)).toEqual([])
})

test("every folder of every package is in its table of ARCHITECTURE.md, and no other", () => {
  expect(Object.fromEntries(tablesOf(page).map(({ name, rows }) => [name, foldersOf(rows)]))).toEqual(
    sourceFolders(files),
  )
})

test("a folder is called trusted in ARCHITECTURE.md where the import policy calls it so", () => {
  const said = tablesOf(page).flatMap(({ name, rows }) =>
    rows.filter(({ trusted }) => trusted).flatMap(({ folders }) => folders.map((at) => `${name}/${at}`)),
  )
  const all = Object.entries(sourceFolders(files)).flatMap(([name, folders]) =>
    folders.filter((at) => isTrusted(`packages/${name}/src/${at}/x.ts`)).map((at) => `${name}/${at}`),
  )
  expect(said.toSorted()).toEqual(all.toSorted())
})

test("a name that is gone is found, with and without its folder", () => {
  const known = ["packages/core/src/noise/argmax.ts", "docs/errors.md"]
  const text =
    "`argmax.ts`, `core/noise`, `noise/argmax.ts`, `docs/errors.md`, `lossOf`, `laplace.ts`, `noise/old`"
  expect(missingPaths(text, known)).toEqual(["laplace.ts", "noise/old"])
})

test("rows of a table are read with all their folders", () => {
  const text =
    "## Code map: `packages/a/src`\n\n| folder | holds | trusted |\n|---|---|---|\n" +
    "| `x`, `x/y` | `z` | yes |\n| `v` | | |\n\n## Else\n\n| `w` | | |\n"
  expect(tablesOf(text)).toEqual([
    {
      name: "a",
      rows: [
        { folders: ["x", "x/y"], trusted: true },
        { folders: ["v"], trusted: false },
      ],
    },
  ])
})

interface Row {
  readonly folders: readonly string[]
  readonly trusted: boolean
}

/** The tables under the headings of code maps. */
function tablesOf(text: string): readonly { readonly name: string; readonly rows: readonly Row[] }[] {
  return text.split(/^## /m).flatMap((section) => {
    const name = /^Code map: `packages\/([a-z]+)\/src`/.exec(section)?.[1]
    if (name === undefined) return []
    const rows = [...section.matchAll(/^\| (`.*?) \|.*\| *(yes)? *\|$/gm)].map(([, first = "", yes]) => ({
      folders: quoted(first),
      trusted: yes !== undefined,
    }))
    return [{ name, rows }]
  })
}

function foldersOf(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ folders }) => folders).toSorted()
}

/** The folders of each package that hold sources themselves; loose files, styles and tests do not count. */
function sourceFolders(paths: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, Set<string>>()
  for (const path of paths) {
    const [, name, folder] = /^packages\/([a-z]+)\/src\/(.+)\/[^/]+\.tsx?$/.exec(path) ?? []
    if (name === undefined || folder === undefined || isTest(path) || /^testing(\/|$)/.test(folder)) continue
    found.set(name, (found.get(name) ?? new Set()).add(folder))
  }
  return Object.fromEntries([...found].map(([name, folders]) => [name, [...folders].toSorted()]))
}

/** Names that look like paths or files, and are none: from the root, from a package or below its src. */
function missingPaths(text: string, paths: readonly string[]): readonly string[] {
  const known = new Set(paths.flatMap(waysToName))
  return quoted(text).filter((name) => looksLikePath(name) && !known.has(name))
}

function quoted(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, inside = ""]) => inside)
}

function looksLikePath(name: string): boolean {
  return /^[\w.-]+(\/[\w.-]+)+$/.test(name) || /^[\w-]+(\.proof)?\.(ts|tsx|md|json|css)$/.test(name)
}

/** `packages/core/src/noise/argmax.ts`, `core/noise/argmax.ts`, `noise/argmax.ts`, `argmax.ts`, and folders. */
function waysToName(path: string): readonly string[] {
  const ways = [path]
  const [, name, inside] = /^packages\/([a-z]+)\/src\/(.+)$/.exec(path) ?? []
  if (name !== undefined && inside !== undefined) ways.push(`${name}/${inside}`, inside)
  const folders = ways.flatMap((way) => {
    const parts = way.split("/")
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"))
  })
  return [...ways, ...folders, path.split("/").at(-1) ?? path]
}
