import { expect, test } from "vitest"
import { isCatalogQuery, rewriteCatalogQuery } from "./rewrite-catalog-query.ts"

test.each([
  ["SELECT version()", true],
  ["SELECT current_user", true],
  ["SELECT n.nspname FROM pg_catalog.pg_namespace n", true],
  ["SELECT typname FROM pg_type", true],
  ["SELECT table_name FROM information_schema.tables", true],
  ["SELECT version, COUNT(*) FROM devices GROUP BY version", false],
  ["SELECT d.version FROM devices d", false],
  ["SELECT COUNT(*) FROM person WHERE note = 'pg_class' -- pg_type", false],
])("%s asks about catalogs: %s", (sql, expected) => {
  expect(isCatalogQuery(sql)).toBe(expected)
})

test("names, operators, patterns and casts are spelled for our database", () => {
  const rewritten = rewriteCatalogQuery(
    "SELECT c.oid::pg_catalog.regclass FROM pg_catalog.pg_class c WHERE c.relname OPERATOR(pg_catalog.~) '^(a)$' " +
      "COLLATE pg_catalog.default AND n.nspname !~ '^pg_' AND c.oid = 'public.a'::regclass AND x = $1;",
    ["'it''s'"],
  )
  expect(rewritten).toBe(
    "SELECT c . oid :: VARCHAR FROM pg.pg_class c WHERE c . relname ~ '(a)' AND n . nspname !~ 'pg_.*' " +
      "AND c . oid = pg.class_named('public.a') AND x = 'it''s'",
  )
})
