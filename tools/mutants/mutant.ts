// What a planted bug is.

/** One planted bug. */
export interface Mutant {
  /** Kebab-case, says what is wrong. */
  readonly name: string
  /** The file that is changed, from the root. */
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** The test files, from the root, of which at least one test must fail. */
  readonly tests: readonly string[]
  /** Where the file has many tests: run only those whose title contains this. */
  readonly title?: string
}
