// Reads the fields of one protocol message. A message that ends too early, or has too much in it, is a
// violation of the protocol by the client, not a bug of ours.

import { ProtocolViolation } from "./protocol-violation.ts"

/** Fields of a message, in order. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Whether all was read. */
  get isDone(): boolean {
    return this.#at === this.#bytes.length
  }

  byte(): number {
    return this.#take(1).readUInt8()
  }

  int16(): number {
    return this.#take(2).readInt16BE()
  }

  int32(): number {
    return this.#take(4).readInt32BE()
  }

  /** Text up to a zero byte. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at)
    if (end < 0) throw new ProtocolViolation("a text does not end")
    const bytes = this.#bytes.subarray(this.#at, end)
    this.#at = end + 1
    return decode(bytes)
  }

  /** So many bytes. */
  bytes(count: number): Buffer {
    return this.#take(count)
  }

  /** All that is left. */
  rest(): Buffer {
    return this.#take(this.#bytes.length - this.#at)
  }

  /** A field with its length before it; undefined stands for NULL. */
  field(): Buffer | undefined {
    const length = this.int32()
    return length === -1 ? undefined : this.#take(length)
  }

  /** A list with its length before it. */
  list<T>(read: () => T): readonly T[] {
    const count = this.int16()
    if (count < 0) throw new ProtocolViolation("a list has a negative length")
    return Array.from({ length: count }, read)
  }

  /** Checks that nothing is left. */
  end(): void {
    if (!this.isDone) throw new ProtocolViolation("a message is longer than its fields")
  }

  #take(count: number): Buffer {
    if (count < 0 || this.#at + count > this.#bytes.length) {
      throw new ProtocolViolation("a message is shorter than its fields")
    }
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Text, which is always UTF-8 here. */
export function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ProtocolViolation("a text is not UTF-8")
  }
}
