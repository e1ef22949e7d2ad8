// Holds the repository to the rules of tools/rules/tidy-rules.ts, and shows for each rule a file that it
// refuses.

import { expect, test } from "vitest"
import { unreachable } from "./import-graph.ts"
import { isTest, readRepoFile, typescriptFiles } from "./repo.ts"
import { exceptions } from "./tidy-exceptions.ts"
import { castProblems, ruleNames, tidyProblems, type Problem, type RuleName } from "./tidy-rules.ts"

const files = typescriptFiles()
const problems: readonly Problem[] = [...files.flatMap(tidyProblems), ...castProblems(files), ...deadFiles()]

test.each(ruleNames())("the repository keeps the rule: %s", (rule) => {
  const excepted = new Set(exceptions.filter((row) => row.rule === rule).map((row) => row.file))
  const found = problems.filter((problem) => problem.rule === rule && !excepted.has(problem.file))
  expect(found.map(({ file, line, what }) => `${file}:${line}: ${what}`)).toEqual([])
})

test("every exception is still needed, and has a reason", () => {
  const idle = exceptions.filter(
    ({ file, rule, reason }) =>
      reason.length < 10 || !problems.some((problem) => problem.file === file && problem.rule === rule),
  )
  expect(idle).toEqual([])
})

const noise = "packages/core/src/noise/a.ts"
const header = "// What it is.\n"
const lines = (count: number): string => "x()\n".repeat(count)

const bad: Readonly<
  Record<Exclude<RuleName, "casts" | "dead-file">, readonly (readonly [string, string])[]>
> = {
  "file-length": [
    [noise, header + lines(400)],
    ["packages/core/src/noise/a.test.ts", header + lines(800)],
    ["packages/proof/src/print/a.ts", header + lines(600)],
  ],
  "function-length": [
    [noise, `${header}function f() {\n${lines(69)}}`],
    [noise, `${header}const f = () => {\n${lines(69)}}`],
    ["tools/a.test.ts", `${header}test("x", () => {\n${lines(69)}})`],
  ],
  parameters: [[noise, `${header}const f = (a, b, c, d, e) => 1`]],
  imports: [[noise, `${header}${'import "./b.ts"\n'.repeat(19)}`]],
  any: [[noise, `${header}const x: any = 1`]],
  "cast-in-trusted-base": [
    [noise, `${header}const x = 1 as number`],
    [noise, `${header}const x = <number>1`],
  ],
  "non-null": [[noise, `${header}f(x!)`]],
  enum: [[noise, `${header}enum A { b }`]],
  "default-export": [
    [noise, `${header}export default 1`],
    [noise, `${header}export default function f() {}`],
  ],
  "weak-random": [["tools/a.ts", `${header}const x = Math.random()`]],
  clock: [
    [noise, `${header}const x = Date.now()`],
    [noise, `${header}const x = performance.now()`],
    [noise, `${header}const x = new Date()`],
  ],
  "time-limit": [
    ["tools/a.test.ts", 'test("x", async () => {}, 60_000)'],
    ["tools/a.test.ts", 'test.each([1])("x", { timeout: 60_000 }, () => {})'],
    ["tools/a.test.ts", "await expect.poll(look, { timeout: 8_000 }).toBe(1)"],
    ["tools/a.test.ts", "vi.setConfig({ testTimeout: 60_000 })"],
  ],
  "float-math": [
    [noise, `${header}const x = Math.exp(1)`],
    [noise, `${header}const { log } = Math`],
    ["packages/core/src/accounting/a.ts", `${header}const x = Math.log1p(1)`],
    ["packages/proof/src/verify/a.ts", `${header}const x = Math.pow(2, 0.5)`],
    ["packages/engine/src/release/a.ts", `${header}const x = Math.exp(1)`],
  ],
  "open-secret": [
    [
      "packages/engine/src/answer/a.ts",
      `${header}import { releaseKey } from "../release/key/release-key.ts"`,
    ],
    ["packages/engine/src/index.ts", `${header}export * from "./release/key/release-key.ts"`],
    ["packages/engine/src/ask/a.test.ts", 'import { releaseKey } from "../release/key/release-key.ts"'],
    [
      "packages/engine/src/dataset/a.ts",
      `${header}import { Secret } from "../release/secret/secret.ts"\nconst x = (secret) => secret.open()`,
    ],
    ["packages/engine/src/ask/a.ts", `${header}import type { PaidTables } from "../release/paid-tables.ts"`],
    ["packages/engine/src/ask/a.ts", `${header}import { readExact } from "../release/read-exact.ts"`],
  ],
  "charge-elsewhere": [["packages/engine/src/ask/a.ts", `${header}const x = await ledger.reserve(request)`]],
  "ask-elsewhere": [
    ["packages/server/src/doors/cli/ask/a.ts", `${header}const x = await engine.ask(sql)`],
    ["packages/server/src/doors/http/routes/a.ts", `${header}const x = services.engine.series.show(name)`],
    ["packages/server/src/answers/a.ts", `${header}const x = await this.engine.release(workload)`],
  ],
  "banned-words": [
    [noise, `${header}// FIXME later`],
    [noise, `${header}// TODO: later`],
    [noise, `${header}// Anonymized rows`],
  ],
  "line-width": [[noise, `${header}${"x + ".repeat(30)}x`]],
  documented: [
    [noise, `${header}export const x = 1`],
    [noise, `${header}export type X = 1`],
    [noise, `${header}// Not a doc comment.\nexport function f() {}`],
  ],
  header: [
    [noise, 'import "./b.ts"'],
    [noise, header.repeat(6)],
  ],
  "statistical-test": [
    ["packages/core/src/noise/a.test.ts", 'import { checkSampler } from "../testing/check-sampler.ts"'],
  ],
  "file-name": [["packages/core/src/noise/myFile.ts", header]],
}

test.each(Object.entries(bad))("the rule bites: %s", (rule, sources) => {
  for (const [path, text] of sources) {
    expect(tidyProblems({ path, text }).map((problem) => problem.rule)).toContain(rule)
  }
})

test("a tidy file has no problems", () => {
  const text = `${header}
/** Says so. */
export function f(a: number): readonly string[] {
  // TODO(#12): see https://example.org/${"long".repeat(40)}
  const kinds = ["a", "b"] as const
  return kinds.map((kind) => \`\${kind}\${Math.floor(a)}${"x".repeat(120)}\`)
}
`
  expect(tidyProblems({ path: noise, text })).toEqual([])
  const group = `${header}describe("x", () => {\n${lines(100)}})`
  expect(tidyProblems({ path: "packages/core/src/noise/a.test.ts", text: group })).toEqual([])
})

test("casts are counted over a package", () => {
  const text = `${header}const x = y as number\nconst z = [1] as const\n`
  const path = "packages/core/src/errors/a.ts"
  expect(castProblems([{ path, text }])).toEqual([])
  expect(castProblems([{ path, text: text.repeat(2) }])).toHaveLength(1)
})

/**
 * Sources that no entry point reaches. Only in `testing/` and in tools does it count to be used by a test.
 */
function deadFiles(): readonly Problem[] {
  const named = readRepoFile("package.json").text + readRepoFile("vitest.config.ts").text
  const entries = [
    /^packages\/[a-z]+\/src\/(((audit|errors|testing|local|collect)\/)?index|main)\.tsx?$/,
    /^(examples|bench|e2e)\/|^[^/]+$|\/vite\.config\.ts$/,
  ]
  const isEntry = (path: string): boolean =>
    entries.some((pattern) => pattern.test(path)) ||
    (path.startsWith("tools/") && isTest(path)) ||
    (/^tools\/|\/src\/testing\//.test(path) && named.includes(path))
  const usedByProgram = unreachable(files, isEntry).filter((path) => !isTest(path))
  const usedByTest = new Set(unreachable(files, (path) => isEntry(path) || isTest(path)))
  return usedByProgram
    .filter((path) => !path.includes("/src/testing/") || usedByTest.has(path))
    .map((file) => ({ rule: "dead-file", file, line: 1, what: "nothing that runs imports this file" }))
}
