// Texts as they are: DuckDB's driver drops a byte order mark at the beginning of a text, and two different
// texts would be read as one. So texts are asked for as bytes, and decoded here.

import { DuckDBBlobValue, type DuckDBValue } from "@duckdb/node-api"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { SqlText } from "@dosimeter/proof/print/print"

// Keeps the mark; throws where bytes are no text, so that no two of them become the same replacement.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A query whose columns of texts come as bytes. Other columns are what they were. */
export function withTextsAsBytes(
  { text, parameters }: SqlText,
  columns: readonly Pick<RelColumn, "domain">[],
): SqlText {
  if (columns.every(({ domain }) => domain.type.kind !== "text")) return { text, parameters }
  const names = columns.map((_, index) => `k${index}`)
  const items = columns.map(({ domain }, index) =>
    domain.type.kind === "text" ? `encode(${names[index]})` : names[index],
  )
  return { text: `SELECT ${items.join(", ")} FROM (\n${text}\n) AS t (${names.join(", ")})`, parameters }
}

/** A list of texts as a list of bytes, in written SQL. */
export function listAsBytes(list: string): string {
  return `list_transform(${list}, lambda one: encode(one))`
}

/** The text of some bytes; undefined if they are none. */
export function textOfBytes(value: DuckDBValue): string | undefined {
  if (!(value instanceof DuckDBBlobValue)) return undefined
  try {
    return decoder.decode(value.bytes)
  } catch {
    return undefined
  }
}
