// Which columns a report is about: those that were named, or those that are suggested by their names.

import { fail } from "../../errors.ts"
import type { RiskColumns } from "./cells.ts"
import type { RiskColumn } from "./column-profiles.ts"
import type { ColumnProfile } from "./risk-report.ts"

const quasiMax = 12
const suggestedQuasi = 6
const suggestedSensitive = 3

/** The table whose columns they are. */
export interface ChosenFrom {
  readonly table: string
  readonly columns: readonly RiskColumn[]
  readonly profiles: readonly ColumnProfile[]
}

/** What was named. */
export interface NamedColumns {
  readonly quasi?: readonly string[]
  readonly sensitive?: readonly string[]
  readonly person?: string
}

/** The columns of a report. */
export function chooseColumns(from: ChosenFrom, named: NamedColumns): RiskColumns {
  const { table, columns, profiles } = from
  const names = columns.map(({ name }) => name)
  const exact = (name: string): string => namedColumn({ table, columns: names }, name)
  const person = named.person === undefined ? undefined : exact(named.person)
  const given = { quasi: named.quasi?.map(exact), sensitive: named.sensitive?.map(exact) }
  const taken = [person, ...(given.quasi ?? []), ...(given.sensitive ?? [])]
  const suggested = (role: ColumnProfile["role"], most: number): readonly string[] =>
    profiles
      .filter((profile) => profile.role === role && !taken.includes(profile.column))
      .slice(0, most)
      .map(({ column }) => column)
  const quasi = given.quasi ?? suggested("quasi", suggestedQuasi)
  const sensitive = given.sensitive ?? suggested("sensitive", suggestedSensitive)
  if (quasi.length === 0) fail("risk/no-quasi", { table, columns: names.join(", ") })
  if (quasi.length > quasiMax) fail("risk/too-many-columns", { most: `${quasiMax}` })
  const all = [...(person === undefined ? [] : [person]), ...quasi, ...sensitive]
  const twice = all.find((name, index) => all.indexOf(name) !== index)
  if (twice !== undefined) fail("risk/column-twice", { column: twice })
  const of = (own: readonly string[]): readonly RiskColumn[] =>
    own.flatMap((name) => columns.filter((column) => column.name === name))
  return { quasi: of(quasi), sensitive: of(sensitive), person }
}

/** A column by its name, in upper or lower case. */
export function namedColumn(
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
  name: string,
): string {
  return (
    columns.find((column) => column === name) ??
    columns.find((column) => column.toLowerCase() === name.toLowerCase()) ??
    fail("risk/no-column", { table, column: name, columns: columns.join(", ") })
  )
}
