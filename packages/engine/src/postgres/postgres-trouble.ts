// What a driver's error means: gone for now, given up by the server, or wrong for good. Its own words may
// quote values, so they are the cause of ours and never shown.

import { DosimeterError, makeError } from "@dosimeter/core/errors"
import { engineErrors, errorOf } from "../errors.ts"

/** The code of an error: five characters from the server, a name from the system, or none. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined
  return typeof error.code === "string" ? error.code : undefined
}

/** Whether the connection is gone: no word of the server, or one that it ends the connection. */
export function isGone(error: unknown): boolean {
  if (error instanceof DosimeterError) return false
  const code = codeOf(error) ?? ""
  return !isState(code) || code.startsWith("08") || ["57P01", "57P02", "57P03", "25P03"].includes(code)
}

/** Whether the server gave up a transaction that may succeed again, and keeps the connection. */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01"].includes(codeOf(error) ?? "")
}

/** Whether the server was waited for in vain. */
export function isHeld(error: unknown): boolean {
  return ["55P03", "57014"].includes(codeOf(error) ?? "")
}

/** An error of connecting, in our words. */
export function troubleOf(error: unknown): DosimeterError {
  if (error instanceof DosimeterError) return error
  const facts = { what: troubleWords(error) }
  return makeError(engineErrors["store/unreachable"], { code: "store/unreachable", facts, cause: error })
}

/** What an error of connecting means, in words of ours. */
export function troubleWords(error: unknown): string {
  // The driver has no code for this one.
  const hasNoPassword = error instanceof Error && /^SASL.*password must be/.test(error.message)
  if (error instanceof Error && "syscall" in error && error.syscall === "open") {
    return "a file of its certificates cannot be read"
  }
  return hasNoPassword ? "it asks for a password, and PGPASSWORD is not set" : whatOf(codeOf(error) ?? "")
}

/** What is said of a store whose connection was lost on the way. */
export function storeLost(): DosimeterError {
  return errorOf("store/unreachable", { what: "the connection was lost" })
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOENT: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "there is no such host",
  "28000": "it does not let this role in",
  "28P01": "role or password is wrong",
  "3D000": "there is no such database",
  "53300": "it has no connection left",
  "57P03": "it is still starting",
}

function whatOf(code: string): string {
  return words[code] ?? (isCertificate(code) ? "its certificate is not trusted" : "it does not answer")
}

function isState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E")
}

function isCertificate(code: string): boolean {
  return /CERT|SIGNATURE|ALTNAME/.test(code)
}
