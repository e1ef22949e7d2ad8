import type { Page } from "playwright"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openWebHouse, password, type WebHouse } from "./web-house.ts"

let house: WebHouse
let page: Page

beforeAll(async () => {
  house = await openWebHouse()
  // With the slash that people type.
  page = await house.open("/lab/")
  await page.getByLabel("Code from the terminal").fill(house.setUpCode)
  await page.getByLabel("Your name").fill("olga")
  await page.getByLabel("Choose a password").fill(password)
  await page.getByRole("button", { name: "Make the account" }).click()
  await page.getByRole("heading", { level: 1, name: "Lab" }).waitFor()
})
afterAll(async () => house.close())

test("the lab: every slider of every chapter answers to a key, and one chapter leads to the next", async () => {
  await house.picture(page, "lab")
  await page.getByRole("link", { name: "1. Noise and scale" }).click()
  const titles: string[] = []
  for (;;) {
    const title = await page.getByRole("heading", { level: 1 }).innerText()
    titles.push(title)
    const number = title.split(".")[0] ?? ""
    const place = page.getByRole("region", { name: "Move it" })
    for (const slider of await place.getByRole("slider").all()) {
      await page.locator(".chart svg").first().waitFor()
      const before = await place.innerText()
      await slider.focus()
      await page.keyboard.press((await slider.inputValue()) === "0" ? "ArrowRight" : "ArrowLeft")
      await expect.poll(async () => place.innerText()).not.toBe(before)
    }
    await house.picture(page, `lab-${number.padStart(2, "0")}`)
    const next = page.getByRole("link", { name: /^Next:/ })
    if ((await next.count()) === 0) break
    await next.click()
    await page
      .getByRole("heading", { level: 1 })
      .filter({ hasText: `${titles.length + 1}. ` })
      .waitFor()
  }
  expect(titles).toHaveLength(16)
})

test("the lab: an exercise is solved by keyboard, and is remembered after a reload", async () => {
  await page.goto(`${house.url}/lab/parallel`)
  await page.getByLabel("Your answer").fill("0.5")
  await page.keyboard.press("Enter")
  await page.getByText("Count the numbers that one patient can move.").waitFor()
  await page.getByLabel("Your answer").fill("1.5")
  await page.keyboard.press("Enter")
  await page.getByText(/^Right\./).waitFor()
  await page.goto(`${house.url}/lab`)
  await page.getByText("1 of 16 exercises solved").waitFor()
  await page.getByRole("link", { name: /For teachers/ }).click()
  await page.getByRole("article").nth(15).waitFor()
  await house.picture(page, "lab-teacher")
  expect(house.complaints).toEqual([])
})
