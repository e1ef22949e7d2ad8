// Exact values, wrapped until they are released: a Secret cannot be printed, spread or serialised, and only
// the folder `release` holds the key that opens one.

import { assert } from "@dosimeter/core/errors"
import { ReleaseKey } from "../key/release-key.ts"

/** Something that must not leave the process as it is. */
export class Secret<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  /** The exact value, for who holds the key. */
  open(key: ReleaseKey): T {
    assert(ReleaseKey.isOne(key), "only the key of release opens a secret")
    return this.#value
  }

  /** Nothing of the value. */
  toJSON(): string {
    return "[secret]"
  }

  /** Nothing of the value. */
  toString(): string {
    return "[secret]"
  }

  /** What Node's inspector prints. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return "[secret]"
  }
}
