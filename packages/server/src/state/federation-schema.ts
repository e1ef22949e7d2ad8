// The tables of federated work, at a coordinator and at a node alike: who the others are, letters that came
// and go, jobs and what was decided about them. A node's key is in a file of its own, never here.

/** Statements that make what is missing. */
export const federationSchema = `
CREATE TABLE IF NOT EXISTS federation_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS federation_sites (
  name TEXT PRIMARY KEY,
  code TEXT,
  invited_at TEXT NOT NULL,
  invited_until TEXT NOT NULL,
  public_key TEXT,
  enrolled_at TEXT,
  seen_at TEXT,
  expelled_at TEXT
);
CREATE TABLE IF NOT EXISTS federation_nonces (
  site TEXT NOT NULL,
  nonce TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (site, nonce)
);
CREATE INDEX IF NOT EXISTS federation_nonces_at ON federation_nonces (at);
CREATE TABLE IF NOT EXISTS federation_letters (
  position INTEGER PRIMARY KEY,
  box TEXT NOT NULL,
  peer TEXT NOT NULL,
  job TEXT NOT NULL,
  step TEXT NOT NULL,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  at TEXT NOT NULL,
  done_at TEXT,
  turn INTEGER,
  UNIQUE (box, peer, hash)
);
CREATE INDEX IF NOT EXISTS federation_letters_waiting
  ON federation_letters (box, position) WHERE done_at IS NULL;
CREATE INDEX IF NOT EXISTS federation_letters_peer ON federation_letters (box, peer, position);
CREATE INDEX IF NOT EXISTS federation_letters_job ON federation_letters (job, turn);
CREATE INDEX IF NOT EXISTS federation_letters_turn ON federation_letters (turn);
CREATE TABLE IF NOT EXISTS federation_parts (
  site TEXT NOT NULL,
  hash TEXT NOT NULL,
  part INTEGER NOT NULL,
  body TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (site, hash, part)
);
CREATE TABLE IF NOT EXISTS federation_jobs (
  id TEXT PRIMARY KEY,
  document TEXT NOT NULL,
  offer TEXT NOT NULL,
  state TEXT NOT NULL,
  at TEXT NOT NULL,
  decision TEXT,
  decided_by TEXT,
  reasons TEXT,
  decided_at TEXT,
  acted_at TEXT
);
CREATE TABLE IF NOT EXISTS federation_shown (
  job TEXT PRIMARY KEY REFERENCES federation_jobs (id),
  turn INTEGER NOT NULL,
  body TEXT NOT NULL,
  signature TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS federation_standing (
  id INTEGER PRIMARY KEY,
  body TEXT NOT NULL,
  made_by TEXT NOT NULL,
  made_at TEXT NOT NULL,
  ended_at TEXT
);
CREATE TABLE IF NOT EXISTS federation_standing_uses (
  standing INTEGER NOT NULL REFERENCES federation_standing (id),
  job TEXT NOT NULL,
  epsilon TEXT NOT NULL,
  delta TEXT NOT NULL,
  PRIMARY KEY (standing, job)
);
`
