// Opening an approved study: its share of the budget becomes an account in the ledger, and the study active.

import { budgetFor } from "@dosimeter/core"
import { shareForCharges } from "@dosimeter/core/accounting"
import type { Ledger } from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import { fail } from "../errors.ts"
import type { Studies, Study } from "./studies.ts"
import type { Actor } from "./study-state.ts"

/** Opens a study. The account in the ledger is opened first, so that every active study has one. */
export async function activateStudy(
  studies: Studies,
  id: string,
  { actor, ledger, policy }: { readonly actor: Actor; readonly ledger: Ledger; readonly policy: Policy },
): Promise<Study> {
  const study = (await studies.find(id)) ?? fail("study/unknown", { study: id.slice(0, 80) })
  const { accounting } = policy.terms.budget
  const delta = accounting === "pure" && Number(study.delta) === 0 ? 0 : study.delta
  // A study's delta is split as the dataset's is.
  const deltaForCharges = shareForCharges(policy.terms.budget)
  const budget = budgetFor({ epsilon: study.epsilon, delta, accounting, deltaForCharges })
  const by = study.reviews.map(({ reviewer }) => reviewer)
  await studies.activate(id, actor, async () => {
    // The ledger may begin here, before anything was asked: a study's account is inside the dataset's.
    await ledger.openAccount("dataset", policy.terms.budget)
    await ledger.openAccount(`study:${id}`, budget, { by: [actor.name, ...by], why: study.title })
  })
  return study
}
