// The key that opens Secrets and makes permits. The table of imports (tools/rules/import-policy.ts) lets the
// folder `release` import this file, and no other: whoever does not hold the key cannot ask with it.

/** What only `release` holds. Its private field is in no other object, for the compiler and when it runs. */
export class ReleaseKey {
  readonly #cut = true

  /** Whether a value is the key, whatever its type says. */
  static isOne(value: object): value is ReleaseKey {
    return #cut in value && value.#cut
  }
}

/** The key. */
export const releaseKey = new ReleaseKey()
