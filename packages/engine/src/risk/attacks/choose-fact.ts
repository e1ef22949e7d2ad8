// What the attacks are to find out about a person: a value that the owner names, or the one that is nearest
// to being true of every second person, of which a guess tells least.

import { writeName } from "@dosimeter/proof/spell/literal"
import { fail } from "../../errors.ts"
import { allValues, textOf, type Cells } from "../measures/cells.ts"
import type { AttackOptions } from "./run-attacks.ts"

/** The fact; none where all people have the same value. */
export async function chooseFact(
  { rows, columns, sensitive, people }: Cells,
  from: string,
  wanted: { readonly column: string; readonly value: string } | undefined,
): Promise<AttackOptions["fact"] | undefined> {
  const index =
    wanted === undefined
      ? 0
      : columns.sensitive.findIndex(({ name }) => name.toLowerCase() === wanted.column.toLowerCase())
  const { name: column } =
    columns.sensitive[index] ??
    fail("risk/fact-not-sensitive", {
      column: wanted?.column ?? "",
      sensitive: columns.sensitive.map(({ name }) => name).join(","),
    })
  const name = sensitive[index] ?? ""
  const { person } = columns
  const value = person === undefined ? textOf(column) : allValues(column)
  const group =
    person === undefined ? "" : `WHERE ${writeName(person)} IS NOT NULL GROUP BY ${writeName(person)}`
  const texts = `(SELECT ${value} AS value FROM ${from} ${group})`
  const one =
    wanted === undefined
      ? `(SELECT ${name} AS one FROM cells GROUP BY ${name} HAVING sum(n) < ${people}
         ORDER BY abs(sum(n) / ${people} - 0.5), sum(n), ${name} LIMIT 1)`
      : `(SELECT hash('${wanted.value.replaceAll("'", "''")}', false) AS one)`
  const [[hash, text] = []] = await rows.ask(
    `SELECT CAST(one AS VARCHAR), value FROM ${one} JOIN ${texts} ON hash(value, value IS NULL) = one LIMIT 1`,
  )
  if (hash === undefined || hash === null) {
    return wanted === undefined ? undefined : fail("risk/no-fact", { column })
  }
  return {
    sensitive: name,
    hash: `${hash}`,
    column,
    value: text === null || text === undefined ? "(missing)" : `${text}`,
  }
}
