// Limits of a text before anything else is done with it: its length, its parameters, and that everything that
// is opened in it is closed. Where a string does not end, nobody can say which statements a text has.

import { parameterCount, parametersMax, questionLengthMax } from "@dosimeter/language/text/statements"
import { piecesOf, type Piece } from "@dosimeter/language/text/scan"
import { WireError } from "../wire/wire-error.ts"

/** Refuses a text that is too long, names too many parameters, or does not end. */
export function checkText(text: string): void {
  if (text.length > questionLengthMax)
    throw new WireError("54000", `a statement has at most ${questionLengthMax} characters`)
  if (parameterCount(text) > parametersMax)
    throw new WireError(
      "54000",
      `a statement has at most ${parametersMax} parameters`,
      `write $1 to $${parametersMax}`,
    )
  for (const piece of piecesOf(text)) {
    if (piece.isOpen === true)
      throw new WireError("42601", `unterminated ${nameOf(piece)}`, "close it, and send the text again")
  }
}

function nameOf({ kind, form }: Piece): string {
  if (kind === "comment") return "/* comment"
  if (kind === "quoted-name") return "quoted identifier"
  return form === "dollar" ? "dollar-quoted string" : "quoted string"
}
