// The refusals of a question about catalogs. Nothing of it was sent anywhere.

import { WireError } from "../wire/wire-error.ts"

/** Refuses, and says what is not known here. */
export function notAnswered(what: string): never {
  throw new WireError(
    "0A000",
    `this question about the catalogs is not answered here: ${what}`,
    "tables and columns are in information_schema.tables and information_schema.columns",
  )
}

/** Refuses what is beyond a limit. */
export function tooMuch(what: string): never {
  throw new WireError("54000", `this question about the catalogs is too large: ${what}`, "ask for less")
}
