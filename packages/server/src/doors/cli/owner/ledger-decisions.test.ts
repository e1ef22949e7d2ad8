// What an operator types when a ledger is refused.

import { isLongForm } from "@dosimeter/core/testing"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"
import { smallHospital, type AccountsJson, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
})
beforeEach(() => hospital.rewrite((policy) => policy))
afterAll(() => hospital.remove())

const count = "SELECT COUNT(*) AS patients FROM person"
const inState = (name: string): string => join(hospital.folder, ".dosimeter", name)

async function defaultQuestionsLeft(): Promise<unknown> {
  const { accounts }: AccountsJson = JSON.parse((await hospital.run("budget", "--json")).out)
  return accounts[0]
}

test("a lost anchor: the message names the command, and the command works as it is written", async () => {
  await hospital.run("ask", count)
  rmSync(inState("hospital.ledger.anchor"))
  const lost = await hospital.run("ask", count)
  expect(lost.code).toBe(4)
  expect(lost.error).toContain("dosimeter ledger acknowledge --reason TEXT")
  const { code, out } = await hospital.run("ledger", "acknowledge", "--reason", "TEXT")
  expect([code, out]).toEqual([0, "entered into the ledger, with the names of the owner\n"])
  expect((await hospital.run("ledger", "verify")).code).toBe(0)
  // Recorded answers stay, and nothing is left for others.
  expect((await hospital.run("ask", count)).out).toContain("recorded answer, free")
  expect((await hospital.run("ask", "SELECT COUNT(*) FROM death")).error).toContain("budget/exhausted")
  const again = await hospital.run("ledger", "acknowledge", "--reason", "TEXT")
  expect(again.error).toContain("error[decision/nothing]")
})

test.runIf(isLongForm)("a lost ledger: two names and a share leave the rest", async () => {
  await hospital.run("ask", count)
  for (const end of ["", "-wal", "-shm", ".anchor"]) rmSync(inState(`hospital.ledger${end}`), { force: true })
  expect((await hospital.run("ask", count)).error).toContain("error[ledger/lost]: ")
  const spent = ["ledger", "acknowledge", "--reason", "the disk broke", "--spent", "40%"]
  expect((await hospital.run(...spent)).error).toContain("error[ledger/one-person]: ")
  expect((await hospital.run(...spent, "--spent", "400%")).error).toContain("error[decision/bad-share]: ")
  const { out } = await hospital.run(...spent, "--by", "Olga", "--second", "Carl")
  expect(out).toBe("entered into the ledger, with the names of Olga and Carl\n")
  expect(await defaultQuestionsLeft()).toMatchObject({ name: "dataset", defaultQuestionsLeft: 20 })
  expect((await hospital.run("ask", count)).code).toBe(0)
})

test("other neighbours: rebind is the way on, and acknowledge is not", async () => {
  await hospital.run("ask", count)
  const path = join(hospital.folder, "dosimeter.yaml")
  writeFileSync(path, readFileSync(path, "utf8").replace("add-or-remove", "replace"))
  const refused = await hospital.run("ask", count)
  expect(refused.error).toContain("error[ledger/terms-differ]: ")
  expect(refused.error).toContain("dosimeter ledger rebind --reason TEXT")
  const wrong = await hospital.run("ledger", "acknowledge", "--reason", "TEXT")
  expect(wrong.error).toContain("error[ledger/terms-differ]: ")
  expect((await hospital.run("ledger", "rebind", "--reason", "TEXT")).code).toBe(0)
  expect(await defaultQuestionsLeft()).toMatchObject({ defaultQuestionsLeft: 0 })
})

test("where there is a committee, two accounts decide", async () => {
  await hospital.run("ask", count)
  for (const [name, role] of [
    ["olga", "owner"],
    ["carl", "committee"],
    ["ada", "analyst"],
  ]) {
    await hospital.type(
      "a good password",
      "user",
      "add",
      name ?? "",
      "--role",
      role ?? "",
      "--password-stdin",
    )
  }
  rmSync(inState("hospital.ledger.anchor"))
  const alone = await hospital.run("ledger", "acknowledge", "--reason", "the disk broke")
  expect(alone.error).toContain("error[decision/two-accounts]: ")
  const acknowledge = ["ledger", "acknowledge", "--reason", "the disk broke", "--spent", "40%", "--as"]
  expect((await hospital.run(...acknowledge, "ada")).error).toContain("error[decision/not-allowed]: ")
  expect((await hospital.run(...acknowledge, "olga")).out).toContain("decision 1 waits for one more person")
  const agree = ["ledger", "agree", "1", "--reason", "I have seen it", "--as"]
  expect((await hospital.run(...agree, "olga")).error).toContain("error[decision/agreed-already]: ")
  expect((await hospital.run(...agree, "carl")).out).toBe("request 1 is granted\n")
  expect((await hospital.run("ledger", "requests", "--as", "carl")).out).toMatch(
    /1 +acknowledge +40% +granted +olga .* (olga, carl|carl, olga)\n$/,
  )
  expect(await defaultQuestionsLeft()).toMatchObject({ defaultQuestionsLeft: 20 })
  rmSync(inState("server.state"))
})

test("check and verify say what is noticed with the anchor where it is", async () => {
  expect((await hospital.run("check")).out).toContain("the anchor lies beside the ledger")
  hospital.rewrite((policy) => policy.replace(/^anchor: .*\n/m, ""))
  const { out } = await hospital.run("check")
  expect(out).toContain("an old backup of .dosimeter, or its removal, is noticed")
})

test("a server starts with a ledger that is refused, charges nothing, and says why", async () => {
  await hospital.run("ask", count)
  rmSync(inState("hospital.ledger.anchor"))
  const controller = new AbortController()
  let said = ""
  const serving = runCommand(["serve", "--pg-port", "0", "--http-port", "0", "--log", "silent"], {
    folder: hospital.folder,
    out: (text) => {
      said += text
      controller.abort()
    },
    error: () => {},
    signal: controller.signal,
  })
  expect(await serving).toBe(0)
  expect(said).toContain("NOTHING CAN BE CHARGED: ")
  expect(said).toContain("dosimeter ledger acknowledge --reason TEXT")
  expect(said).toContain("the anchor lies beside the ledger")
})
