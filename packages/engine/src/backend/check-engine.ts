// What printed SQL relies on, asked of the live DuckDB with constants before it is asked anything else. A
// database that computes otherwise is not served.

import type { DuckDBConnection } from "@duckdb/node-api"
import { fail } from "../errors.ts"

/** A fact: an expression, and what it must give as a text. */
interface EngineFact {
  readonly what: string
  readonly sql: string
  readonly gives: string | null
}

/** Checks all facts; throws `backend/unexpected-engine` with the first that does not hold. */
export async function checkEngine(
  connection: DuckDBConnection,
  facts: readonly EngineFact[] = engineFacts,
): Promise<void> {
  const texts = facts.map(({ sql }) => `CAST((${sql}) AS VARCHAR)`)
  const found = await connection
    .runAndReadAll(`SELECT ${texts.join(", ")} FROM (${values}) AS v`)
    .then((reader) => reader.getRows()[0] ?? [])
    .catch(() => undefined)
  const wrong = facts.find(({ gives }, index) => found?.[index] !== gives)
  if (found === undefined) fail("backend/unexpected-engine", { what: "one of the functions that we use" })
  if (wrong !== undefined) fail("backend/unexpected-engine", { what: wrong.what })
}

// Columns of a row, so that nothing is worked out while the query is parsed.
const values = `SELECT 'NaN'::DOUBLE AS nan, 'Infinity'::DOUBLE AS inf, NULL::DOUBLE AS none, NULL::INTEGER AS nothing,
  2.5::DOUBLE AS half, 7 AS seven, 0 AS zero, 'x' AS x, DATE '2024-02-29' AS leap, 'a' AS a, 'B' AS b, 'ä' AS umlaut`

const fact = (what: string, sql: string, gives: string | null): EngineFact => ({ what, sql, gives })

/** Everything that print/ assumes of DuckDB. */
export const engineFacts: readonly EngineFact[] = [
  fact("the order of NaN", "nan > inf AND nan = nan AND NOT nan < 0 AND NOT nan <= inf", "true"),
  fact("comparisons with NULL", "(none = none) IS NULL AND (none < 1) IS NULL", "true"),
  fact("isnan", "isnan(nan) AND NOT isnan(inf) AND isnan(none) IS NULL", "true"),
  fact("casts of what is no number", "TRY_CAST(nan AS INTEGER)", null),
  fact("casts of infinity", "TRY_CAST(inf AS BIGINT)", null),
  fact("casts of texts", "TRY_CAST(x AS INTEGER)", null),
  fact("casts of texts to dates", "TRY_CAST(x AS DATE)", null),
  fact("casts of large numbers", "TRY_CAST(3000000000 + seven AS INTEGER)", null),
  fact(
    "casts that fail in a branch not taken",
    "CASE WHEN seven > 8 THEN CAST(nan AS INTEGER) ELSE 1 END",
    "1",
  ),
  fact("division by zero", "(seven / zero) IS NULL OR isinf(seven / zero)", "true"),
  fact("whole division by zero", "seven // zero", null),
  fact("remainders by zero", "seven % zero", null),
  fact("the sign of whole division", "(- seven) // 2", "-3"),
  fact("the sign of remainders", "(- seven) % 2", "-1"),
  fact(
    "rounding of halves",
    "round(half) || ' ' || round(- half) || ' ' || round(0.5::DOUBLE)",
    "3.0 -3.0 1.0",
  ),
  fact(
    "rounding of decimals",
    "CAST(2.5::DECIMAL(9, 1) AS INTEGER) || ' ' || CAST(-2.5::DECIMAL(9, 1) AS INTEGER)",
    "3 -3",
  ),
  fact("decimals from doubles", "TRY_CAST(0.005::DOUBLE + zero AS DECIMAL(38, 2)) IN (0.00, 0.01)", "true"),
  fact("decimals that do not fit", "TRY_CAST(1e40::DOUBLE + zero AS DECIMAL(38, 2))", null),
  fact("types of sums", "typeof((SELECT sum(i) FROM (VALUES (1::INTEGER)) t(i)))", "HUGEINT"),
  fact(
    "types of sums of decimals",
    "typeof((SELECT sum(d) FROM (VALUES (1::DECIMAL(18, 2))) t(d)))",
    "DECIMAL(38,2)",
  ),
  fact("sums of nothing", "(SELECT sum(i) FROM (VALUES (1)) t(i) WHERE i > 1)", null),
  fact("sums and NULL", "(SELECT sum(i) FROM (VALUES (1), (NULL), (2)) t(i))", "3"),
  fact("counts and NULL", "(SELECT count(i) || ' ' || count(*) FROM (VALUES (1), (NULL)) t(i))", "1 2"),
  fact(
    "groups of NULL",
    "(SELECT count(*) FROM (SELECT i FROM (VALUES (NULL), (NULL), (1)) t(i) GROUP BY i))",
    "2",
  ),
  fact("distinct values and NULL", "(SELECT count(DISTINCT i) FROM (VALUES (NULL), (1), (1)) t(i))", "1"),
  fact(
    "the order of NULLs",
    "(SELECT string_agg(coalesce(i::VARCHAR, '-'), '' ORDER BY i ASC NULLS LAST) FROM (VALUES (2), (NULL), (1)) t(i))",
    "12-",
  ),
  fact(
    "partitions of NULL",
    "(SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY i) AS n FROM (VALUES (NULL), (NULL)) t(i)))",
    "2",
  ),
  fact(
    "dense ranks",
    "(SELECT string_agg(r::VARCHAR, '' ORDER BY r) FROM (SELECT dense_rank() OVER (ORDER BY i) AS r FROM (VALUES (1), (1), (5), (NULL)) t(i)))",
    "1123",
  ),
  fact("NULL in GREATEST", "greatest(0, least(10, nothing))", "10"),
  fact("NULL and OR", "(none > 1 OR seven = 7) AND NOT coalesce(none > 1 AND seven = 7, false)", "true"),
  fact("NULL in a list", "(seven IN (1, NULL)) IS NULL AND seven IN (7, NULL)", "true"),
  fact("CASE without ELSE", "CASE WHEN none > 1 THEN 1 END", null),
  fact("adding days", "CAST(leap + 1 AS VARCHAR)", "2024-03-01"),
  fact("days between dates", "leap - DATE '2023-02-28'", "366"),
  fact("months", "CAST(date_trunc('month', CAST(leap AS TIMESTAMP)) AS DATE)", "2024-02-01"),
  fact("weeks", "CAST(date_trunc('week', CAST(leap AS TIMESTAMP)) AS DATE)", "2024-02-26"),
  fact("adding months", "CAST(DATE '2024-01-31' + to_months(seven - 6) AS DATE)", "2024-02-29"),
  fact("the order of texts", "b < a AND a < umlaut", "true"),
  fact("equality of texts", "a <> upper(a) AND 'a ' <> a", "true"),
  fact("bytes of a text", "strlen(umlaut) || ' ' || length(umlaut)", "2 1"),
  fact("texts as bytes", "hex(encode(chr(65279) || a || chr(0)))", "EFBBBF6100"),
  fact(
    "texts without a collation",
    `(SELECT count(*) || ' ' || count(DISTINCT i) FROM (SELECT i COLLATE "C" AS i FROM (SELECT i COLLATE NOCASE AS i FROM (VALUES ('p'), ('P')) t(i)) GROUP BY 1))`,
    "2 2",
  ),
  fact(
    "joins of texts without a collation",
    `(SELECT count(*) FROM (SELECT i COLLATE NOCASE AS i FROM (VALUES ('p'), ('P')) t(i)) l JOIN (VALUES ('P')) r(i) ON (CAST(l.i AS VARCHAR) COLLATE "C") = r.i)`,
    "1",
  ),
  fact(
    "equality of whole numbers",
    "9007199254740992 + zero <> 9007199254740993 AND CAST(9223372036854775807 AS HUGEINT) + zero <> 9223372036854775806",
    "true",
  ),
  fact("equality of decimals", "CAST(1.10 AS DECIMAL(18, 2)) + zero <> CAST(1.11 AS DECIMAL(18, 2))", "true"),
  fact(
    "groups, partitions and ranks of equal floats",
    "(SELECT count(*) || ' ' || max(n) || ' ' || max(r) FROM (SELECT max(n) AS n, max(r) AS r FROM (SELECT i, row_number() OVER (PARTITION BY i) AS n, dense_rank() OVER (ORDER BY i) AS r FROM (VALUES (0e0), (0e0 * -1), ('NaN'::DOUBLE), ('-NaN'::DOUBLE)) t(i)) GROUP BY i))",
    "2 2 2",
  ),
  fact(
    "clamps",
    "(SELECT string_agg(coalesce(CAST(CASE WHEN i >= 0 AND i <= 5 THEN i WHEN i >= 5 THEN 5 WHEN i <= 0 THEN 0 END AS VARCHAR), '-'), ' ' ORDER BY p) FROM (VALUES (1, -7), (2, 3), (3, 9), (4, NULL)) t(p, i))",
    "0 3 5 -",
  ),
  fact(
    "whole numbers between two ends",
    "greatest(0, least(5, seven)) || ' ' || greatest(0, least(5, - seven))",
    "5 0",
  ),
  fact("SHA-256", "left(sha256(x), 16)", "2d711642b726b044"),
  fact(
    "hashes of values",
    "hash(hash(x, seven)) = hash(hash('x', 7)) AND hash(x, nothing) IS NOT NULL",
    "true",
  ),
  fact("full-width integers", "CAST(9223372036854775807 AS HUGEINT) + seven", "9223372036854775814"),
  fact(
    "texts of numbers",
    "CAST(1e22::DOUBLE + zero AS VARCHAR) || ' ' || CAST(0.1::DOUBLE + zero AS VARCHAR)",
    "1e+22 0.1",
  ),
]
