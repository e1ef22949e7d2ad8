// The screens: where each is, who sees it, and how it is loaded.

import type { ComponentType } from "react"
import { lazily } from "../parts/browser/lazily.tsx"
import type { Me, Right } from "../parts/browser/session.tsx"
import type { Strings } from "../strings/en.ts"

/** A screen in the menu. */
export interface Screen {
  readonly path: `/${string}`
  readonly name: keyof Strings["nav"]
  /** Who sees it; everybody who is signed in if absent. */
  readonly right?: Right
  /** Where it is: at houses, if absent; only at those of a study over several sites; at its coordinator. */
  readonly place?: "site" | "coordinator" | "anywhere"
  readonly Page: ComponentType
}

/** What answers: a house, one that is a site of a study over several, or the coordinator of one. */
export type Place = NonNullable<Me["place"]>

/** In the order of the menu; the first screen that a person may see opens at "/". */
export const screens: readonly Screen[] = [
  {
    path: "/ask",
    name: "ask",
    right: "ask",
    Page: lazily(async () => (await import("../screens/ask/ask.tsx")).AskPage),
  },
  {
    path: "/synthetic",
    name: "synthetic",
    right: "ask",
    Page: lazily(async () => (await import("../screens/synthetic/synthetic.tsx")).SyntheticPage),
  },
  {
    path: "/consent",
    name: "consent",
    right: "consent",
    Page: lazily(async () => (await import("../screens/consent/consent.tsx")).ConsentPage),
  },
  {
    path: "/reviews",
    name: "reviews",
    right: "review",
    Page: lazily(async () => (await import("../screens/reviews/reviews.tsx")).ReviewsPage),
  },
  {
    path: "/inbox",
    name: "inbox",
    right: "see-studies",
    place: "site",
    Page: lazily(async () => (await import("../screens/federation/inbox.tsx")).InboxPage),
  },
  {
    path: "/jobs",
    name: "jobs",
    right: "see-studies",
    place: "coordinator",
    Page: lazily(async () => (await import("../screens/federation/jobs.tsx")).JobsPage),
  },
  {
    path: "/sites",
    name: "sites",
    right: "see-studies",
    place: "coordinator",
    Page: lazily(async () => (await import("../screens/federation/sites.tsx")).SitesPage),
  },
  {
    path: "/proposals",
    name: "voices",
    right: "voice",
    Page: lazily(async () => (await import("../screens/voices/voices.tsx")).VoicesPage),
  },
  {
    path: "/budget",
    name: "budget",
    right: "see-budget",
    Page: lazily(async () => (await import("../screens/budget/budget.tsx")).BudgetPage),
  },
  {
    path: "/studies",
    name: "studies",
    right: "see-studies",
    Page: lazily(async () => (await import("../screens/studies/studies.tsx")).StudiesPage),
  },
  {
    path: "/campaigns",
    name: "campaigns",
    right: "see-studies",
    Page: lazily(async () => (await import("../screens/campaigns/campaigns.tsx")).CampaignsPage),
  },
  {
    path: "/releases",
    name: "releases",
    right: "see-releases",
    Page: lazily(async () => (await import("../screens/releases/releases.tsx")).ReleasesPage),
  },
  {
    path: "/models",
    name: "models",
    right: "see-releases",
    Page: lazily(async () => (await import("../screens/models/models.tsx")).ModelsPage),
  },
  {
    path: "/data",
    name: "data",
    right: "see-catalog",
    Page: lazily(async () => (await import("../screens/datasets/datasets.tsx")).DataPage),
  },
  {
    path: "/audit",
    name: "audit",
    right: "see-audit",
    Page: lazily(async () => (await import("../screens/audit/audit.tsx")).AuditPage),
  },
  {
    path: "/accounts",
    name: "accounts",
    right: "manage-accounts",
    Page: lazily(async () => (await import("../screens/accounts/accounts.tsx")).AccountsPage),
  },
  {
    path: "/advise",
    name: "advise",
    right: "see-studies",
    Page: lazily(async () => (await import("../screens/advise/advise.tsx")).AdvisePage),
  },
  {
    path: "/lab",
    name: "lab",
    place: "anywhere",
    Page: lazily(async () => (await import("../screens/lab/lab.tsx")).LabPage),
  },
  {
    path: "/account",
    name: "account",
    place: "anywhere",
    Page: lazily(async () => (await import("../screens/accounts/my-account.tsx")).MyAccountPage),
  },
]

/** The screens of somebody, at what answers. */
export function screensFor(can: (right: Right) => boolean, at: Place = "house"): readonly Screen[] {
  return screens.filter(
    ({ right, place }) => (right === undefined || can(right)) && (isEverywhere(place, at) || place === at),
  )
}

/** What is at every house is at sites, too: a coordinator is no house. */
function isEverywhere(place: Screen["place"], at: Place): boolean {
  return place === "anywhere" || (place === undefined && at !== "coordinator")
}

/** The screen at a path; "/releases/12" belongs to the screen at "/releases". */
export function screenAt(shown: readonly Screen[], path: string): Screen | undefined {
  if (path === "/") return shown[0]
  return shown.find((screen) => path === screen.path || path.startsWith(`${screen.path}/`))
}
