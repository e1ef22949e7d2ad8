// `dosimeter check`: a policy against its source, with what it claims of the data.

import { readOpening, readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Policy } from "@dosimeter/policy/file/policy"
import { checkEngine } from "./check-engine.ts"
import { checkClaims } from "./check-claims.ts"
import { openDiscovered } from "./discover.ts"
import { readAgainst } from "./read-against.ts"

/** Reads a policy against its source and looks at its claims, as on every opening: keys, and NULLs. */
export async function checkWithSource(text: string, folder: string): Promise<Policy> {
  const opening = readOpening(text)
  if (opening === undefined) return readPolicy(text)
  const { opened, facts } = await openDiscovered(opening.source, folder)
  try {
    await checkEngine(opened.connection)
    const policy = await readAgainst(text, opened, facts)
    await checkClaims(opened, policy)
    return policy
  } finally {
    opened.close()
  }
}
