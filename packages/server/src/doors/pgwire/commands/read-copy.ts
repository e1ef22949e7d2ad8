// COPY (question) TO STDOUT with its options, in the form of today and in the one of old that psql's \copy
// keeps.

import { CommandWords, splitAtCommas, type CommandWord } from "./command-words.ts"
import { WireError } from "../wire/wire-error.ts"

/** How a copied answer is written. */
export interface CopyFormat {
  readonly format: "text" | "csv"
  readonly delimiter: string
  readonly null: string
  readonly header: boolean
  readonly quote: string
  readonly escape: string
  /** Columns that are in quotes always. */
  readonly forceQuote: readonly string[] | "all"
}

/** A question whose answer is copied to the client. */
export interface CopyCommand {
  readonly kind: "copy"
  readonly sql: string
  readonly start: number
  readonly format: CopyFormat
}

/** Reads a statement that begins with COPY. */
export function readCopy(statement: string): CopyCommand {
  const words = new CommandWords(statement)
  words.expect("copy")
  if (words.takeIf("(") === undefined) {
    throw new WireError("0A000", "COPY gives answers here, not rows of tables", "COPY (SELECT ...) TO STDOUT")
  }
  const inside = words.inside()
  const [start, end] = [inside[0]?.start ?? 0, inside.at(-1)?.end ?? 0]
  if (words.takeIf("to") === undefined || words.takeIf("stdout") === undefined) {
    throw new WireError("0A000", "COPY goes to the client and nowhere else", "COPY (SELECT ...) TO STDOUT")
  }
  words.takeIf("with")
  const options = words.takeIf("(") === undefined ? oldOptions(words) : newOptions(words)
  words.end()
  return { kind: "copy", sql: statement.slice(start, end), start, format: formatOf(options) }
}

type Options = ReadonlyMap<string, string | readonly string[]>

/** FORMAT csv, HEADER, DELIMITER ';' in parentheses. */
function newOptions(words: CommandWords): Options {
  const options = new Map<string, string | readonly string[]>()
  for (const [name, ...value] of splitAtCommas(words.inside())) {
    if (name === undefined) throw words.wrong()
    const isList = value[0]?.text === "(" && value[0].kind === "mark"
    if (!isList && value.length > 1) throw words.wrong(value[1])
    options.set(name.text, isList ? namesIn(value) : (value[0]?.text ?? "true"))
  }
  return options
}

/** CSV HEADER DELIMITER AS ';' NULL '' FORCE QUOTE a, b. */
function oldOptions(words: CommandWords): Options {
  const options = new Map<string, string | readonly string[]>()
  while (!words.isAtEnd) {
    const name = words.expect(
      "binary",
      "csv",
      "header",
      "delimiter",
      "delimiters",
      "null",
      "quote",
      "escape",
      "force",
      "encoding",
    )
    if (name === "binary" || name === "csv") options.set("format", name)
    else if (name === "header") options.set("header", "true")
    else if (name === "force") {
      words.expect("quote")
      const names = [words.takeIf("*") ?? words.name()]
      while (words.takeIf(",") !== undefined) names.push(words.name())
      options.set("force_quote", names[0] === "*" ? "*" : names)
    } else {
      words.takeIf("as")
      const value = words.take()
      if (value.kind !== "text") throw words.wrong(value)
      options.set(name === "delimiters" ? "delimiter" : name, value.text)
    }
  }
  return options
}

function namesIn(value: readonly CommandWord[]): readonly string[] {
  return value.filter(({ kind }) => kind === "word" || kind === "name").map(({ text }) => text)
}

function formatOf(options: Options): CopyFormat {
  const one = (name: string, otherwise: string): string => {
    const value = options.get(name) ?? otherwise
    if (typeof value !== "string") throw bad(name, "a value")
    return value
  }
  const unknown = [...options.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new WireError("42601", `COPY has no option ${unknown.join(", ")}`)
  const format = one("format", "text").toLowerCase()
  if (format !== "text" && format !== "csv")
    throw new WireError(
      "0A000",
      `COPY in format ${format.slice(0, 40)} is not possible here`,
      "write FORMAT csv, or FORMAT text",
    )
  const isCsv = format === "csv"
  if (!isCsv && ["quote", "escape", "force_quote"].some((name) => options.has(name)))
    throw new WireError("22023", "quotes are for FORMAT csv only")
  if (!/^(utf-?8|unicode)$/i.test(one("encoding", "utf8"))) throw bad("encoding", "UTF8")
  const quote = character(one("quote", '"'), "quote")
  const delimiter = character(one("delimiter", isCsv ? "," : "\t"), "delimiter")
  if (isCsv ? delimiter === quote : /[\\.a-z0-9]/.test(delimiter)) throw bad("delimiter", "another character")
  const nothing = one("null", isCsv ? "" : "\\N")
  if (/[\r\n]/.test(nothing) || nothing.includes(delimiter))
    throw bad("null", "a text without line ends and delimiters")
  const forced = options.get("force_quote") ?? []
  return {
    format,
    delimiter,
    null: nothing,
    header: truth(one("header", "false")),
    quote,
    escape: character(one("escape", quote), "escape"),
    forceQuote: forced === "*" ? "all" : typeof forced === "string" ? [forced] : forced,
  }
}

const known = ["format", "delimiter", "null", "header", "quote", "escape", "force_quote", "encoding"]

function character(text: string, name: string): string {
  const code = text.length === 1 ? text.charCodeAt(0) : 0
  if (code === 0 || code > 127 || /[\r\n]/.test(text)) throw bad(name, "a single character")
  return text
}

function truth(text: string): boolean {
  if (/^(true|on|1)$/i.test(text)) return true
  if (/^(false|off|0)$/i.test(text)) return false
  throw bad("header", "true or false")
}

function bad(name: string, wanted: string): WireError {
  return new WireError("22023", `the option ${name} of COPY must be ${wanted}`)
}
