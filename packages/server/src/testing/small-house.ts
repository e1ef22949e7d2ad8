// A house with studies around a tiny dataset: an owner, a committee, analysts and the real engine.

import { DuckDBInstance } from "@duckdb/node-api"
import { openEngine, type Engine } from "@dosimeter/engine"
import { seededBits } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { budgetFor } from "@dosimeter/core"
import { Accounts } from "../people/accounts.ts"
import { Airlock } from "../studies/airlock.ts"
import { Consents } from "../consent/consents.ts"
import { questionsOf } from "../questions/house.ts"
import { StoredConsent } from "../consent/stored-consent.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import { Studies, type StudyProposal } from "../studies/studies.ts"
import type { Actor } from "../studies/study-state.ts"

/** Its policy. */
export const housePolicy = `dataset: ward
source: { duckdb: ward.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 20, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-9 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      sex: { values: [f, m], nullable: false }
      admitted: { min: 2026-01-01, max: 2026-12-31, type: date, nullable: false }
`

/** Who is there. */
export const people = {
  ada: { name: "ada", role: "analyst" },
  bob: { name: "bob", role: "analyst" },
  carl: { name: "carl", role: "committee" },
  dana: { name: "dana", role: "committee" },
  olga: { name: "olga", role: "owner" },
  coco: { name: "coco", role: "community" },
  pat: { name: "pat", role: "participant" },
} as const satisfies Readonly<Record<string, Actor>>

/** The house. */
export interface SmallHouse {
  readonly folder: string
  readonly engine: Engine
  readonly store: ReturnType<typeof openSqliteState>
  readonly accounts: Accounts
  readonly studies: Studies
  readonly airlock: Airlock
  readonly consents: Consents
  readonly questions: ReturnType<typeof questionsOf>
  /** Makes releases fail after they were charged, or ends that. */
  readonly breakReleases: (isBroken: boolean) => void
  /** Takes a study through the committee and opens it; ada's unless others are named. */
  openStudy(id: string, change?: Partial<StudyProposal>): Promise<void>
  close(): Promise<void>
}

/**
 * Opens one; `more` is added to its policy, or to another one, and its state is in memory unless another is
 * given.
 */
export async function openSmallHouse(
  more = "",
  store: SmallHouse["store"] = openSqliteState(":memory:"),
  policy = housePolicy,
): Promise<SmallHouse> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-house-"))
  const instance = await DuckDBInstance.create(join(folder, "ward.duckdb"))
  const connection = await instance.connect()
  await connection.run(
    `CREATE TABLE patients AS
     SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
       DATE '2026-01-05' + CAST(i AS INTEGER) AS admitted
     FROM range(300) r(i)`,
  )
  connection.closeSync()
  instance.closeSync()
  const consents = new Consents(store, { unitType: "integer" })
  const bits = seededBits("house")
  let isBroken = false
  const rng = {
    word: () => (isBroken ? failHere() : bits.word()),
    fill: (words: Uint32Array) => (isBroken ? failHere() : bits.fill(words)),
  }
  const engine = await openEngine({
    policy: `${policy}${more}`,
    folder,
    prepare: "never",
    rng,
    consent: new StoredConsent(() => store),
  })
  const accounts = new Accounts(store)
  // Passwords that somebody chose are hashed 24 times as often, which takes longer than most tests.
  for (const { name, role } of Object.values(people)) {
    await accounts.add(name, role, "correct horse", { origin: "made-up" })
  }
  const [studies, airlock] = [new Studies(store), new Airlock(store, engine.ledger)]
  const questions = questionsOf({ engine, accounts, studies, store })
  const { ada, carl, dana, olga } = people
  return {
    folder,
    engine,
    store,
    accounts,
    studies,
    airlock,
    consents,
    questions,
    breakReleases: (next) => {
      isBroken = next
    },
    openStudy: async (id, change = {}) => {
      const proposal = { ...study, id, ...change }
      await studies.propose(proposal, ada)
      await studies.submit(id, ada)
      await studies.review(id, { decision: "approve", reasons: "sound" }, carl)
      await studies.review(id, { decision: "approve", reasons: "useful" }, dana)
      const { epsilon, delta } = proposal
      const budget = budgetFor({ epsilon, delta, accounting: "zcdp" })
      await studies.activate(id, olga, async () => {
        await engine.ledger.openAccount(`study:${id}`, budget)
      })
    },
    close: async () => {
      await questions.settled()
      await engine.close()
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

function failHere(): never {
  throw new Error("a bug while releasing")
}

const study: StudyProposal = {
  id: "heart",
  title: "Heart failure and readmission",
  summary: "Do people come back after heart failure?",
  purposes: ["DUO:0000006", "DUO:0000018"],
  people: [],
  starts: "2020-01-01",
  ends: "2099-12-31",
  epsilon: "2",
  delta: "1e-7",
}
