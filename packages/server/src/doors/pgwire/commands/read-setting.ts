// Statements about settings: SET, RESET, SHOW and DISCARD.

import { CommandWords } from "./command-words.ts"
import { WireError } from "../wire/wire-error.ts"

/** A command about settings. */
export type SettingCommand =
  /** A local one ends with its block. */
  | { readonly kind: "set"; readonly name: string; readonly value: string; readonly isLocal: boolean }
  | { readonly kind: "show"; readonly name: string }
  /** All of them, without a name. */
  | { readonly kind: "reset"; readonly name: string | undefined }
  | { readonly kind: "discard" }
  | { readonly kind: "nothing"; readonly tag: string }

/** Reads a statement that begins with SET, RESET, SHOW or DISCARD. */
export function readSettingCommand(statement: string): SettingCommand {
  const words = new CommandWords(statement)
  switch (words.expect("set", "reset", "show", "discard")) {
    case "set":
      return readSet(words)
    case "show":
      return ended(words, { kind: "show", name: nameOf(words) })
    case "discard": {
      // Plans, sequences and temporary tables are not kept here.
      const what = words.expect("all", "plans", "sequences", "temp", "temporary")
      const tag = `DISCARD ${what === "temporary" ? "TEMP" : what.toUpperCase()}`
      return ended(words, what === "all" ? { kind: "discard" } : { kind: "nothing", tag })
    }
    default:
      return readReset(words)
  }
}

function readReset(words: CommandWords): SettingCommand {
  if (words.takeIf("all") !== undefined) return ended(words, { kind: "reset", name: undefined })
  const name = nameOf(words)
  // A session has one role, so there is no role to go back to.
  if (name === "role" || name === "session_authorization")
    return ended(words, { kind: "nothing", tag: "RESET" })
  return ended(words, { kind: "reset", name })
}

function readSet(words: CommandWords): SettingCommand {
  const scope = words.takeIf("session", "local")
  const isLocal = scope === "local"
  const word = words.peeked?.kind === "word" ? words.peeked.text : ""
  if (scope === "session" && word === "characteristics") {
    words.take()
    words.expect("as")
    words.expect("transaction")
    return modes(words)
  }
  if (word === "transaction") {
    words.take()
    return modes(words)
  }
  if ((scope === "session" && word === "authorization") || word === "role") return readRole(words)
  if (word === "time" || word === "names") return readNamed(words, isLocal)
  const name = words.dottedName()
  words.expect("=", "to")
  return valued(name, words, isLocal)
}

/** TIME ZONE value; NAMES value. */
function readNamed(words: CommandWords, isLocal: boolean): SettingCommand {
  if (words.expect("time", "names") === "names") return valued("client_encoding", words, isLocal)
  words.expect("zone")
  return valued("timezone", words, isLocal)
}

/** A value; DEFAULT is a way back, as long as the session lasts. */
function valued(name: string, words: CommandWords, isLocal: boolean): SettingCommand {
  const isDefault = words.peeked?.kind === "word" && words.peeked.text === "default"
  if (!isDefault) return { kind: "set", name, value: words.value(), isLocal }
  words.take()
  if (isLocal) throw new WireError("0A000", "SET LOCAL to DEFAULT is not possible here", "name the value")
  return ended(words, { kind: "reset", name })
}

function readRole(words: CommandWords): SettingCommand {
  words.take()
  if (words.takeIf("none", "default") === undefined)
    throw new WireError("42501", "nobody can be another one here", "sign in as them")
  return ended(words, { kind: "nothing", tag: "SET" })
}

/** How transactions are: nothing is written here, so each of them is as isolated as can be. */
function modes(words: CommandWords): SettingCommand {
  words.takeModes()
  return ended(words, { kind: "nothing", tag: "SET" })
}

/** The name of a setting; two have names of several words. */
function nameOf(words: CommandWords): string {
  if (words.takeIf("time") !== undefined) {
    words.expect("zone")
    return "timezone"
  }
  if (words.takeIf("session") !== undefined) {
    words.expect("authorization")
    return "session_authorization"
  }
  if (words.takeIf("transaction") === undefined) return words.dottedName()
  words.expect("isolation")
  words.expect("level")
  return "transaction_isolation"
}

function ended(words: CommandWords, command: SettingCommand): SettingCommand {
  words.end()
  return command
}
