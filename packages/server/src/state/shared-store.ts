// Where ledger and state are kept if several servers share them: one address for every command, from --store
// or from the environment.

import { postgresAddress } from "@dosimeter/engine"
import { fail } from "../errors.ts"

/** The address to use, checked: a typed one counts before that of the environment. */
export function sharedStore(
  typed: string | undefined,
  fromEnvironment: string | undefined,
): string | undefined {
  // Everybody on the machine can read what was typed.
  if (typed !== undefined && postgresAddress(typed).hasPassword) fail("cli/store-password", {})
  const given = typed ?? fromEnvironment
  if (given === undefined || given === "") return undefined
  postgresAddress(given)
  return given
}
