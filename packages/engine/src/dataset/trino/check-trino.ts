// What printed SQL relies on, asked of the live Trino with constants before it is asked anything else. A
// server that computes otherwise is not served.

import { fail } from "../../errors.ts"
import type { TrinoQueries } from "./trino-queries.ts"

/** A fact: an expression, and what it must give as a text. */
interface EngineFact {
  readonly what: string
  readonly sql: string
  readonly gives: string | null
}

/** Checks all facts; throws `backend/unexpected-engine` with the first that does not hold. */
export async function checkTrino(
  queries: TrinoQueries,
  facts: readonly EngineFact[] = trinoFacts,
): Promise<void> {
  const texts = facts.map(({ sql }) => `CAST((${sql}) AS VARCHAR)`)
  const text = `SELECT ${texts.join(", ")} FROM (${values}) AS v (${names})`
  const rows = await queries.ask({ text, parameters: [] }).catch(() => undefined)
  if (rows === undefined) fail("backend/unexpected-engine", { what: "one of the functions that we use" })
  const wrong = facts.find(({ gives }, index) => rows[0]?.[index] !== gives)
  if (wrong !== undefined) fail("backend/unexpected-engine", { what: wrong.what })
}

// Columns of a row, so that not everything is worked out while the query is planned.
const names =
  "nan, inf, none, nothing, half, seven, zero, x, leap, a, b, umlaut, long, widest, short, late, early"
const values = `VALUES (nan(), infinity(), CAST(NULL AS DOUBLE), CAST(NULL AS INTEGER), DOUBLE '2.5', 7, 0, 'x',
  DATE '2024-02-29', 'a', 'B', 'ä', BIGINT '9223372036854775805', DECIMAL '99999999999999999999999999999999999999',
  DECIMAL '1.005', TIMESTAMP '2020-03-31 00:00:02.000000', TIMESTAMP '2020-03-30 23:59:59.999999')`

const fact = (what: string, sql: string, gives: string | null): EngineFact => ({ what, sql, gives })

const numberFacts: readonly EngineFact[] = [
  fact(
    "NULL in place of a failure",
    [
      "try(CAST(long AS INTEGER)) IS NULL",
      "try(seven + 2147483647) IS NULL",
      "try(long * seven) IS NULL",
      "try(widest + seven) IS NULL",
      "try(seven / zero) IS NULL",
      "try(seven % zero) IS NULL",
      "TRY_CAST(x AS INTEGER) IS NULL",
      "TRY_CAST(x AS DATE) IS NULL",
      "TRY_CAST(nan AS BIGINT) IS NULL",
      "TRY_CAST(inf AS BIGINT) IS NULL",
      "TRY_CAST(nan AS DECIMAL(38, 2)) IS NULL",
      "TRY_CAST(DOUBLE '1e40' + zero AS DECIMAL(38, 2)) IS NULL",
      "try(seven + 1) = 8",
    ].join(" AND "),
    "true",
  ),
  fact(
    "a failure of one row alone",
    "(SELECT CAST(count(try(CAST(i * 1000000000 AS INTEGER))) AS VARCHAR) || ' ' || CAST(count(*) AS VARCHAR) FROM UNNEST(sequence(BIGINT '0', BIGINT '5')) AS t (i))",
    "3 6",
  ),
  fact(
    "casts that fail in a branch not taken",
    "CASE WHEN seven > 8 THEN CAST(nan AS INTEGER) ELSE 1 END",
    "1",
  ),
  fact("types of sums", "typeof((SELECT sum(i) FROM (VALUES DECIMAL '1') AS t (i)))", "decimal(38,0)"),
  fact(
    "sums beyond 64 bits",
    "(SELECT sum(CAST(i AS DECIMAL(38, 0))) FROM (VALUES BIGINT '9223372036854775805', BIGINT '9223372036854775805', BIGINT '9223372036854775805') AS t (i))",
    "27670116110564327415",
  ),
  fact("sums of nothing", "(SELECT sum(i) FROM (VALUES 1) AS t (i) WHERE i > 1)", null),
  fact("sums and NULL", "(SELECT sum(i) FROM (VALUES 1, NULL, 2) AS t (i))", "3"),
  fact("the sign of whole division", "(- seven) / 2", "-3"),
  fact("the sign of remainders", "(- seven) % 2", "-1"),
  fact(
    "rounding of halves",
    "CAST(round(half) AS VARCHAR) || ' ' || CAST(round(- half) AS VARCHAR)",
    "3.0E0 -3.0E0",
  ),
  fact(
    "integers of floats",
    "CAST(CAST(half AS BIGINT) AS VARCHAR) || ' ' || CAST(CAST(- half AS BIGINT) AS VARCHAR)",
    "3 -3",
  ),
  fact(
    "digits of decimals",
    "CAST(CAST(short AS DECIMAL(18, 2)) AS VARCHAR) || ' ' || CAST(CAST(- short AS DECIMAL(18, 2)) AS VARCHAR)",
    "1.01 -1.01",
  ),
  fact("equality of whole numbers", "BIGINT '9007199254740992' + zero <> BIGINT '9007199254740993'", "true"),
  fact(
    "clamps",
    "(SELECT array_join(array_agg(CASE WHEN i >= 0 AND i <= 5 THEN i WHEN i >= 5 THEN 5 WHEN i <= 0 THEN 0 END ORDER BY p), ' ', '-') FROM (VALUES (1, -7), (2, 3), (3, 9), (4, NULL)) AS t (p, i))",
    "0 3 5 -",
  ),
]

/** Everything that print/ assumes of Trino. */
export const trinoFacts: readonly EngineFact[] = [
  ...numberFacts,
  fact(
    "NaN beside other numbers",
    "is_nan(nan) AND NOT is_nan(inf) AND NOT nan < 0 AND NOT nan <= inf",
    "true",
  ),
  fact("comparisons with NULL", "(none = none) IS NULL AND (none < 1) IS NULL", "true"),
  fact(
    "counts and NULL",
    "(SELECT CAST(count(i) AS VARCHAR) || ' ' || CAST(count(*) AS VARCHAR) FROM (VALUES 1, NULL) AS t (i))",
    "1 2",
  ),
  fact(
    "groups of NULL",
    "(SELECT count(*) FROM (SELECT i FROM (VALUES NULL, NULL, 1) AS t (i) GROUP BY i))",
    "2",
  ),
  fact("distinct values and NULL", "(SELECT count(DISTINCT i) FROM (VALUES NULL, 1, 1) AS t (i))", "1"),
  fact(
    "partitions of NULL",
    "(SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY i) AS n FROM (VALUES NULL, NULL) AS t (i)))",
    "2",
  ),
  fact(
    "groups of equal floats",
    "(SELECT count(*) FROM (SELECT i FROM (VALUES DOUBLE '0', DOUBLE '-0', nan(), nan()) AS t (i) GROUP BY i))",
    "2",
  ),
  fact(
    "the order of NULLs",
    "(SELECT array_join(array_agg(i ORDER BY i ASC NULLS LAST), '', '-') FROM (VALUES 2, NULL, 1) AS t (i))",
    "12-",
  ),
  fact("NULL and OR", "(none > 1 OR seven = 7) AND NOT coalesce(none > 1 AND seven = 7, false)", "true"),
  fact("NULL in a list", "(seven IN (1, NULL)) IS NULL AND seven IN (7, NULL)", "true"),
  fact("the order of texts", "b < a AND a < umlaut", "true"),
  fact("equality of texts", "a <> upper(a) AND 'a ' <> a", "true"),
  fact("texts as bytes", "to_hex(to_utf8(chr(65279) || a || chr(0)))", "EFBBBF6100"),
  fact("characters of a text", "length(umlaut || x)", "2"),
  fact("adding days", "date_add('day', 1, leap)", "2024-03-01"),
  fact("days between dates", "date_diff('day', DATE '2023-02-28', leap)", "366"),
  fact("months", "date_trunc('month', leap)", "2024-02-01"),
  fact("weeks", "date_trunc('week', leap)", "2024-02-26"),
  fact("adding months", "date_add('month', 1, DATE '2024-01-31')", "2024-02-29"),
  fact("times as texts", "CAST(early AS VARCHAR)", "2020-03-30 23:59:59.999999"),
  fact(
    "moments by nanoseconds",
    "CAST(from_unixtime_nanos(DECIMAL '1585612799999999000') AT TIME ZONE 'UTC' AS TIMESTAMP(6))",
    "2020-03-30 23:59:59.999999",
  ),
  fact("SHA-256", "substr(lower(to_hex(sha256(to_utf8(x)))), 1, 16)", "2d711642b726b044"),
  fact("numbers of hashes", "from_base('ffffffff', 16)", "4294967295"),
]
