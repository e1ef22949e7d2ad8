// Exact values, wrapped until they are released: a Secret cannot be printed, spread or serialised, and only
// release.ts and release-series.ts open one.

/** Something that must not leave the process as it is. */
export class Secret<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  /** The exact value. Only release/release.ts and release/release-series.ts call this. */
  open(): T {
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
