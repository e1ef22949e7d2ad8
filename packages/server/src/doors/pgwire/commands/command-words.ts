// The words of a session's command, for the few that are read here: COPY, PREPARE, EXECUTE, DECLARE, FETCH.
// The question inside one of them is only cut out; what it means is for the grammar to say.

import { onOneLine } from "@dosimeter/language/text/statements"
import { piecesOf, type Piece } from "@dosimeter/language/text/scan"
import { WireError } from "../wire/wire-error.ts"

/** A word, a name in quotes, a text in quotes, a number or a single character, and where it stands. */
export interface CommandWord {
  readonly kind: "word" | "name" | "text" | "number" | "mark"
  /** Without quotes; words in lower case. */
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Reads the words of a command one after the other. */
export class CommandWords {
  readonly sql: string
  readonly #words: readonly CommandWord[]
  #next = 0

  constructor(sql: string) {
    this.sql = sql
    this.#words = wordsOf(sql)
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#words.length
  }

  /** The next one, which stays. */
  get peeked(): CommandWord | undefined {
    return this.#words[this.#next]
  }

  /** The next one, whatever it is. */
  take(): CommandWord {
    const word = this.#words[this.#next]
    if (word === undefined) throw this.wrong()
    this.#next += 1
    return word
  }

  /** Takes one of these words or characters, if it is next. */
  takeIf(...wanted: readonly string[]): string | undefined {
    const word = this.peeked
    if (word === undefined || !["word", "mark"].includes(word.kind) || !wanted.includes(word.text))
      return undefined
    this.#next += 1
    return word.text
  }

  /** Takes one of these, or the command is wrong. */
  expect(...wanted: readonly string[]): string {
    const found = this.takeIf(...wanted)
    if (found === undefined) throw this.wrong()
    return found
  }

  /** A name: a word, or anything in double quotes. */
  name(): string {
    const word = this.take()
    if (word.kind !== "word" && word.kind !== "name") throw this.wrong(word)
    return word.text
  }

  /** A whole number with its sign, if one is next. */
  integer(): number | undefined {
    const before = this.#next
    const sign = this.takeIf("-", "+")
    const word = this.peeked
    if (word?.kind !== "number" || !/^\d{1,9}$/.test(word.text)) {
      this.#next = before
      return undefined
    }
    this.#next += 1
    return sign === "-" ? -Number(word.text) : Number(word.text)
  }

  /** All that comes up to the parenthesis that closes one which was taken, or to the end. */
  inside(): readonly CommandWord[] {
    const from = this.#next
    for (let depth = 1; depth > 0;) {
      const { kind, text } = this.take()
      if (kind === "mark" && text === "(") depth += 1
      if (kind === "mark" && text === ")") depth -= 1
    }
    return this.#words.slice(from, this.#next - 1)
  }

  /** How a transaction is: ISOLATION LEVEL ..., READ ONLY and so on. */
  takeModes(): void {
    while (this.takeIf(...modeWords) !== undefined) continue
  }

  /** A name with dots in it, as settings have. */
  dottedName(): string {
    const parts = [this.name()]
    while (this.takeIf(".") !== undefined) parts.push(this.name())
    return parts.join(".")
  }

  /** The rest as a value: without its quotes if it is one text or name, and otherwise as it is written. */
  value(): string {
    const first = this.take()
    const rest = this.#words.slice(this.#next)
    this.#next = this.#words.length
    if (rest.length === 0 && first.kind !== "mark") {
      return first.kind === "word" ? this.sql.slice(first.start, first.end) : first.text
    }
    const odd = [first, ...rest].find(({ kind, text }) => kind === "mark" && text.length > 1)
    if (odd !== undefined) throw this.wrong(odd)
    return onOneLine(this.sql.slice(first.start, rest.at(-1)?.end ?? first.end))
  }

  /** The rest of the text from the next word on, and where it begins. */
  rest(): { readonly sql: string; readonly start: number } {
    const word = this.take()
    this.#next = this.#words.length
    return { sql: this.sql.slice(word.start), start: word.start }
  }

  end(): void {
    if (!this.isAtEnd) throw this.wrong()
  }

  wrong(word = this.peeked): WireError {
    const near =
      word === undefined ? "at its end" : `near "${this.sql.slice(word.start, word.end).slice(0, 40)}"`
    return new WireError(
      "42601",
      `this ${this.#words[0]?.text.toUpperCase() ?? "command"} is not understood, ${near}`,
    )
  }
}

const modeWords: readonly string[] =
  "isolation level serializable repeatable read committed uncommitted only write not deferrable ,".split(" ")

/** Words between commas, at the top. */
export function splitAtCommas(words: readonly CommandWord[]): readonly (readonly CommandWord[])[] {
  const parts: CommandWord[][] = [[]]
  let depth = 0
  for (const word of words) {
    const mark = word.kind === "mark" ? word.text : ""
    depth += mark === "(" ? 1 : mark === ")" ? -1 : 0
    if (mark === "," && depth === 0) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return words.length === 0 ? [] : parts
}

function wordsOf(sql: string): readonly CommandWord[] {
  const words: CommandWord[] = []
  for (const piece of piecesOf(sql)) {
    const word = wordOf(sql, piece)
    if (word !== undefined) words.push(word)
  }
  return words
}

/** Texts with escapes, dollars or parts are one mark: no command takes one, and a question may hold them. */
function wordOf(sql: string, { kind, form, start, end, isOpen }: Piece): CommandWord | undefined {
  const written = sql.slice(start, end)
  switch (kind) {
    case "space":
    case "comment":
      return undefined
    case "word":
      return { kind: "word", text: written.toLowerCase(), start, end }
    case "number":
      return { kind: "number", text: written, start, end }
    case "string": {
      const inside = written.slice(1, -1).replaceAll("''", "")
      const isPlain = form === "plain" && written.startsWith("'") && isOpen !== true && !inside.includes("'")
      return isPlain
        ? { kind: "text", text: written.slice(1, -1).replaceAll("''", "'"), start, end }
        : { kind: "mark", text: written, start, end }
    }
    case "quoted-name":
      return form === "plain" && isOpen !== true && written !== '""'
        ? { kind: "name", text: written.slice(1, -1).replaceAll('""', '"'), start, end }
        : { kind: "mark", text: written, start, end }
    case "parameter":
    case "mark":
      return { kind: "mark", text: written, start, end }
    default:
      return kind satisfies never
  }
}
