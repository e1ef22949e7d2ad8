// A question to the person at the terminal. Where nobody can answer, what was typed is what is meant.

import { createInterface } from "node:readline"
import type { Session } from "./session.ts"

/** Whether the person says yes; true where there is no person. */
export async function confirm({ input, terminal }: Session, question: string): Promise<boolean> {
  const output = terminal?.prompt
  if (input === undefined || output === undefined) return true
  const reader = createInterface({ input, output })
  try {
    const answer = await new Promise<string>((resolve) => {
      // The end of the input is a no.
      reader.once("close", () => resolve(""))
      reader.question(`${question} [y/N] `, resolve)
    })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    reader.close()
  }
}
