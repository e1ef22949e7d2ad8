import { isLongForm } from "@dosimeter/core/testing"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { smallHospital, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
})
// A sum over a count that is not shown would show it.
beforeEach(() => hospital.rewrite((policy) => policy.replace("shown_from: 10", "")))
afterAll(() => hospital.remove())

const byYear =
  "SELECT year_of_birth / 50 AS half, COUNT(*) AS n FROM person WHERE year_of_birth BETWEEN 1900 AND 1999 GROUP BY 1"
const all = "SELECT COUNT(*) AS n FROM person WHERE year_of_birth BETWEEN 1900 AND 1999"

test.runIf(isLongForm)(
  "[B5] an answer from earlier releases says so, and explain says it beforehand",
  async () => {
    expect((await hospital.run("ask", byYear, "--epsilon", "1")).out).toContain("cost    epsilon 1,")
    const before = await hospital.run("budget", "--json")
    const explained = await hospital.run("explain", all, "--epsilon", "0.05")
    expect(explained.out).toContain("record      answered from earlier releases (entry 3), free\n")
    const free = await hospital.run("ask", all, "--epsilon", "0.05")
    expect(free.error).toBe("")
    expect(free.out).toContain("cost    nothing: worked out from the release at entry 3\n")
    expect((await hospital.run("budget", "--json")).out).toBe(before.out)
    const json = await hospital.run("ask", all, "--epsilon", "0.05", "--json")
    expect(JSON.parse(json.out)).toMatchObject({ origin: "reused", from: [3], receipt: { epsilon: "0" } })
    const wide = await hospital.run("explain", all, "--epsilon", "1")
    expect(wide.out).toMatch(
      /record {6}earlier releases \(entry 3\) answer it free with reuse always: the error/,
    )
    expect((await hospital.run("ask", all, "--epsilon", "1", "--reuse", "always")).out).toContain(
      "cost    nothing",
    )
    expect((await hospital.run("ask", all, "--epsilon", "0.05", "--reuse", "never")).out).toContain(
      "cost    epsilon",
    )
  },
)
