// What a statement wants that is no question, or more than one: settings, transactions (there is nothing to
// write, but settings belong to them), copies, cursors, prepared statements, and what drivers send to tidy
// up. What is acknowledged is done; what cannot be done is refused.

import { firstWord, hasWords } from "@dosimeter/language/text/statements"
import { readCopy, type CopyCommand } from "./read-copy.ts"
import { readCursorCommand, type CursorCommand } from "./read-cursor.ts"
import { readPreparedCommand, type PreparedCommand } from "./read-prepared.ts"
import { readSettingCommand, type SettingCommand } from "./read-setting.ts"
import { readTransactionCommand, type TransactionCommand } from "./read-transaction.ts"
import { WireError } from "../wire/wire-error.ts"

/** A statement of a session. */
export type Command =
  | { readonly kind: "empty" }
  | { readonly kind: "question"; readonly sql: string }
  | SettingCommand
  | TransactionCommand
  | CopyCommand
  | CursorCommand
  | PreparedCommand
  /** Nothing to do, since there is nothing that it could be about: UNLISTEN and its like. */
  | { readonly kind: "nothing"; readonly tag: string }

/** Reads a statement. */
export function readCommand(statement: string): Command {
  const sql = statement.replace(/;\s*$/, "")
  if (!hasWords(sql)) return { kind: "empty" }
  const read = readers.get(firstWord(sql))
  return read === undefined ? { kind: "question", sql: statement } : read(sql)
}

/** Those that are no questions, by their first word. */
const readers: ReadonlyMap<string, (sql: string) => Command> = new Map<string, (sql: string) => Command>([
  ["copy", readCopy],
  ["declare", readCursorCommand],
  ["fetch", readCursorCommand],
  ["move", readCursorCommand],
  ["close", readCursorCommand],
  ["prepare", readPreparedCommand],
  ["execute", readPreparedCommand],
  ["deallocate", readPreparedCommand],
  ...["set", "reset", "show", "discard"].map((word) => [word, readSettingCommand] as const),
  ...["begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release"].map(
    (word) => [word, readTransactionCommand] as const,
  ),
  ["unlisten", () => ({ kind: "nothing", tag: "UNLISTEN" })],
  ["listen", noMessages],
  ["notify", noMessages],
])

function noMessages(): never {
  throw new WireError("0A000", "sessions send each other no messages here")
}
