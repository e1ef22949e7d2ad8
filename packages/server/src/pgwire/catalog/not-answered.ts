// The refusal of a question about catalogs. Nothing of it was sent anywhere.

import { WireError } from "../wire-error.ts"

/** Refuses, and says what is not known here. */
export function notAnswered(what: string): never {
  throw new WireError(
    "0A000",
    `this question about the catalogs is not answered here: ${what}`,
    "tables and columns are in information_schema.tables and information_schema.columns",
  )
}
