// How every transaction begins: what it may do, how long, and settings on which the meaning of printed SQL,
// or the text of a value, depends. They hold for the transaction alone, whoever had the session before.

/** What a transaction is for. */
export interface TransactionOptions {
  /** Copies and lists of units are written; everything else is read. */
  readonly writes: boolean
  /** The server ends a statement that takes longer, if we did not. */
  readonly timeoutMs: number
  /** How many processes may work on one query, beside the first. */
  readonly workers?: number | undefined
}

/**
 * Statements that begin a transaction which sees one state of the data. Tables are named with their schemas
 * everywhere, so that no name is looked for but those of PostgreSQL itself: nobody puts a function or an
 * operator in its place.
 */
export function beginning({ writes, timeoutMs, workers }: TransactionOptions): string {
  const settings: Readonly<Record<string, string>> = {
    search_path: "pg_catalog, pg_temp",
    statement_timeout: `${Math.ceil(timeoutMs)}`,
    lock_timeout: `${lockMs}`,
    idle_in_transaction_session_timeout: `${idleMs}`,
    TimeZone: "'UTC'",
    DateStyle: "'ISO, YMD'",
    IntervalStyle: "'postgres'",
    client_encoding: "'UTF8'",
    extra_float_digits: "1",
    bytea_output: "'hex'",
    standard_conforming_strings: "on",
    transform_null_equals: "off",
    ...(workers === undefined ? {} : { max_parallel_workers_per_gather: `${workers}` }),
  }
  const list = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  const mode = writes ? "READ WRITE" : "READ ONLY"
  return [`BEGIN ISOLATION LEVEL REPEATABLE READ ${mode}`, ...list].join("; ")
}

/** How long to wait for somebody who changes the shape of a table. */
const lockMs = 60_000

/** A process of ours that stands still loses its transaction after this. */
const idleMs = 120_000

/** No limit of ours: what the owner's server asks before anybody does. A whole day, so that nothing stays. */
export const ownersTimeMs = 86_400_000
