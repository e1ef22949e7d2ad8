// A yes before something is paid for.

import { createInterface } from "node:readline/promises"
import type { Session } from "./session.ts"

/** Asks a person; nobody to ask is a no. */
export async function confirmed(session: Session, question: string): Promise<boolean> {
  const { input, terminal } = session
  if (input === undefined || terminal?.prompt === undefined) return false
  const lines = createInterface({ input, output: terminal.prompt })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}
