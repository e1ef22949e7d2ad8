// Consent: what a plan reads of people who did not agree is nothing. Shown by running it on a database beside
// the plain plan on a copy of the data without them.

import { isLongForm } from "@dosimeter/core/testing"
import { DosimeterError } from "@dosimeter/core"
import { beforeAll, expect, test } from "vitest"
import type { ConsentMode } from "@dosimeter/proof/catalog/catalog"
import { compile, type CompileOptions } from "./compile.ts"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { designCopies } from "./copies/design-copies.ts"
import { printCopy } from "@dosimeter/proof/print/print-copy"
import { printRel } from "@dosimeter/proof/print/print"
import { quotedName } from "@dosimeter/proof/testing/hostile-values"
import { randomQuestion } from "./testing/random/random-question.ts"
import { randomDataset, type TestDataset } from "./testing/random/random-tables.ts"
import { everyone, TestDatabase, without } from "./testing/units/test-database.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

const modes: readonly ConsentMode[] = ["required", "opt-out"]
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const seeds = isLongForm ? ["schema 0", "prepared 1"] : ["prepared 1"]

test.each(seeds)("[G1] who did not agree is not there: %s", async (seed) => {
  const dataset = randomDataset(seed)
  if (dataset.tables.some(({ unit }) => unit === "row")) return
  const plain = readPolicy(dataset.policy)
  const database = await TestDatabase.open(1)
  const gone = dataset.owners.slice(0, 2)
  const copies = designCopies(plain.catalog, { schema: [] })
  const problems: string[] = []
  let [compared, different] = [0, 0]
  try {
    const versions = [everyone, ...gone.map(without)]
    await database.load(dataset, versions)
    for (const version of versions) {
      const made = copies.map(
        (copy) =>
          `CREATE TABLE ${quotedName(copy.table.path.at(-1) ?? "")} AS ${printCopy(copy, { dialect: "duckdb", secret: "'secret'" })}`,
      )
      await database.execute([`USE ${version}`, ...made].join(";\n"))
    }
    for (const owner of gone) {
      for (const mode of modes) {
        await database.execute(consentTables(dataset, owner, mode))
        const { catalog } = readPolicy(JSON.stringify({ ...JSON.parse(dataset.policy), consent: mode }))
        for (let place = 0; place < (isLongForm ? 8 : 6); place += 1) {
          const sql = randomQuestion(dataset, `${seed}, question ${place}`)
          const prepared = place % 2 === 0 ? copies : []
          const asked = planOf(sql, {
            catalog: { ...catalog, tables: plain.catalog.tables },
            terms: plain.terms,
            grammar,
            prepared,
          })
          const other = planOf(sql, { ...plain, grammar, prepared })
          if (asked === undefined || other === undefined) continue
          compared += 1
          const [a, b] = [
            await tablesOf(asked, database, everyone),
            await tablesOf(other, database, without(owner)),
          ]
          if (a !== (await tablesOf(other, database, everyone))) different += 1
          if (a !== b) problems.push(`${mode}, without ${owner}: ${sql}\n${a}\nand not\n${b}`)
        }
      }
    }
  } finally {
    database.close()
  }
  expect(problems.join("\n")).toBe("")
  expect(compared).toBeGreaterThan(10)
  expect(different).toBeGreaterThan(5)
})

function planOf(sql: string, options: CompileOptions): ReleasePlan | undefined {
  try {
    return compile(sql, options).plan
  } catch (error) {
    if (error instanceof DosimeterError && error.kind !== "bug") return undefined
    throw error
  }
}

async function tablesOf(plan: ReleasePlan, database: TestDatabase, version: string): Promise<string> {
  const tables: string[] = []
  for (const { rel } of plan.releases.flatMap(({ extracts }) => extracts)) {
    const { rows } = await database.run(printRel(rel, "duckdb"), version)
    tables.push(
      rows
        .map((row) => row.join(" "))
        .toSorted()
        .join("\n"),
    )
  }
  return tables.join("\n\n")
}

// Everybody but one agreed, or one withdrew.
function consentTables(dataset: TestDataset, owner: number, mode: ConsentMode): string {
  const condition = mode === "required" ? `_owner <> ${owner}` : `_owner = ${owner}`
  const ids = dataset.tables
    .filter(({ unit }) => unit === "person")
    .map(
      ({ name }) => `SELECT person_id AS unit FROM base.${name} WHERE ${condition} AND person_id IS NOT NULL`,
    )
  return `CREATE OR REPLACE TABLE ${everyone}.consent AS ${ids.join(" UNION ALL ")}`
}
