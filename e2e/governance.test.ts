import type { Page } from "playwright"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { SmallHospital } from "../packages/server/src/testing/small-hospital.ts"
import { openWebHouse, password, type WebHouse } from "./web-house.ts"

// Epsilons so large that nothing is hidden, for once: then it can be seen who was counted.
const policy = (text: string): string =>
  text
    .replace(/^budget:.*$/m, "budget: { epsilon: 1000, delta: 1e-7, accounting: zcdp }\nconsent: opt-out")
    .replace(/max: 1 \}/, "max: 300 }")

const people = { olga: "owner", carl: "committee", dana: "committee", mia: "analyst" } as const

let house: WebHouse
beforeAll(async () => {
  house = await openWebHouse({ policy, prepare })
})
afterAll(async () => house.close())

async function prepare(hospital: SmallHospital): Promise<void> {
  const typed = (...args: readonly string[]) =>
    hospital.type(`${password}\n`, "user", "add", ...args, "--password-stdin")
  for (const [name, role] of Object.entries(people)) await typed(name, "--role", role)
  await typed("pat", "--role", "participant", "--participant", "1000011")
  await hospital.run("budget") // Opens the dataset's account.
  await openStudy(hospital, "heart", "--epsilon 900")
  await openStudy(hospital, "lungs", "--epsilon 50 --airlock")
}

async function openStudy(hospital: SmallHospital, id: string, options: string): Promise<void> {
  const common = "--purpose DUO:0000006 --from 2020-01-01 --to 2099-12-31 --delta 5e-8"
  const title = `--title ${id[0]?.toUpperCase()}${id.slice(1)}`
  for (const move of [
    `propose ${id} --as mia ${title} ${common} ${options}`,
    `submit ${id} --as mia`,
    `approve ${id} --as carl --why sound`,
    `approve ${id} --as dana --why useful`,
    `activate ${id} --as olga`,
  ]) {
    const { code, error } = await hospital.run("study", ...move.split(" "))
    if (code !== 0) throw new Error(error)
  }
}

async function signIn(name: string): Promise<Page> {
  const page = await house.open("/")
  await enter(page, name)
  return page
}

async function enter(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name").fill(name)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("button", { name: "Sign out" }).waitFor()
}

/** The number of persons, paid anew. */
async function countPersons(page: Page): Promise<number> {
  await page.getByRole("button", { name: "Ask", exact: true }).click()
  const result = page.getByRole("region", { name: "Answer", exact: true })
  await result.getByText("Paid now").waitFor()
  const text = await result.locator(".noisy").first().innerText()
  return Number(/^[\d,]+/.exec(text)?.[0].replace(",", ""))
}

test("the owner mends whose data a participant's account is about", async () => {
  const owner = await signIn("olga")
  await owner.getByRole("link", { name: "Accounts" }).first().click()
  await owner.getByRole("row", { name: /^pat/ }).getByRole("button", { name: "Link anew" }).click()
  const dialog = owner.getByRole("dialog")
  await dialog.getByLabel("Whose data").fill("ten")
  await dialog.getByRole("button", { name: "Link to a record" }).click()
  await dialog.getByText("no id of a person in the data").waitFor()
  await house.picture(owner, "accounts-link")
  await dialog.getByLabel("Whose data").fill("1000010")
  await dialog.getByLabel("Whose data").press("Enter")
  await owner.getByText("pat is linked").waitFor()
})

test("who withdraws consent is not in the next answer, and sees the dose of those before", async () => {
  const analyst = await signIn("mia")
  await analyst.getByRole("textbox", { name: "Question in SQL" }).click()
  await analyst.keyboard.insertText("SELECT COUNT(*) AS persons FROM person")
  await analyst.getByText("What to spend").click()
  await analyst.getByLabel("Epsilon").fill("200")
  await analyst.getByText(/Costs epsilon 200/).waitFor()
  const before = await countPersons(analyst)

  const participant = await signIn("pat")
  await participant.getByText("The data of everybody is used but of people who said no").waitFor()
  await participant.getByRole("cell", { name: /^ε/ }).waitFor()
  await house.picture(participant, "consent")
  const purpose = participant.getByRole("switch", { name: /^health, medical or biomedical research/ })
  expect(await purpose.isChecked()).toBe(true)
  await participant.getByText("health, medical or biomedical research").click()
  await participant.getByText("Saved: health, medical or biomedical research").waitFor()
  await expect.poll(() => purpose.isChecked()).toBe(false)
  // What is inside of it goes with it, and says why; what contains it stays.
  const inside = participant.getByRole("switch", { name: /^disease-specific research/ })
  expect(await inside.isChecked()).toBe(false)
  await participant
    .getByText("because you said no to “health, medical or biomedical research”", { exact: false })
    .waitFor()
  const around = participant.getByRole("switch", { name: /^general research use/ })
  expect(await around.isChecked()).toBe(true)

  expect(await countPersons(analyst)).toBe(before - 1)
  await participant.reload()
  const row = participant.getByRole("row", { name: /^Heart/ })
  await row.waitFor()
  expect(await row.getByRole("cell").allInnerTexts()).toMatchObject(["1", "1", expect.stringMatching(/^ε/)])
  await house.picture(participant, "consent-withdrawn")
})

test("an answer waits until somebody of the committee has let it go; then it is free", async () => {
  const analyst = await house.open("/")
  await enter(analyst, "mia")
  // Somebody in two studies sees the price in the one that is chosen, also where only the server knows it.
  await analyst.getByRole("textbox", { name: "Question in SQL" }).click()
  await analyst.keyboard.insertText("SELECT COUNT(*) AS died FROM death")
  await analyst.getByText("What to spend").click()
  await analyst.getByLabel("Error to reach").fill("30")
  await analyst.getByText("Worked out by the server").waitFor()
  await analyst.getByText(/^Costs epsilon/).waitFor()
  await analyst.getByLabel("Error to reach").fill("")
  await analyst.getByRole("button", { name: /Heart/ }).click()
  await analyst.getByRole("option", { name: "Lungs" }).click()
  await analyst.getByRole("button", { name: "Ask", exact: true }).click()
  await analyst.getByText("The answer waits for approval").waitFor()
  await house.picture(analyst, "ask-waiting")
  const reviewer = await signIn("carl")
  await reviewer.getByRole("button", { name: "Look at the answer" }).click()
  await reviewer.locator(".noisy, .below").first().waitFor()
  await reviewer.getByLabel("Reasons").fill("Nobody can be found in it.")
  await house.picture(reviewer, "reviews-airlock")
  await reviewer.getByRole("button", { name: "Approve" }).click()
  await reviewer.getByText(/^Your review of Release \d+ is recorded/).waitFor()
  await analyst.getByRole("button", { name: "Ask", exact: true }).click()
  await analyst.getByText("From the record").waitFor()
})

test("more budget is granted when two have agreed", async () => {
  const asking = await signIn("olga")
  await asking.getByRole("link", { name: "Budget" }).first().click()
  await asking.getByText("Ask for more").first().click()
  await asking.getByRole("button", { name: /^study heart/ }).click()
  await asking.getByRole("option", { name: "study lungs" }).click()
  await asking.getByLabel("New share (ε)").fill("60")
  await asking.getByLabel("Why").fill("A second question.")
  await asking.getByRole("button", { name: "Ask for more" }).click()
  await asking.getByText("olga asks for ε 60").waitFor()
  const second = await signIn("dana")
  await second.getByRole("link", { name: "Budget" }).first().click()
  await second.getByLabel("Reasons").fill("It is in proportion.")
  await house.picture(second, "budget-request")
  await second.getByRole("button", { name: "Agree" }).click()
  await second.getByText("Granted").waitFor()
  await second
    .getByText(/of 60$/)
    .first()
    .waitFor()
  expect(house.complaints).toEqual([])
})
