// Questions about catalogs that would never end: each is ended, in the process that holds them, and nobody
// else waits for it.

import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { afterAll, expect, test } from "vitest"
import { testCatalog } from "../../../testing/catalog-of-names.ts"
import { CatalogDatabase } from "./catalog-database.ts"
import { endless } from "../../../testing/hostile-statements.ts"
import { readCatalogQuery } from "./read-catalog-query.ts"

const catalogs = new CatalogDatabase({ database: "hospital", catalog: testCatalog })

afterAll(() => {
  catalogs.close()
})

async function answer(sql: string): Promise<unknown> {
  const facts = { setting: () => undefined, settings: [["a", "b"]] as const, isSet: false }
  const reading = { grammar: await loadGrammar(), parameters: [], own: new Set<string>(), facts }
  const query = readCatalogQuery(sql, reading)
  return catalogs.answer({ sql: query?.sql ?? "", asker: "ada", isDescribed: false })
}

test.each(endless)("[D1] %s ends, and the next question is answered", async (_, sql) => {
  const failed: unknown = await answer(sql).catch((error: unknown) => error)
  expect(failed).toMatchObject({ state: expect.stringMatching(/^(54000|0A000)$/) })
  expect(await answer("SELECT count(*) FROM pg_class")).toMatchObject({ rows: [["3"]] })
})

test("[D1] one person's many questions do not keep another's waiting", async () => {
  const [, slow = ""] = endless[1] ?? []
  const order: string[] = []
  const ask = async (asker: string, sql: string): Promise<void> => {
    await catalogs.answer({ sql, asker, isDescribed: false }).catch(() => undefined)
    order.push(asker)
  }
  const facts = { setting: () => undefined, settings: [["a", "b"]] as const, isSet: false }
  const reading = { grammar: await loadGrammar(), parameters: [], own: new Set<string>(), facts }
  const printed = readCatalogQuery(slow, reading)?.sql ?? ""
  const many = Array.from({ length: 4 }, () => ask("mallory", printed))
  await Promise.all([...many, ask("ada", 'SELECT 1 AS "n" FROM pg."pg_am"')])
  expect(order.indexOf("ada")).toBeLessThanOrEqual(1)
})
