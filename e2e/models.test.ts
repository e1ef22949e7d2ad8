import { readFileSync } from "node:fs"
import type { Page } from "playwright"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openWebHouse, password, type WebHouse } from "./web-house.ts"

let house: WebHouse
let page: Page

beforeAll(async () => {
  house = await openWebHouse({
    flags: ["--without-studies"],
    // So much that noise lets the curve of 500 people be seen.
    policy: (policy) =>
      policy.replace("budget: { epsilon: 3,", "budget: { epsilon: 90,").replace("max: 1 }", "max: 30 }"),
  })
  page = await house.open("/models")
  await page.getByLabel("Code from the terminal").fill(house.setUpCode)
  await page.getByLabel("Your name").fill("olga")
  await page.getByLabel("Choose a password").fill(password)
  await page.getByRole("button", { name: "Make the account" }).click()
  await page.getByRole("heading", { level: 1, name: "Models" }).waitFor()
})
afterAll(async () => house.close())

const sql = "SELECT gender_concept_id, year_of_birth, year_of_birth < 1960 AS older FROM person"

test("a model: priced, trained, looked at and saved, by keyboard", async () => {
  await page.getByLabel("A SELECT of its rows").fill(sql)
  await page.getByLabel("Epsilon for all of it").fill("30")
  const target = page.getByLabel("Target")
  await target.fill("nothing")
  await page.keyboard.press("Enter")
  await page.getByRole("alert").filter({ hasText: "training/no-target" }).waitFor()
  await house.picture(page, "models-refused")
  await target.fill("older")
  await page.keyboard.press("Enter")
  const pay = page.getByRole("button", { name: "Pay and train" })
  await pay.waitFor()
  await house.picture(page, "models-price")
  await pay.focus()
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Coefficients" }).waitFor()
  await page.locator(".chart svg").nth(1).waitFor()
  await house.picture(page, "models-card")
  const saving = page.waitForEvent("download")
  await page.getByRole("button", { name: "Save as ONNX" }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe("logistic-older.onnx")
  expect(readFileSync(await saved.path(), "latin1")).toContain("expected")
  // It is in the list, opens by its address, and costs nothing again.
  await page.getByRole("region", { name: "Models so far" }).getByRole("link").first().click()
  await page.getByText(sql).waitFor()
  await page.getByRole("link", { name: "All models" }).click()
  await page.getByLabel("A SELECT of its rows").fill(`${sql} -- again`)
  await page.getByLabel("Epsilon for all of it").fill("30")
  await page.getByLabel("Target").fill("older")
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Show the model" }).waitFor()
  await page.getByRole("button", { name: /^Logistic/ }).click()
  await page.getByRole("option", { name: /^Curves/ }).click()
  await page.getByRole("button", { name: "Show the price" }).click()
  await page.getByRole("button", { name: "Pay and train" }).click()
  await page.getByRole("heading", { name: "Curves" }).waitFor()
  await page.locator(".chart svg").nth(2).waitFor()
  await house.picture(page, "models-curves")
  expect(house.complaints).toEqual([])
})

test("models without a target: components are drawn, groups are listed, and each says what it holds", async () => {
  for (const [from, kind, drawn] of [
    [/^Curves/, /^Components/, "Component 1"],
    [/^Components/, /^Groups/, "Group 1"],
  ] as const) {
    await page.getByRole("button", { name: from }).click()
    await page.getByRole("option", { name: kind }).click()
    await page.getByLabel("How many").fill("2")
    await page.getByRole("button", { name: "Show the price" }).click()
    await page.getByRole("button", { name: "Pay and train" }).click()
    await page.getByText(drawn).first().waitFor()
    await page.getByText(/It holds .* of the variance|The noise hides how good it is/).waitFor()
    await house.picture(page, `models-${drawn.replace(" 1", "").toLowerCase()}`)
  }
  expect(house.complaints).toEqual([])
})
