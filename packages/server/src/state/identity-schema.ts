// The tables of who somebody is: sessions, tokens, and names of people who sign in by a provider of OpenID
// Connect. Of secrets there are hashes only.

/** Statements that make what is missing. */
export const identitySchema = `
CREATE TABLE IF NOT EXISTS passwords (
  account TEXT PRIMARY KEY,
  hash TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS sessions (
  hash TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  created_at TEXT NOT NULL,
  seen_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS tokens (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  rights TEXT NOT NULL,
  hash TEXT NOT NULL,
  salt TEXT NOT NULL,
  iterations INTEGER NOT NULL,
  stored_key TEXT NOT NULL,
  server_key TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  last_used TEXT,
  revoked_at TEXT,
  position INTEGER
);
CREATE TABLE IF NOT EXISTS identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  account TEXT NOT NULL,
  PRIMARY KEY (issuer, subject)
);
`
