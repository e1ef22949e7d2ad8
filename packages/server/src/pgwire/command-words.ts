// The words of a session's command, for the few that are read here: COPY, PREPARE, EXECUTE, DECLARE, FETCH.
// The question inside one of them is only cut out; what it means is for the grammar to say.

import { WireError } from "./wire-error.ts"

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
  return [...sql.matchAll(pieces)].flatMap(({ 0: found, index, groups = {} }): readonly CommandWord[] => {
    const place = { start: index, end: index + found.length }
    if (groups["text"] !== undefined)
      return [{ kind: "text", text: found.slice(1, -1).replaceAll("''", "'"), ...place }]
    if (groups["name"] !== undefined)
      return [{ kind: "name", text: found.slice(1, -1).replaceAll('""', '"'), ...place }]
    if (groups["word"] !== undefined) return [{ kind: "word", text: found.toLowerCase(), ...place }]
    if (groups["number"] !== undefined) return [{ kind: "number", text: found, ...place }]
    return groups["space"] === undefined ? [{ kind: "mark", text: found, ...place }] : []
  })
}

/** Texts with escapes or dollars are one mark: no command here takes one, and a question may hold them. */
const pieces = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*|\/\*[^]*?\*\/)`,
    String.raw`e'(?:[^'\\]|''|\\[^])*'`,
    String.raw`\$(?<tag>[a-z_]*)\$[^]*?\$\k<tag>\$`,
    String.raw`(?<text>'(?:[^']|'')*')`,
    String.raw`(?<name>"(?:[^"]|"")+")`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_$]*)`,
    String.raw`(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)`,
    "[^]",
  ].join("|"),
  "giu",
)
