// Looks of our own at a database, for which no question was charged: which data it holds, rows of public
// tables. Where one fails it is the database that cannot be reached, and nobody is told of a charge.

import { DosimeterError } from "@dosimeter/core"
import { fail } from "../errors.ts"

/** What was looked for; a failure of the database says that it could not be found out. */
export async function looking<Found>(work: Promise<Found>, what: string): Promise<Found> {
  return work.catch((error: unknown) => {
    const isOfQuestions = error instanceof DosimeterError && error.code.startsWith("backend/")
    if (isOfQuestions) fail("dataset/unreachable", { what })
    throw error
  })
}
