// How far a run of tests has come: which files and tests have begun and ended, a line each in a file, so that
// a run that is stopped can say what it was at. TEST_PROGRESS names the file; without it nothing is written.

import { appendFileSync } from "node:fs"

/** A line of the file. */
export interface Step {
  readonly kind: "listed" | "loading" | "file-ended" | "test" | "test-ended" | "run-ended"
  /** The file, with its project before it. */
  readonly file?: string
  readonly test?: string
  /** Whether the run has passed, at its end. */
  readonly hasPassed?: boolean
}

/** A file of tests as it is named here: one file may run in several projects. */
export function fileName(path: string, project: string): string {
  return `${project} ${path}`
}

/** Adds a line. Processes write at the same time: each line is one write. */
export function writeStep(path: string, step: Step): void {
  appendFileSync(path, `${JSON.stringify(step)}\n`)
}
