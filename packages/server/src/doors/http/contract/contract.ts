// Every route of the server. A new subject is a file of this folder and a line here.

import { auditRoutes } from "./audits.ts"
import { budgetRoutes } from "./budgets.ts"
import { campaignRoutes } from "./campaigns.ts"
import { datasetRoutes } from "./datasets.ts"
import { airlockRoutes, consentRoutes, raiseRoutes, transparencyRoutes } from "./governance.ts"
import { identityRoutes } from "./identity.ts"
import { inboxRoutes } from "./inbox.ts"
import { modelRoutes, syntheticRoutes } from "./learning.ts"
import { ledgerRoutes } from "./ledger.ts"
import { incidentRoutes } from "./incidents.ts"
import { openIdRoutes } from "./open-id.ts"
import { questionRoutes } from "./questions.ts"
import { releaseRoutes } from "./releases.ts"
import { serverRoutes } from "./server.ts"
import { riskRoutes } from "./risks.ts"
import { studyRoutes } from "./studies.ts"

/** The contract: routes by name. */
export const contract = {
  ...identityRoutes,
  ...openIdRoutes,
  ...datasetRoutes,
  ...questionRoutes,
  ...syntheticRoutes,
  ...modelRoutes,
  ...releaseRoutes,
  ...budgetRoutes,
  ...ledgerRoutes,
  ...studyRoutes,
  ...airlockRoutes,
  ...raiseRoutes,
  ...consentRoutes,
  ...transparencyRoutes,
  ...auditRoutes,
  ...incidentRoutes,
  ...campaignRoutes,
  ...riskRoutes,
  ...inboxRoutes,
  ...serverRoutes,
} as const

/** The contract as a type. */
export type Contract = typeof contract
