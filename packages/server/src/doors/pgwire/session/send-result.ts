// An answer on its way to a client: as rows, or as the lines of a copy; then the notices and what was done.

import { copyHeader, copyLine } from "./copy-lines.ts"
import type { CopyFormat } from "../commands/read-copy.ts"
import { encodeRow, type WireResult } from "../wire/wire-result.ts"
import * as write from "../wire/write-messages.ts"

/** Where messages go; resolves when more may be sent. */
export type Send = (bytes: Buffer) => Promise<void>

const rowsAtOnce = 1000

/** Some of the rows, in the formats that the client asked for. */
export async function sendRows(
  send: Send,
  result: WireResult,
  span: { readonly from: number; readonly to: number; readonly formats: readonly number[] },
): Promise<void> {
  const encode = (row: WireResult["rows"][number]): Buffer => encodeRow(row, result.columns, span.formats)
  for (let start = span.from; start < span.to; start += rowsAtOnce) {
    const rows = result.rows.slice(start, Math.min(span.to, start + rowsAtOnce))
    await send(Buffer.concat(rows.map(encode)))
  }
}

/** All rows as a copy. */
export async function sendCopy(send: Send, result: WireResult, format: CopyFormat): Promise<void> {
  const { columns, rows } = result
  await send(write.copyOut(columns.length))
  if (format.header) await send(write.copyData(copyHeader(columns, format)))
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const lines = rows.slice(start, start + rowsAtOnce).map((row) => copyLine(row, columns, format))
    await send(Buffer.concat(lines.map(write.copyData)))
  }
  await send(write.copyDone())
  await sendComplete(send, { ...result, tag: "COPY" })
}

/** Notices, and what was done: with the number of rows where rows were given. */
export async function sendComplete(send: Send, result: WireResult): Promise<void> {
  const { tag, rows, notices, statuses = [] } = result
  for (const [name, value] of statuses) await send(write.parameterStatus(name, value))
  for (const notice of notices) {
    await send(
      write.noticeResponse([
        ["S", "NOTICE"],
        ["V", "NOTICE"],
        ["C", "00000"],
        ["M", notice],
      ]),
    )
  }
  await send(write.commandComplete(counted.has(tag) ? `${tag} ${rows.length}` : tag))
}

const counted: ReadonlySet<string> = new Set(["SELECT", "FETCH", "COPY"])
