// The screens: where each is, who sees it, and how it is loaded.

import type { ComponentType } from "react"
import { lazily } from "../parts/browser/lazily.tsx"
import type { Right } from "../parts/browser/session.tsx"
import type { Strings } from "../strings/en.ts"

/** A screen in the menu. */
export interface Screen {
  readonly path: `/${string}`
  readonly name: keyof Strings["nav"]
  /** Who sees it; everybody who is signed in if absent. */
  readonly right?: Right
  readonly Page: ComponentType
}

/** In the order of the menu; the first screen that a person may see opens at "/". */
export const screens: readonly Screen[] = [
  {
    path: "/ask",
    name: "ask",
    right: "ask",
    Page: lazily(async () => (await import("../screens/ask/ask.tsx")).AskPage),
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
    Page: lazily(async () => (await import("../screens/lab/lab.tsx")).LabPage),
  },
  {
    path: "/account",
    name: "account",
    Page: lazily(async () => (await import("../screens/accounts/my-account.tsx")).MyAccountPage),
  },
]

/** The screens of somebody. */
export function screensFor(can: (right: Right) => boolean): readonly Screen[] {
  return screens.filter(({ right }) => right === undefined || can(right))
}

/** The screen at a path; "/releases/12" belongs to the screen at "/releases". */
export function screenAt(shown: readonly Screen[], path: string): Screen | undefined {
  if (path === "/") return shown[0]
  return shown.find((screen) => path === screen.path || path.startsWith(`${screen.path}/`))
}
