// Where the server keeps what changes: accounts, tokens, studies, consent. Plain SQL that SQLite and
// PostgreSQL both speak, behind an interface that either can fill. Budgets and releases are not here: they
// are the ledger's.

/** A value of a row. */
export type StateValue = string | number | bigint | null

/** A row by the names of its columns. */
export type StateRow = Readonly<Record<string, StateValue>>

/** Runs statements. Parameters are written as ?. */
export interface StateAccess {
  all(sql: string, values?: readonly StateValue[]): Promise<readonly StateRow[]>
  /** How many rows were changed. */
  run(sql: string, values?: readonly StateValue[]): Promise<number>
}

/** A store. */
export interface StateStore extends StateAccess {
  /** All or nothing, and nobody else writes meanwhile. Durable when it resolves. */
  transaction<Result>(work: (access: StateAccess) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** The first row, if there is one. */
export async function oneRow(
  access: StateAccess,
  sql: string,
  values: readonly StateValue[],
): Promise<StateRow | undefined> {
  const [row] = await access.all(sql, values)
  return row
}

/** A column that holds text. */
export function textOf(row: StateRow, column: string): string {
  const value = row[column]
  return typeof value === "string" ? value : ""
}

/** A column that holds a whole number. */
export function numberOf(row: StateRow, column: string): number {
  return Number(row[column] ?? 0)
}
