import { DosimeterError } from "@dosimeter/core"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"

const policy = (access: string): string => `dataset: clinic
source: { parquet: "*.parquet" }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  people:
    unit: id
    keys: [id]
    columns:
      id: integer
      town: text
      note: { type: text${access} }
`
const folder = mkdtempSync(join(tmpdir(), "dosimeter-texts-"))

// One person's note is not UTF-8: written as a text, then two of its bytes changed.
beforeAll(async () => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const path = join(folder, "people.parquet")
  await connection.run(`COPY (SELECT i AS id, 'town' AS town, CASE WHEN i = 77 THEN 'QZXQZX' ELSE 'note' END AS note
    FROM range(1000) r(i)) TO '${path}' (FORMAT parquet, COMPRESSION uncompressed)`)
  connection.closeSync()
  instance.closeSync()
  const bytes = readFileSync(path)
  let changed = 0
  for (let at = bytes.indexOf("QZXQZX"); at >= 0; at = bytes.indexOf("QZXQZX")) {
    bytes[at] = 0xff
    bytes[at + 3] = 0xfe
    changed += 1
  }
  if (changed === 0) throw new Error("the file holds the text otherwise")
  writeFileSync(path, bytes)
})

afterAll(() => rmSync(folder, { recursive: true }))

test.each(["always", "never"] as const)(
  "[Q7] a column with texts that are none is refused by name when a dataset is opened: prepare %s",
  async (prepare) => {
    const error: unknown = await openEngine({ policy: policy(""), folder, prepare }).catch(
      (reason: unknown) => reason,
    )
    if (!(error instanceof DosimeterError)) throw new Error("it was opened")
    expect(error.code).toBe("dataset/not-text")
    expect(error.message).toContain("people")
    expect(error.message).toContain("note")
    expect(error.message).not.toContain("town")
    expect(JSON.stringify(error.issues)).not.toContain("QZ")
  },
)

test.each(["always", "never"] as const)(
  "[Q7] the remedy works: the column is denied, and all else answered: prepare %s",
  async (prepare) => {
    const engine: Engine = await openEngine({ policy: policy(", access: deny"), folder, prepare })
    try {
      expect(
        (await engine.ask("SELECT COUNT(*), COUNT(DISTINCT town) FROM people")).answer.rows,
      ).toHaveLength(1)
    } finally {
      await engine.close()
    }
  },
)
