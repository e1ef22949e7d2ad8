// Statements about blocks: BEGIN, COMMIT, ROLLBACK and savepoints. Nothing is written here; what a block
// holds is its settings and cursors.

import { CommandWords } from "./command-words.ts"
import { WireError } from "../wire/wire-error.ts"

/** A command about a block. */
export type TransactionCommand =
  | { readonly kind: "begin" | "commit" | "rollback" }
  | { readonly kind: "savepoint" | "release" | "rollback-to"; readonly name: string }

/** Reads a statement that begins with one of their words. */
export function readTransactionCommand(statement: string): TransactionCommand {
  const words = new CommandWords(statement)
  const first = words.expect("begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release")
  const command = readAfter(first, words)
  words.end()
  return command
}

function readAfter(first: string, words: CommandWords): TransactionCommand {
  switch (first) {
    case "savepoint":
      return { kind: "savepoint", name: words.name() }
    case "release":
      words.takeIf("savepoint")
      return { kind: "release", name: words.name() }
    case "start":
      words.expect("transaction")
      words.takeModes()
      return { kind: "begin" }
    case "begin":
      words.takeIf("work", "transaction")
      words.takeModes()
      return { kind: "begin" }
    case "commit":
    case "end":
      words.takeIf("work", "transaction")
      noChain(words)
      return { kind: "commit" }
    default:
      words.takeIf("work", "transaction")
      if (first === "rollback" && words.takeIf("to") !== undefined) {
        words.takeIf("savepoint")
        return { kind: "rollback-to", name: words.name() }
      }
      noChain(words)
      return { kind: "rollback" }
  }
}

function noChain(words: CommandWords): void {
  if (words.takeIf("and") === undefined) return
  if (words.takeIf("no") === undefined)
    throw new WireError("0A000", "blocks are not chained here", "BEGIN the next one")
  words.expect("chain")
}
