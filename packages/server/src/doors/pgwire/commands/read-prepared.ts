// Statements that SQL prepares: PREPARE, EXECUTE and DEALLOCATE. They share their names with those of the
// protocol.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import { CommandWords, splitAtCommas, type CommandWord } from "./command-words.ts"
import { readParameter } from "../wire/read-parameter.ts"
import { WireError } from "../wire/wire-error.ts"
import { typeNamed } from "../wire/wire-types.ts"

/** A command about a prepared statement. */
export type PreparedCommand =
  | {
      readonly kind: "prepare"
      readonly name: string
      readonly types: readonly number[]
      readonly sql: string
      readonly start: number
    }
  | { readonly kind: "execute"; readonly name: string; readonly values: readonly ArgumentOf[] }
  /** All of them, without a name. */
  | { readonly kind: "deallocate"; readonly name: string | undefined }

/** A value for a parameter, given the type that the statement was prepared with (0: none). */
export type ArgumentOf = (type: number) => Constant

/** Reads a statement that begins with PREPARE, EXECUTE or DEALLOCATE. */
export function readPreparedCommand(statement: string): PreparedCommand {
  const words = new CommandWords(statement)
  const first = words.expect("prepare", "execute", "deallocate")
  if (first === "deallocate") {
    words.takeIf("prepare")
    const command = {
      kind: "deallocate",
      name: words.takeIf("all") === undefined ? words.name() : undefined,
    } as const
    words.end()
    return command
  }
  if (first === "prepare" && words.takeIf("transaction") !== undefined)
    throw new WireError("0A000", "transactions are not prepared here")
  const name = words.name()
  const given = words.takeIf("(") === undefined ? [] : splitAtCommas(words.inside())
  if (first === "execute") {
    words.end()
    return { kind: "execute", name, values: given.map((part) => argumentOf(part, words)) }
  }
  words.expect("as")
  return { kind: "prepare", name, types: given.map(typeOf), ...words.rest() }
}

/** A literal: 5, -0.5, 'text', DATE '2020-01-01', TRUE, NULL, each with ::type if need be. */
function argumentOf(part: readonly CommandWord[], words: CommandWords): ArgumentOf {
  const at = part.findIndex(({ kind, text }) => kind === "mark" && text === ":")
  const literal = at === -1 ? part : part.slice(0, at)
  const cast = at === -1 ? 0 : typeOf(part.slice(at + 2))
  const minus = literal[0]?.kind === "mark" && literal[0].text === "-" ? "-" : ""
  const value = literal.at(-1)
  const before = literal.slice(minus === "" ? 0 : 1, -1)
  if (value === undefined) throw words.wrong()
  if (value.kind === "number" && before.length === 0)
    return (type) =>
      readParameter(Buffer.from(`${minus}${value.text}`), cast || type || typeNamed("numeric"), 0)
  if (value.kind === "text" && minus === "" && before.every(({ kind }) => kind === "word"))
    return (type) => readParameter(Buffer.from(value.text), typeOf(before) || cast || type, 0)
  if (value.kind === "word" && literal.length === 1) {
    if (value.text === "null") return () => ({ kind: "null" })
    if (value.text === "true" || value.text === "false")
      return () => ({ kind: "boolean", value: value.text === "true" })
  }
  throw new WireError(
    "0A000",
    "EXECUTE takes literals only",
    "write each value as 5, 'text', DATE '2020-01-01' or NULL",
  )
}

function typeOf(words: readonly CommandWord[]): number {
  return typeNamed(
    words
      .filter(({ kind }) => kind === "word" || kind === "name")
      .map(({ text }) => text)
      .join(" "),
  )
}
