// Bytes from a client as messages: first the one that opens a connection, then typed ones. Lengths are
// bounded before anything is kept, and little is kept before the client has said who it is.

import { ByteReader } from "./byte-reader.ts"
import { ProtocolViolation } from "./protocol-violation.ts"

/** The first message of a connection. */
export type StartMessage =
  | { readonly kind: "ssl" | "gss" }
  | { readonly kind: "cancel"; readonly process: number; readonly secret: Buffer }
  | {
      readonly kind: "startup"
      readonly minor: number
      readonly parameters: ReadonlyMap<string, string>
    }

/** A message of an open connection. */
export type ClientMessage =
  | { readonly kind: "password"; readonly bytes: Buffer }
  | { readonly kind: "query"; readonly sql: string }
  | { readonly kind: "parse"; readonly name: string; readonly sql: string; readonly types: readonly number[] }
  | BindMessage
  | { readonly kind: "describe" | "close"; readonly what: "statement" | "portal"; readonly name: string }
  | { readonly kind: "execute"; readonly portal: string; readonly rowsMax: number }
  | { readonly kind: "flush" | "sync" | "terminate" }
  | { readonly kind: "unsupported"; readonly what: string }
  /** Its bytes make no sense; the next message still does. */
  | { readonly kind: "malformed"; readonly isQuery: boolean; readonly what: string }

/** Values for the parameters of a statement. */
export interface BindMessage {
  readonly kind: "bind"
  readonly portal: string
  readonly statement: string
  readonly formats: readonly number[]
  readonly values: readonly (Buffer | undefined)[]
  readonly resultFormats: readonly number[]
}

/** The longest first message, and the longest of an open connection before and after the client is known. */
const startMax = 10_000
const limits = { stranger: 64_000, known: 1_000_000 } as const

const codes = { ssl: 80_877_103, gss: 80_877_104, cancel: 80_877_102, major: 3 } as const

/** Collects bytes and gives whole messages. */
export class MessageReader {
  #bytes: Buffer = Buffer.alloc(0)
  /** What came after those; joined to them when a whole message is there, so that no byte is copied often. */
  #more: Buffer[] = []
  #length = 0
  /** The first byte of the message that was read last. */
  #letter = 0
  #limit: number = limits.stranger
  #isTrusted = false

  /** More bytes came. */
  push(chunk: Buffer): void {
    this.#more.push(chunk)
    this.#length += chunk.length
  }

  /** Bytes that are not read yet. */
  get waiting(): number {
    return this.#length
  }

  /** The client is known: longer messages are accepted. */
  trust(): void {
    this.#limit = limits.known
    this.#isTrusted = true
  }

  /** The first message, once all of it is there. */
  start(): StartMessage | undefined {
    const body = this.#message(0, startMax)
    return body === undefined ? undefined : readStart(new ByteReader(body))
  }

  /** The next message, once all of it is there. */
  next(): ClientMessage | undefined {
    const body = this.#message(1, this.#limit)
    if (body === undefined) return undefined
    const letter = this.#letter
    const kind = String.fromCharCode(letter)
    try {
      return readMessage(kind, new ByteReader(body))
    } catch (error) {
      // A stranger has no second try; whoever is known keeps the session, as with PostgreSQL.
      if (!this.#isTrusted || !(error instanceof ProtocolViolation)) throw error
      return { kind: "malformed", isQuery: kind === "Q", what: error.message }
    }
  }

  #message(before: number, limit: number): Buffer | undefined {
    if (this.#length < before + 4) return undefined
    if (this.#bytes.length < before + 4) this.#join()
    const length = this.#bytes.readInt32BE(before)
    if (length < 4 || length > limit) throw new ProtocolViolation("a message has an impossible length")
    if (this.#length < before + length) return undefined
    if (this.#bytes.length < before + length) this.#join()
    const body = this.#bytes.subarray(before + 4, before + length)
    this.#letter = this.#bytes[0] ?? 0
    this.#bytes = this.#bytes.subarray(before + length)
    this.#length -= before + length
    return body
  }

  #join(): void {
    this.#bytes = Buffer.concat([this.#bytes, ...this.#more])
    this.#more = []
  }
}

function readStart(reader: ByteReader): StartMessage {
  const code = reader.int32()
  if (code === codes.ssl || code === codes.gss) {
    reader.end()
    return { kind: code === codes.ssl ? "ssl" : "gss" }
  }
  if (code === codes.cancel) return { kind: "cancel", process: reader.int32(), secret: reader.rest() }
  const [major, minor] = [code >> 16, code & 0xffff]
  if (major !== codes.major) throw new ProtocolViolation("only version 3 of the protocol is spoken")
  const parameters = new Map<string, string>()
  for (let name = reader.text(); name !== ""; name = reader.text()) parameters.set(name, reader.text())
  reader.end()
  return { kind: "startup", minor, parameters }
}

function readMessage(letter: string, reader: ByteReader): ClientMessage {
  const message = readFields(letter, reader)
  if (message.kind !== "unsupported") reader.end()
  return message
}

function readFields(letter: string, reader: ByteReader): ClientMessage {
  switch (letter) {
    case "p":
      return { kind: "password", bytes: reader.rest() }
    case "Q":
      return { kind: "query", sql: reader.text() }
    case "P": {
      const [name, sql] = [reader.text(), reader.text()]
      return { kind: "parse", name, sql, types: reader.list(() => reader.int32()) }
    }
    case "B": {
      const [portal, statement] = [reader.text(), reader.text()]
      const formats = reader.list(() => reader.int16())
      const values = reader.list(() => reader.field())
      return {
        kind: "bind",
        portal,
        statement,
        formats,
        values,
        resultFormats: reader.list(() => reader.int16()),
      }
    }
    case "D":
    case "C": {
      const what = reader.byte() === 0x53 ? "statement" : "portal"
      return { kind: letter === "D" ? "describe" : "close", what, name: reader.text() }
    }
    case "E":
      return { kind: "execute", portal: reader.text(), rowsMax: reader.int32() }
    case "H":
      return { kind: "flush" }
    case "S":
      return { kind: "sync" }
    case "X":
      return { kind: "terminate" }
    case "F":
      return { kind: "unsupported", what: "calling functions directly" }
    case "d":
    case "c":
    case "f":
      return { kind: "unsupported", what: "COPY FROM" }
    default:
      throw new ProtocolViolation("a message of an unknown kind")
  }
}
