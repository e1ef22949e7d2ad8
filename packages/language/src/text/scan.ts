// The pieces of a text of SQL, found in one walk from left to right: comments, strings, names, numbers,
// marks. Where each begins and ends is as in PostgreSQL's own lexer. Every door cuts texts with this and
// nothing else, so that no two of them can disagree about where a string ends; and no character is looked at
// more than a fixed number of times, whatever the text is.

/** What a piece is. A mark is a single character. */
export type PieceKind =
  | "space"
  | "comment"
  | "string"
  | "quoted-name"
  | "word"
  | "number"
  | "parameter"
  | "mark"

/** A piece of a text. */
export interface Piece {
  readonly kind: PieceKind
  readonly start: number
  readonly end: number
  /** For strings and names in quotes: how they are written. A string that does not end is open. */
  readonly form?: "plain" | "escape" | "unicode" | "bits" | "dollar"
  readonly isOpen?: true
}

/** Counts the characters that are looked at. */
export interface ScanMeter {
  steps: number
}

/** All pieces of a text, one after the other; together they are the text. */
export function* piecesOf(text: string, meter: ScanMeter = { steps: 0 }): Generator<Piece, void> {
  const scanner = new Scanner(text, meter)
  for (let at = 0; at < text.length;) {
    const piece = scanner.pieceAt(at)
    yield piece
    at = piece.end
  }
}

class Scanner {
  readonly #text: string
  readonly #meter: ScanMeter

  constructor(text: string, meter: ScanMeter) {
    this.#text = text
    this.#meter = meter
  }

  pieceAt(start: number): Piece {
    const [here, next] = [this.#code(start), this.#code(start + 1)]
    if (isSpace(here)) return { kind: "space", start, end: this.#while(start, isSpace) }
    if (here === dash && next === dash)
      return { kind: "comment", start, end: this.#while(start, isNoLineEnd) }
    if (here === slash && next === star) return this.#comment(start)
    if (here === quote) return this.#string(start, start, "plain")
    if (here === doubleQuote) return this.#quotedName(start, start)
    if (here === dollar) return this.#dollar(start)
    if (isDigit(here) || (here === dot && isDigit(next))) return this.#number(start)
    if (isNameStart(here)) return this.#word(start)
    return { kind: "mark", start, end: start + 1 }
  }

  /** Comments hold comments; one that does not end reaches to the end of the text. */
  #comment(start: number): Piece {
    let at = start + 2
    for (let depth = 1; depth > 0;) {
      const [here, next] = [this.#code(at), this.#code(at + 1)]
      if (Number.isNaN(here)) return { kind: "comment", start, end: this.#text.length, isOpen: true }
      const opens = here === slash && next === star
      const closes = here === star && next === slash
      if (opens) depth += 1
      if (closes) depth -= 1
      at += opens || closes ? 2 : 1
    }
    return { kind: "comment", start, end: at }
  }

  /** A string from the quote at `open`. Parts on lines of their own belong to it, in the form of the first. */
  #string(start: number, open: number, form: "plain" | "escape" | "unicode" | "bits"): Piece {
    let at = open + 1
    for (;;) {
      const here = this.#code(at)
      if (Number.isNaN(here)) return { kind: "string", form, start, end: this.#text.length, isOpen: true }
      if (here === backslash && form === "escape") at += 2
      else if (here !== quote) at += 1
      else if (this.#code(at + 1) === quote) at += 2
      else {
        const again = this.#continuation(at + 1)
        if (again === undefined) return { kind: "string", form, start, end: at + 1 }
        at = again + 1
      }
    }
  }

  /** The quote that goes on with a string: after white space with a line end, and comments of a line. */
  #continuation(from: number): number | undefined {
    let hasLineEnd = false
    for (let at = from; ;) {
      const here = this.#code(at)
      if (isSpace(here)) {
        hasLineEnd ||= !isNoLineEnd(here)
        at += 1
      } else if (here === dash && this.#code(at + 1) === dash) {
        at = this.#while(at, isNoLineEnd)
      } else return here === quote && hasLineEnd ? at : undefined
    }
  }

  #quotedName(start: number, open: number): Piece {
    const form = start === open ? "plain" : "unicode"
    for (let at = open + 1; ;) {
      const here = this.#code(at)
      if (Number.isNaN(here)) {
        return { kind: "quoted-name", form, start, end: this.#text.length, isOpen: true }
      }
      if (here !== doubleQuote) at += 1
      else if (this.#code(at + 1) === doubleQuote) at += 2
      else return { kind: "quoted-name", form, start, end: at + 1 }
    }
  }

  /** $1 is a parameter, $$ and $tag$ begin a string; any other dollar is a mark. */
  #dollar(start: number): Piece {
    const next = this.#code(start + 1)
    if (isDigit(next)) return { kind: "parameter", start, end: this.#while(start + 1, isDigit) }
    const tagEnd = isNameStart(next) ? this.#while(start + 1, isTagPart) : start + 1
    if (this.#code(tagEnd) !== dollar) return { kind: "mark", start, end: start + 1 }
    const delimiter = this.#text.slice(start, tagEnd + 1)
    const found = this.#text.indexOf(delimiter, tagEnd + 1)
    const end = found < 0 ? this.#text.length : found + delimiter.length
    this.#meter.steps += end - start
    return found < 0
      ? { kind: "string", form: "dollar", start, end, isOpen: true }
      : { kind: "string", form: "dollar", start, end }
  }

  /** Digits, and whatever is written on to them: 1.5e-3, 0xff, 1_000; letters after a number are an error. */
  #number(start: number): Piece {
    let at = this.#while(start, isNumberPart)
    const isExponent = /e/i.test(this.#text[at - 1] ?? "") && !/^0x/i.test(this.#text.slice(start, start + 2))
    const sign = this.#code(at)
    if (isExponent && (sign === plus || sign === dash) && isDigit(this.#code(at + 1))) {
      at = this.#while(at + 1, isNumberPart)
    }
    return { kind: "number", start, end: at }
  }

  /** A word, unless it is the letter before a string or a name in quotes. */
  #word(start: number): Piece {
    const end = this.#while(start, isNamePart)
    const letter = end === start + 1 ? (this.#text[start] ?? "").toLowerCase() : ""
    const next = letter === "" ? Number.NaN : this.#code(end)
    if (next === quote && letter === "e") return this.#string(start, end, "escape")
    if (next === quote && (letter === "b" || letter === "x")) return this.#string(start, end, "bits")
    if (next === quote && letter === "n") return this.#string(start, end, "plain")
    if (letter === "u" && next === ampersand) {
      const third = this.#code(end + 1)
      if (third === quote) return this.#string(start, end + 1, "unicode")
      if (third === doubleQuote) return this.#quotedName(start, end + 1)
    }
    return { kind: "word", start, end }
  }

  /** Where the run of such characters ends. */
  #while(start: number, isPart: (code: number) => boolean): number {
    let at = start
    while (isPart(this.#code(at))) at += 1
    return at
  }

  /** The UTF-16 unit at a place; NaN past the end. */
  #code(at: number): number {
    this.#meter.steps += 1
    return this.#text.charCodeAt(at)
  }
}

const [quote, doubleQuote, dollar, backslash] = [0x27, 0x22, 0x24, 0x5c]
const [slash, star, dash, plus, dot, ampersand] = [0x2f, 0x2a, 0x2d, 0x2b, 0x2e, 0x26]

/** Space, tab, line feed, vertical tab, form feed, carriage return; nothing beyond ASCII is space. */
function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function isNoLineEnd(code: number): boolean {
  return !Number.isNaN(code) && code !== 0x0a && code !== 0x0d
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code >= 0x80
}

function isTagPart(code: number): boolean {
  return isNameStart(code) || isDigit(code)
}

function isNamePart(code: number): boolean {
  return isTagPart(code) || code === dollar
}

function isNumberPart(code: number): boolean {
  return isTagPart(code) || code === dot
}
