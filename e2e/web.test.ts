import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Download, Page } from "playwright"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { runCommand } from "../packages/server/src/main.ts"
import { openWebHouse, password, type WebHouse } from "./web-house.ts"

// One house, one story: each test goes on where the one before ended.
let house: WebHouse
const pages = new Map<string, Page>()
const passwords = new Map<string, string>()

beforeAll(async () => {
  house = await openWebHouse({
    // The owner makes the committee's accounts in the first test: a house that starts today says so.
    prepare: async (hospital) => {
      const { code, error } = await hospital.run("user", "cooling", "0")
      if (code !== 0) throw new Error(error)
    },
  })
})
afterAll(async () => house.close())
afterEach(({ task }) => {
  if (task.result?.state !== "fail") return undefined
  return Promise.all(
    [...pages].map(([name, page]) => page.screenshot({ path: `e2e/screenshots/failed-${name}.png` })),
  )
})

async function signIn(name: string): Promise<Page> {
  const known = pages.get(name)
  if (known !== undefined) return known
  const page = await house.open("/")
  await page.getByLabel("Name").fill(name)
  await page.getByLabel("Password").fill(passwords.get(name) ?? password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("button", { name: "Sign out" }).waitFor()
  pages.set(name, page)
  return page
}

async function goTo(page: Page, screen: string): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name: screen, exact: true }).click()
  await page.getByRole("heading", { level: 1 }).filter({ hasText: screen }).waitFor()
}

/** Puts a question into the editor. */
async function write(page: Page, sql: string): Promise<void> {
  const editor = page.getByRole("textbox", { name: "Question in SQL" })
  await editor.click()
  await page.keyboard.press("Control+a")
  await page.keyboard.insertText(sql)
}

/** Files as a person would choose them. */
function clinicFiles() {
  const visits = "case_no,ward,fee,seen,last_name\n1,A,12.5,2024-01-31,Doe\n2,B,80,2024-02-01,Roe\n"
  const wards = "ward,beds\nA,10\nB,12\n"
  return Object.entries({ "visits.csv": visits, "wards.csv": wards }).map(([name, text]) => ({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(text),
  }))
}

async function readText(download: Download): Promise<string> {
  return readFileSync(await download.path(), "utf8")
}

/** Runs `dosimeter check` on a policy beside the files. */
async function checkPolicy(policy: string): Promise<{ readonly code: number; readonly said: string }> {
  const folder = mkdtempSync(join(tmpdir(), "guide-"))
  for (const { name, buffer } of clinicFiles()) writeFileSync(join(folder, name), buffer)
  writeFileSync(join(folder, "dosimeter.yaml"), policy)
  let said = ""
  const tell = (text: string): void => {
    said += text
  }
  const code = await runCommand(["check", "dosimeter.yaml"], { folder, out: tell, error: tell })
  rmSync(folder, { recursive: true })
  return { code, said }
}

test("first run: a newcomer makes the first account with the code from the terminal", async () => {
  const page = await house.open("/")
  await page.getByText("Nobody has an account yet").waitFor()
  await house.picture(page, "first-run")
  await page.getByLabel("Code from the terminal").fill("wrong")
  await page.getByLabel("Your name").fill("olga")
  await page.getByLabel("Choose a password").fill(password)
  await page.getByRole("button", { name: "Make the account" }).click()
  await page.getByRole("alert").waitFor()
  await page.getByLabel("Code from the terminal").fill(house.setUpCode)
  await page.getByRole("button", { name: "Make the account" }).click()
  await page.getByRole("button", { name: "Sign out" }).waitFor()
  pages.set("olga", page)
})

test("the owner makes accounts; each password is shown once", async () => {
  const page = await signIn("olga")
  await goTo(page, "Accounts")
  for (const [name, role] of [
    ["mia", "analyst"],
    ["carl", "committee"],
    ["dana", "committee"],
  ] as const) {
    await page.getByLabel("Name").fill(name)
    await page.getByRole("button", { name: /^Role|analyst:|committee:/ }).click()
    await page.getByRole("option", { name: new RegExp(`^${role}`) }).click()
    await page.getByRole("button", { name: "Add an account" }).click()
    await page.getByText(`${name}: Password, shown once`).waitFor()
    passwords.set(name, await page.getByTestId("password").innerText())
  }
  await house.picture(page, "accounts")
  expect(passwords.size).toBe(3)
})

test("a study goes from a draft through two reviewers to the owner who opens it", async () => {
  const analyst = await signIn("mia")
  await analyst.getByText("You are in no active study").waitFor()
  await goTo(analyst, "Studies")
  await house.picture(analyst, "studies-empty")
  await analyst.getByRole("link", { name: "Propose a study" }).first().click()
  await analyst.getByLabel("Title").fill("Heart failure")
  await analyst.getByLabel("Summary in plain words").fill("How often do people with heart failure come back?")
  await analyst.getByText("health, medical or biomedical research").click()
  await analyst.getByLabel("Share of the budget (ε)").fill("1.2")
  await house.picture(analyst, "study-new")
  await analyst.getByRole("button", { name: "Propose a study" }).click()
  await analyst.getByRole("button", { name: "Submit for review" }).click()
  await analyst.getByText("In review").waitFor()
  for (const name of ["carl", "dana"]) {
    const page = await signIn(name)
    await goTo(page, "Reviews")
    await page.getByLabel("Reasons").fill("It fits the purpose.")
    if (name === "carl") await house.picture(page, "reviews")
    await page.getByRole("button", { name: "Approve" }).click()
    await page.getByText("Your review of Heart failure is recorded").waitFor()
  }
  const owner = await signIn("olga")
  await goTo(owner, "Studies")
  await owner.getByRole("link", { name: "Heart failure" }).click()
  await owner.getByRole("button", { name: "Open the study" }).click()
  await owner.getByText("Active", { exact: true }).waitFor()
  await house.picture(owner, "study")
})

test("cost and error are there while a question is typed, worked out in the browser", async () => {
  const page = await signIn("mia")
  await page.goto(`${house.url}/ask`)
  await page.getByRole("textbox", { name: "Question in SQL" }).waitFor()
  const asked: string[] = []
  page.on("request", (request) => asked.push(request.url()))
  await write(page, "SELECT gender_concept_id, COUNT(*) AS n FROM person GROUP BY 1 ORDER BY 1")
  await page.getByText(/Costs epsilon 0\.5/).waitFor()
  await page.getByText(/± \d+ at 95 %/).waitFor()
  expect(asked.filter((url) => url.includes("/api/"))).toEqual([])
  await house.picture(page, "ask-price")
})

test("a question that cannot be proven private says why and what to write, and costs nothing", async () => {
  const page = await signIn("mia")
  await write(page, "SELECT SUM(value_as_number) FROM measurement")
  const panel = page.getByRole("complementary", { name: "What it would cost" })
  await panel.getByText("This cannot be asked as it stands").waitFor()
  expect(await panel.innerText()).toMatch(/CLAMP/)
  // Without a price there is nothing to agree to, by the button or by the keyboard.
  expect(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled()).toBe(true)
  await page.keyboard.press("Control+Enter")
  await house.picture(page, "ask-refused")
  expect(await page.getByRole("region", { name: "Answer", exact: true }).count()).toBe(0)
})

test("an error to reach is priced by the server, with the looks that it takes; nothing is asked", async () => {
  const page = await signIn("mia")
  await write(page, "SELECT visit_concept_id, COUNT(*) AS n FROM visit_occurrence GROUP BY 1")
  await page.getByText("What to spend").click()
  await page.getByLabel("Error to reach").fill("abc")
  await page
    .getByText("The error to reach is a number, such as 50, or a share, such as 5%.")
    .first()
    .waitFor()
  expect(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled()).toBe(true)
  await page.getByLabel("Error to reach").fill("10%")
  await page.getByText(/^A look for epsilon 0.01 tells how large the answer is/).waitFor()
  await page.getByRole("button", { name: /^As the policy says.*Bounds of values/ }).click()
  await page.getByRole("option", { name: "Learn none" }).click()
  await house.picture(page, "ask-options")
  await page.getByRole("button", { name: /^Learn none/ }).click()
  await page.getByRole("option", { name: "As the policy says" }).click()
  await page.getByLabel("Error to reach").fill("")
  await page.getByText("What to spend").click()
})

test("an answer comes with intervals, as a table and as a chart; asked again it is free", async () => {
  const page = await signIn("mia")
  const sql = "SELECT gender_concept_id, COUNT(*) AS n FROM person GROUP BY 1 ORDER BY 1"
  await write(page, sql)
  await page.getByText(/Costs epsilon 0\.5/).waitFor()
  await page.getByRole("button", { name: "Ask", exact: true }).click()
  const result = page.getByRole("region", { name: "Answer", exact: true })
  await result.getByText("Paid now").waitFor()
  const cells = await result.locator("td.number").allInnerTexts()
  expect(cells).toHaveLength(2)
  for (const cell of cells) expect(cell).toMatch(/^[\d,]+ ± [\d,]+/)
  await house.picture(page, "ask-answer")
  await result.getByRole("tab", { name: "Chart" }).click()
  await result.locator(".chart svg").first().waitFor()
  await house.picture(page, "ask-chart")
  await page.getByRole("button", { name: "Ask", exact: true }).click()
  await result.getByText("From the record").waitFor()
  expect(await page.getByRole("link", { name: /^Release \d+/ }).count()).toBe(1)
})

test("the receipt of a release agrees with the ledger, in the browser and by the command", async () => {
  const page = await signIn("mia")
  await goTo(page, "Releases")
  await house.picture(page, "releases")
  await page.locator("tbody").getByRole("link").first().click()
  await page.getByText("The receipt agrees with the ledger").waitFor()
  await page.locator("pre").getByText("SELECT gender_concept_id").first().waitFor()
  await page.getByText(/ε 0\.5 by itself; the ledger adds up rho/).waitFor()
  await page.getByLabel("Title").fill("Men and women")
  await page.getByRole("button", { name: "Save the title" }).click()
  await page.getByRole("heading", { level: 1, name: "Men and women" }).waitFor()
  await house.picture(page, "release")
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: "Receipt", exact: true }).click()
  expect((await download).suggestedFilename()).toMatch(/^release-\d+-receipt\.json$/)
  expect((await house.hospital.run("ledger", "verify")).code).toBe(0)
})

test("a screen that could not be loaded is loaded when the server is back, and the draft stays", async () => {
  const page = await house.open("/")
  await page.getByLabel("Name").fill("mia")
  await page.getByLabel("Password").fill(passwords.get("mia") ?? "")
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("textbox", { name: "Question in SQL" }).waitFor()
  await write(page, "SELECT COUNT(*) AS kept FROM person")
  // The compiler has been loaded, too.
  await page.getByText(/^Costs epsilon/).waitFor()
  await page.context().setOffline(true)
  await page.getByRole("navigation").getByRole("link", { name: "Lab", exact: true }).click()
  await page.getByRole("alert").getByText("The server cannot be reached").waitFor()
  await page.context().setOffline(false)
  await page.getByRole("button", { name: "Try again" }).click()
  await page.getByRole("heading", { level: 1, name: "Lab" }).waitFor()
  // After an upgrade the old parts are gone: the page renews itself, once.
  let loads = 0
  page.on("load", () => (loads += 1))
  await page.route("**/assets/releases-*.js", (route) =>
    loads === 0 ? route.fulfill({ status: 404, body: "" }) : route.continue(),
  )
  await page.getByRole("navigation").getByRole("link", { name: "Releases", exact: true }).click()
  await page.getByRole("heading", { level: 1, name: "Releases" }).waitFor()
  expect(loads).toBe(1)
  await goTo(page, "Ask")
  await page.getByText("AS kept FROM").waitFor()
  await page.context().close()
})

test("when the study's share is spent, the next question is refused, and what is left is said", async () => {
  const page = await signIn("mia")
  await goTo(page, "Ask")
  const refused = page.getByRole("alert").getByText("This was refused")
  // More questions than the share allows, whatever each takes of it.
  for (let year = 1930; year <= 1990; year += 5) {
    await write(page, `SELECT COUNT(*) AS born_${year} FROM person WHERE year_of_birth > ${year}`)
    await page.getByRole("button", { name: "Ask", exact: true }).click()
    // The column's name tells this answer from the one before it.
    const answer = page.getByRole("region", { name: "Answer", exact: true })
    await answer.getByText(`born_${year}`).or(refused).first().waitFor()
    if (await refused.isVisible()) break
  }
  await page.getByRole("alert").getByText("This was refused").waitFor()
  await page.getByText("The budget does not allow this question any more").waitFor()
  await house.picture(page, "ask-exhausted")
  await goTo(page, "Budget")
  await page.locator(".chart svg").first().waitFor()
  await house.picture(page, "budget")
})

test("datasets and audit tell what they are for", async () => {
  const owner = await signIn("olga")
  await goTo(owner, "Datasets")
  await owner.getByText("Each person is protected as a whole").waitFor()
  await owner.getByLabel("Find a table or column").fill("year")
  await owner.getByRole("rowheader", { name: "year_of_birth" }).waitFor()
  await house.picture(owner, "data")
  await goTo(owner, "Audit")
  await owner.getByRole("cell", { name: "opened a study" }).waitFor()
  await owner.getByRole("button", { name: /^What|anything/ }).click()
  await owner.getByRole("option", { name: "reviewed a study" }).click()
  await owner.getByRole("button", { name: "Search" }).click()
  await owner.getByText("2 entries").waitFor()
  await owner.getByRole("button", { name: "Check the chain" }).click()
  await owner.getByText("Every entry still has the hash").waitFor()
  await house.picture(owner, "audit")
})

test("a policy is set up from files: nothing is uploaded, and the command accepts it", async () => {
  const page = await signIn("olga")
  await goTo(page, "Datasets")
  await page.getByRole("link", { name: "Set up a dataset from files" }).click()
  const asked: string[] = []
  page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`))
  await page.getByRole("button", { name: "Choose files" }).waitFor()
  await page.locator("input[type=file]").setInputFiles(clinicFiles())
  await page.getByRole("rowheader", { name: "visits.csv" }).waitFor()
  await house.picture(page, "guide-files")
  const next = page.getByRole("button", { name: "Next" })
  await next.click()
  await page.getByRole("button", { name: /Whose rows are in visits/ }).click()
  await page.getByRole("option", { name: "of the person in case_no" }).click()
  await page.getByRole("button", { name: /Whose rows are in wards/ }).click()
  await page.getByRole("option", { name: /the table is public/ }).click()
  await next.click()
  await page.getByLabel("ε of everything").fill("2")
  await page.getByText("A guess of 10 %").waitFor()
  await next.click()
  const fee = page.getByRole("group", { name: "fee" })
  await fee.getByLabel("Least").fill("900")
  await fee.getByLabel("Greatest").fill("500")
  await page.getByText("1 thing to mend").waitFor()
  await house.picture(page, "guide-columns")
  await next.click()
  await page.getByText(/is above its greatest/).waitFor()
  await page.getByRole("button", { name: "Back" }).click()
  await fee.getByLabel("Least").fill("0")
  await page.getByRole("group", { name: "ward" }).getByLabel("Public values").fill("A, B")
  await next.click()
  await page.getByText("The policy can be used as it is.").waitFor()
  await house.picture(page, "guide-policy")
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: "Download dosimeter.yaml" }).click()
  const policy = await readText(await download)
  // The browser fetches the icon of the page whenever it likes.
  const isOfPage = (request: string): boolean => /^GET [^?]*\/(?:assets\/|icon\.svg$)/.test(request)
  expect(asked.filter((request) => !isOfPage(request) && !request.includes("blob:"))).toEqual([])
  expect(policy).toContain("fee: { type: float, min: 0, max: 500, grid: 0.01 }")
  expect(await checkPolicy(policy)).toMatchObject({ code: 0 })
})

test("a password is changed; a token is shown once, and worthless once revoked", async () => {
  const page = await signIn("olga")
  await goTo(page, "My account")
  await page.getByLabel("Password so far").fill("wrong")
  await page.getByLabel("New password", { exact: true }).fill(password)
  await page.getByLabel("New password once more").fill(password)
  await page.getByRole("button", { name: "Change the password" }).click()
  await page.getByRole("alert").waitFor()
  await page.getByLabel("Password so far").fill(password)
  await page.getByRole("button", { name: "Change the password" }).click()
  await page.getByText("The password is changed.").waitFor()
  await page.getByLabel("What it is for").fill("notebook")
  await page.getByRole("button", { name: "Make a token" }).click()
  const token = await page.getByTestId("token").innerText()
  const knock = async (): Promise<number> => {
    const reply = await fetch(`${house.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    return reply.status
  }
  expect(await knock()).toBe(200)
  await house.picture(page, "account")
  await page.getByRole("button", { name: "Revoke notebook" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
  await page.getByText("Revoked", { exact: true }).waitFor()
  expect(await knock()).toBe(401)
})

test("everything can be reached by keyboard, and has a name", async () => {
  const page = await house.open("/")
  await page.getByLabel("Name").waitFor()
  await page.keyboard.type("olga")
  await page.keyboard.press("Tab")
  await page.keyboard.type(password)
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Sign out" }).waitFor()
  await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  expect(await page.evaluate("document.activeElement?.id")).toBe("content")
  const nameless = await page.evaluate(`[...document.querySelectorAll("button, a, input, textarea, [role]")]
    .filter((one) => one.offsetParent !== null && !one.closest("[aria-hidden=true]"))
    .filter((one) => (one.innerText || one.getAttribute("aria-label") || one.labels?.length) === "")
    .map((one) => one.outerHTML.slice(0, 200))`)
  expect(nameless).toEqual([])
  await page
    .getByRole("radio", { name: "中文" })
    .or(page.getByRole("button", { name: "中文" }))
    .first()
    .click()
  await page.getByRole("link", { name: "预算" }).first().waitFor()
  expect(await page.evaluate("document.documentElement.lang")).toBe("zh-Hans")
  await page.getByRole("link", { name: "提问" }).first().click()
  await page.locator(".cm-content").click()
  await page.keyboard.insertText("SELECT SUM(value_as_number) FROM measurement")
  await page.getByText("SUM(value_as_number) 没有界限").first().waitFor()
  await house.picture(page, "ask-chinese")
})

test("no page complained in the browser's console", () => {
  expect(house.complaints).toEqual([])
})
