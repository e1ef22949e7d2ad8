// Cursors of SQL: DECLARE, FETCH, MOVE and CLOSE. An answer is there as a whole once it is released, so a
// cursor can go both ways unless it was declared not to.

import { CommandWords } from "./command-words.ts"
import { WireError } from "../wire/wire-error.ts"

/** Where a cursor goes. Forward by a negative number is backward. */
export type CursorStep =
  | { readonly kind: "forward"; readonly count: number | "all" }
  | { readonly kind: "backward"; readonly count: number | "all" }
  | { readonly kind: "absolute"; readonly to: number }
  | { readonly kind: "relative"; readonly to: number }

/** A command about a cursor. */
export type CursorCommand =
  | {
      readonly kind: "declare"
      readonly name: string
      readonly sql: string
      readonly start: number
      readonly canGoBack: boolean
      /** Whether it outlives its block. */
      readonly isHeld: boolean
    }
  | { readonly kind: "fetch"; readonly name: string; readonly step: CursorStep; readonly withRows: boolean }
  /** Of all of them, without a name. */
  | { readonly kind: "close"; readonly name: string | undefined }

/** Reads a statement that begins with DECLARE, FETCH, MOVE or CLOSE. */
export function readCursorCommand(statement: string): CursorCommand {
  const words = new CommandWords(statement)
  const first = words.expect("declare", "fetch", "move", "close")
  if (first === "declare") return readDeclare(words)
  if (first === "close") {
    const command = {
      kind: "close",
      name: words.takeIf("all") === undefined ? words.name() : undefined,
    } as const
    words.end()
    return command
  }
  const step = readStep(words)
  words.takeIf("from", "in")
  const name = words.name()
  words.end()
  return { kind: "fetch", name, step, withRows: first === "fetch" }
}

function readDeclare(words: CommandWords): CursorCommand {
  const name = words.name()
  let canGoBack = true
  for (let word = words.expect(...declareWords); word !== "cursor"; word = words.expect(...declareWords)) {
    if (word === "binary") throw new WireError("0A000", "cursors are not binary here", "leave out BINARY")
    if (word === "no") {
      words.expect("scroll")
      canGoBack = false
    }
  }
  const held = words.takeIf("with", "without")
  if (held !== undefined) words.expect("hold")
  words.expect("for")
  return { kind: "declare", name, canGoBack, isHeld: held === "with", ...words.rest() }
}

const declareWords = ["binary", "asensitive", "insensitive", "no", "scroll", "cursor"]

function readStep(words: CommandWords): CursorStep {
  const count = words.integer()
  if (count !== undefined) return { kind: "forward", count }
  switch (
    words.takeIf("next", "prior", "first", "last", "all", "absolute", "relative", "forward", "backward")
  ) {
    case "prior":
      return { kind: "backward", count: 1 }
    case "first":
      return { kind: "absolute", to: 1 }
    case "last":
      return { kind: "absolute", to: -1 }
    case "all":
      return { kind: "forward", count: "all" }
    case "absolute":
      return { kind: "absolute", to: required(words) }
    case "relative":
      return { kind: "relative", to: required(words) }
    case "forward":
      return { kind: "forward", count: countOf(words) }
    case "backward":
      return { kind: "backward", count: countOf(words) }
    default:
      return { kind: "forward", count: 1 }
  }
}

function countOf(words: CommandWords): number | "all" {
  return words.takeIf("all") === undefined ? (words.integer() ?? 1) : "all"
}

function required(words: CommandWords): number {
  const number = words.integer()
  if (number === undefined) throw words.wrong()
  return number
}

/**
 * Moves a cursor over so many rows, as PostgreSQL does. Its position is the row that was given last, counted
 * from one; 0 is before the first, and one more than there are rows after the last. Gives the rows on the
 * way, counted from zero.
 */
export function moveCursor(
  position: number,
  rows: number,
  step: CursorStep,
): { readonly position: number; readonly rows: readonly number[] } {
  const within = (to: number): number => Math.max(0, Math.min(rows + 1, to))
  const only = (at: number) => ({ position: at, rows: at >= 1 && at <= rows ? [at - 1] : [] })
  if (step.kind === "absolute") return only(within(step.to < 0 ? rows + 1 + step.to : step.to))
  if (step.kind === "relative") return only(within(position + step.to))
  const count = step.count === "all" ? rows + 1 : step.count
  if (count === 0) return only(position)
  const to = within(step.kind === "forward" ? position + count : position - count)
  const direction = to > position ? 1 : -1
  const passed = Array.from(
    { length: Math.abs(to - position) },
    (_, index) => position + direction * (index + 1),
  )
  return { position: to, rows: passed.filter((at) => at >= 1 && at <= rows).map((at) => at - 1) }
}
