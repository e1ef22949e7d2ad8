// Exact values, wrapped until they are released: a Secret cannot be printed, spread or serialised, and only
// release.ts may open one (tools/tidy.test.ts sees to it).

/** Something that must not leave the process as it is. */
export class Secret<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  /** The exact value. Only execute/release.ts calls this. */
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
