// The tables of consent, the airlock and raised budgets. Positions of charges are texts: they are longer than
// what every database calls an integer.

/** Statements that make what is missing. */
export const governanceSchema = `
CREATE TABLE IF NOT EXISTS study_terms (
  study TEXT PRIMARY KEY REFERENCES studies (id),
  airlock INTEGER NOT NULL,
  datasets TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS voices (
  study TEXT NOT NULL REFERENCES studies (id),
  name TEXT NOT NULL,
  view TEXT NOT NULL,
  comment TEXT NOT NULL,
  at TEXT NOT NULL,
  position INTEGER,
  PRIMARY KEY (study, name)
);
CREATE TABLE IF NOT EXISTS airlock (
  study TEXT NOT NULL,
  charge TEXT NOT NULL,
  state TEXT NOT NULL,
  asked_by TEXT NOT NULL,
  asked_at TEXT NOT NULL,
  question TEXT NOT NULL,
  reviewer TEXT,
  reasons TEXT,
  reviewed_at TEXT,
  position INTEGER,
  PRIMARY KEY (study, charge)
);
CREATE TABLE IF NOT EXISTS release_texts (
  ledger TEXT NOT NULL,
  charge TEXT NOT NULL,
  question TEXT NOT NULL,
  title TEXT NOT NULL,
  PRIMARY KEY (ledger, charge)
);
CREATE TABLE IF NOT EXISTS budget_requests (
  id INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  epsilon TEXT NOT NULL,
  delta TEXT NOT NULL,
  reasons TEXT NOT NULL,
  requested_by TEXT NOT NULL,
  requested_at TEXT NOT NULL,
  state TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS budget_agreements (
  request INTEGER NOT NULL REFERENCES budget_requests (id),
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  decision TEXT NOT NULL,
  reasons TEXT NOT NULL,
  at TEXT NOT NULL,
  position INTEGER,
  PRIMARY KEY (request, name)
);
CREATE TABLE IF NOT EXISTS ledger_requests (
  id INTEGER PRIMARY KEY,
  what TEXT NOT NULL,
  share TEXT NOT NULL,
  trouble TEXT NOT NULL,
  reasons TEXT NOT NULL,
  requested_by TEXT NOT NULL,
  requested_at TEXT NOT NULL,
  state TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS ledger_agreements (
  request INTEGER NOT NULL REFERENCES ledger_requests (id),
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  decision TEXT NOT NULL,
  reasons TEXT NOT NULL,
  at TEXT NOT NULL,
  position INTEGER,
  PRIMARY KEY (request, name)
);
CREATE TABLE IF NOT EXISTS account_participants (
  name TEXT PRIMARY KEY,
  participant TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS consent_decisions (
  position INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  participant TEXT NOT NULL,
  purpose TEXT NOT NULL,
  decision TEXT NOT NULL,
  decided_at TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  source TEXT NOT NULL,
  recorded_by TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS consent_of ON consent_decisions (participant, purpose);
CREATE INDEX IF NOT EXISTS consent_for ON consent_decisions (purpose, position);
CREATE TABLE IF NOT EXISTS consent_versions (
  number INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  hash TEXT NOT NULL,
  through INTEGER NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (purpose, number)
);
CREATE TABLE IF NOT EXISTS house_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS state_secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
`
