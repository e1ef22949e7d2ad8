// Holds every import of the repository to tools/rules/import-policy.ts, and shows on made-up files that the
// checks do refuse what they should.

import { dirname } from "node:path/posix"
import { expect, test } from "vitest"
import { arrowsOf, cyclesOf, folderArrows, policyProblems, type Dependencies } from "./import-graph.ts"
import { folderOrder, isTrusted, readOrder, trustedBase } from "./import-policy.ts"
import { isTest, listFiles, readRepoFile, typescriptFiles } from "./repo.ts"

const files = typescriptFiles()

test("every import follows the policy", () => {
  expect(policyProblems(files, declaredDependencies())).toEqual([])
})

test("there are no import cycles, type imports included", () => {
  const arrows = arrowsOf(files)
  const show = (cycle: readonly string[]): string => cycle.join(" -> ")
  expect(cyclesOf(arrows).map(show)).toEqual([])
  expect(cyclesOf(folderArrows(arrows)).map(show)).toEqual([])
})

test("no folder has more files than a person holds in mind", () => {
  expect(crowded(files.map(({ path }) => path))).toEqual([])
  const many = Array.from({ length: 26 }, (_, index) => `${core}/noise/file-${index}.ts`)
  expect(crowded(many)).toEqual([`${core}/noise has 26 files, and 25 are allowed`])
  expect(crowded([...many.slice(1), `${core}/noise/a.test.ts`])).toEqual([])
})

test("what proof is made of is proof and core, and nothing else", () => {
  const next = new Map<string, string[]>()
  for (const { from, to } of arrowsOf(files)) next.set(from, [...(next.get(from) ?? []), to])
  const isOwn = (path: string): boolean =>
    /^packages\/proof\/src\/(?!testing\/)/.test(path) && !path.endsWith(".test.ts")
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    next.get(path)?.forEach(visit)
  }
  files.filter(({ path }) => isOwn(path)).forEach(({ path }) => visit(path))
  expect(reached.size).toBeGreaterThan(100)
  expect([...reached].filter((path) => !/^packages\/(proof|core)\/src\//.test(path))).toEqual([])
  expect(Object.keys(manifest("packages/proof/package.json").dependencies ?? {})).toEqual(["@dosimeter/core"])
})

test("only release may import the key of secrets", () => {
  const order = readOrder(folderOrder["engine"] ?? [])
  const holders = [...order].filter(([, below]) => below.has("release/key")).map(([folder]) => folder)
  expect(holders.toSorted()).toEqual(["release", "release/secret"])
})

test("every place of the trusted base is there, and is a folder or a file of its package", () => {
  for (const [name, places] of Object.entries(trustedBase)) {
    for (const place of places) {
      const inside = files.filter(({ path }) => path.startsWith(`packages/${name}/src/`) && isTrusted(path))
      const own = `packages/${name}/src/${place === "." ? "" : place}`
      expect([place, inside.some(({ path }) => path.startsWith(own))]).toEqual([place, true])
    }
  }
  expect(isTrusted("packages/proof/src/verify/verify.ts")).toBe(true)
  expect(isTrusted("packages/engine/src/release/secret/secret.ts")).toBe(true)
  expect(isTrusted("packages/engine/src/dataset/check-extract.ts")).toBe(true)
  expect(isTrusted("packages/engine/src/dataset/backend.ts")).toBe(false)
  expect(isTrusted("packages/engine/src/released/a.ts")).toBe(false)
  expect(isTrusted("packages/proof/src/verify/verify.node.test.ts")).toBe(false)
})

test("core depends on nothing at run time", () => {
  const { dependencies = {}, peerDependencies = {} } = manifest("packages/core/package.json")
  expect({ ...dependencies, ...peerDependencies }).toEqual({})
})

test("an arrow holds for everything below, and can be taken away", () => {
  const order = readOrder(["a < b < c, d", "c !> a"])
  expect([...(order.get("d") ?? [])]).toEqual(["b", "a"])
  expect([...(order.get("c") ?? [])]).toEqual(["b"])
})

const core = "packages/core/src"
const refused: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ["noise that knows privacy", { [`${core}/noise/a.ts`]: 'import "../privacy/b.ts"' }, "may not import"],
  ["a type import", { [`${core}/exact/a.ts`]: 'import type { B } from "../privacy/b.ts"' }, "may not import"],
  ["a type in passing", { [`${core}/exact/a.ts`]: 'type B = import("../privacy/b.ts").B' }, "may not import"],
  [
    "an import while running",
    { [`${core}/exact/a.ts`]: 'await import("../privacy/b.ts")' },
    "may not import",
  ],
  ["a re-export", { [`${core}/exact/a.ts`]: 'export * from "../privacy/b.ts"' }, "may not import"],
  ["a folder not in the table", { [`${core}/misc/a.ts`]: "" }, "is not in the table"],
  ["a barrel", { [`${core}/random/index.ts`]: "" }, "no index.ts inside a package"],
  ["testing outside tests", { [`${core}/noise/a.ts`]: 'import "../testing/b.ts"' }, "is for tests"],
  ["testing from the index", { [`${core}/index.ts`]: 'import "./testing/b.ts"' }, "is for tests"],
  ["a library in core", { [`${core}/noise/a.ts`]: 'import "lodash"' }, "is not among the dependencies"],
  ["Node in core", { [`${core}/noise/a.ts`]: 'import "node:fs"' }, "runs in browsers too"],
  ["Node in a test of core", { [`${core}/noise/a.test.ts`]: 'import "node:fs"' }, "runs in browsers too"],
  [
    "core that knows proof",
    { [`${core}/noise/a.ts`]: 'import "@dosimeter/proof"' },
    "package core may not import",
  ],
  [
    "a way around the door",
    { "packages/proof/src/algebra/a.ts": `import "../../../core/src/index.ts"` },
    "by its name",
  ],
  [
    "a folder below that knows the one beside it",
    { "packages/language/src/bind/from/a.ts": 'import "../groups/b.ts"' },
    "may not import",
  ],
  [
    "proof that knows the planner",
    { "packages/proof/src/verify/a.ts": 'import "@dosimeter/planner/compile"' },
    "package proof may not import",
  ],
  [
    "a file that another package has not",
    { "packages/planner/src/loss/a.ts": 'import "@dosimeter/proof/verify/gone"' },
    "no such file",
  ],
  [
    "a release that knows the planner",
    { "packages/engine/src/release/a.ts": 'import type { X } from "@dosimeter/planner/compile"' },
    "engine/release is trusted, and may not import package planner",
  ],
  [
    "a draw that knows the planner",
    { "packages/engine/src/release/measurements/a.ts": 'import "@dosimeter/planner/compile"' },
    "engine/release/measurements is trusted",
  ],
  [
    "a walk that reaches for secrets",
    { "packages/engine/src/ask/a.ts": 'import "../release/secret/s.ts"' },
    "may not import",
  ],
  ["a package by its own name", { [`${core}/noise/a.ts`]: 'import "@dosimeter/core"' }, "by its path"],
  [
    "DuckDB outside of its room",
    { "packages/engine/src/ask/a.ts": 'import type { DuckDBConnection } from "@duckdb/node-api"' },
    "is for engine/dataset/duckdb alone",
  ],
  [
    "an engine that knows which database it asks",
    { "packages/engine/src/engine.ts": 'import "./dataset/duckdb/b.ts"' },
    "engine/engine may not import engine/dataset/duckdb",
  ],
  ["a test that is imported", { [`${core}/noise/a.ts`]: 'import "./c.test.ts"' }, "nothing imports a test"],
  ["a file that is not there", { [`${core}/noise/a.ts`]: 'import "./gone.ts"' }, "no such file"],
  [
    "a server that answers as an audit does",
    { "packages/server/src/questions/a.ts": 'import { openAudit } from "@dosimeter/engine/testing"' },
    "is for auditors",
  ],
  [
    "an engine that knows the audit",
    { "packages/engine/src/ask/a.ts": 'import { openAudit } from "../audit/audit.ts"' },
    "is for auditors",
  ],
  [
    "exact rows behind the main door",
    { "packages/engine/src/index.ts": 'import "./risk/index.ts"' },
    "is for the owner's risk report",
  ],
  [
    "a risk report for analysts",
    { "packages/server/src/doors/pgwire/session/a.ts": 'import "@dosimeter/engine/risk"' },
    "is for the owner's risk report",
  ],
  [
    "an audit behind the main door",
    { "packages/engine/src/index.ts": 'import "./audit/audit.ts"' },
    "is for auditors",
  ],
  [
    "proof that knows the planner",
    {
      "packages/proof/src/verify/a.ts": 'import "@dosimeter/planner/errors"',
      "packages/planner/src/errors.ts": "",
    },
    "package proof may not import",
  ],
  [
    "the key of secrets in an answer",
    {
      "packages/engine/src/answer/a.ts": 'import "../release/key/release-key.ts"',
      "packages/engine/src/release/key/release-key.ts": "",
    },
    "may not import",
  ],
  [
    "an example on sources",
    { "examples/x/main.ts": `import "../../${core}/index.ts"` },
    "by name, as a reader",
  ],
]

test.each(refused)("refuses %s", (_name, sources, problem) => {
  const own = ["index.ts", "privacy/b.ts", "testing/b.ts", "noise/c.test.ts"]
  const others = [
    "proof/src/index.ts",
    "planner/src/compile.ts",
    "engine/src/release/secret/s.ts",
    "engine/src/dataset/duckdb/b.ts",
    "engine/src/audit/index.ts",
    "engine/src/audit/audit.ts",
    "engine/src/risk/index.ts",
    "language/src/bind/groups/b.ts",
  ]
  const standing = [...own.map((path) => `${core}/${path}`), ...others.map((path) => `packages/${path}`)]
  const all = { ...Object.fromEntries(standing.map((path) => [path, ""])), ...sources }
  const made = Object.entries(all).map(([path, text]) => ({ path, text }))
  const problems = policyProblems(made, {})
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(problem)
})

test("allows what the table allows", () => {
  const made = [
    { path: `${core}/errors/e.ts`, text: "" },
    { path: `${core}/noise/a.ts`, text: 'import "../errors/e.ts"' },
    { path: `${core}/noise/a.test.ts`, text: 'import "vitest"\nimport "../testing/t.ts"\nimport "./a.ts"' },
    { path: `${core}/noise/a.node.test.ts`, text: 'import "node:fs"' },
    { path: `${core}/testing/t.ts`, text: 'import "../noise/a.ts"' },
    { path: `${core}/index.ts`, text: 'export * from "./noise/a.ts"' },
    { path: "packages/proof/src/algebra/a.ts", text: 'import "@dosimeter/core"' },
    { path: "bench/main.ts", text: 'import "@dosimeter/core/testing"' },
    { path: "examples/07-an-audit/main.ts", text: 'import "@dosimeter/engine/testing"' },
  ]
  expect(policyProblems(made, {})).toEqual([])
})

test("sees a cycle of three files", () => {
  const made = ["a", "b", "c"].map((name, index) => ({
    path: `${core}/noise/${name}.ts`,
    text: `import type { X } from "./${["b", "c", "a"][index]}.ts"`,
  }))
  expect(cyclesOf(arrowsOf(made))).toHaveLength(1)
})

const filesMax = 25

/** The folders of packages with too many files; tests do not count. */
function crowded(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    if (!path.startsWith("packages/") || isTest(path)) continue
    const folder = dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > filesMax)
    .map(([folder, count]) => `${folder} has ${count} files, and ${filesMax} are allowed`)
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

function manifest(path: string): Manifest {
  const parsed: Manifest = JSON.parse(readRepoFile(path).text)
  return parsed
}

function declaredDependencies(): Dependencies {
  const paths = listFiles("packages").filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
  return Object.fromEntries(
    paths.map((path) => [path.split("/")[1] ?? "", Object.keys(manifest(path).dependencies ?? {})]),
  )
}
