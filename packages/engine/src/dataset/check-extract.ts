// What comes back from the database is looked at before anything is made of it: an extract that cannot be is
// no answer, but a sign that something which proofs rely on does not hold.

import { unreachable } from "@dosimeter/core/errors"
import { ceil, compare, floor, rational, type Rational } from "@dosimeter/core/exact"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { fail } from "../errors.ts"
import type { ExactRow, ExactTable } from "../release/secret/exact-table.ts"
import type { ExtractQuery } from "./backend.ts"

/**
 * The table itself, if it can be what the extract gives; `backend/impossible-extract` otherwise.
 *
 * Guarantee: every row has the columns of the extract; no two rows have the same group, but where rows are
 *   the units themselves and have no id; keys are of their
 *   columns' types; integers are 0 or lie inside of what clamp times rowsMax
 *   allows.
 * Needs: the columns are those of a verified plan.
 * Proof: looks at every row. Ranges of integers follow from the clamps around what is added up, which are
 *   not used to read what is checked here. Ranges of keys are not looked at: no proof rests on them, and a
 *   false one would make a failure of one row. NULL is let pass for every key: a guarded expression may
 *   give it.
 * Numerics: exact.
 * Source: none.
 */
export function checkExtract(table: ExactTable, query: ExtractQuery): ExactTable {
  const { columns, keyCount, groupCount, areUnits = false } = query
  const keyColumns = columns.slice(0, keyCount)
  const valueColumns = columns.slice(keyCount)
  const seen = new Set<string>()
  for (const row of table.rows) {
    const { keys, values } = row
    const isWhole = keys.length === keyColumns.length && values.length === valueColumns.length
    const areKeys = keyColumns.every(({ domain }, place) => isOfType(keys[place], domain))
    const areValues = valueColumns.every(({ domain }, place) => isAmount(values[place], domain))
    const group = groupOf(row, groupCount - keyCount)
    if (!isWhole || !areKeys || !areValues || (seen.has(group) && !areUnits))
      fail("backend/impossible-extract", {})
    seen.add(group)
  }
  // Without keys there is one row, whatever the data holds.
  if (groupCount === 0 && !areUnits && table.rows.length !== 1) fail("backend/impossible-extract", {})
  return table
}

// A sum of nothing is read as 0, whatever is added up: it must pass for every clamp.
function isAmount(value: bigint | undefined, domain: RelColumn["domain"]): boolean {
  return value !== undefined && (value === 0n || isWithin(rational(value), domain))
}

// A histogram has a cell beside the keys, the first of its values.
function groupOf({ keys, values }: ExactRow, more: number): string {
  return JSON.stringify([...keys.map(constantKey), ...values.slice(0, more).map(String)])
}

function isOfType(value: Constant | undefined, domain: RelColumn["domain"]): boolean {
  if (value === undefined) return false
  switch (value.kind) {
    case "null":
      return true
    case "boolean":
    case "text":
      return value.kind === domain.type.kind
    case "number":
      return isNumber(domain)
    case "date":
      return domain.type.kind === "date"
    case "timestamp":
      return domain.type.kind === "timestamp"
    case "interval":
      return false
    default:
      return unreachable(value)
  }
}

function isNumber({ type: { kind } }: RelColumn["domain"]): boolean {
  return kind === "integer" || kind === "decimal" || kind === "float"
}

// Ends that are no values of the type are rounded outwards.
function isWithin(value: Rational | undefined, { range }: RelColumn["domain"]): boolean {
  if (value === undefined) return false
  if (range === undefined) return true
  return (
    compare(value, rational(floor(range.min.value))) >= 0 &&
    compare(value, rational(ceil(range.max.value))) <= 0
  )
}
