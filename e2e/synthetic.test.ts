import { readFileSync } from "node:fs"
import type { Page } from "playwright"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openWebHouse, password, type WebHouse } from "./web-house.ts"

let house: WebHouse
let page: Page

beforeAll(async () => {
  house = await openWebHouse({ flags: ["--without-studies"] })
  page = await house.open("/synthetic")
  await page.getByLabel("Code from the terminal").fill(house.setUpCode)
  await page.getByLabel("Your name").fill("olga")
  await page.getByLabel("Choose a password").fill(password)
  await page.getByRole("button", { name: "Make the account" }).click()
  await page.getByRole("heading", { level: 1, name: "Synthetic data" }).waitFor()
})
afterAll(async () => house.close())

test("synthetic rows: priced, measured and saved, by keyboard", async () => {
  await page.getByRole("button", { name: "Show the price" }).waitFor()
  await house.picture(page, "synthetic")
  const epsilon = page.getByLabel("Epsilon for all of it")
  await epsilon.focus()
  await page.keyboard.press("Enter")
  const pay = page.getByRole("button", { name: "Pay and measure" })
  await pay.waitFor()
  await house.picture(page, "synthetic-price")
  await pay.focus()
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "How far the rows are from the data" }).waitFor()
  await page.locator(".chart svg").first().waitFor()
  await house.picture(page, "synthetic-made")
  await page.getByLabel("How many rows").fill("25")
  const saving = page.waitForEvent("download")
  await page.keyboard.press("Enter")
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/^synthetic-\w+\.csv$/)
  const lines = readFileSync(await saved.path(), "utf8")
    .trimEnd()
    .split("\n")
  expect(lines).toHaveLength(26)
  // Changed, the price is another one, and nothing that was made stands beside it.
  await page.getByLabel("Rules that all rows keep").fill("nothing at all")
  await page.getByRole("button", { name: "Show the price" }).click()
  await page.getByRole("alert").filter({ hasText: "synthetic/bad-rule" }).waitFor()
  await house.picture(page, "synthetic-refused")
  expect(house.complaints).toEqual([])
})
