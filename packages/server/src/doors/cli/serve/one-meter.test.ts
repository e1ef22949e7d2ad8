// One ledger, one percentage: every door and every page shows the same number for what is used, delta
// included; and a participant's dose is all that the ledger has.

import { showShare } from "@dosimeter/core/accounting"
import { afterAll, beforeAll, expect, test } from "vitest"
import { budgetInWords } from "./serve-greeting.ts"
import { linkParticipant } from "../../../people/participants.ts"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"

const count = "SELECT COUNT(*) AS n FROM person"
// Its groups come from the data, which takes delta besides rho.
const found = "SELECT condition_concept_id, COUNT(*) AS n FROM condition_occurrence GROUP BY 1"

let lab: HttpLab
beforeAll(async () => {
  lab = await httpLab()
  await linkParticipant(lab.store, "paul", "42")
})
afterAll(async () => lab.close())

/** How much is used, as each door says it. */
async function allDoors(): Promise<Readonly<Record<string, string>>> {
  const { accounts } = await lab.as("owner").call("getBudget")
  const shown = await lab.as("participant").call("getTransparency")
  const explained = await lab.as("analyst").call("explain", { body: { sql: count } })
  const { total } = await lab.as("participant").call("getParticipation")
  const page = await (await fetch(`${lab.url}/transparency`)).text()
  const metrics = await lab.as("owner").text("metrics")
  const psql = await budgetInWords(lab.engine)
  const printed = await lab.hospital.run("budget")
  const json: unknown = JSON.parse((await lab.hospital.run("budget", "--json")).out)
  const share = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1]?.trim() ?? "nothing"
  return {
    api: showShare(accounts.find(({ name }) => name === "dataset")?.used.share ?? -1),
    explain: showShare(explained.budget.used.share),
    participant: showShare(total.used.share),
    public: showShare(shown.spent.used.share),
    page: share(page, /<b>([^<]*) is used<\/b>/).replace("&lt;", "<"),
    bar: share(page, /aria-label="([^"]*) of the limit is used"/).replace("&lt;", "<"),
    metrics: showShare(Number(share(metrics, /used_share\{account="dataset"\} (\S+)/))),
    psql: share(psql, /\] +(.*?) used/),
    terminal: share(printed.out, /^dataset .*\] +(.*?) used/m),
    json: showShare(Number(share(JSON.stringify(json), /"share":([\d.e-]+)/))),
  }
}

const distinct = (doors: Readonly<Record<string, string>>): readonly string[] => [
  ...new Set(Object.values(doors)),
]

test("before anything is asked, after rho is spent, and where delta runs out first", async () => {
  expect(distinct(await allDoors())).toEqual(["0 %"])
  await lab.as("analyst").call("ask", { body: { sql: count, epsilon: "0.1" } })
  const afterCount = distinct(await allDoors())
  expect(afterCount).toHaveLength(1)
  await lab.as("analyst").call("ask", { body: { sql: found, epsilon: "0.1", keysDelta: "4e-9" } })
  const doors = await allDoors()
  expect(distinct(doors)).toHaveLength(1)
  const { accounts } = await lab.as("owner").call("getBudget")
  const dataset = accounts.find(({ name }) => name === "dataset")
  expect(dataset?.used.first).toBe("delta")
  expect(dataset?.used.share).toBe(dataset?.used.delta)
  expect(dataset?.used.loss).toBeLessThan(dataset?.used.delta ?? 0)
  expect(await budgetInWords(lab.engine)).toContain("delta runs out")
})

// Two questions, and the norm that the second one learnt.
test("a participant's dose is all that the ledger has, though nothing was asked in a study", async () => {
  const { items, outside, total } = await lab.as("participant").call("getParticipation")
  const { accounts } = await lab.as("owner").call("getBudget")
  const dataset = accounts.find(({ name }) => name === "dataset")
  expect(items).toEqual([])
  expect(outside).toMatchObject({ releasesWith: 3, releasesWithout: 0, epsilon: dataset?.spent.epsilon })
  expect(total).toMatchObject({ releasesWith: 3, releasesWithout: 0, epsilon: dataset?.spent.epsilon })
  expect(total.used).toEqual(dataset?.used)
})
