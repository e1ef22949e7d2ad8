// Every text of the pages, in Simplified Chinese.

import type { Strings } from "./en.ts"
import { accountsZh, accountZh } from "./zh/accounts.ts"
import { adviseZh } from "./zh/advise.ts"
import { appZh, navZh, rolesZh } from "./zh/app.ts"
import { askZh, exampleZh, wantedZh } from "./zh/ask.ts"
import { auditZh } from "./zh/audit.ts"
import { budgetZh, ledgerZh, incidentsZh } from "./zh/budget.ts"
import { campaignsZh } from "./zh/campaigns.ts"
import { consentZh } from "./zh/consent.ts"
import { dataZh } from "./zh/datasets.ts"
import { deedsZh } from "./zh/deeds.ts"
import { inboxZh, jobsZh, sitesZh } from "./zh/federation.ts"
import { guideZh } from "./zh/guide.ts"
import { troubleZh, meterZh, numberZh, noteWordsZh } from "./zh/parts.ts"
import { purposesZh } from "./zh/purposes.ts"
import { modelsZh } from "./zh/models.ts"
import { releasesZh } from "./zh/releases.ts"
import { reviewsZh, voicesZh } from "./zh/reviews.ts"
import { signInZh, setUpZh } from "./zh/sign-in.ts"
import { studiesZh } from "./zh/studies.ts"
import { syntheticZh } from "./zh/synthetic.ts"

/** The Chinese catalogue. */
export const zh: Strings = {
  language: "简体中文",
  app: appZh,
  nav: navZh,
  roles: rolesZh,
  trouble: troubleZh,
  meter: meterZh,
  number: numberZh,
  notes: noteWordsZh,
  signIn: signInZh,
  setUp: setUpZh,
  ask: askZh,
  wanted: wantedZh,
  ledger: ledgerZh,
  incidents: incidentsZh,
  example: exampleZh,
  budget: budgetZh,
  data: dataZh,
  guide: guideZh,
  purposes: purposesZh,
  deeds: deedsZh,
  studies: studiesZh,
  campaigns: campaignsZh,
  reviews: reviewsZh,
  inbox: inboxZh,
  jobs: jobsZh,
  sites: sitesZh,
  voices: voicesZh,
  releases: releasesZh,
  consent: consentZh,
  audit: auditZh,
  advise: adviseZh,
  synthetic: syntheticZh,
  models: modelsZh,
  accounts: accountsZh,
  account: accountZh,
}
