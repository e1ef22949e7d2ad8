// What is said of a question before it is paid for, from what is on record: nothing is read or charged.

import { exactly } from "@dosimeter/core/exact"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Engine } from "../engine.ts"
import { clinicPolicy, makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"

const policy = clinicPolicy.replace(", norm: fixed", "")
const sql = "SELECT ward, COUNT(*) AS visits FROM visits GROUP BY ward"
const epsilon = (text: string) => exactly(text, "epsilon")

let clinic: Clinic
const opened: OpenClinic[] = []
beforeAll(async () => {
  clinic = await makeClinic()
})
afterAll(async () => {
  for (const one of opened) await one.close()
  clinic.remove()
})

async function open(seed: string, own = policy): Promise<Engine> {
  const one = await clinic.open({ seed, policy: own })
  opened.push(one)
  return one.engine
}

describe("how much does not count", () => {
  test("is unknown without a ladder, which is said with how to know it", async () => {
    const engine = await open("no ladder")
    const { text, explanation } = await engine.explain(sql, { ask: { norm: "fixed" } })
    expect(text).toContain("how much does not count at these bounds is not known: with norm auto a ladder")
    expect(explanation.notes.join()).toContain("is not known")
    const whole = await engine.explain("SELECT sex, COUNT(*) FROM patients GROUP BY sex")
    expect(whole.text).not.toContain("does not count")
  })

  test("is an estimate where a ladder is on record, for the bounds that are asked for", async () => {
    const engine = await open("a ladder")
    const { receipt } = await engine.ask(sql, { ask: { epsilon: epsilon("3") } })
    expect(JSON.stringify(receipt)).toMatch(
      /% of what they add does not count, by an estimate from the ladder/,
    )
    const { spent } = await engine.account()
    const shareAt = async (rowsPerGroup: bigint): Promise<string | undefined> => {
      const ask = { groupsPerUnit: 1n, rowsPerGroup }
      return /at these bounds (.*?) % of what they add/.exec((await engine.explain(sql, { ask })).text)?.[1]
    }
    // Everybody in a listed ward has three rows there: one row counts for a third of that.
    const share = Number((await shareAt(1n))?.replace("about ", ""))
    expect(share).toBeGreaterThan(50)
    expect(share).toBeLessThan(75)
    expect(await shareAt(4n)).toBe("less than 1")
    expect((await engine.account()).spent).toEqual(spent)
  })
})

describe("how large counts are beside their noise", () => {
  test("is unknown where nothing is on record", async () => {
    const engine = await open("nothing")
    expect((await engine.explain(sql)).text).toMatch(/how large counts are beside ± [\d.,]+ is not on record/)
    const one = await engine.explain("SELECT COUNT(*) FROM patients")
    expect(one.text).toContain("how large the count is beside")
    const average = await engine.explain("SELECT sex, AVG(age) FROM patients GROUP BY sex")
    expect(average.text).not.toContain("not on record")
  })

  test("follows from counts of the same rows, in the same groups or in others", async () => {
    const engine = await open("counted")
    await engine.ask("SELECT age, COUNT(*) AS n FROM patients GROUP BY age", {
      ask: { epsilon: epsilon("1") },
    })
    const tell = async (question: string, spent: string): Promise<string> =>
      (await engine.explain(question, { ask: { epsilon: epsilon(spent) } })).text
    const bySex = "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex"
    expect(await tell(bySex, "1")).toMatch(
      /2 groups of about (99\d|1,0\d\d) rows each with ± [\d.]+, by counts/,
    )
    const byBoth = "SELECT sex, age, COUNT(*) AS n FROM patients GROUP BY sex, age"
    expect(await tell(byBoth, "0.01")).toMatch(
      /mostly noise at this epsilon: 20 groups of about (99|10\d)(\.\d)? rows each with ± [\d,.]+/,
    )
    // Other rows are other sizes.
    const young = "SELECT sex, COUNT(*) AS n FROM patients WHERE weight < 60 GROUP BY sex"
    expect(await tell(young, "1")).toContain("is not on record")
  })

  test("is not worked out from counts that a house rule hides", async () => {
    const engine = await open("hides", `${policy}shown_from: 1000\n`)
    await engine.ask("SELECT age, COUNT(*) AS n FROM patients GROUP BY age", {
      ask: { epsilon: epsilon("1") },
    })
    const { text } = await engine.explain("SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex")
    expect(text).toContain("is not on record")
  })
})
