// The handlers of every route. A new subject is a file of this folder and a line here.

import type { Contract } from "../contract/contract.ts"
import type { Handlers } from "../request/handler.ts"
import type { Services } from "../services/services.ts"
import { auditHandlers } from "./audits.ts"
import { budgetHandlers } from "./budgets.ts"
import { campaignHandlers } from "./campaigns.ts"
import { datasetHandlers } from "./datasets.ts"
import { airlockHandlers, consentHandlers, raiseHandlers, transparencyHandlers } from "./governance.ts"
import { identityHandlers } from "./identity.ts"
import { inboxHandlers } from "./inbox.ts"
import { ledgerHandlers } from "./ledger.ts"
import { incidentHandlers } from "./incidents.ts"
import { modelHandlers } from "./models.ts"
import { openIdHandlers } from "./open-id.ts"
import { questionHandlers } from "./questions.ts"
import { releaseHandlers } from "./releases.ts"
import { riskHandlers } from "./risks.ts"
import { serverHandlers } from "./server.ts"
import { studyHandlers } from "./studies.ts"
import { syntheticHandlers } from "./synthetic.ts"

/** All handlers; one that is missing does not compile. */
export function makeHandlers(services: Services): Handlers<Contract> {
  return {
    ...identityHandlers(services),
    ...openIdHandlers(services),
    ...datasetHandlers(services),
    ...questionHandlers(services),
    ...syntheticHandlers(services),
    ...modelHandlers(services),
    ...releaseHandlers(services),
    ...budgetHandlers(services),
    ...ledgerHandlers(services),
    ...studyHandlers(services),
    ...airlockHandlers(services),
    ...raiseHandlers(services),
    ...consentHandlers(services),
    ...transparencyHandlers(services),
    ...auditHandlers(services),
    ...incidentHandlers(services),
    ...campaignHandlers(services),
    ...riskHandlers(services),
    ...inboxHandlers(services),
    ...serverHandlers(services),
  }
}
