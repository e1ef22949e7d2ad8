// The policy that the documentation shows: an OMOP dataset with one table of the hospital's own.

/** The example policy, as its owner would write it. */
export const examplePolicy = `dataset: hospital
source: { parquet: "omop/*.parquet" }      # or duckdb: FILE, csv: GLOB, ndjson: GLOB; tables are named after files
schema: omop-5.4                           # a pack; what follows overrides single lines of it
neighbours: add-or-remove                  # or replace
budget: { epsilon: 3, delta: 1e-9, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-10, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 5 }   # defaults; a question may choose its own within max_*
tables:
  visits:                                  # a table that no pack knows
    unit: patient_id                       # or a path: order_id -> orders.id -> patient_id; or row; or public
    columns:
      fee: { min: 0, max: 500, grid: 0.01 }
      ward: { values: [A, B, C] }          # public keys: always all shown
      note: deny
`
