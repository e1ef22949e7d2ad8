// The tables of the server's state. Times are ISO 8601 in UTC, so that they sort as text.

/** Statements that make what is missing. */
export const stateSchema = `
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
`
