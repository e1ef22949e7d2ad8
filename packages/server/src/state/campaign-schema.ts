// The tables of collections from devices: campaigns, their counters, and hashes of the ids of reports that
// were counted. No report is kept, no address, and no time of a report.

/** Statements that make what is missing. */
export const campaignSchema = `
CREATE TABLE IF NOT EXISTS campaigns (
  id TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  protocol TEXT NOT NULL,
  parameters TEXT NOT NULL,
  state TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  position INTEGER
);
CREATE TABLE IF NOT EXISTS campaign_tallies (
  campaign TEXT NOT NULL REFERENCES campaigns (id),
  part INTEGER NOT NULL,
  reports INTEGER NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (campaign, part)
);
CREATE TABLE IF NOT EXISTS campaign_seen (
  campaign TEXT NOT NULL REFERENCES campaigns (id),
  hash TEXT NOT NULL,
  PRIMARY KEY (campaign, hash)
);
`
