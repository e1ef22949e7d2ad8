// Runs beside every statistical test file: hands the false-alarm rate that a test has spent to the reporter,
// through the test's meta data, which crosses the border between worker and main process.

import { afterEach } from "vitest"
import { drainAlpha } from "../../packages/core/src/testing/alpha-budget.ts"

declare module "vitest" {
  interface TaskMeta {
    /** The chance that this test fails although nothing is wrong. */
    alpha?: number
  }
}

afterEach(({ task }) => {
  task.meta.alpha = (task.meta.alpha ?? 0) + drainAlpha() // A test that is tried again spends again.
})
