// Whose releases and accounts somebody sees: all of them with the right to the audit trail; otherwise their
// own, and those of their studies. The text of a question, which may hold names that an analyst typed, is for
// who asked it, the owner and the committee.

import type { Person } from "../people/accounts.ts"
import type { Right } from "../people/roles.ts"
import type { Studies } from "../studies/studies.ts"

/** What somebody sees. */
export interface Sight {
  release(charge: { readonly principal: string; readonly study: string | undefined }): boolean
  /** An account of the ledger: "dataset", "study:heart", "analyst:ada". */
  account(name: string): boolean
  /**
   * Whether they are told what became of a charge: those who see the audit trail are, and whoever asked,
   * unless every answer waits for an approval there. To all others a failure is listed as an answer is; where
   * they may read the answers of their study, they see that there is none.
   */
  outcome(charge: { readonly principal: string }, isHeld: boolean): boolean
}

/** Whether somebody sees what was asked, besides what came of it. */
export function seesQuestion(
  { name }: Pick<Person, "name">,
  rights: readonly Right[],
  { principal }: { readonly principal: string },
): boolean {
  return principal === name || rights.includes("review-releases")
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
