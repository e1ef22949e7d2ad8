import { budgetFor, rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import { pureBudget } from "../testing/ledger-fixtures.ts"
import { nistChecklist, registryYaml, type Claim } from "./deployment.ts"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { receiptOf, type ReceiptFacts } from "./receipt.ts"
import { readReceipt, writeReceipt } from "@dosimeter/answers/shown/receipt-text"

const facts: ReceiptFacts = {
  dataset: "hospital",
  unit: "person",
  neighbours: "add-or-remove",
  shown: { measure: "approx", epsilon: rational(1n, 2n), delta: rational(1n, 1000n) },
  mechanisms: [
    { column: "n", mechanism: "gaussian", scale: rational(25n, 2n), sensitivity: "1", grid: rational(1n) },
  ],
  bounding: [{ groupsPerUnit: 5n, rowsPerGroup: 1n, rowsProof: "visits has one row a person" }],
  public: ["the values of ward", "the names of columns"],
  confidence: rational(95n, 100n),
  notes: ["AND a.person_id = b.person_id was added"],
  library: "dosimeter 0.1.0",
}

async function claim(): Promise<Claim> {
  const now = (): Date => new Date("2026-03-01T10:00:00Z")
  const ledger = await openMemoryLedger({ dataset: "hospital", now })
  await ledger.openAccount("dataset", budgetFor({ epsilon: "2", delta: "1e-6", accounting: "zcdp" }))
  const reservation = await ledger.reserve({
    accounts: [],
    charge: { accounting: "zcdp", amount: rational(1n, 25n), delta: rational(0n) },
    planHash: "aa11",
    dataVersion: "v1",
    requestId: "one",
    principal: "ana",
    study: "falls",
  })
  const [account] = await ledger.accounts()
  if (account === undefined) throw new Error("the dataset has an account")
  const about = {
    slug: "falls-hospital-2026",
    name: "Falls",
    curators: ["The hospital"],
    description: "Counts of falls: by ward, by month.",
    intendedUse: "prevention",
    region: "Europe",
    sector: "Healthcare",
    publicationDate: "2026-03-01",
    dataDomain: "visits",
    actors: "the hospital sees exact data",
    accessControl: "two roles",
    collection: 'consent "broad"',
  }
  return { receipts: [receiptOf(facts, reservation)], account, about }
}

test("a receipt says what was promised, what it cost and where it stands", async () => {
  const { receipts } = await claim()
  const [receipt] = receipts
  if (receipt === undefined) throw new Error("there is a receipt")
  expect(receipt).toMatchObject({
    epsilon: "0.5",
    delta: "0.001",
    loss: { accounting: "zcdp", amount: "1/25", delta: "0", words: "rho 0.04" },
    mechanisms: [{ column: "n", mechanism: "gaussian", scale: "25/2", sensitivity: "1", grid: "1" }],
    bounding: [{ groupsPerUnit: "5", rowsPerGroup: "1", rowsProof: "visits has one row a person" }],
    study: "falls",
    ledger: { position: "3", at: "2026-03-01T10:00:00.000Z" },
  })
  expect(receipt.id).toBe(`${receipt.ledger.id}/3`)
  expect(readReceipt(writeReceipt(receipt))).toEqual(receipt)
  // One text, whatever the order of its keys; and a receipt has them in the order of its text.
  expect(writeReceipt(Object.fromEntries(Object.entries(receipt).toReversed()) as never)).toBe(
    JSON.stringify(receipt),
  )
  expect(writeReceipt(receipt)).toBe(JSON.stringify(receipt))
})

test("a pure loss has no delta, and other measures are said in words", async () => {
  const ledger = await openMemoryLedger({ dataset: "hospital" })
  await ledger.openAccount("dataset", pureBudget("1"))
  const reservation = await ledger.reserve({
    accounts: [],
    charge: { accounting: "pure", amount: rational(1n, 3n), delta: rational(0n) },
    planHash: "p",
    dataVersion: "v",
    requestId: "r",
    principal: "ana",
  })
  const pure = receiptOf({ ...facts, shown: { measure: "pure", epsilon: rational(1n, 4n) } }, reservation)
  expect([pure.epsilon, pure.delta, pure.loss.amount]).toEqual(["0.25", "0", "1/3"])
  const shown = { measure: "gdp", muSquared: rational(1n, 4n), delta: rational(0n) } as const
  expect(receiptOf({ ...facts, shown }, reservation).epsilon).toBe("mu squared 0.25")
})

test("the registry's record has the fields of tier 3", async () => {
  const yaml = registryYaml(await claim())
  expect(yaml).toContain('url_slug: "falls-hospital-2026"\nstatus: "Draft"\ntier: 3\ndeployment:\n  basic:\n')
  expect(yaml).toContain('    data_curators:\n      - "The hospital"\n')
  expect(yaml).toContain('variant_name: "Zero-concentrated"')
  expect(yaml).toMatch(/privacy_parameters:\n {6}epsilon: 2\n {6}delta: (0\.000001|1e-6)\n {6}rho: 0\.0\d+\n/)
  expect(yaml).toContain('unprotected_quantities: "- the values of ward\\n- the names of columns"')
  expect(yaml).toContain('mechanisms: "- gaussian: scale 25/2, sensitivity 1, grid 1"')
  expect(yaml).not.toMatch(/undefined|\[object/)
})

test("the checklist has the ten points, and an empty ledger says so", async () => {
  const made = await claim()
  const text = nistChecklist(made)
  expect(text.match(/^## \d+\. /gm)).toHaveLength(10)
  expect(text).toMatch(/all answers together are private with epsilon 2 and delta (0\.000001|1e-6)\n/)
  expect(text).toContain("spent so far: rho 0.04, which is epsilon ")
  expect(text).toContain("at most 5 groups a unit and 1 rows a group (visits has one row a person)")
  expect(text).toContain("every noisy number carries an interval at confidence 0.95")
  const empty = nistChecklist({ ...made, receipts: [] })
  expect(empty).toContain("## 3. Contribution bounds, and what was dropped\n\n- none so far\n")
  expect(`${empty}${registryYaml({ ...made, receipts: [] })}`).not.toMatch(/undefined|\[object/)
})
