// Accounts, and one's own, loaded: who is there, secrets that are shown once, and what cannot be undone.

import { expect, test } from "vitest"
import type { Reply } from "../../api/server.ts"
import { catalogues } from "../../strings/use-strings.ts"
import { nothing, refusal, type Replies } from "../../testing/fake-server.ts"
import { ada, otto } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { watchClipboard } from "../../testing/saved-files.ts"
import { AccountsPage } from "./accounts.tsx"
import { MyAccountPage } from "./my-account.tsx"

type Person = Reply<"listAccounts">["items"][number]
type Token = Reply<"listTokens">["items"][number]

const { accounts, account, roles, app } = catalogues.en
const since = "2026-01-01T00:00:00.000Z"

function person(name: string, changes: Partial<Person> = {}): Person {
  return { name, role: "analyst", createdAt: since, disabledAt: null, linked: null, ...changes }
}

async function open(items: readonly Person[], more: Replies = {}) {
  return openScreen(<AccountsPage />, { me: otto, replies: { "GET /api/v1/accounts": { items }, ...more } })
}

function rowOf(screen: Awaited<ReturnType<typeof open>>, name: string): HTMLElement | undefined {
  return screen.all("row").find((row) => row.firstElementChild?.textContent === name)
}

const buttonsIn = (row: HTMLElement | undefined): readonly string[] =>
  [...(row?.querySelectorAll("button") ?? [])].map(({ textContent }) => textContent)

test("each account has its role and its day; one's own and disabled ones cannot be changed", async () => {
  const screen = await open([
    person("otto", { role: "owner" }),
    person("ada"),
    person("eve", { disabledAt: since }),
  ])
  expect(rowOf(screen, "ada")?.textContent).toContain(`${roles.analyst} `)
  expect(rowOf(screen, "ada")?.textContent).toContain(new Date(since).toLocaleDateString("en"))
  expect(buttonsIn(rowOf(screen, "ada"))).toEqual([accounts.reset, accounts.disable])
  expect(buttonsIn(rowOf(screen, "otto"))).toEqual([])
  expect(rowOf(screen, "eve")?.textContent).toContain(accounts.disabled)
  expect(buttonsIn(rowOf(screen, "eve"))).toEqual([])
})

test("a participant says whether it is known whose data the account is about, and never whose", async () => {
  const screen = await open([
    person("pia", { role: "participant", linked: false }),
    person("pit", { role: "participant", linked: true }),
  ])
  expect(rowOf(screen, "pia")?.textContent).toContain(accounts.notLinked)
  expect(buttonsIn(rowOf(screen, "pia"))[0]).toBe(accounts.link)
  expect(rowOf(screen, "pit")?.textContent).not.toContain(accounts.notLinked)
  expect(buttonsIn(rowOf(screen, "pit"))[0]).toBe(accounts.linkAnew)
})

test("linking asks whose data, sends it, and shows it nowhere", async () => {
  const route = "PUT /api/v1/accounts/pia/participant"
  const screen = await open([person("pia", { role: "participant", linked: false })], { [route]: nothing })
  await screen.press(accounts.link)
  expect(screen.one("dialog").textContent).toContain(accounts.linkTitle("pia"))
  await screen.type(accounts.participant, " 4711 ")
  await screen.press(accounts.link)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([{ participant: "4711" }])
  expect(screen.has("dialog")).toBe(false)
  expect(screen.text()).toContain(accounts.linkDone("pia"))
  expect(screen.text()).not.toContain("4711")
})

test("a new account's password is shown once, and goes", async () => {
  const made = { ...person("eve"), password: "correct-horse" }
  const screen = await open([], { "POST /api/v1/accounts": made })
  await screen.type(accounts.name, " eve ")
  await screen.press(accounts.add)
  expect(screen.server.sentTo("POST /api/v1/accounts").map(({ body }) => body)).toEqual([
    { name: "eve", role: "analyst" },
  ])
  expect(screen.one("status").textContent).toContain("correct-horse")
  expect(screen.one("status").textContent).toContain(accounts.passwordHelp)
  await screen.press(app.dismiss)
  expect(screen.text()).not.toContain("correct-horse")
})

test("whose data is asked of participants only", async () => {
  const screen = await open([])
  expect(screen.has("field", new RegExp(accounts.participant))).toBe(false)
  await screen.press(new RegExp(accounts.role))
  await screen.press(`${roles.participant}: ${accounts.roleHelp.participant}`, "option")
  expect(screen.has("field", new RegExp(accounts.participant))).toBe(true)
})

test("a new password is shown under the name it is for, and can be copied", async () => {
  const copied = watchClipboard()
  const screen = await open([person("ada")], {
    "POST /api/v1/accounts/ada/password": { password: "new-one" },
  })
  await screen.press(accounts.reset)
  expect(screen.one("status").textContent).toContain(`ada: ${accounts.password}`)
  expect(screen.one("status").textContent).toContain("new-one")
  await screen.press(app.copy)
  expect(copied).toEqual(["new-one"])
})

test("disabling asks first, by name; what is refused is said in the dialog", async () => {
  const route = "POST /api/v1/accounts/ada/disable"
  const screen = await open([person("ada")], { [route]: refusal("account/last-owner") })
  await screen.press(accounts.disable)
  expect(screen.one("dialog").textContent).toContain(accounts.disableSure("ada"))
  await screen.press(accounts.disable)
  expect(screen.one("dialog").textContent).toContain("account/last-owner")
  screen.server.change({
    [route]: nothing,
    "GET /api/v1/accounts": { items: [person("ada", { disabledAt: since })] },
  })
  await screen.press(accounts.disable)
  expect(screen.has("dialog")).toBe(false)
  expect(rowOf(screen, "ada")?.textContent).toContain(accounts.disabled)
})

test("Escape disables nobody", async () => {
  const screen = await open([person("ada")])
  await screen.press(accounts.disable)
  await screen.key("Escape")
  expect(screen.has("dialog")).toBe(false)
  expect(screen.server.sentTo("POST /api/v1/accounts/ada/disable")).toEqual([])
})

const token: Token = {
  id: "t1",
  name: "notebook",
  account: "ada",
  rights: ["ask"],
  createdAt: since,
  expiresAt: "2026-04-01T00:00:00.000Z",
  lastUsed: null,
  revokedAt: null,
}

async function own(items: readonly Token[] = [], more: Replies = {}) {
  return openScreen(<MyAccountPage />, { me: ada, replies: { "GET /api/v1/tokens": { items }, ...more } })
}

test("tokens say when they were made, when they end and when they were used; revoked ones stay", async () => {
  const revoked = { ...token, id: "t2", name: "old", lastUsed: "2026-02-03", revokedAt: since }
  const screen = await own([token, revoked])
  const [first, second] = screen
    .all("row")
    .map((row) => [...row.children].map(({ textContent }) => textContent))
  const day = (time: string): string => new Date(time).toLocaleDateString("en")
  expect(first).toEqual(["notebook", day(since), day(token.expiresAt), account.never, account.revoke])
  expect(second).toEqual(["old", day(since), day(token.expiresAt), day("2026-02-03"), account.revoked])
  expect((await own()).text()).toContain(account.none)
})

test("a token is made for so many days, and its secret is shown once", async () => {
  const screen = await own([], { "POST /api/v1/tokens": { ...token, secret: "dosi_secret" } })
  await screen.type(account.name, "notebook")
  await screen.type(account.days, "30")
  await screen.press(account.add)
  expect(screen.server.sentTo("POST /api/v1/tokens").map(({ body }) => body)).toEqual([
    { name: "notebook", days: 30 },
  ])
  expect(screen.one("status").textContent).toContain("dosi_secret")
  await screen.press(app.dismiss)
  expect(screen.text()).not.toContain("dosi_secret")
})

test("revoking asks first, by the token's name, and says in its dialog what was refused", async () => {
  const route = "DELETE /api/v1/tokens/t1"
  const screen = await own([token], { [route]: refusal("token/unknown") })
  await screen.press(`${account.revoke} notebook`)
  expect(screen.one("dialog").textContent).toContain(account.revokeSure("notebook"))
  await screen.press(account.revoke)
  expect(screen.one("dialog").textContent).toContain("token/unknown")
  screen.server.change({
    [route]: nothing,
    "GET /api/v1/tokens": { items: [{ ...token, revokedAt: since }] },
  })
  await screen.press(account.revoke)
  expect(screen.text()).toContain(account.revoked)
})

test("two different new passwords are not sent; the same one is, and the fields are emptied", async () => {
  const route = "PUT /api/v1/me/password"
  const screen = await own([], { [route]: nothing, "GET /api/v1/me": { ...ada, csrfToken: "next" } })
  await screen.type(account.old, "before")
  await screen.type(account.new, "after")
  await screen.type(account.again, "afer")
  expect(screen.text()).toContain(account.different)
  expect(screen.one("button", account.password)).toHaveProperty("disabled", true)
  await screen.type(account.again, "after")
  await screen.press(account.password)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([{ old: "before", new: "after" }])
  expect(screen.text()).toContain(account.changed)
  expect(screen.one("field", account.old)).toHaveProperty("value", "")
})

test("a wrong password is said, and ends no session", async () => {
  const wrong = refusal("account/wrong-password", { status: 401 })
  const screen = await own([], { "PUT /api/v1/me/password": wrong })
  await screen.type(account.old, "wrong")
  await screen.type(account.new, "after")
  await screen.type(account.again, "after")
  await screen.press(account.password)
  expect(screen.one("alert").textContent).toContain("account/wrong-password")
  expect(screen.one("field", account.old)).toHaveProperty("value", "wrong")
})
