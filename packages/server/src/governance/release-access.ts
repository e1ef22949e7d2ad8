// Whose releases and accounts somebody sees: all of them with the right to the audit trail; otherwise their
// own, and those of their studies.

import type { Person } from "./accounts.ts"
import type { Right } from "./roles.ts"
import type { Studies } from "./studies.ts"

/** What one sees. */
export interface Sight {
  release(charge: { readonly principal: string; readonly study: string | undefined }): boolean
  /** An account of the ledger: "dataset", "study:heart", "analyst:ada". */
  account(name: string): boolean
  /**
   * Whether they are told what became of a charge: those who see the audit trail are, and whoever asked,
   * unless every answer waits for an approval there. To all others a failure looks as an answer does.
   */
  outcome(charge: { readonly principal: string }, isHeld: boolean): boolean
}

/** What somebody with these rights sees. */
export async function sightOf(
  person: Pick<Person, "name">,
  rights: readonly Right[],
  studies: Studies,
): Promise<Sight> {
  if (rights.includes("see-audit")) {
    return { release: () => true, account: () => true, outcome: () => true }
  }
  const all = await studies.list()
  const own = new Set(all.filter(({ people }) => people.includes(person.name)).map(({ id }) => id))
  return {
    release: ({ principal, study }) => principal === person.name || (study !== undefined && own.has(study)),
    account: (name) =>
      name === "dataset" ||
      name === `analyst:${person.name}` ||
      (name.startsWith("study:") && own.has(name.slice("study:".length))),
    outcome: ({ principal }, isHeld) => principal === person.name && !isHeld,
  }
}
