import { checkPromise, makeReport, readProtocol, releaseReport } from "@dosimeter/core/local"
import { seededBits } from "@dosimeter/core/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"
import { ApiError, Client } from "../contract/client.ts"

let lab: HttpLab
beforeAll(async () => {
  lab = await httpLab({ needsStudies: false })
})
afterAll(() => lab.close())

const plan = {
  id: "winter",
  title: "Winter <health>",
  summary: "Two questions.",
  epsilon: "2",
  people: 4000,
  questions: [
    { kind: "choice", name: "fever", text: "Did you have a fever?", options: ["no", "yes"] },
    { kind: "number", name: "sleep", text: "Hours of sleep?", low: 0, high: 12 },
  ],
} as const

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof ApiError ? error.problem.code : "another error"),
  )
}

test("a campaign from plan to estimates", async () => {
  const owner = lab.as("owner")
  const stranger = new Client({ url: lab.url })
  const params = { id: "winter" }
  const made = await owner.call("createCampaign", { body: plan })
  expect(made).toMatchObject({ state: "draft", reports: 0, reportsMax: 8000 })
  expect(made.certificate.epsilon).toBeLessThanOrEqual(2)
  expect(made.snippet).toContain(`src="${lab.url}/survey.js"`)
  expect(await codeOf(stranger.call("getSurvey", { params }))).toBe("campaign/unknown")
  expect(await codeOf(lab.as("analyst").call("publishCampaign", { params }))).toBe("account/no-right")
  await owner.call("publishCampaign", { params })

  const survey = await stranger.call("getSurvey", { params })
  const protocol = readProtocol(survey.protocol)
  checkPromise(protocol, survey.epsilon)
  const rng = seededBits("http campaign")
  const reports = Array.from({ length: 200 }, (_, i) =>
    makeReport(protocol, releaseReport(protocol, { answers: [i % 2, 300] }, rng), rng),
  )
  const sent = { params, body: { reports } }
  expect(await stranger.call("sendReports", sent)).toEqual({ accepted: 200, repeated: 0, refused: 0 })
  expect(await stranger.call("sendReports", sent)).toEqual({ accepted: 0, repeated: 200, refused: 0 })

  const { items } = await lab.as("analyst").call("campaignEstimates", { params })
  expect(items.map(({ name, reports: count }) => [name, count > 50])).toEqual([
    ["fever", true],
    ["sleep", true],
  ])
  expect((await owner.call("pauseCampaign", { params })).state).toBe("paused")
  expect(await codeOf(stranger.call("sendReports", sent))).toBe("campaign/not-open")
  expect((await owner.call("closeCampaign", { params })).state).toBe("closed")
  expect((await owner.call("listCampaigns")).items).toHaveLength(1)
  // Nothing of a report is in the log.
  expect(lab.log.join("\n")).not.toContain(reports[0]?.payload)
})

test("pages of other sites may fetch a survey and send, and nothing else", async () => {
  const from = { Origin: "https://elsewhere.example", "Sec-Fetch-Site": "cross-site" }
  const survey = await fetch(`${lab.url}/api/v1/surveys/winter`, { headers: from })
  expect(survey.headers.get("access-control-allow-origin")).toBe("*")
  const ask = await fetch(`${lab.url}/api/v1/surveys/winter/reports`, { method: "OPTIONS", headers: from })
  expect(ask.status).toBe(204)
  expect(ask.headers.get("access-control-allow-methods")).toBe("POST")
  const send = await fetch(`${lab.url}/api/v1/surveys/winter/reports`, {
    method: "POST",
    headers: { ...from, "Content-Type": "application/json" },
    body: JSON.stringify({ reports: [] }),
  })
  expect(send.headers.get("access-control-allow-origin")).toBe("*")
  expect(await send.text()).toContain("request/bad-input")
  const other = await fetch(`${lab.url}/api/v1/campaigns`, { headers: from })
  expect(other.headers.get("access-control-allow-origin")).toBeNull()
})

test("the survey is a page, and its script carries the device's side", async () => {
  const page = await fetch(`${lab.url}/survey/winter`)
  const html = await page.text()
  expect(html).toContain('data-dosimeter-survey="winter"')
  expect(html).toContain("Winter &lt;health&gt;")
  const script = await fetch(`${lab.url}/survey.js`)
  expect(script.headers.get("content-type")).toContain("text/javascript")
  expect(script.headers.get("access-control-allow-origin")).toBe("*")
  expect(await script.text()).toContain("data-dosimeter-survey")
})
