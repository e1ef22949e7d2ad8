// The question that counts the rows of a table of groups: each column becomes the number of its group, by
// declared values and bins alone, so that the groups of the answer are listed.

import { showDay } from "@dosimeter/proof/catalog/civil-date"
import { writeName } from "@dosimeter/proof/spell/literal"
import { codeCount, type SyntheticColumn } from "@dosimeter/ml/synthetic/columns"
import type { TableRequest } from "@dosimeter/ml/synthetic/rounds"

/** A question, and which of the table's attributes are its keys: others have one group only. */
export interface CountQuestion {
  readonly sql: string
  readonly keys: readonly number[]
}

/** The question of one table. */
export function countSql(
  records: string,
  columns: readonly SyntheticColumn[],
  { attributes, groups }: TableRequest,
): CountQuestion {
  const keys = attributes.flatMap((_, place) => (new Set(groups[place]).size > 1 ? [place] : []))
  const exprs = keys.map((place, index) => {
    const column = columns[attributes[place] ?? 0]
    return `${column === undefined ? "NULL" : groupOf(column, groups[place] ?? [])} AS g${index + 1}`
  })
  const by = keys.length === 0 ? "" : ` GROUP BY ${keys.map((_, index) => index + 1).join(", ")}`
  const list = [...exprs, "COUNT(*) AS n"].join(", ")
  // On lines of its own, since a comment may be at the end of it.
  return { sql: `SELECT ${list} FROM (\n${records}\n) AS records${by}`, keys }
}

/** The number of a value's group. */
function groupOf(column: SyntheticColumn, groups: readonly number[]): string {
  const name = writeName(column.name)
  const count = codeCount(column)
  const missing = column.hasMissing ? groups[count - 1] : undefined
  return column.kind === "listed"
    ? listed(name, column.values, { groups, missing })
    : binned(name, column, { groups, missing })
}

interface Groups {
  readonly groups: readonly number[]
  readonly missing: number | undefined
}

function listed(
  name: string,
  values: readonly (string | number | boolean)[],
  { groups, missing }: Groups,
): string {
  const last = missing ?? groups[values.length - 1] ?? 0
  const byGroup = new Map<number, string[]>()
  for (const [code, value] of values.entries()) {
    const group = groups[code] ?? 0
    // Where nothing is missing the group of the last value is what is left.
    if (group === last && missing === undefined) continue
    byGroup.set(group, [...(byGroup.get(group) ?? []), literal(value)])
  }
  const whens = [...byGroup].map(([group, list]) =>
    list.length === 1
      ? `WHEN ${name} = ${list[0] ?? ""} THEN ${group}`
      : `WHEN ${name} IN (${list.join(", ")}) THEN ${group}`,
  )
  return `CASE ${whens.join(" ")} ELSE ${last} END`
}

function binned(
  name: string,
  { edges, type }: SyntheticColumn & { readonly kind: "numbers" },
  { groups, missing }: Groups,
): string {
  const write = (edge: number): string =>
    type === "date" ? `DATE '${showDay(BigInt(edge))}'` : showDecimal(edge)
  const bins = edges.length - 1
  const whens: string[] = missing === undefined ? [] : [`WHEN ${name} IS NULL THEN ${missing}`]
  for (let bin = 0; bin < bins - 1; bin += 1) {
    if (groups[bin] === groups[bin + 1]) continue
    whens.push(`WHEN ${name} < ${write(edges[bin + 1] ?? 0)} THEN ${groups[bin] ?? 0}`)
  }
  return `CASE ${whens.join(" ")} ELSE ${groups[bins - 1] ?? 0} END`
}

function literal(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE"
  if (typeof value === "number") return showDecimal(value)
  return `'${value.replaceAll("'", "''")}'`
}

/** A number without an exponent. */
export function showDecimal(value: number): string {
  const plain = `${value}`
  return plain.includes("e") ? value.toFixed(12).replace(/\.?0+$/, "") : plain
}
