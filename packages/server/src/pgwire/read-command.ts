// What a statement wants that is no question, or more than one: settings, transactions (there is nothing to
// write, so they only have a state), copies, cursors, prepared statements, and what drivers send to tidy up.

import { hasWords } from "@dosimeter/sql"
import { readCopy, type CopyCommand } from "./read-copy.ts"
import { readCursorCommand, type CursorCommand } from "./read-cursor.ts"
import { readPreparedCommand, type PreparedCommand } from "./read-prepared.ts"

/** A statement of a session. */
export type Command =
  | { readonly kind: "empty" }
  | { readonly kind: "question"; readonly sql: string }
  | { readonly kind: "set"; readonly name: string; readonly value: string }
  | { readonly kind: "show"; readonly name: string }
  | { readonly kind: "reset"; readonly name: string | undefined }
  | { readonly kind: "begin" | "commit" | "rollback" }
  | CopyCommand
  | CursorCommand
  | PreparedCommand
  | { readonly kind: "discard" }
  /** Nothing to do: LISTEN, SAVEPOINT and their like. */
  | { readonly kind: "nothing"; readonly tag: string }

/** Reads a statement. */
export function readCommand(statement: string): Command {
  const sql = statement.replace(/;\s*$/, "")
  if (!hasWords(sql)) return { kind: "empty" }
  const plain = sql.trim().replace(/^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)+/, "")
  const read = readers.get(/^\w+/.exec(plain)?.[0].toLowerCase() ?? "")
  if (read !== undefined) return read(sql)
  for (const [pattern, make] of commands) {
    const found = pattern.exec(plain)
    if (found !== null) return make(found)
  }
  return { kind: "question", sql: statement }
}

/** Those with a reader of their own, by their first word. */
const readers: ReadonlyMap<string, (sql: string) => Command> = new Map<string, (sql: string) => Command>([
  ["copy", readCopy],
  ["declare", readCursorCommand],
  ["fetch", readCursorCommand],
  ["move", readCursorCommand],
  ["close", readCursorCommand],
  ["prepare", readPreparedCommand],
  ["execute", readPreparedCommand],
  ["deallocate", readPreparedCommand],
])

const name = String.raw`("[^"]+"|[\w.]+)`

const commands: readonly (readonly [RegExp, (found: RegExpExecArray) => Command])[] = [
  [
    /^set\s+(?:session\s+characteristics\s+as\s+)?(?:local\s+|session\s+)?transaction\b/i,
    () => ({ kind: "nothing", tag: "SET" }),
  ],
  [/^set\s+(?:session\s+|local\s+)?time\s+zone\b/i, () => ({ kind: "nothing", tag: "SET" })],
  [
    new RegExp(String.raw`^set\s+(?:session\s+|local\s+)?${name}\s*(?:=|\bto\b)\s*(.+)$`, "is"),
    ([, key = "", value = ""]) => ({ kind: "set", name: unquoted(key), value: unquoted(value.trim()) }),
  ],
  [
    /^set\s+names\s+(.+)$/is,
    ([, value = ""]) => ({ kind: "set", name: "client_encoding", value: unquoted(value.trim()) }),
  ],
  [/^show\s+transaction\s+isolation\s+level$/i, () => ({ kind: "show", name: "transaction_isolation" })],
  [/^show\s+time\s+zone$/i, () => ({ kind: "show", name: "timezone" })],
  [new RegExp(String.raw`^show\s+${name}$`, "i"), ([, key = ""]) => ({ kind: "show", name: unquoted(key) })],
  [/^reset\s+all$/i, () => ({ kind: "reset", name: undefined })],
  [
    new RegExp(String.raw`^reset\s+${name}$`, "i"),
    ([, key = ""]) => ({ kind: "reset", name: unquoted(key) }),
  ],
  [/^(?:begin|start\s+transaction)\b/i, () => ({ kind: "begin" })],
  [/^(?:commit|end)\b/i, () => ({ kind: "commit" })],
  [/^rollback\s+to\b/i, () => ({ kind: "nothing", tag: "ROLLBACK" })],
  [/^(?:rollback|abort)\b/i, () => ({ kind: "rollback" })],
  [/^savepoint\b/i, () => ({ kind: "nothing", tag: "SAVEPOINT" })],
  [/^release\b/i, () => ({ kind: "nothing", tag: "RELEASE" })],
  [/^discard\s+(?:all|temp|plans|sequences)$/i, () => ({ kind: "discard" })],
  [/^(listen|unlisten|notify)\b/i, ([, word = ""]) => ({ kind: "nothing", tag: word.toUpperCase() })],
]

/** A name or value without its quotes; DEFAULT is nothing. */
function unquoted(text: string): string {
  const [, inside] = /^'((?:[^']|'')*)'$/s.exec(text) ?? /^"((?:[^"]|"")*)"$/s.exec(text) ?? []
  if (inside !== undefined) return inside.replaceAll("''", "'")
  return /^default$/i.test(text) ? "" : text
}
