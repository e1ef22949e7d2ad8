import { expect, test } from "vitest"
import type { Domain } from "../catalog/domain.ts"
import { openDuckdb, testRange } from "../testing/two-databases.ts"
import { duckdb } from "../dialects/duckdb.ts"
import { readClamped } from "./print-scan.ts"

const whole: Domain = {
  type: { kind: "integer" },
  nullable: true,
  range: testRange(-(2n ** 63n), 2n ** 63n - 1n),
}

test.each(["HUGEINT", "UBIGINT", "DOUBLE", "DECIMAL(38, 2)", "BIGINT"])(
  "an integer that is stored as %s is read the same, whatever an optimiser makes of it",
  async (stored) => {
    const connection = await openDuckdb()
    const most = stored === "HUGEINT" ? "170141183460469231731687303715884105727" : "9223372036854775807"
    await connection.run(`CREATE TABLE t AS SELECT CAST(x AS ${stored}) AS x
      FROM (VALUES (3::HUGEINT), (${most}::HUGEINT), (NULL), (40)) AS v(x)`)
    const read = readClamped("t.x", whole, duckdb)
    const compared = `SELECT CASE WHEN ${read} > 7 THEN 7 WHEN ${read} < 0 THEN 0 ELSE ${read} END FROM t`
    const rows = async (): Promise<string> => String((await connection.runAndReadAll(compared)).getRows())
    const optimised = await rows()
    await connection.run("PRAGMA disable_optimizer")
    expect(optimised).toBe(await rows())
    connection.closeSync()
  },
)
