// Writes down which files and tests have begun and ended, line by line, so that a run that is stopped can say
// what it was at. TEST_PROGRESS names the file; without it nothing is written.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { relative } from "node:path"
import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node"
import { root } from "../rules/repo.ts"

/** A line of the file. */
interface Step {
  readonly kind: "listed" | "loading" | "file-ended" | "test" | "test-ended" | "run-ended"
  /** The file, with its project before it. */
  readonly file?: string
  readonly test?: string
}

/** Reports to a file. */
export class ProgressReporter implements Reporter {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
    writeFileSync(path, "")
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { moduleId, project } of specifications)
      this.#write({ kind: "listed", file: named(moduleId, project.name) })
  }

  onTestModuleQueued(module: TestModule): void {
    this.#write({ kind: "loading", file: fileOf(module) })
  }

  onTestModuleEnd(module: TestModule): void {
    this.#write({ kind: "file-ended", file: fileOf(module) })
  }

  onTestCaseReady(test: TestCase): void {
    this.#write({ kind: "test", file: fileOf(test.module), test: test.fullName })
  }

  onTestCaseResult(test: TestCase): void {
    this.#write({ kind: "test-ended", file: fileOf(test.module), test: test.fullName })
  }

  onTestRunEnd(): void {
    this.#write({ kind: "run-ended" })
  }

  #write(step: Step): void {
    appendFileSync(this.#path, `${JSON.stringify(step)}\n`)
  }
}

/** What a run was at, from its file: what had not reported, and what of it was not begun. */
export function showProgress(path: string): string {
  if (!existsSync(path)) return "Vitest has not begun"
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  const steps: readonly Step[] = JSON.parse(`[${lines.join(",")}]`)
  const [waiting, running] = [new Set<string>(), new Map<string, Set<string>>()]
  for (const { kind, file = "", test = "" } of steps) {
    if (kind === "run-ended") return "all files have reported; Vitest itself does not end"
    if (kind === "listed") waiting.add(file)
    if (kind === "loading") running.set(file, new Set())
    if (kind === "loading" || kind === "file-ended") waiting.delete(file)
    if (kind === "file-ended") running.delete(file)
    if (kind === "test") running.get(file)?.add(test)
    if (kind === "test-ended") running.get(file)?.delete(test)
  }
  const begun = [...running].map(
    ([file, tests]) =>
      `  ${file}: ${[...tests].join("; ") || "loading, or in a test whose name has not come"}`,
  )
  if (begun.length === 0 && waiting.size === 0) return "all files have reported; the run has not ended"
  return [`begun and not ended:`, ...begun, `not begun: ${waiting.size} files`].join("\n")
}

function fileOf({ moduleId, project }: TestModule): string {
  return named(moduleId, project.name)
}

function named(moduleId: string, project: string): string {
  return `${project} ${relative(root, moduleId)}`
}
