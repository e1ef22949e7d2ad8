// A clinic of 2,000 patients with three visits each, for tests of what is asked several times or together.
// The data lies in a folder of its own; every opening has a new ledger.

import { seededBits } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openEngine, type Engine } from "../engine.ts"
import { makeDuckdb } from "./make-duckdb.ts"
import { freshHome } from "./fresh-home.ts"

/** Its policy. */
export const clinicPolicy = `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 4, norm: fixed }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      sex: { values: [f, m], nullable: false }
      age: { min: 0, max: 9, type: integer, nullable: false }
      weight: { min: 0, max: 200, grid: 0.5 }
  visits:
    unit: patient_id
    columns:
      fee: { min: 0, max: 500, grid: 0.01 }
      ward: { values: [A, B, C] }
      city: { type: text }
  wards:
    unit: public
    columns:
      ward: { type: text }
`

/** The data of a clinic. */
export interface Clinic {
  /** An engine with a new ledger. */
  open(options: { readonly policy?: string; readonly seed: string }): Promise<OpenClinic>
  remove(): void
}

/** A clinic that can be asked, and what ends it. */
export interface OpenClinic {
  readonly engine: Engine
  close(): Promise<void>
}

/**
 * Makes one: as many women as men of every age from 0 to 9, weights 50 to 99, and visits in four wards, of
 * which the policy names three.
 */
export async function makeClinic(): Promise<Clinic> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-clinic-"))
  await makeDuckdb(
    join(folder, "clinic.duckdb"),
    `
    CREATE TABLE patients AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
      (i // 2) % 10 AS age, (50 + i % 50)::DOUBLE AS weight FROM range(2000) r(i);
    CREATE TABLE visits AS SELECT i % 2000 AS patient_id, (i % 400)::DOUBLE AS fee,
      ['A', 'B', 'C', 'X'][1 + i % 4] AS ward, 'town ' || (i % 2) AS city FROM range(6000) r(i);
    CREATE TABLE wards AS SELECT * FROM (VALUES ('A'), ('B'), ('C')) t(ward)`,
  )
  return {
    open: async ({ policy = clinicPolicy, seed }) => {
      freshHome()
      const state = mkdtempSync(join(tmpdir(), "dosimeter-state-"))
      const engine = await openEngine({ policy, folder, state, prepare: "never", rng: seededBits(seed) })
      return {
        engine,
        close: async () => {
          await engine.close()
          rmSync(state, { recursive: true })
        },
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
