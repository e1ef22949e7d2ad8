// Runs beside every test file in Node: writes down each test when it begins and when it has ended, before
// anything else happens. So a test that never lets go of its process is known too.

import { afterEach, beforeEach, type TestContext } from "vitest"
import { fileName, writeStep, type Step } from "./progress.ts"

const path = process.env["TEST_PROGRESS"] ?? ""

if (path !== "") {
  beforeEach((context) => write("test", context))
  afterEach((context) => write("test-ended", context))
}

function write(kind: Step["kind"], { task }: TestContext): void {
  const { filepath, projectName = "" } = task.file
  writeStep(path, { kind, file: fileName(filepath, projectName), test: task.fullTestName })
}
