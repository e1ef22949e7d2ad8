// What printed SQL relies on, asked of the live DuckDB with constants before it is asked anything else. A
// database that computes otherwise is not served.

import type { DuckDBConnection } from "@duckdb/node-api"
import { fail } from "../../errors.ts"

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
  2.5::DOUBLE AS half, 7 AS seven, 0 AS zero, 'x' AS x, DATE '2024-02-29' AS leap, 'a' AS a, 'B' AS b, 'ä' AS umlaut,
  9223372036854775805::BIGINT AS long, 170141183460469231731687303715884105727::HUGEINT AS widest,
  -9007199254740994.290263346258::DECIMAL(38, 12) AS uneven, 1.005::DECIMAL(18, 3) AS short,
  TIMESTAMP '2020-03-31 00:00:02' AS late, TIMESTAMP '2020-03-30 23:59:59' AS early`

const fact = (what: string, sql: string, gives: string | null): EngineFact => ({ what, sql, gives })

/** Arithmetic at the ends of types, and what stands in place of a failure. */
const arithmeticFacts: readonly EngineFact[] = [
  fact(
    "NULL in place of a failure",
    [
      "TRY(CAST(long AS INTEGER)) IS NULL",
      "TRY(seven + 2147483647) IS NULL",
      "TRY(long * seven) IS NULL",
      "TRY(widest + seven) IS NULL",
      "TRY(CAST(uneven AS DECIMAL(18, 12))) IS NULL",
      "TRY(CAST(x AS INTEGER)) IS NULL",
      "TRY(abs(-2147483648 + zero)) IS NULL",
      "TRY(sqrt(- seven)) IS NULL",
      "TRY(ln(zero)) IS NULL",
      "TRY(late + INTERVAL '400000 years') IS NULL",
      "TRY(seven + 1) = 8",
    ].join(" AND "),
    "true",
  ),
  fact(
    "a failure of one row alone",
    "(SELECT count(TRY(CAST(i * 1000000000 AS INTEGER))) || ' ' || count(*) FROM range(6) t(i))",
    "3 6",
  ),
  fact(
    "a failure in a condition",
    "(SELECT count(*) FROM range(6) t(i) WHERE TRY(CAST(i * 1000000000 AS INTEGER) % 2 = 0))",
    "3",
  ),
  fact(
    "sums that do not fit",
    "TRY_CAST((SELECT sum(i) FROM (VALUES (9223372036854775805::BIGINT), (9223372036854775805::BIGINT)) t(i)) AS BIGINT)",
    null,
  ),
  fact(
    "types of arithmetic",
    "typeof(seven + seven) || ' ' || typeof(long * long) || ' ' || typeof(seven // seven) || ' ' || typeof(widest % 7) || ' ' || typeof(leap - leap)",
    "INTEGER BIGINT INTEGER HUGEINT BIGINT",
  ),
  fact(
    "types of arithmetic of decimals",
    "typeof(short * short) || ' ' || typeof(uneven * short) || ' ' || typeof(short + short) || ' ' || typeof(short % short)",
    "DECIMAL(18,6) DECIMAL(38,15) DECIMAL(18,3) DECIMAL(18,3)",
  ),
  fact("types of wide sums", "typeof((SELECT sum(i) FROM (VALUES (1::HUGEINT)) t(i)))", "HUGEINT"),
  fact(
    "sums beyond 64 bits",
    "(SELECT sum(i) FROM (VALUES (9223372036854775805::BIGINT), (9223372036854775805::BIGINT), (9223372036854775805::BIGINT)) t(i))",
    "27670116110564327415",
  ),
  fact("the widest integer", "widest", "170141183460469231731687303715884105727"),
  fact(
    "whole steps of a wide number",
    "((CAST(long AS HUGEINT) + 50000000000000000) // 100000000000000000) * 100000000000000000",
    "9200000000000000000",
  ),
  fact(
    "whole parts of decimals",
    "trunc(- short - 13.99) || ' ' || floor(short) || ' ' || ceil(short)",
    "-14 1 2",
  ),
  fact(
    "digits of decimals",
    "CAST(short AS DECIMAL(18, 2)) || ' ' || CAST(- short AS DECIMAL(18, 2))",
    "1.01 -1.01",
  ),
  fact("remainders of decimals", "(- short) % 0.5::DECIMAL(18, 3)", "-0.005"),
  // A few steps beside the nearest are allowed for; this one is one step away.
  fact("doubles of decimals", "abs(CAST(CAST(uneven AS DOUBLE) AS HUGEINT) + 9007199254740994) <= 4", "true"),
  fact("doubles of wide integers", "abs(CAST(CAST(long AS DOUBLE) AS HUGEINT) - long) <= 2048", "true"),
  fact(
    "seconds since 1970",
    "abs(epoch(late) - 1585612802) < 0.000001 AND epoch_us(late) = 1585612802000000",
    "true",
  ),
  fact("whole floats", "round_even(half, 0) || ' ' || round_even(half + 1, 0)", "2.0 4.0"),
  fact("integers of floats", "CAST(half AS BIGINT) || ' ' || CAST(half + 1 AS BIGINT)", "2 4"),
  fact(
    "months at the ends of months",
    "CAST(late + INTERVAL '-1 months' AS VARCHAR) || ' ' || CAST(early + INTERVAL '-1 months' AS VARCHAR)",
    "2020-02-29 00:00:02 2020-02-29 23:59:59",
  ),
  fact("NULL in place of a value", "NULLIF(seven, 7)", null),
  fact(
    "texts written like numbers",
    "regexp_full_match(x || '7', '[a-z][0-9]') AND NOT regexp_full_match(x || '7', '[0-9]')",
    "true",
  ),
  fact("times as texts", "strftime(late, '%Y-%m-%d %H:%M:%S.%f')", "2020-03-31 00:00:02.000000"),
  fact(
    "texts in a list",
    "list_contains(['a', 'b'], a) AND list_position(['x', NULL], NULLIF(a, 'a')) = 2",
    "true",
  ),
  fact(
    "places in a text",
    "strpos(umlaut || x, x) || ' ' || left(umlaut || x, 1) || ' ' || right(umlaut || x, -1)",
    "2 ä x",
  ),
]

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
  ...arithmeticFacts,
]
