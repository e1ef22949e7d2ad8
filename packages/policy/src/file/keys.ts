// Every key of a policy file, by the group that it stands in. docs/policy.schema.json has the same (a test).

/** The keys of the file itself. */
export const policyKeys: readonly string[] = [
  "dataset",
  "source",
  "schema",
  "unit",
  "neighbours",
  "budget",
  "question",
  "bounding",
  "limits",
  "shown_from",
  "raw_values",
  "slot_ms",
  "resources",
  "anchor",
  "consent",
  "consent_refresh",
  "trees",
  "tables",
]

/** The keys of each group inside it. */
export const groupKeys = {
  source: ["duckdb", "parquet", "csv", "ndjson"],
  budget: ["epsilon", "delta", "accounting", "keys_share"],
  question: ["epsilon", "delta", "confidence"],
  epsilon: ["default", "max"],
  bounding: [
    "groups_per_unit",
    "rows_per_group",
    "max_groups_per_unit",
    "max_rows_per_group",
    "bounds_share",
  ],
  limits: ["studies", "analysts"],
  limit: ["epsilon", "delta"],
  resources: ["seconds", "memory_mb", "threads", "rows_per_unit"],
  tree: ["levels", "nodes", "table"],
  table: ["unit", "source", "keys", "prepare", "columns"],
  column: [
    "type",
    "min",
    "max",
    "bounds",
    "grid",
    "values",
    "tree",
    "nullable",
    "key",
    "references",
    "text",
    "access",
    "source",
  ],
} satisfies Readonly<Record<string, readonly string[]>>
