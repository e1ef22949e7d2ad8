import { isLongForm } from "@dosimeter/core/testing"
import { rational } from "@dosimeter/core"
import { openSqliteLedger } from "@dosimeter/engine"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { smallHospital, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
})
afterAll(() => hospital.remove())

const count = "SELECT COUNT(*) AS patients FROM person"

/** A question of the owner that failed after it was charged, as another process enters it. */
async function fails(): Promise<string> {
  const ledger = await openSqliteLedger(join(hospital.folder, ".dosimeter/hospital.ledger"), {
    dataset: "hospital",
  })
  try {
    const { accounting } = (await ledger.accounts())[0]?.budget ?? {}
    if (accounting === undefined) throw new Error("a ledger has an account")
    const charge = { accounting, amount: rational(1n, 10_000n), delta: rational(0n) }
    const asked = { planHash: "p", dataVersion: "v", requestId: "r", principal: "owner", accounts: [] }
    const reservation = await ledger.reserve({ ...asked, charge })
    const { position } = await ledger.settle(reservation, { outcome: "failed", cause: "time" })
    return `${position}`
  } finally {
    await ledger.close()
  }
}

test.runIf(isLongForm)(
  "[I1] the owner sees the alarm at every command that should say it, and opens the door with one",
  async () => {
    expect((await hospital.run("incidents")).error).toContain("error[cli/no-ledger]")
    const first = await hospital.run("ask", count)
    expect(first.code).toBe(0)
    expect((await hospital.run("incidents")).out).toBe("no question has failed after it was charged\n")
    expect((await hospital.run("check")).out).not.toContain("ALARM")
    const position = await fails()
    const notice = `dosimeter incidents acknowledge ${position} --reason "..."`
    const listed = await hospital.run("incidents")
    expect(listed.out).toMatch(
      new RegExp(`^${position} .* owner .*it took longer than is allowed +waits for you$`, "m"),
    )
    for (const { out } of [listed, await hospital.run("check")]) {
      expect(out).toContain("ALARM: one question failed after being charged")
      expect(out).toContain("no new answers to: owner")
      expect(out).toContain(notice)
    }
    const refused = await hospital.run("ask", "SELECT COUNT(*) AS n FROM visit_occurrence")
    expect(refused.code).toBe(4)
    expect(refused.error).toContain("error[ledger/door-closed]")
    expect(refused.error).toContain(notice)
    // What was answered can be read.
    expect((await hospital.run("ask", count)).code).toBe(0)
    for (const [args, code] of [
      [["acknowledge", position], "cli/bad-option"],
      [["acknowledge", "--reason", "why"], "cli/bad-option"],
      [["acknowledge", "x", "--reason", "why"], "cli/bad-option"],
      [["dismiss"], "cli/bad-option"],
      [["acknowledge", "1", "--reason", "why"], "ledger/no-incident"],
    ] as const) {
      expect((await hospital.run("incidents", ...args)).error).toContain(`error[${code}]`)
    }
    const done = await hospital.run("incidents", "acknowledge", position, "--reason", "the disk was full")
    expect(done.out).toBe(`acknowledged: ${position}\n`)
    expect((await hospital.run("check")).out).not.toContain("ALARM")
    expect((await hospital.run("incidents", "--all")).out).toContain("the owner: the disk was full")
    const json = JSON.parse((await hospital.run("incidents", "--all", "--json")).out)
    expect(json).toMatchObject([{ cause: "time", principal: "owner", seen: { why: "the disk was full" } }])
    expect((await hospital.run("ask", "SELECT COUNT(*) AS n FROM visit_occurrence")).code).toBe(0)
  },
)
