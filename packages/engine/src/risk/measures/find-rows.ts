// Single people about whom something is certain, for an owner who asked to see them.

import { peopleOf, type Cells } from "./cells.ts"
import type { FoundRow } from "./risk-report.ts"

/** The first so many: those who are alone in their classes, then those whose class has one value. */
export async function findRows(
  { rows, columns, quasi, sensitive }: Cells,
  from: string,
  most: number,
): Promise<readonly FoundRow[]> {
  const certain = ["sum(n) = 1", ...sensitive.map((name) => `min(${name}) = max(${name})`)]
  const all = [...quasi, ...sensitive]
  const names = [...columns.quasi, ...columns.sensitive].map(({ name }) => name)
  const found = await rows.ask(`SELECT ${all.map((name) => `CAST(${name} AS VARCHAR)`).join(", ")}
    FROM ${peopleOf(from, columns, "texts")}
    JOIN (SELECT class, sum(n) AS size FROM cells GROUP BY class HAVING ${certain.join(" OR ")}) AS certain
      ON hash(${quasi.join(", ")}) = class
    ORDER BY size, ${all.join(", ")} LIMIT ${Math.floor(most)}`)
  return found.map((row) => ({
    values: Object.fromEntries(
      names.map((name, index) => {
        const value = row[index] ?? null
        return [name, value === null ? null : `${value}`]
      }),
    ),
  }))
}
