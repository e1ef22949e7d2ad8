// For tests of refusals: nothing may be drawn before a wrong parameter is refused, and what is thrown must
// say what to do.

import { DosimeterError } from "../errors/dosimeter-error.ts"
import type { RandomBits } from "../random/random-bits.ts"

/** A source that throws when it is touched: whoever refuses must do so before drawing. */
export function untouchedBits(): RandomBits {
  const touched = (): never => {
    throw new Error("a bit was drawn before the refusal")
  }
  return { word: touched, fill: touched }
}

/** The error that `run` throws; throws itself unless that is a DosimeterError with a remedy. */
export function refusalOf(run: () => unknown): DosimeterError {
  try {
    run()
  } catch (error) {
    if (!(error instanceof DosimeterError)) throw error
    if (error.help === undefined || error.help === "") throw new Error(`${error.code} has no remedy`)
    return error
  }
  throw new Error("it was not refused")
}
