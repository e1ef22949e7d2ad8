// That a source cannot be reached, in words of ours: what the driver says may quote what it was sent.

import { DosimeterError } from "@dosimeter/core"
import { errorOf } from "../../errors.ts"
import { troubleWords } from "../../postgres/postgres-trouble.ts"

/** An error of connecting, without anything of the driver's. */
export function unreachable(error: unknown): DosimeterError {
  return error instanceof DosimeterError
    ? error
    : errorOf("dataset/unreachable", { what: troubleWords(error) })
}
