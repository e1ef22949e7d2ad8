// The pages as a whole: signing in, the menu of each person, sessions that end, and mistakes of ours.

import { act } from "react"
import { createRoot, type Root } from "react-dom/client"
import { afterEach, expect, test, vi } from "vitest"
import { call } from "../api/server.ts"
import { catalogues } from "../strings/use-strings.ts"
import { nothing, refusal, unreachable, type Replies } from "../testing/fake-server.ts"
import { ada, houseReplies, pia } from "../testing/house.ts"
import { showAlone, type OpenScreen } from "../testing/open-screen.tsx"
import { labCatalogues } from "../strings/lab-texts.ts"
import { App } from "./app.tsx"
import { ErrorBoundary } from "./error-boundary.tsx"

const { signIn, setUp, app, nav, trouble, roles, releases } = catalogues.en
const lab = labCatalogues.en
const signedOut = refusal("request/not-signed-in", { status: 401 })
const methods = { password: true, openId: false, setUp: false }

async function open(replies: Replies, path = "/lab"): Promise<OpenScreen> {
  return showAlone(<App />, { path, replies: { ...houseReplies, ...replies } })
}

const atTheDoor: Replies = { "GET /api/v1/me": signedOut, "GET /api/v1/sign-in": methods }

test("nobody is signed in: the door, with the page that is public", async () => {
  const screen = await open(atTheDoor)
  expect(screen.one("heading", signIn.title).tagName).toBe("H1")
  expect(screen.one("link", signIn.publicPage).getAttribute("href")).toBe("/transparency")
  expect(screen.has("link", signIn.openId)).toBe(false)
  expect(screen.text()).not.toContain(trouble.signedOut)
})

test("signing in sends name and password, and opens the screen of the address", async () => {
  const screen = await open({ ...atTheDoor, "POST /api/v1/sign-in": { ...ada, csrfToken: "t" } })
  await screen.type(signIn.name, "ada")
  await screen.type(signIn.password, "secret")
  await screen.press(signIn.go)
  expect(screen.server.sentTo("POST /api/v1/sign-in").map(({ body }) => body)).toEqual([
    { name: "ada", password: "secret" },
  ])
  expect(screen.one("heading", lab.title).tagName).toBe("H1")
})

test("a wrong password says so, and the name stays", async () => {
  const wrong = refusal("account/wrong-password", { status: 401 })
  const screen = await open({ ...atTheDoor, "POST /api/v1/sign-in": wrong })
  await screen.type(signIn.name, "ada")
  await screen.type(signIn.password, "wrong")
  await screen.press(signIn.go)
  expect(screen.one("alert").textContent).toContain("account/wrong-password")
  expect(screen.one("field", signIn.name)).toHaveProperty("value", "ada")
})

test.each([
  [{ password: true, openId: true, setUp: false }, true, true],
  [{ password: false, openId: true, setUp: false }, false, true],
] as const)("the door offers what the server offers: %o", async (offered, hasPassword, hasOpenId) => {
  const screen = await open({ ...atTheDoor, "GET /api/v1/sign-in": offered })
  expect(screen.has("field", signIn.password)).toBe(hasPassword)
  expect(screen.has("link", signIn.openId)).toBe(hasOpenId)
  expect(screen.text().includes(`\n${signIn.or}\n`)).toBe(hasPassword && hasOpenId)
})

test("a server without accounts makes the first one, with the code from its terminal", async () => {
  const screen = await open({
    ...atTheDoor,
    "GET /api/v1/sign-in": { ...methods, setUp: true },
    "POST /api/v1/set-up": { ...ada, csrfToken: "t" },
  })
  await screen.type(setUp.code, " 123-456 ")
  await screen.type(setUp.name, " ada ")
  await screen.type(setUp.password, " long enough ")
  await screen.press(setUp.go)
  expect(screen.server.sentTo("POST /api/v1/set-up").map(({ body }) => body)).toEqual([
    { code: "123-456", name: "ada", password: " long enough " },
  ])
  expect(screen.one("heading", lab.title).tagName).toBe("H1")
})

test("the menu has the screens of the person, the current one marked, and who they are", async () => {
  const screen = await open({ "GET /api/v1/me": pia })
  expect([...document.querySelectorAll("nav a")].map(({ textContent }) => textContent)).toEqual([
    nav.consent,
    nav.lab,
    nav.account,
  ])
  expect(document.querySelector("[aria-current=page]")?.textContent).toBe(nav.lab)
  expect(document.querySelector(".who")?.textContent).toContain(`pia ${roles.participant}`)
  // What a participant may not see is not asked for.
  expect(screen.server.sentTo("GET /api/v1/budget")).toEqual([])
})

test("a link of the menu opens its screen without loading the page, and the dose is looked at again", async () => {
  const screen = await open({
    "GET /api/v1/me": ada,
    "GET /api/v1/releases": { items: [], next: null },
  })
  const looks = screen.server.sentTo("GET /api/v1/budget").length
  await screen.press(nav.releases, "link")
  expect(location.pathname).toBe("/releases")
  expect(screen.text()).toContain(releases.empty)
  expect(screen.server.sentTo("GET /api/v1/budget")).toHaveLength(looks + 1)
  expect(document.title).toBe(`${releases.title} · ${app.name}`)
  await act(async () => history.back())
  await screen.until(() => screen.has("heading", lab.title))
})

test("an address that is not theirs, or nobody's, is not found", async () => {
  const screen = await open({ "GET /api/v1/me": pia }, "/audit")
  expect(screen.one("heading", app.notFound).tagName).toBe("H2")
  expect(screen.text()).toContain(app.notFoundHelp)
})

test("a session that ends leads back to the door, and says that nothing was lost", async () => {
  const screen = await open({ "GET /api/v1/me": ada, "GET /api/v1/sign-in": methods })
  screen.server.change({ "GET /api/v1/me": signedOut })
  await act(async () => call("whoAmI").catch(() => undefined))
  await screen.settle()
  expect(screen.text()).toContain(trouble.signedOut)
  expect(screen.has("field", signIn.password)).toBe(true)
})

test.each([nothing, unreachable])(
  "signing out leads to the door, whether or not the server hears it",
  async (reply) => {
    const screen = await open({
      "GET /api/v1/me": ada,
      "GET /api/v1/sign-in": methods,
      "POST /api/v1/sign-out": reply,
    })
    await screen.press(app.signOut)
    expect(screen.one("heading", signIn.title).tagName).toBe("H1")
    expect(screen.text()).not.toContain(trouble.signedOut)
  },
)

test("a server that is away is said, and asked again on demand", async () => {
  const screen = await open({ "GET /api/v1/me": unreachable })
  expect(screen.one("alert").textContent).toContain(trouble.offline)
  screen.server.change({ "GET /api/v1/me": pia })
  await screen.press(app.tryAgain)
  expect(screen.one("heading", lab.title).tagName).toBe("H1")
})

test("language and colours are chosen at once, and kept", async () => {
  const screen = await open({ "GET /api/v1/me": pia })
  await screen.press("中文", "radio")
  expect(screen.one("heading", labCatalogues.zh.title).tagName).toBe("H1")
  expect(document.documentElement.lang).toBe("zh-Hans")
  expect(localStorage.getItem("dosimeter.language")).toBe('"zh"')
  await screen.press(catalogues.zh.app.themes.dark, "radio")
  expect(document.documentElement.dataset["theme"]).toBe("dark")
  expect(localStorage.getItem("dosimeter.theme")).toBe('"dark"')
})

let root: Root | undefined
afterEach(async () => act(async () => root?.unmount()))

test("a mistake in a screen is a bug, not a server that is away; it can be tried again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {})
  let isBroken = true
  function Part(): string {
    if (isBroken) throw new TypeError("undefined is not a function")
    return "drawn"
  }
  const place = document.body.appendChild(document.createElement("div"))
  root = createRoot(place)
  await act(async () =>
    root?.render(
      <ErrorBoundary>
        <Part />
      </ErrorBoundary>,
    ),
  )
  expect(place.textContent).toContain(trouble.bug)
  expect(place.textContent).not.toContain(trouble.offline)
  isBroken = false
  await act(async () => place.querySelector("button")?.click())
  expect(place.textContent).toBe("drawn")
})
