// What printed SQL relies on, asked of the live PostgreSQL with constants before it is asked anything else. A
// server that computes otherwise is not served.

import { fail } from "../../errors.ts"
import type { Ask } from "./discover.ts"

/** A fact: an expression, and what it must give as a text. */
export interface EngineFact {
  readonly what: string
  readonly sql: string
  readonly gives: string | null
}

/** Checks all facts; throws `backend/unexpected-engine` with the first that does not hold. */
export async function checkEngine(ask: Ask, facts: readonly EngineFact[] = engineFacts): Promise<void> {
  const texts = facts.map(({ sql }) => `CAST((${sql}) AS TEXT)`)
  const found = await ask(`SELECT ${texts.join(", ")} FROM (${values}) AS v`, []).then(
    ([row]) => row ?? [],
    () => undefined,
  )
  const wrong = facts.find(({ gives }, index) => found?.[index] !== gives)
  if (found === undefined) fail("backend/unexpected-engine", { what: "one of the functions that we use" })
  if (wrong !== undefined) fail("backend/unexpected-engine", { what: wrong.what })
}

// Columns of a row that is kept apart, so that nothing is worked out while the query is planned.
const values = `WITH one AS MATERIALIZED (SELECT 'NaN'::float8 AS nan, 'Infinity'::float8 AS inf,
  NULL::float8 AS none, NULL::int4 AS nothing, 2.5::float8 AS half, 7 AS seven, 0 AS zero, 'x'::text AS x,
  DATE '2024-02-29' AS leap, 'a'::text AS a, 'B'::text AS b, 'ä'::text AS umlaut,
  9223372036854775805::int8 AS long, 'NaN'::numeric AS none_such, 1.005::numeric AS short,
  TIMESTAMP '2020-03-31 00:00:02' AS late, 'infinity'::date AS never, '-infinity'::timestamp AS ever,
  'a '::char(3) AS padded, '\\'::text AS slash) SELECT * FROM one`

const fact = (what: string, sql: string, gives: string | null): EngineFact => ({ what, sql, gives })

/** Everything that print/ assumes of PostgreSQL. */
export const engineFacts: readonly EngineFact[] = [
  fact("the order of NaN", "nan > inf AND nan = nan AND NOT nan < 0 AND NOT nan <= inf", "true"),
  fact("the order of NaN among decimals", "none_such > 1e300 AND NOT none_such <= 1e300", "true"),
  fact(
    "what is no number as a text",
    "nan::text || ' ' || none_such::text || ' ' || inf::text",
    "NaN NaN Infinity",
  ),
  fact("comparisons with NULL", "(none = none) IS NULL AND (none < 1) IS NULL", "true"),
  fact("casts that fail in a branch not taken", "CASE WHEN seven > 8 THEN CAST(nan AS int4) ELSE 1 END", "1"),
  fact("quotients in a branch not taken", "CASE WHEN zero <> 0 THEN seven / zero ELSE 1 END", "1"),
  fact("the sign of whole division", "(- seven) / 2", "-3"),
  fact("the sign of remainders", "(- seven) % 2", "-1"),
  fact("whole division of decimals", "div(- 7.5, 2)", "-3"),
  fact("integers of floats", "CAST(half AS int8) || ' ' || CAST(half + 1 AS int8)", "2 4"),
  fact("whole floats", "round(half) || ' ' || round(half + 1) || ' ' || trunc(- half)", "2 4 -2"),
  fact(
    "rounding of decimals",
    "CAST(short AS numeric(38, 2)) || ' ' || CAST(- short AS numeric(38, 2))",
    "1.01 -1.01",
  ),
  fact("whole parts of decimals", "trunc(- short) || ' ' || floor(short) || ' ' || ceil(short)", "-1 1 2"),
  fact("types of sums", "pg_typeof((SELECT sum(i) FROM (VALUES (1::int4)) t(i)))::text", "bigint"),
  fact("types of wide sums", "pg_typeof((SELECT sum(i) FROM (VALUES (1::int8)) t(i)))::text", "numeric"),
  fact(
    "sums beyond 64 bits",
    "(SELECT sum(i) FROM (VALUES (9223372036854775805::int8), (9223372036854775805::int8), (9223372036854775805::int8)) t(i))",
    "27670116110564327415",
  ),
  fact("arithmetic beyond 64 bits", "CAST(long AS numeric) * long", "85070591730234615810503419636813398025"),
  fact("sums of nothing", "(SELECT sum(i) FROM (VALUES (1)) t(i) WHERE i > 1)", null),
  fact("sums and NULL", "(SELECT sum(i) FROM (VALUES (1), (NULL), (2)) t(i))", "3"),
  fact("counts and NULL", "(SELECT count(i) || ' ' || count(*) FROM (VALUES (1), (NULL)) t(i))", "1 2"),
  fact(
    "groups of NULL",
    "(SELECT count(*) FROM (SELECT i FROM (VALUES (NULL::int4), (NULL), (1)) t(i) GROUP BY i) g)",
    "2",
  ),
  fact("distinct values and NULL", "(SELECT count(DISTINCT i) FROM (VALUES (NULL), (1), (1)) t(i))", "1"),
  fact(
    "the order of NULLs",
    "(SELECT string_agg(coalesce(i::text, '-'), '' ORDER BY i ASC NULLS LAST) FROM (VALUES (2), (NULL), (1)) t(i))",
    "12-",
  ),
  fact(
    "partitions of NULL",
    "(SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY i) AS n FROM (VALUES (NULL::int4), (NULL)) t(i)) w)",
    "2",
  ),
  fact(
    "dense ranks",
    "(SELECT string_agg(r::text, '' ORDER BY r) FROM (SELECT dense_rank() OVER (ORDER BY i) AS r FROM (VALUES (1), (1), (5), (NULL)) t(i)) w)",
    "1123",
  ),
  fact(
    "groups, partitions and ranks of equal floats",
    "(SELECT count(*) || ' ' || max(n) || ' ' || max(r) FROM (SELECT max(n) AS n, max(r) AS r FROM (SELECT i, row_number() OVER (PARTITION BY i) AS n, dense_rank() OVER (ORDER BY i) AS r FROM (VALUES (0::float8), ('-0'::float8), ('NaN'::float8), ('-NaN'::float8)) t(i)) w GROUP BY i) g)",
    "2 2 2",
  ),
  fact("NULL in GREATEST", "greatest(0, least(10, nothing))", "10"),
  fact("NULL and OR", "(none > 1 OR seven = 7) AND NOT coalesce(none > 1 AND seven = 7, false)", "true"),
  fact("NULL in a list", "(seven IN (1, NULL)) IS NULL AND seven IN (7, NULL)", "true"),
  fact("CASE without ELSE", "CASE WHEN none > 1 THEN 1 END", null),
  fact(
    "clamps",
    "(SELECT string_agg(coalesce(CAST(CASE WHEN i >= 0 AND i <= 5 THEN i WHEN i >= 5 THEN 5 WHEN i <= 0 THEN 0 END AS text), '-'), ' ' ORDER BY p) FROM (VALUES (1, -7), (2, 3), (3, 9), (4, NULL)) t(p, i))",
    "0 3 5 -",
  ),
  fact("adding days", "(leap + 1)::text", "2024-03-01"),
  fact("days between dates", "leap - DATE '2023-02-28'", "366"),
  fact("dates without an end", "never > DATE '9999-12-31' AND ever < TIMESTAMP '0001-01-01'", "true"),
  fact("months", "CAST(date_trunc('month', CAST(leap AS timestamp)) AS date)::text", "2024-02-01"),
  fact("weeks", "CAST(date_trunc('week', CAST(leap AS timestamp)) AS date)::text", "2024-02-26"),
  fact("adding months", "(late + INTERVAL '-1 months')::text", "2020-02-29 00:00:02"),
  fact("times as texts", "to_char(late, 'YYYY-MM-DD HH24:MI:SS.US')", "2020-03-31 00:00:02.000000"),
  fact("seconds since 1970", "CAST(EXTRACT(EPOCH FROM late) AS float8)", "1585612802"),
  fact(
    "moments in UTC",
    "CAST(TIMESTAMP WITH TIME ZONE '2020-03-31 00:00:02+02' AS timestamp)::text",
    "2020-03-30 22:00:02",
  ),
  fact("the order of texts", '(b COLLATE "C") < a AND (a COLLATE "C") < umlaut', "true"),
  fact("equality of texts", `(a COLLATE "C") <> upper(a) AND (a COLLATE "C") <> 'a '`, "true"),
  fact("bytes of a text", "octet_length(umlaut) || ' ' || length(umlaut)", "2 1"),
  fact("blanks at the end", "octet_length(CAST(padded AS text))", "1"),
  fact("backslashes", "octet_length(slash) || ' ' || octet_length(E'\\\\')", "1 1"),
  fact("places in a text", "left(umlaut || x, 1) || ' ' || right(umlaut || x, -1)", "ä x"),
  fact(
    "texts written like numbers",
    "(x || '7') ~ '^([a-z][0-9])$' AND NOT (x || '7') ~ '^([0-9])$'",
    "true",
  ),
  fact("equality of whole numbers", "9007199254740992::int8 + zero <> 9007199254740993", "true"),
  fact("SHA-256", "left(encode(sha256(convert_to(x, 'UTF8')), 'hex'), 16)", "2d711642b726b044"),
  fact("bits of a hash", "CAST(CAST('x' || left('ff00000e', 8) AS BIT(32)) AS int8)", "4278190094"),
  fact("texts of numbers", "(1e22::float8 + zero)::text || ' ' || (0.1::float8 + zero)::text", "1e+22 0.1"),
]
