import { DosimeterError } from "@dosimeter/core"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { Accounts } from "./accounts.ts"
import { searchAudit } from "../audit/audit.ts"
import { tryLimitsOf } from "../questions/house.ts"
import { may, roles } from "./roles.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import type { StateStore } from "../state/state-store.ts"

let folder = ""
let store: StateStore

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-state-"))
  store = openSqliteState(join(folder, "server.state"))
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : "another error"),
  )
}

test("an account has a role and a password, and can be disabled but not removed", async () => {
  const accounts = new Accounts(store, () => new Date("2026-01-02T03:04:05Z"))
  await accounts.add("ada", "analyst", "eight letters")
  expect(await accounts.verifierOf("ada")).toMatchObject({ iterations: 100_000 })
  expect(await accounts.passwordMatches("ada", "eight letters")).toBe(true)
  await accounts.setPassword("ada", "other letters")
  expect(await accounts.passwordMatches("ada", "eight letters")).toBe(false)
  await accounts.disable("ada")
  expect(await accounts.verifierOf("ada")).toBeUndefined()
  const at = "2026-01-02T03:04:05.000Z"
  expect(await accounts.list()).toEqual([{ name: "ada", role: "analyst", createdAt: at, disabledAt: at }])
})

test("account/exists, account/unknown, account/bad-name, account/short-password", async () => {
  const accounts = new Accounts(store)
  await accounts.add("ada", "owner", "eight letters")
  expect(await codeOf(accounts.add("ada", "owner", "eight letters"))).toBe("account/exists")
  expect(await codeOf(accounts.setPassword("bob", "eight letters"))).toBe("account/unknown")
  expect(await codeOf(accounts.disable("bob"))).toBe("account/unknown")
  expect(await codeOf(accounts.add("Bob Smith", "owner", "eight letters"))).toBe("account/bad-name")
  expect(await codeOf(accounts.add("bob", "owner", "short"))).toBe("account/short-password")
})

test("nobody else can read the file, and a transaction that fails changes nothing", async () => {
  expect(statSync(join(folder, "server.state")).mode & 0o077).toBe(0)
  const accounts = new Accounts(store)
  const failing = store.transaction(async (access) => {
    await access.run("INSERT INTO accounts VALUES ('eve', 'owner', '', 1, '', '', '', NULL)")
    throw new Error("no")
  })
  expect(await codeOf(failing)).toBe("another error")
  expect(await accounts.list()).toEqual([])
})

test("only owners and analysts ask, and participants only consent", () => {
  expect(roles.filter((role) => may(role, "ask"))).toEqual(["owner", "analyst"])
  expect(roles.filter((role) => may(role, "consent"))).toEqual(["participant"])
  expect(roles.filter((role) => may(role, "manage-accounts"))).toEqual(["owner"])
})

test("[G4] wrong passwords are in the audit trail as they pile up, without the names that strangers try", async () => {
  const accounts = new Accounts(store)
  await accounts.add("ada", "analyst", "a long password")
  const limits = tryLimitsOf({ accounts, store })
  for (let tries = 0; tries < 10; tries += 1) {
    const known = { name: "ada", address: "192.0.2.7", proof: `browser ${tries}` }
    const stranger = { name: `made-up-${tries}`, address: `192.0.2.${tries + 10}` }
    for (const trying of [known, stranger]) (await limits.begin(trying))?.settle("wrong")
  }
  await expect
    .poll(async () =>
      (await searchAudit(store, { what: "sign-in-failed" }))
        .map(({ about, facts }) => `${about} ${facts["inARow"]}`)
        .toSorted(),
    )
    .toEqual(["account ada 1", "account ada 10", "account ada 5", "address 192.0.2.7 10"])
})
