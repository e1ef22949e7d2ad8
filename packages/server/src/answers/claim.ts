// The releases of a dataset as a claim for others: a record for the DP Deployments Registry, or the checklist
// of NIST SP 800-226. What only the owner knows is left to be filled in, and marked.

import { nistChecklist, registryYaml, type DeploymentFacts, type Engine } from "@dosimeter/engine"
import { receiptsOf, type Charged } from "./charge-list.ts"

/** The forms of a claim. */
export type ClaimForm = "registry" | "nist"

/** The claim as text: YAML for the registry, Markdown for the checklist. */
export async function claimText(
  form: ClaimForm,
  charges: readonly Charged[],
  engine: Engine,
): Promise<string> {
  const claim = {
    receipts: receiptsOf(charges),
    account: await engine.account(),
    about: toBeStated(engine.policy.dataset),
  }
  return form === "registry" ? registryYaml(claim) : nistChecklist(claim)
}

/** What no ledger knows, marked as still to be stated. */
function toBeStated(dataset: string): DeploymentFacts {
  const open = "to be stated by the owner"
  return {
    slug: dataset.toLowerCase(),
    name: dataset,
    curators: [open],
    description: open,
    intendedUse: open,
    region: open,
    sector: open,
    publicationDate: open,
    dataDomain: open,
    actors: open,
    accessControl: open,
    collection: open,
  }
}
