import { isLongForm } from "@dosimeter/core/testing"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { findMeasurements, openEngine } from "@dosimeter/engine"
import { ChargeList } from "../../../answers/charge-list.ts"
import { smallHospital, type AccountsJson, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
})
beforeEach(() => hospital.rewrite((policy) => policy))
afterAll(() => hospital.remove())

const count = "SELECT COUNT(*) AS patients FROM person"
const ledgerPath = (): string => join(hospital.folder, ".dosimeter/hospital.ledger")

test("cli/no-ledger: there is nothing to verify before the first question", async () => {
  const { code, error } = await hospital.run("ledger", "verify")
  expect(code).toBe(2)
  expect(error).toContain("error[cli/no-ledger]: there is no ledger .dosimeter/hospital.ledger\n")
})

test("the anchor stays where the owner keeps it, and verify looks there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-anchor-"))
  const anchor = join(folder, "hospital.anchor")
  hospital.rewrite((policy) => policy.replace(/^anchor: .*$/m, `anchor: ${anchor}`))
  await hospital.run("ask", "SELECT COUNT(*) AS n FROM person")
  expect(existsSync(anchor)).toBe(true)
  expect(existsSync(`${ledgerPath()}.anchor`)).toBe(false)
  expect((await hospital.run("ledger", "verify")).code).toBe(0)
  rmSync(anchor)
  const gone = await hospital.run("ledger", "verify")
  expect(gone.code).toBe(4)
  expect(gone.error).toContain("anchor")
  rmSync(folder, { recursive: true })
})

test("verify says that a ledger is sound, for people and for programs", async () => {
  await hospital.run("ask", count)
  const { code, out } = await hospital.run("ledger", "verify")
  expect(code).toBe(0)
  expect(out).toMatch(
    /^\.dosimeter\/hospital\.ledger is sound: 4 entries, .*\nhead {2}[0-9a-f]{64}\nthe anchor lies beside /,
  )
  const value = JSON.parse((await hospital.run("ledger", "verify", "--json")).out)
  expect(value).toMatchObject({ sound: true, entries: 4, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

test("verify finds an edited byte, and nothing is answered any more", async () => {
  await hospital.run("ask", count, "--as", "somebody")
  const bytes = readFileSync(ledgerPath())
  const at = bytes.indexOf("somebody")
  bytes[at] = "S".charCodeAt(0)
  writeFileSync(ledgerPath(), bytes)
  const found = await hospital.run("ledger", "verify")
  expect(found.code).toBe(4)
  expect(
    ["ledger/damaged", "cli/ledger-unsound"].some((code) => found.error.includes(`error[${code}]: `)),
  ).toBe(true)
  const json = await hospital.run("ledger", "verify", "--json")
  expect(JSON.parse(json.out)).toMatchObject({ error: { kind: "refused" } })
  expect((await hospital.run("ask", count)).code).toBe(4)
})

test("an edited release is found too", async () => {
  await hospital.run("ask", count)
  const bytes = readFileSync(ledgerPath())
  const at = bytes.indexOf('"value":')
  expect(at).toBeGreaterThan(0)
  bytes[at + 8] = bytes[at + 8] === 0x31 ? 0x32 : 0x31
  writeFileSync(ledgerPath(), bytes)
  const { code, error } = await hospital.run("ledger", "verify")
  expect(code).toBe(4)
  expect(error).toMatch(/error\[(ledger\/damaged|cli\/ledger-unsound)\]: /)
})

test("budget shows a bar for each account and how many questions fit", async () => {
  await hospital.run("ask", count)
  const { code, out } = await hospital.run("budget")
  expect(code).toBe(0)
  expect(out).toMatch(/^hospital: epsilon 3, delta 1e-7 for everything ever asked \(zcdp\)\n/)
  expect(out).toContain("\na default question spends epsilon 0.5\n\n")
  expect(out).toMatch(/dataset {2}\[#\.{19}\] {2}3 % used, epsilon 0\.\d+ of 3; room for 32 of them\n$/)
  const { accounts, dataset }: AccountsJson = JSON.parse((await hospital.run("budget", "--json")).out)
  expect(dataset).toBe("hospital")
  expect(accounts).toHaveLength(1)
  expect(accounts[0]).toMatchObject({ name: "dataset", epsilon: 3, defaultQuestionsLeft: 32 })
})

test("receipts lists what was charged, for people, programs, registries and committees", async () => {
  expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
  await hospital.run("ask", count)
  await hospital.run("ask", count)
  const { out } = await hospital.run("receipts")
  expect(out).toMatch(/^entry {2}when \(UTC\) {8}who {4}epsilon {2}plan {6}outcome\n {4}3 {2}20.*released\n$/)
  expect(JSON.parse((await hospital.run("receipts", "--json")).out)).toMatchObject({
    receipts: [{ position: 3, outcome: "released", receipt: { unit: "person" } }],
  })
  const registry = await hospital.run("receipts", "--registry")
  expect(registry.out).toContain('privacy_unit: "person-level"')
  expect(registry.out).toContain('"to be stated by the owner"')
  const nist = await hospital.run("receipts", "--nist")
  expect(nist.out).toContain("# hospital: NIST SP 800-226 checklist\n\n1 releases.\n")
  expect((await hospital.run("receipts", "--nist", "--json")).code).toBe(2)
})

test.runIf(isLongForm)("receipts gives the measurements of groupings that were made to add up", async () => {
  const rollup = `SELECT region, hospital, COUNT(*) FROM visit_occurrence JOIN wards ON ward_id = care_site_id
    GROUP BY ROLLUP (region, hospital)`
  await hospital.run("ask", count)
  await hospital.run("ask", rollup)
  const { out } = await hospital.run("receipts", "--measurements", "5")
  expect(JSON.parse(out)).toMatchObject({
    format: "dosimeter-measurements/1",
    tables: [{ measure: "COUNT(*)", noise: "gaussian", axes: [{ keys: ["region", "hospital"] }] }],
  })
  // As it stands in the ledger, byte by byte: a reader may hash it.
  const { folder } = hospital
  const policy = readFileSync(join(folder, "dosimeter.yaml"), "utf8")
  const engine = await openEngine({ policy, folder, prepare: "never" })
  const record = await new ChargeList(engine.ledger).find(5n)
  const kept = record === undefined ? undefined : await findMeasurements(engine.ledger, record)
  await engine.close()
  expect(out).toBe(`${kept}\n`)
  for (const entry of ["3", "4", "99", "x"]) {
    const { code, error } = await hospital.run("receipts", "--measurements", entry)
    expect(code).toBe(2)
    expect(error).toContain(`error[cli/bad-option]: --measurements is ${entry}, and should be an entry`)
  }
})

test("explain says the cost and the error, and charges nothing", async () => {
  const { code, out } = await hospital.run("explain", count)
  expect(code).toBe(0)
  expect(out).toContain("aggregate   COUNT(*)  Gaussian noise of sigma 10.45")
  expect(out).not.toContain("TRY_CAST")
  expect((await hospital.run("explain", count, "--sql")).out).toContain("SELECT CAST(COUNT(*)")
  const value = JSON.parse((await hospital.run("explain", count, "--json")).out)
  expect(value).toMatchObject({
    dataset: "hospital",
    columns: [{ name: "patients", kind: "noisy", mechanism: "gaussian" }],
    cost: { accounting: "zcdp" },
    budget: { spent: { epsilon: 0 } },
  })
  const refused = await hospital.run("explain", "SELECT person_source_value FROM person")
  expect(refused.code).not.toBe(0)
  expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
})

test("prepare makes its copies once, and says what and how large", async () => {
  const { code, out } = await hospital.run("prepare")
  expect(code).toBe(0)
  expect(out).toMatch(/^( {2}\S.*\n)+\d+ copies, [\d.]+ MB, in \d+\.\d s: .*\n$/)
  const value: unknown = JSON.parse((await hospital.run("prepare", "--json")).out)
  expect(value).toMatchObject({ copies: expect.arrayContaining(["person"]), bytes: expect.any(Number) })
  expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
})

test("a policy that is not there, or not right, is said before anything is opened", async () => {
  for (const command of [
    ["ask", count],
    ["explain", count],
    ["budget"],
    ["receipts"],
    ["prepare"],
    ["ledger", "verify"],
  ]) {
    const { code, error } = await hospital.run(...command, "--policy", "none.yaml")
    expect(code).toBe(2)
    expect(error).toContain("error[cli/no-file]: there is no file none.yaml")
  }
  hospital.rewrite((policy) => policy.replace("epsilon: 3,", "epsilon: lots,"))
  const { code, error } = await hospital.run("ask", count)
  expect(code).toBe(2)
  expect(error).toMatch(/^dosimeter\.yaml:6:\d+\nerror\[policy\/wrong-value\]: /)
})

test.runIf(isLongForm)("a question that was stopped is listed with what it cost", async () => {
  hospital.rewrite((policy) => `${policy}resources: { seconds: 1 }\n`)
  // Constants alone, which no bound of a person's work is about.
  const thousand = `(VALUES ${Array.from({ length: 1000 }, (_, index) => `(${index})`).join(", ")})`
  const constants = ["a", "b", "c", "d"].map((name) => `${thousand} AS ${name}(x)`).join(", ")
  const slow = `SELECT COUNT(*) FROM person
    WHERE EXISTS (SELECT 1 FROM ${constants} WHERE a.x * b.x + c.x * d.x = -1)`
  const { code, error } = await hospital.run("ask", slow)
  expect(code).toBe(5)
  expect(error).toContain("error[backend/too-slow]: ")
  expect((await hospital.run("receipts")).out).toMatch(/ owner +0\.5 +[0-9a-f]{8} +failed\n$/)
})
