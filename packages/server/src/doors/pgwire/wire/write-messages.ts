// Messages to a client, as bytes.

/** A field of an error or notice: its letter and text. */
export type NoticeField = readonly [letter: string, text: string]

/** A column as a client is told of it. */
export interface WireColumn {
  readonly name: string
  readonly type: number
  /** In bytes, or -1 where it varies. */
  readonly size: number
  readonly format: "text" | "binary"
}

/** Where a session stands between questions: idle, in a block, or in a block that failed. */
export type BlockState = "I" | "T" | "E"

const text = (value: string): Buffer => Buffer.from(`${value.replaceAll("\0", "")}\0`)
const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function message(letter: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return Buffer.concat([Buffer.from(letter), int32(length), ...parts])
}

/** What the client should do to show who it is. */
export const authentication = {
  sasl: (mechanisms: readonly string[]): Buffer =>
    message("R", int32(10), ...mechanisms.map(text), Buffer.alloc(1)),
  saslContinue: (data: string): Buffer => message("R", int32(11), Buffer.from(data)),
  saslFinal: (data: string): Buffer => message("R", int32(12), Buffer.from(data)),
  ok: (): Buffer => message("R", int32(0)),
}

/** A setting of the session. */
export const parameterStatus = (name: string, value: string): Buffer => message("S", text(name), text(value))

/** What the client sends on another connection to stop a question. */
export const backendKeyData = (process: number, secret: Buffer): Buffer =>
  message("K", int32(process), secret)

/** The newest version of the protocol that is spoken, and what was not understood. */
export const negotiateVersion = (minor: number, unknown: readonly string[]): Buffer =>
  message("v", int32(minor), int32(unknown.length), ...unknown.map(text))

/** The next question may come. */
export const readyForQuery = (state: BlockState): Buffer => message("Z", Buffer.from(state))

/** A statement was parsed. */
export const parseComplete = (): Buffer => message("1")
/** A portal was bound. */
export const bindComplete = (): Buffer => message("2")
/** Something was closed. */
export const closeComplete = (): Buffer => message("3")
/** A statement gives no rows. */
export const noData = (): Buffer => message("n")
/** There was nothing to do. */
export const emptyQuery = (): Buffer => message("I")
/** There are more rows; the client asks for them. */
export const portalSuspended = (): Buffer => message("s")

/** A statement is done: "SELECT 5". */
export const commandComplete = (tag: string): Buffer => message("C", text(tag))

/** The types of a statement's parameters. */
export const parameterDescription = (types: readonly number[]): Buffer =>
  message("t", int16(types.length), ...types.map(int32))

/** The columns of an answer. */
export const rowDescription = (columns: readonly WireColumn[]): Buffer =>
  message(
    "T",
    int16(columns.length),
    ...columns.map(({ name, type, size, format }) =>
      Buffer.concat([
        text(name),
        int32(0),
        int16(0),
        int32(type),
        int16(size),
        int32(-1),
        int16(format === "text" ? 0 : 1),
      ]),
    ),
  )

/** One row; undefined is NULL. */
export const dataRow = (values: readonly (Buffer | undefined)[]): Buffer =>
  message(
    "D",
    int16(values.length),
    ...values.flatMap((value) => (value === undefined ? [int32(-1)] : [int32(value.length), value])),
  )

/** An answer will be copied, as text, in so many columns. */
export const copyOut = (columns: number): Buffer =>
  message("H", Buffer.alloc(1), int16(columns), Buffer.alloc(2 * columns))

/** Some of what is copied. */
export const copyData = (data: string): Buffer => message("d", Buffer.from(data))

/** All was copied. */
export const copyDone = (): Buffer => message("c")

/** An error. */
export const errorResponse = (fields: readonly NoticeField[]): Buffer => message("E", notice(fields))

/** A remark. */
export const noticeResponse = (fields: readonly NoticeField[]): Buffer => message("N", notice(fields))

function notice(fields: readonly NoticeField[]): Buffer {
  const parts = fields.map(([letter, value]) => Buffer.concat([Buffer.from(letter), text(value)]))
  return Buffer.concat([...parts, Buffer.alloc(1)])
}
