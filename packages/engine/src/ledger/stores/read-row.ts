// A row of a database as an entry: what is not there, or of another kind, is unreadable rather than guessed.

import { fieldOf, textField, Unreadable } from "../entries/canonical.ts"
import type { EntryRow } from "../entry-store.ts"

/** Reads an entry from the columns that every store has. */
export function readRow(row: unknown): EntryRow {
  const request = fieldOf(row, "request")
  const settles = fieldOf(row, "settles")
  const question = fieldOf(row, "question")
  return {
    position: bigintField(row, "position"),
    hash: textField(row, "hash"),
    body: textField(row, "body"),
    keys: {
      ...(typeof request === "string" ? { request } : {}),
      ...(typeof settles === "bigint" ? { settles } : {}),
      ...(typeof question === "string" ? { question } : {}),
    },
  }
}

/** A column that holds a whole number of any size. */
export function bigintField(row: unknown, key: string): bigint {
  const value = fieldOf(row, key)
  if (typeof value !== "bigint") throw new Unreadable(`has no ${key}`)
  return value
}
