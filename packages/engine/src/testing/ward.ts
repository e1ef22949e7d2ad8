// A table of people whose counts and quantiles are known, in a folder of its own.

import { DuckDBInstance } from "@duckdb/node-api"
import type { RandomBits } from "@dosimeter/core"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openEngine, type Engine } from "../engine.ts"

/** Its policy. */
export const wardPolicy = `dataset: ward
source: { duckdb: ward.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      age: { type: integer, min: 0, max: 110 }
      weight: { type: float, min: 0, max: 250 }
      born: { type: date, min: 1900-01-01, max: 2029-12-31 }
      sex: { values: [f, m], nullable: false }
  stays:
    unit: patient
    prepare: []
    columns:
      ward: { values: [A, B, C, D, E, F] }
`

/** An engine over it, and what ends both. */
export interface Ward {
  readonly engine: Engine
  close(): Promise<void>
}

/**
 * 20,000 people: ages 0 to 99, as many of each; weights 40 to 140; birthdays on 10,000 days from 1970 on;
 * half of them women. They have stayed in two of six wards each, one of fifty in all.
 */
export async function openWard(options: {
  readonly rng: RandomBits
  readonly policy?: string
}): Promise<Ward> {
  const { rng, policy = wardPolicy } = options
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-ward-"))
  const instance = await DuckDBInstance.create(join(folder, "ward.duckdb"))
  const connection = await instance.connect()
  await connection.run(`
    CREATE TABLE patients AS SELECT i AS id, (i % 100)::INTEGER AS age, 40 + (i % 1000) / 10.0 AS weight,
      DATE '1970-01-01' + (i % 10000)::INTEGER AS born,
      CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex FROM range(20000) r(i);
    CREATE TABLE stays AS SELECT i AS patient, ['A', 'B', 'C', 'D', 'E', 'F'][1 + (i + j) % 6] AS ward
      FROM range(20000) r(i), range(6) s(j) WHERE j < 2 OR i % 50 = 0`)
  connection.closeSync()
  instance.closeSync()
  const engine = await openEngine({ policy, folder, rng })
  return {
    engine,
    close: async () => {
      await engine.close()
      rmSync(folder, { recursive: true })
    },
  }
}
