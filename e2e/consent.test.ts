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
}, 120_000)
afterAll(async () => house.close())

async function prepare(hospital: SmallHospital): Promise<void> {
  const typed = (...args: readonly string[]) =>
    hospital.type(`${password}\n`, "user", "add", ...args, "--password-stdin")
  for (const [name, role] of Object.entries(people)) await typed(name, "--role", role)
  await typed("pat", "--role", "participant", "--participant", "1000010")
  const study =
    "--title Heart --purpose DUO:0000006 --from 2020-01-01 --to 2099-12-31 --epsilon 900 --delta 5e-8"
  await hospital.run("study", "propose", "heart", "--as", "mia", ...study.split(" "))
  for (const move of [
    "submit heart --as mia",
    "approve heart --as carl --why sound",
    "approve heart --as dana --why useful",
  ]) {
    await hospital.run("study", ...move.split(" "))
  }
  await hospital.run("budget") // Opens the dataset's account.
  const { code, error } = await hospital.run("study", "activate", "heart", "--as", "olga")
  if (code !== 0) throw new Error(error)
}

async function signIn(name: string): Promise<Page> {
  const page = await house.open("/")
  await page.getByLabel("Name").fill(name)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("button", { name: "Sign out" }).waitFor()
  return page
}

/** The number of persons, paid anew. */
async function countPersons(page: Page): Promise<number> {
  await page.getByRole("button", { name: "Ask", exact: true }).click()
  const result = page.getByRole("region", { name: "Answer", exact: true })
  await result.getByText("Paid now").waitFor()
  const text = await result.locator(".noisy").first().innerText()
  return Number(/^[\d,]+/.exec(text)?.[0].replace(",", ""))
}

test("who withdraws consent is not in the next answer, and sees the dose of those before", async () => {
  const analyst = await signIn("mia")
  await analyst.getByRole("textbox", { name: "Question in SQL" }).click()
  await analyst.keyboard.insertText("SELECT COUNT(*) AS persons FROM person")
  await analyst.getByText("What to spend").click()
  await analyst.getByLabel("Epsilon").fill("200")
  await analyst.getByText(/Costs epsilon 200/).waitFor()
  const before = await countPersons(analyst)

  const participant = await signIn("pat")
  await participant.getByText("Everybody is used but who said no").waitFor()
  await participant.getByRole("cell", { name: /^ε/ }).waitFor()
  await house.picture(participant, "consent")
  const purpose = participant.getByRole("switch", { name: /^health, medical or biomedical research/ })
  expect(await purpose.isChecked()).toBe(true)
  await participant.getByText("health, medical or biomedical research").click()
  await participant.getByText("Saved: health, medical or biomedical research").waitFor()
  expect(await purpose.isChecked()).toBe(false)

  expect(await countPersons(analyst)).toBe(before - 1)
  await participant.reload()
  const row = participant.getByRole("row", { name: /^Heart/ })
  await row.waitFor()
  expect(await row.getByRole("cell").allInnerTexts()).toMatchObject(["1", "1", expect.stringMatching(/^ε/)])
  await house.picture(participant, "consent-withdrawn")
  expect(house.complaints).toEqual([])
})
