// A yes before something is paid for.

import { createInterface } from "node:readline/promises"
import type { Session } from "./session.ts"

/** Asks a person; nobody to ask is a no. */
export async function confirmed(session: Session, question: string): Promise<boolean> {
  const { input, terminal } = session
  if (input === undefined || terminal?.prompt === undefined) return false
  const lines = createInterface({ input, output: terminal.prompt })
  // The end of the input is a no.
  const ended = new Promise<string>((resolve) => {
    lines.once("close", () => resolve(""))
  })
  try {
    return /^y(es)?$/i.test((await Promise.race([lines.question(`${question} [y/N] `), ended])).trim())
  } finally {
    lines.close()
  }
}
