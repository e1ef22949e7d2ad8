// The names of a small policy, for tests about catalogs.

import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"

/** Three tables; one has a column that nobody may ask about, and an awkward name. */
export const testCatalog: Catalog = readPolicy(`dataset: hospital
source: { duckdb: hospital.duckdb }
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.1, max: 1 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed }
tables:
  person:
    unit: person_id
    columns:
      person_id: integer
      gender: text
      born: date
  visit:
    unit: person_id
    columns:
      person_id: integer
      at: timestamp
      cost: { type: float, min: 0, max: 100 }
  "it's; DROP":
    unit: public
    columns:
      code: integer
`).catalog
