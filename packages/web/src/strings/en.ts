// Every text of the pages, in English. Other languages have the same keys: the types see to it.

import { accountsEn, accountEn } from "./en/accounts.ts"
import { adviseEn } from "./en/advise.ts"
import { appEn, navEn, rolesEn } from "./en/app.ts"
import { askEn, exampleEn, wantedEn } from "./en/ask.ts"
import { auditEn } from "./en/audit.ts"
import { budgetEn, ledgerEn, incidentsEn } from "./en/budget.ts"
import { campaignsEn } from "./en/campaigns.ts"
import { consentEn } from "./en/consent.ts"
import { dataEn } from "./en/datasets.ts"
import { deedsEn } from "./en/deeds.ts"
import { inboxEn, jobsEn, sitesEn } from "./en/federation.ts"
import { guideEn } from "./en/guide.ts"
import { noteWordsEn } from "@dosimeter/answers/shown/note-words"
import { troubleEn, meterEn, numberEn } from "./en/parts.ts"
import { purposesEn } from "./en/purposes.ts"
import { modelsEn } from "./en/models.ts"
import { releasesEn } from "./en/releases.ts"
import { reviewsEn, voicesEn } from "./en/reviews.ts"
import { signInEn, setUpEn } from "./en/sign-in.ts"
import { studiesEn } from "./en/studies.ts"
import { syntheticEn } from "./en/synthetic.ts"

/** The catalogue that all others are shaped like. */
export const en = {
  language: "English",
  app: appEn,
  nav: navEn,
  roles: rolesEn,
  trouble: troubleEn,
  meter: meterEn,
  number: numberEn,
  notes: noteWordsEn,
  signIn: signInEn,
  setUp: setUpEn,
  ask: askEn,
  wanted: wantedEn,
  ledger: ledgerEn,
  incidents: incidentsEn,
  example: exampleEn,
  budget: budgetEn,
  data: dataEn,
  guide: guideEn,
  purposes: purposesEn,
  deeds: deedsEn,
  studies: studiesEn,
  campaigns: campaignsEn,
  reviews: reviewsEn,
  inbox: inboxEn,
  jobs: jobsEn,
  sites: sitesEn,
  voices: voicesEn,
  releases: releasesEn,
  consent: consentEn,
  audit: auditEn,
  advise: adviseEn,
  synthetic: syntheticEn,
  models: modelsEn,
  accounts: accountsEn,
  account: accountEn,
}

/** A catalogue in any language. */
export type Strings = typeof en
