// Writes down how far a run is, as far as Vitest knows: files, and the tests of a browser. Other tests are
// written down where they run (progress-setup.ts): a worker's reports come late, and never when it hangs.

import { writeFileSync } from "node:fs"
import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSpecification } from "vitest/node"
import { fileName, writeStep, type Step } from "./progress.ts"

/** Reports to a file. */
export class ProgressReporter implements Reporter {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
    writeFileSync(path, "")
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { moduleId, project } of specifications)
      writeStep(this.#path, { kind: "listed", file: fileName(moduleId, project.name) })
  }

  onTestModuleQueued(module: TestModule): void {
    this.#module("loading", module)
  }

  onTestModuleEnd(module: TestModule): void {
    this.#module("file-ended", module)
  }

  onTestCaseReady(test: TestCase): void {
    this.#test("test", test)
  }

  onTestCaseResult(test: TestCase): void {
    this.#test("test-ended", test)
  }

  onTestRunEnd(_: readonly TestModule[], __: readonly unknown[], reason: TestRunEndReason): void {
    writeStep(this.#path, { kind: "run-ended", hasPassed: reason === "passed" })
  }

  #module(kind: Step["kind"], { moduleId, project }: TestModule): void {
    writeStep(this.#path, { kind, file: fileName(moduleId, project.name) })
  }

  #test(kind: Step["kind"], { module, project, fullName }: TestCase): void {
    if (!project.isBrowserEnabled()) return
    writeStep(this.#path, { kind, file: fileName(module.moduleId, project.name), test: fullName })
  }
}
