import { makeReport, readProtocol, releaseReport } from "@dosimeter/core/local"
import { seededBits } from "@dosimeter/core/testing"
import type { Page } from "playwright"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Client } from "../packages/server/src/doors/http/contract/client.ts"
import { openWebHouse, password, type WebHouse } from "./web-house.ts"

let house: WebHouse
beforeAll(async () => {
  house = await openWebHouse({
    prepare: async (hospital) => {
      for (const [name, role] of [
        ["olga", "owner"],
        ["mia", "analyst"],
      ] as const) {
        await hospital.type(`${password}\n`, "user", "add", name, "--role", role, "--password-stdin")
      }
    },
  })
})
afterAll(async () => house.close())

async function signIn(name: string): Promise<Page> {
  const page = await house.open("/campaigns")
  await page.getByLabel("Name").fill(name)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor()
  return page
}

async function plan(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Plan a campaign" }).first().click()
  await page.getByLabel("Title").fill("Winter health")
  await page.getByLabel("Summary in plain words").fill("Two questions about this week.")
  const first = page.getByRole("region", { name: "Question 1" })
  await first.getByLabel("What is asked").fill("How did you feel this week?")
  await first.getByLabel("Answers, one on each line").fill("Well\nA cold\nA fever\nSomething else")
  await page.getByRole("button", { name: "Add a question" }).click()
  const second = page.getByRole("region", { name: "Question 2" })
  await second.getByLabel("What is asked").fill("Hours of sleep last night?")
  await second.getByRole("radio", { name: "A number" }).click()
  await second.getByLabel("Lowest").fill("0")
  await second.getByLabel("Highest").fill("14")
}

/** Answers the survey as a browser that was never here. */
async function answer(option: string): Promise<Page> {
  const page = await house.open("/survey/winter-health")
  await page.getByLabel(option, { exact: true }).check()
  await page.getByLabel("Hours of sleep last night?").fill("7.5")
  await page.getByRole("button", { name: "Send with noise" }).click()
  await page.getByText("This is all that was sent").waitFor()
  return page
}

/** Four hundred more devices, by the same two routes that the page uses. */
async function crowd(): Promise<void> {
  const client = new Client({ url: house.url })
  const params = { id: "winter-health" }
  const protocol = readProtocol((await client.call("getSurvey", { params })).protocol)
  const rng = seededBits("winter crowd")
  const reports = Array.from({ length: 400 }, (_, i) =>
    makeReport(protocol, releaseReport(protocol, { answers: [i % 5 === 0 ? 2 : i % 2, 500] }, rng), rng),
  )
  await client.call("sendReports", { params, body: { reports } })
}

test("a campaign from its plan to live estimates, by devices that add the noise", async () => {
  const owner = await signIn("olga")
  await plan(owner)
  // Too few people for the intervals that are wanted: refused before anything is sent.
  await owner.getByLabel("People expected to answer").fill("60")
  await owner.getByText("This campaign cannot answer its questions").waitFor()
  const send = owner.getByRole("button", { name: "Plan a campaign" })
  expect(await send.isDisabled()).toBe(true)
  await owner.getByLabel("People expected to answer").fill("2000")
  await owner.getByText(/each share within ± [\d.]+ percentage points/).waitFor()
  await house.picture(owner, "campaign-plan")
  await send.click()
  await owner.getByText("0 reports so far, 2,000 people expected").waitFor()
  await owner.getByRole("button", { name: "Publish" }).click()
  await owner.getByText(`${house.url}/survey/winter-health`).waitFor()
  await owner.getByText('data-dosimeter-survey="winter-health"').waitFor()

  const device = await answer("A cold")
  await device.getByText("cannot know whether").or(device.getByText("only the mean of many")).waitFor()
  await device.getByText(/has given away epsilon [\d.]+ of 1, for good/).waitFor()
  await house.picture(device, "survey-sent")
  await answer("Well")
  await answer("Well")
  await crowd()
  // The screen looks again by itself.
  await owner.getByText("403 reports so far").waitFor()
  const shares = owner.getByRole("region", { name: "How did you feel this week?" }).first()
  // Every share with its interval, in the chart and in the table.
  await shares.getByRole("img").first().waitFor()
  const numbers = await shares.locator("td .noisy").allInnerTexts()
  expect(numbers).toHaveLength(4)
  expect(numbers.filter((text) => !/±|\[/.test(text))).toEqual([])
  expect(await shares.locator("svg [aria-label=rule] line").count()).toBeGreaterThanOrEqual(4)
  await house.picture(owner, "campaign-open")
  await owner.getByRole("radio", { name: "Raw" }).click()
  await owner.getByText("Unbiased: right on average").waitFor()
  await owner.getByLabel("Number of fakes").fill("4")
  await owner.getByText(/too high by up to [\d.]+ percentage points/).waitFor()

  // Others look, and change nothing.
  const analyst = await signIn("mia")
  expect(await analyst.getByRole("link", { name: "Plan a campaign" }).count()).toBe(0)
  await analyst.getByRole("link", { name: "Winter health" }).click()
  await analyst.getByText("403 reports so far").waitFor()
  expect(await analyst.getByRole("button", { name: "Pause" }).count()).toBe(0)

  await owner.getByRole("button", { name: "Pause" }).click()
  await owner.getByText("Paused", { exact: true }).waitFor()
  await owner.getByRole("button", { name: "Close" }).click()
  await owner.getByRole("dialog").getByRole("button", { name: "Close" }).click()
  await owner.getByText("Closed", { exact: true }).waitFor()
  await owner.getByRole("navigation").getByRole("link", { name: "Campaigns" }).click()
  await owner.getByText("403 reports so far, 2,000 people expected").waitFor()
  await house.picture(owner, "campaigns")
  expect(house.complaints).toEqual([])
})
