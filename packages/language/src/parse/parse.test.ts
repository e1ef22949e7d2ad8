import { isLongForm } from "@dosimeter/core/testing"
import { DosimeterError } from "@dosimeter/core"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { nodesOf } from "../testing/nodes-of.ts"
import { testGrammar } from "../testing/test-grammar.ts"
import { sourceText } from "../text/source.ts"
import type { Expression, Placed, Statement } from "./ast.ts"
import { grammarOf, loadGrammar, type GrammarModule } from "./grammar.ts"
import { parse, sqlLengthMax } from "./parse.ts"
import { show } from "./show.ts"

const grammar = await testGrammar()

function codeOf(sql: string): string {
  try {
    parse(sql, grammar)
  } catch (error) {
    if (!(error instanceof DosimeterError)) throw error
    return error.code
  }
  return "accepted"
}

/** The first value of the select list. */
function valueOf(sql: string): Expression {
  const { query } = parse(sql, grammar)
  const item = query.body.kind === "select" ? query.body.items[0] : undefined
  if (item?.kind !== "output") throw new Error("no output")
  return item.value
}

describe("spans", () => {
  const spanTexts = (sql: string, kind: string): readonly string[] =>
    nodesOf(parse(sql, grammar))
      .filter((node) => "kind" in node && node.kind === kind)
      .map(({ at }) => sql.slice(at.start, at.end))

  test.each([
    ["SELECT region, SUM(fee) FROM visits", "call", ["SUM(fee)"]],
    [
      "SELECT COUNT(*) FILTER (WHERE a) OVER (ORDER BY (b)) x",
      "call",
      ["COUNT(*) FILTER (WHERE a) OVER (ORDER BY (b))"],
    ],
    [
      "SELECT MODE() WITHIN GROUP (ORDER BY y), f(x) OVER w",
      "call",
      ["f(x) OVER w", "MODE() WITHIN GROUP (ORDER BY y)"],
    ],
    ["SELECT (a + b) * (c)", "binary", ["(a + b) * (c)", "a + b"]],
    ["SELECT 'é🏥' || \"ü\".b AS c", "column", ['"ü".b']],
    ["SELECT 'é🏥' || \"ü\".b AS c", "output", ["'é🏥' || \"ü\".b AS c"]],
    ['SELECT ((a)) AS "B"', "name", ['"B"', "a"]],
    ["SELECT CAST(a AS double precision), b::numeric(3, 1)", "type", ["numeric(3, 1)", "double precision"]],
    [
      "SELECT CAST(a AS int) + b::timestamp(3) with time zone",
      "cast",
      ["b::timestamp(3) with time zone", "CAST(a AS int)"],
    ],
    ["SELECT DATE '2020-01-01' + 1", "cast", ["DATE '2020-01-01'"]],
    ["SELECT - (1), -2.5", "integer", ["- (1)"]],
    ["SELECT a IS NOT NULL AND b NOT IN (1, (2))", "not", ["b NOT IN (1, (2))", "a IS NOT NULL"]],
    ["SELECT a AT TIME ZONE 'UTC'", "call", ["a AT TIME ZONE 'UTC'"]],
    [
      "SELECT CASE WHEN CASE a WHEN 1 THEN b END THEN 2 END c",
      "case",
      ["CASE WHEN CASE a WHEN 1 THEN b END THEN 2 END", "CASE a WHEN 1 THEN b END"],
    ],
    ["SELECT 1 WHERE x = ANY (SELECT (1))", "quantified", ["x = ANY (SELECT (1))"]],
    ["SELECT * FROM (SELECT 1) AS s (a) JOIN t USING (b)", "derived-table", ["(SELECT 1) AS s (a)"]],
    ["SELECT * FROM a LEFT JOIN (b JOIN d ON x) ON a.x = (b.x) WHERE c", "on", ["a.x = (b.x)", "x"]],
    ["WITH a AS (SELECT (1)) SELECT 2 FROM a", "cte", ["a AS (SELECT (1))"]],
    [
      "WITH a AS (SELECT (1)) SELECT 2 FROM a",
      "query",
      ["WITH a AS (SELECT (1)) SELECT 2 FROM a", "SELECT (1)"],
    ],
    [
      "SELECT * FROM (SELECT a FROM t FETCH FIRST ROW ONLY) s",
      "derived-table",
      ["(SELECT a FROM t FETCH FIRST ROW ONLY) s"],
    ],
    ["SELECT SUBSTRING(s FOR 2) FROM t", "call", ["SUBSTRING(s FOR 2)"]],
    ["SELECT 1 FROM ((SELECT a FROM t ORDER BY (b) DESC NULLS LAST)) AS s (c)", "table-alias", ["s (c)"]],
    ["SELECT 1 FROM (SELECT a FROM t ORDER BY (b) DESC NULLS LAST)", "order-item", ["(b) DESC NULLS LAST"]],
    [
      "SELECT a IN (SELECT b FROM t LIMIT ALL)",
      "query",
      ["SELECT a IN (SELECT b FROM t LIMIT ALL)", "SELECT b FROM t LIMIT ALL"],
    ],
    ["VALUES (1, 2), ((3), 4)", "values-row", ["((3), 4)", "(1, 2)"]],
    [" SELECT 1 ; ", "query-statement", ["SELECT 1"]],
  ])("%s: %s", (sql, kind, expected) => {
    expect(spanTexts(sql, kind).toSorted()).toEqual(expected.toSorted())
  })

  test("a join is named by its words", () => {
    const sql = "SELECT 1 FROM (a LEFT OUTER JOIN (b JOIN c ON TRUE) ON TRUE) CROSS JOIN d"
    const joins = nodesOf(parse(sql, grammar)).flatMap((node) => ("keyword" in node ? [node.keyword] : []))
    const texts = (joins as readonly Placed["at"][]).map(({ start, end }) => sql.slice(start, end))
    expect(texts.toSorted()).toEqual(["CROSS JOIN", "JOIN", "LEFT OUTER JOIN"])
  })

  test("are never empty, and lie inside the text", () => {
    const sql = `WITH "ä" (x) AS (SELECT DISTINCT ON (a) '🏥', b
      FROM t u (v, w) WINDOW z AS (ORDER BY c ROWS 1 PRECEDING))
      SELECT count(*) OVER z, -x::int, EXTRACT(YEAR FROM y) FROM "ä" NATURAL_, (VALUES (1)) q
      GROUP BY ROLLUP (1), () HAVING EXISTS (SELECT 1) ORDER BY 1 DESC LIMIT 2 OFFSET 3`
    for (const { at } of nodesOf(parse(sql, grammar))) {
      expect(at.start).toBeLessThan(at.end)
      expect(at.end).toBeLessThanOrEqual(sql.length)
    }
  })
})

describe("literals", () => {
  test("integers keep every digit", () => {
    expect(valueOf("SELECT 123456789012345678901234567890")).toMatchObject({
      value: 123456789012345678901234567890n,
    })
    expect(valueOf("SELECT -0xFFFFFFFFFFFFFFFFFF")).toMatchObject({ value: -0xffffffffffffffffffn })
    expect(valueOf("SELECT 0")).toMatchObject({ kind: "integer", value: 0n })
    expect(valueOf("SELECT 00000000000000000008")).toMatchObject({ value: 8n })
  })

  test("decimals keep their text", () => {
    expect(valueOf("SELECT 0.1000000000000000000001")).toMatchObject({ text: "0.1000000000000000000001" })
  })

  test("strings keep every character", () => {
    expect(valueOf("SELECT 'a\n''🏥\t'")).toMatchObject({ value: "a\n'🏥\t" })
    expect(valueOf("SELECT 'a\u0001\u007f\u0085\u2028b\\'")).toMatchObject({
      value: "a\u0001\u007f\u0085\u2028b\\",
    })
    expect(valueOf("SELECT ''")).toMatchObject({ kind: "string", value: "" })
  })
})

describe("hostile input", () => {
  /** Ends in the given way, and the grammar works afterwards. One that hangs is found by the runner. */
  const ends = (sql: string, code: string): void => {
    expect(codeOf(sql)).toBe(code)
    expect(show(parse("SELECT 1", grammar))).toContain("(output value:1)")
  }
  const many = (text: string, count: number): string => text.repeat(count)

  test.each([
    ["a text over the limit", "SELECT 1".padEnd(sqlLengthMax + 1), "sql/too-long"],
    ["a text over the limit in bytes only", `SELECT '${many("é", 60_000)}'`, "sql/too-long"],
    ["a gigantic text", many("x", 20_000_000), "sql/too-long"],
    ["a text at the limit", `SELECT '${many("x", sqlLengthMax - 9)}'`, "accepted"],
    ["20,000 brackets", `SELECT ${many("(", 20_000)}1${many(")", 20_000)}`, "sql/too-deep"],
    ["20,000 brackets left open", `SELECT ${many("(", 20_000)}`, "sql/too-deep"],
    ["20,000 brackets and a lexical error", `SELECT ${many("(", 20_000)}'`, "sql/too-deep"],
    ["20,000 additions", `SELECT 1${many("+1", 20_000)}`, "sql/too-deep"],
    ["1,400 additions", `SELECT 1${many("+1", 1_400)}`, "sql/too-deep"],
    ["200 additions", `SELECT 1${many("+1", 200)}`, "accepted"],
    ["20,000 minus signs", `SELECT ${many("- ", 20_000)}a`, "sql/too-deep"],
    ["20,000 NOTs", `SELECT ${many("NOT ", 20_000)}a`, "sql/too-deep"],
    ["10,000 casts", `SELECT a${many("::int", 10_000)}`, "sql/too-deep"],
    ["9,000 CASEs", `SELECT ${many("CASE WHEN ", 9_000)}`, "sql/too-deep"],
    [
      "5,000 nested subqueries",
      `${many("SELECT * FROM (", 5_000)}SELECT 1${many(")", 5_000)}`,
      "sql/too-deep",
    ],
    ["60 nested subqueries", `${many("SELECT * FROM (", 60)}SELECT 1${many(")", 60)}`, "accepted"],
    [
      "5,000 nested scalar subqueries",
      `${many("SELECT (", 5_000)}SELECT 1${many(")", 5_000)}`,
      "sql/too-deep",
    ],
    ["5,000 UNIONs", `SELECT 1${many(" UNION SELECT 1", 5_000)}`, "sql/too-deep"],
    ["100 UNIONs", `SELECT 1${many(" UNION SELECT 1", 100)}`, "accepted"],
    ["8,000 joins", `SELECT 1 FROM a${many(" CROSS JOIN b", 7_000)}`, "sql/too-deep"],
    ["2,000 nested calls", `SELECT ${many("f(", 2_000)}1${many(")", 2_000)}`, "sql/too-deep"],
    [
      "2,000 nested CTEs",
      `${many("WITH a AS (", 2_000)}SELECT 1${many(") SELECT 2", 2_000)}`,
      "sql/too-deep",
    ],
    ["10,000 columns", `SELECT ${many("abcdefg, ", 9_999)}a FROM t`, "accepted"],
    ["10,000 ORs", `SELECT 1 WHERE a${many(" OR a = 1", 9_999)}`, "accepted"],
    ["10,000 ANDs after a BETWEEN", `SELECT 1 WHERE a BETWEEN 1 AND 2${many(" AND a", 10_000)}`, "accepted"],
    ["an IN list of 40,000", `SELECT a IN (1${many(",2", 40_000)})`, "accepted"],
    ["10,000 rows", `VALUES (1)${many(", (1, 2)", 9_999)}`, "accepted"],
    ["2,000 WHENs", `SELECT CASE ${many("WHEN a = 1 THEN b + 2 ", 2_000)} END`, "accepted"],
    ["10,000 statements", many("SELECT 1;", 10_000), "sql/several-statements"],
    ["a literal of 90,000 digits", `SELECT ${many("9", 90_000)}`, "accepted"],
    ["90,000 dots", `SELECT a${many(".a", 45_000)}`, "accepted"],
    ["a comment in comments", `${many("/*", 20_000)} SELECT 1`, "sql/syntax"],
    ["a NUL", "SELECT 1\0; DROP TABLE t", "sql/bad-character"],
    ["a NUL in a string", "SELECT 'a\0b'", "sql/bad-character"],
    ["a lone high surrogate", "SELECT '\ud83c'", "sql/bad-character"],
    ["a lone low surrogate", "SELECT '\udfe5 x'", "sql/bad-character"],
    ["names too long", `SELECT ${many("ä", 32)}`, "sql/name-too-long"],
    ["a name just short enough", `SELECT ${many("a", 63)}, "${many("b", 62)}"""`, "accepted"],
    ["no text", "", "sql/no-statement"],
    ["spaces", " \n\t", "sql/no-statement"],
    ["a comment", "-- SELECT 1", "sql/no-statement"],
    ["a prototype's names", "SELECT constructor, __proto__, toString(hasOwnProperty)", "accepted"],
  ])("%s", (_name, sql, code) => {
    ends(sql, code)
  })

  test("emoji before an error do not move its place", () => {
    const sql = "SELECT '👩‍⚕️🏥é' FORM x WHERE"
    try {
      parse(sourceText(sql), grammar)
      expect.unreachable("it was accepted")
    } catch (error) {
      const at = error instanceof DosimeterError ? error.issues[0].at : undefined
      expect(sql.slice(at?.start, at?.end)).toBe("x")
    }
  })
})

describe("the grammar", () => {
  test("is loaded once", () => {
    expect(loadGrammar()).toBe(loadGrammar())
  })

  const broken = (error: Error): GrammarModule => {
    const stop = (): never => {
      throw error
    }
    const nothing = (): void => undefined
    return {
      lengthBytesUTF8: () => 1,
      stringToUTF8: nothing,
      UTF8ToString: () => "",
      getValue: () => 0,
      _malloc: () => 0,
      _free: nothing,
      _wasm_parse_query_raw: stop,
      _wasm_free_parse_result: nothing,
      _wasm_scan: () => 0,
      _wasm_free_string: nothing,
    }
  }

  test("that traps is reported, not passed on", () => {
    const trapped = grammarOf(broken(new Error("unreachable executed")))
    expect(() => parse("SELECT 1", trapped)).toThrow(expect.objectContaining({ code: "sql/grammar-failed" }))
    const overflown = grammarOf(broken(new RangeError("Maximum call stack size exceeded")))
    expect(() => parse("SELECT 1", overflown)).toThrow(expect.objectContaining({ code: "sql/too-deep" }))
  })
})

describe("random SQL", () => {
  const words =
    `SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT UNION ALL EXCEPT WITH AS ( ) ( ) , . * + - / = <>
    :: ; a b t "Ü" 'x' '🏥' 1 2.5 $1 NOT AND OR IN BETWEEN LIKE IS NULL CASE WHEN THEN ELSE END CAST
    int date EXISTS ANY COUNT SUM OVER PARTITION ROWS PRECEDING FILTER WITHIN DISTINCT ON JOIN LEFT
    USING NATURAL LATERAL VALUES INTERVAL DAY EXTRACT YEAR ROLLUP FOR UPDATE [ ] ARRAY E'\\xff' --
    /* */ $$ \0 \ud800 INSERT INTO EXPLAIN TABLE ROW COLLATE VARIADIC => :=`.split(/\s+/)
  const seeds = [
    "SELECT a, COUNT(DISTINCT b) FILTER (WHERE c > 1) FROM t JOIN u USING (x) WHERE d IN (1, 2) GROUP BY 1 HAVING TRUE ORDER BY 2 DESC LIMIT 5",
    "WITH a AS (SELECT CASE WHEN x THEN 'é' ELSE NULL END AS y FROM (VALUES (1)) v (x)) SELECT y::text, SUM(z) OVER (PARTITION BY y ROWS 3 PRECEDING) FROM a",
    "SELECT EXTRACT(YEAR FROM d) - 1, TRIM(s), DATE '2020-01-01' FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a) UNION ALL SELECT 1, '2', NULL",
  ].map((sql) => sql.split(/\b/))

  const check = (sql: string): void => {
    let statement: Statement
    try {
      statement = parse(sql, grammar)
    } catch (error) {
      // Anything else fails the property.
      if (error instanceof DosimeterError && error.code !== "sql/grammar-failed" && error.help !== undefined)
        return
      throw error
    }
    for (const { at } of nodesOf(statement)) expect(at.start).toBeLessThanOrEqual(at.end)
    expect(show(statement)).toBe(show(parse(sql, grammar)))
  }

  test("any words in a row end in a statement or in an explained error", () => {
    const sentence = fc
      .array(fc.constantFrom(...words), { maxLength: 40 })
      .map((list) => `SELECT ${list.join(" ")}`)
    fc.assert(fc.property(sentence, check), { numRuns: isLongForm ? 10_000 : 200 })
  })

  test("so do real queries with pieces moved, doubled, dropped and replaced", () => {
    const edit = fc.tuple(
      fc.nat(),
      fc.nat(),
      fc.constantFrom("drop", "double", "swap", "insert"),
      fc.constantFrom(...words),
    )
    const mutated = fc
      .tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 6 }))
      .map(([seed, edits]) => {
        const pieces = [...seed]
        for (const [first, second, what, word] of edits) {
          const [i, j] = [first % pieces.length, second % pieces.length]
          if (what === "drop") pieces[i] = ""
          else if (what === "double") pieces[i] = `${pieces[i]} ${pieces[i]}`
          else if (what === "swap") [pieces[i], pieces[j]] = [pieces[j] ?? "", pieces[i] ?? ""]
          else pieces[i] = `${pieces[i]} ${word} `
        }
        return pieces.join("")
      })
    fc.assert(fc.property(mutated, check), { numRuns: isLongForm ? 10_000 : 200 })
  })

  test("so does any text at all", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), check), {
      numRuns: isLongForm ? 10_000 : 200,
    })
  })
})
