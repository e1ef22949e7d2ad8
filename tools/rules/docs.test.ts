// Holds the documentation to the code: programs in it run, error codes and privacy rules are named on both
// sides, links lead somewhere.

import { sampleOf } from "@dosimeter/core/testing"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { blocksOf, documentedBlocks, runBlocks, runNode } from "./doc-blocks.ts"
import {
  isTest,
  listFiles,
  markdownFiles,
  readIfThere,
  readRepoFile,
  root,
  typescriptFiles,
  type RepoFile,
} from "./repo.ts"
import { parseSource, testTitles } from "./syntax.ts"

const pages = markdownFiles()
// Tests that several files share are declared by a function in testing/.
const tests = typescriptFiles().filter(
  ({ path }) => path.startsWith("packages/") && (isTest(path) || path.endsWith("-conformance.ts")),
)
const golden = listFiles("packages")
  .filter((path) => path.endsWith(".sqlt"))
  .map(readRepoFile)
const codes = await allCodes()
/** Arguments for examples that would make up more data than is needed to see that they run. */
const smaller: Readonly<Record<string, readonly string[]>> = {
  "examples/07-an-audit/main.ts": ["150"],
  "examples/demo/main.ts": ["--persons", "5000"],
}

test("the pages that everything leans on exist", () => {
  const needed = ["README.md", "ARCHITECTURE.md", "docs/errors.md", "docs/privacy-model.md"]
  expect(needed.filter((path) => readIfThere(path) === undefined)).toEqual([])
})

test("every ts block in README and docs runs", async () => {
  const blocks = documentedBlocks().filter(({ run }) => run)
  const others = blocks.filter(({ page }) => page !== "README.md")
  // Those of README each time; of the others, some in the short form.
  const chosen = [...blocks.filter(({ page }) => page === "README.md"), ...sampleOf(others, 4)]
  expect(chosen).not.toEqual([])
  expect(Object.fromEntries(await runBlocks(chosen))).toEqual({})
})

describe("examples", () => {
  const examples = listFiles("examples").filter((path) => /^examples\/[^/]+\/main\.ts$/.test(path))

  test("there is at least one", () => {
    expect(examples).not.toEqual([])
  })

  test.each(sampleOf(examples, 2))("%s runs", async (path) => {
    const program = ["--conditions=source", "--import", "tsx", join(root, path)]
    const { status, output } = await runNode([...program, ...(smaller[path] ?? [])])
    expect(status, output.slice(-2000)).toBe(0)
  })
})

describe("error codes", () => {
  test("are the same in the code and in docs/errors.md", () => {
    expect(documentedCodes(readRepoFile("docs/errors.md").text)).toEqual(codes)
  })

  test("each appear in a test", () => {
    const isShown = (code: string): boolean =>
      tests.some(({ text }) => text.includes(`"${code}"`) || text.includes(`error[${code}]`)) ||
      golden.some(({ text }) => text.includes(`\nerror[${code}]: `))
    expect(codes.filter((code) => !isShown(code))).toEqual([])
  })

  test("are read from the table of every package, and are in one table only", () => {
    expect(errorTables()).toContain("packages/core/src/errors/errors.ts")
    expect(errorTables()).toContain("packages/proof/src/errors.ts")
    expect(codes).toContain("sql/syntax")
    expect(codes).toEqual([...new Set(codes)])
  })

  test("are read from headings and first cells only", () => {
    const page =
      "# Errors\n\n### `b/two`\n\n| code | x |\n|---|---|\n| `a/one` | see `c/three` |\n\nLike `d/four`.\n"
    expect(documentedCodes(page)).toEqual(["a/one", "b/two"])
  })
})

describe("privacy rules", () => {
  test("each are shown by a test, and no test names an unknown rule", () => {
    const stated = rulesIn(readRepoFile("docs/privacy-model.md").text)
    const shown = rulesIn(tests.flatMap((file) => testTitles(parseSource(file))).join("\n"))
    expect(stated).not.toEqual([])
    expect({ withoutTest: without(stated, shown), unknown: without(shown, stated) }).toEqual({
      withoutTest: [],
      unknown: [],
    })
  })

  test("are found in titles", () => {
    const text = 'test("[U1] keeps", () => {})\ntest.each([1])(`[N3] is ${1}`, () => {})\nconst a = b["[X9]"]'
    expect(rulesIn(testTitles(parseSource({ path: "a.test.ts", text })).join("\n"))).toEqual(["N3", "U1"])
  })
})

test("ARCHITECTURE.md can be read in one sitting", () => {
  expect(readRepoFile("ARCHITECTURE.md").text.split("\n").length).toBeLessThanOrEqual(251)
})

test("every decision has a number of its own, the same in its name and in its heading", () => {
  const decisions = listFiles("docs/adr").map((path) => readRepoFile(path))
  const numbers = decisions.map(({ path }) => Number(/\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1]))
  expect(numbers).toEqual(decisions.map((_, index) => index + 1))
  expect(decisions.map(({ text }) => Number(/^# (\d+)\. /.exec(text)?.[1]))).toEqual(numbers)
})

test("relative links lead to files and headings that exist", () => {
  expect(pages.flatMap(brokenLinks)).toEqual([])
})

test("blocks are read with their options", () => {
  const text = "```ts\na()\n```\n\n```ts continue\nb()\n```\n\n```ts no-run\nc()\n```\n\n```tsx\nd()\n```\n"
  const read = blocksOf({ path: "x.md", text }).map(({ line, code, run }) => [line, code, run])
  expect(read).toEqual([
    [2, "a()\n", true],
    [6, "a()\nb()\n", true],
    [10, "c()\n", false],
  ])
})

/** The files that hold a package's errors. */
function errorTables(): readonly string[] {
  return listFiles("packages").filter((path) => /^packages\/[a-z]+\/src\/(errors\/)?errors\.ts$/.test(path))
}

/** The codes of every table: of an exported object whose name ends in Errors. */
async function allCodes(): Promise<readonly string[]> {
  const modules: readonly Readonly<Record<string, unknown>>[] = await Promise.all(
    errorTables().map((path) => import(/* @vite-ignore */ join(root, path))),
  )
  return modules
    .flatMap((module) => Object.entries(module))
    .flatMap(([name, table]) =>
      name.endsWith("Errors") && typeof table === "object" ? Object.keys(table ?? {}) : [],
    )
    .toSorted()
}

function documentedCodes(text: string): readonly string[] {
  const found = [...text.matchAll(/^(?:#+ +|\| *)`([a-z]+\/[a-z-]+)`/gm)].map(([, code]) => code ?? "")
  return found.toSorted()
}

function rulesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\[([A-Z]\d+)\]/g)].map(([, id]) => id ?? ""))].toSorted()
}

function without(all: readonly string[], taken: readonly string[]): readonly string[] {
  return all.filter((one) => !taken.includes(one))
}

function brokenLinks({ path, text }: RepoFile): readonly string[] {
  const prose = text.replace(/^```[^]*?^```/gm, "").replace(/`[^`\n]*`/g, "")
  return [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].flatMap(([, target = ""]) => {
    if (/^[a-z]+:/.test(target)) return []
    const [file = "", anchor] = target.split("#")
    const absolute = file === "" ? join(root, path) : join(root, dirname(path), file)
    if (!existsSync(absolute)) return [`${path}: ${target}`]
    if (anchor === undefined || !absolute.endsWith(".md")) return []
    const headings = readRepoFile(absolute.slice(root.length + 1)).text.matchAll(/^#+ +(.+)$/gm)
    return [...headings].some(([, heading = ""]) => anchorOf(heading) === anchor)
      ? []
      : [`${path}: ${target}`]
  })
}

/** The anchor that a Markdown viewer gives to a heading. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-")
}
