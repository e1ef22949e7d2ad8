// Who sees which screens, and how each of them looks before anything has come from the server.

import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { RouterProvider } from "../parts/browser/router.tsx"
import { SessionProvider, type Me, type Right } from "../parts/browser/session.tsx"
import { AccountsPage } from "../screens/accounts/accounts.tsx"
import { MyAccountPage } from "../screens/accounts/my-account.tsx"
import { AskPage } from "../screens/ask/ask.tsx"
import { AuditPage } from "../screens/audit/audit.tsx"
import { BudgetPage } from "../screens/budget/budget.tsx"
import { CampaignsPage } from "../screens/campaigns/campaigns.tsx"
import { ConsentPage } from "../screens/consent/consent.tsx"
import { DataPage } from "../screens/datasets/datasets.tsx"
import { ReleasesPage } from "../screens/releases/releases.tsx"
import { ReviewsPage } from "../screens/reviews/reviews.tsx"
import { StudiesPage } from "../screens/studies/studies.tsx"
import { catalogues } from "../strings/use-strings.ts"
import { languages, textOf } from "../testing/shown.tsx"
import { screenAt, screens, screensFor, type Place } from "./screens.ts"

const allowed = (...rights: readonly Right[]) => screensFor((right) => rights.includes(right))
const namesOf = (shown: ReturnType<typeof allowed>): readonly string[] => shown.map(({ name }) => name)

test("a participant sees their own data, the lab and the account, and begins with the data", () => {
  const shown = allowed("consent")
  expect(namesOf(shown)).toEqual(["consent", "lab", "account"])
  expect(screenAt(shown, "/")?.name).toBe("consent")
})

test("whoever has no right at all still has the lab and the account", () => {
  expect(namesOf(allowed())).toEqual(["lab", "account"])
})

test("a site has the inbox besides the screens of a house, and a coordinator has its own", () => {
  const rights: readonly Right[] = ["ask", "see-studies", "operate"]
  const at = (place: Place): readonly string[] =>
    namesOf(screensFor((right) => rights.includes(right), place))
  expect(at("house")).toEqual(["ask", "synthetic", "studies", "campaigns", "advise", "lab", "account"])
  expect(at("site")).toEqual([
    "ask",
    "synthetic",
    "inbox",
    "studies",
    "campaigns",
    "advise",
    "lab",
    "account",
  ])
  expect(at("coordinator")).toEqual(["jobs", "sites", "lab", "account"])
})

test("a screen is found by its path and by what lies below it, and by nothing else", () => {
  expect(screenAt(screens, "/releases")?.name).toBe("releases")
  expect(screenAt(screens, "/releases/12")?.name).toBe("releases")
  expect(screenAt(screens, "/releases-of-others")).toBeUndefined()
  expect(screenAt(screens, "/nothing")).toBeUndefined()
  expect(screenAt(allowed("ask"), "/audit")).toBeUndefined()
  // "/account" is the beginning of "/accounts", and another screen.
  expect(screenAt(screens, "/accounts")?.name).toBe("accounts")
  expect(screenAt(screens, "/account")?.name).toBe("account")
})

const me: Me = {
  name: "ada",
  role: "owner",
  rights: ["ask", "see-catalog", "see-budget"],
  by: "session",
  csrfToken: null,
}
const pages = {
  accounts: AccountsPage,
  account: MyAccountPage,
  ask: AskPage,
  audit: AuditPage,
  budget: BudgetPage,
  campaigns: CampaignsPage,
  consent: ConsentPage,
  data: DataPage,
  releases: ReleasesPage,
  reviews: ReviewsPage,
  studies: StudiesPage,
}

beforeEach(() => {
  vi.stubGlobal("location", { pathname: "/", search: "", origin: "http://localhost" })
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} })
})
afterEach(() => vi.unstubAllGlobals())

const cases = languages.flatMap((language) =>
  Object.entries(pages).map(([name, Page]) => ({ language, name, Page })),
)

test.each(cases)("$name has a title and says that it is loading, in $language", ({ language, Page }) => {
  const text = textOf(
    <RouterProvider>
      <SessionProvider me={me} onSignOut={() => {}}>
        <Page />
      </SessionProvider>
    </RouterProvider>,
    language,
  )
  const [title = "", ...rest] = text.split("\n")
  expect(title).not.toBe("")
  expect(rest.join("\n")).not.toMatch(/undefined|\[object|NaN/)
  expect(text).toContain(catalogues[language].app.loading)
})
