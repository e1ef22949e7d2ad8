// That a transaction has read the tables which it sees. A snapshot does not see through everything: a table
// that is emptied (TRUNCATE) or rewritten (ALTER TABLE) between the snapshot and the read looks empty to it,
// and another table may have taken its name. Until its end the transaction keeps a lock on all that it has
// read, so that what is found afterwards was so while it read.

import type { Ask } from "./discover.ts"

/** Whether all that a transaction has read is, in files and names, what its snapshot shows. */
export async function seesThrough(ask: Ask): Promise<boolean> {
  const [row] = await ask(othersSql, [])
  return row?.[0] === "f"
}

/**
 * The catalog is read as of the snapshot; functions of it tell what is there now. Tables of the session's own
 * (lists of people) and those of PostgreSQL itself are nobody else's to change.
 */
const othersSql = `SELECT count(*) > 0 FROM pg_locks AS l
    LEFT JOIN pg_class AS c ON c.oid = l.relation LEFT JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation'
    AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
    AND (c.oid IS NULL OR c.relkind IN ('r', 'p', 'v', 'm') AND c.relpersistence <> 't'
      AND n.nspname <> 'pg_catalog' AND (c.relfilenode <> coalesce(pg_relation_filenode(c.oid), 0)
        OR CAST(CAST(c.oid AS regclass) AS text) <> format('%I.%I', n.nspname, c.relname)))`
