// The tables of the server's state. Times are ISO 8601 in UTC, so that they can be compared as text. Nothing
// is listed in their order: two things may happen in one millisecond, and clocks are set back. What is listed
// as it came has a position, given where it is stored (`nextPosition`).

import { governanceSchema } from "./governance-schema.ts"
import { campaignSchema } from "./campaign-schema.ts"
import { federationSchema } from "./federation-schema.ts"
import { identitySchema } from "./identity-schema.ts"

/** Statements that make what is missing. */
export const stateSchema = `
${identitySchema}
${campaignSchema}
CREATE TABLE IF NOT EXISTS accounts (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  salt TEXT NOT NULL,
  iterations INTEGER NOT NULL,
  stored_key TEXT NOT NULL,
  server_key TEXT NOT NULL,
  created_at TEXT NOT NULL,
  disabled_at TEXT
);
CREATE TABLE IF NOT EXISTS audit (
  position INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  about TEXT NOT NULL,
  body TEXT NOT NULL,
  hash TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS studies (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  purposes TEXT NOT NULL,
  starts TEXT NOT NULL,
  ends TEXT NOT NULL,
  epsilon TEXT NOT NULL,
  delta TEXT NOT NULL,
  state TEXT NOT NULL,
  suspended INTEGER NOT NULL,
  proposed_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  position INTEGER
);
CREATE TABLE IF NOT EXISTS study_people (
  study TEXT NOT NULL REFERENCES studies (id),
  name TEXT NOT NULL,
  PRIMARY KEY (study, name)
);
CREATE TABLE IF NOT EXISTS reviews (
  study TEXT NOT NULL REFERENCES studies (id),
  reviewer TEXT NOT NULL,
  decision TEXT NOT NULL,
  reasons TEXT NOT NULL,
  at TEXT NOT NULL,
  position INTEGER,
  PRIMARY KEY (study, reviewer)
);
${governanceSchema}
${federationSchema}`

/** Tables with a position; states of before positions have these tables without that column. */
export const positionedTables = [
  "airlock",
  "budget_agreements",
  "campaigns",
  "ledger_agreements",
  "reviews",
  "studies",
  "tokens",
  "voices",
] as const

type PositionedTable = (typeof positionedTables)[number]

/** The position of a row that is being inserted: after all others. Those who write take turns. */
export function nextPosition(table: PositionedTable): string {
  return `(SELECT COALESCE(MAX(position), 0) + 1 FROM ${table})`
}

/** As they were stored. Rows without a position are of before there were any: they come first, by time. */
export function asStored(time: string): string {
  return `ORDER BY position NULLS FIRST, ${time}`
}
