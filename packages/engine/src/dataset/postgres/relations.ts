// Which relations of a PostgreSQL are served, and which of their columns.

/**
 * A condition on pg_class AS c: tables, partitioned tables, views and materialised views. Tables of other
 * servers are left out, and those that have one among their parts, at any depth: whether those answer, and
 * what is NULL there, is not this server's to say.
 */
export const isServed = `c.relkind IN ('r', 'p', 'v', 'm') AND NOT EXISTS (
    WITH RECURSIVE part AS (
      SELECT i.inhrelid FROM pg_inherits AS i WHERE i.inhparent = c.oid
      UNION SELECT i.inhrelid FROM pg_inherits AS i JOIN part AS p ON p.inhrelid = i.inhparent
    )
    SELECT 1 FROM part AS p JOIN pg_class AS f ON f.oid = p.inhrelid WHERE f.relkind = 'f')`

/**
 * A condition on pg_attribute AS a: columns of rows. Those that version 18 works out while they are read
 * (GENERATED ALWAYS AS ... VIRTUAL) may fail on what a row holds.
 */
export const isColumn = `a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated <> 'v'`
