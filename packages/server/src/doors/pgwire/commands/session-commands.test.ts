// COPY, PREPARE, EXECUTE and cursors as sessions read them, and where a cursor goes.

import { describe, expect, test } from "vitest"
import { copyHeader, copyLine } from "../session/copy-lines.ts"
import { readCommand } from "./read-command.ts"
import { readCopy } from "./read-copy.ts"
import { moveCursor, type CursorStep } from "./read-cursor.ts"
import { readPreparedCommand } from "./read-prepared.ts"
import { WireError } from "../wire/wire-error.ts"
import { wireTypes } from "../wire/wire-types.ts"

describe("COPY", () => {
  test.each([
    ["COPY (SELECT 1) TO STDOUT", { format: "text", delimiter: "\t", null: "\\N", header: false }],
    ["copy  ( SELECT 1 ) to stdout csv header ", { format: "csv", delimiter: ",", null: "", header: true }],
    ["COPY (SELECT 1) TO STDOUT WITH CSV DELIMITER AS ';' NULL 'x'", { delimiter: ";", null: "x" }],
    ["COPY (SELECT 1) TO STDOUT (FORMAT csv, HEADER true, QUOTE '''')", { header: true, quote: "'" }],
    ["COPY (SELECT 1) TO STDOUT WITH (FORMAT 'csv', FORCE_QUOTE (a, \"B\"))", { forceQuote: ["a", "B"] }],
    ["COPY (SELECT 1) TO STDOUT CSV FORCE QUOTE *", { forceQuote: "all" }],
  ])("%s", (sql, format) => {
    const command = readCopy(sql)
    expect(command.sql).toBe("SELECT 1")
    expect(sql.slice(command.start)).toMatch(/^SELECT 1/)
    expect(command.format).toMatchObject(format)
  })

  test("finds the end of the question past strings, names, comments and parentheses", () => {
    const sql = `SELECT ')' || "a)" || $$)$$ || e'\\')' /* ) */ FROM (SELECT 1) AS q -- )\n`
    expect(readCopy(`/* why */ COPY (${sql}) TO STDOUT`).sql).toBe(sql.replace(/ -- \)\n$/, ""))
  })

  test.each([
    ["COPY person TO STDOUT", "0A000"],
    ["COPY person FROM STDIN", "0A000"],
    ["COPY (SELECT 1) TO '/tmp/x'", "0A000"],
    ["COPY (SELECT 1) TO PROGRAM 'sh'", "0A000"],
    ["COPY (SELECT 1) TO STDOUT (FORMAT binary)", "0A000"],
    ["COPY (SELECT 1) TO STDOUT (FORMAT csv, NONSENSE 1)", "42601"],
    ["COPY (SELECT 1) TO STDOUT (DELIMITER 'ab')", "22023"],
    ["COPY (SELECT 1) TO STDOUT (DELIMITER 'a')", "22023"],
    ["COPY (SELECT 1) TO STDOUT (QUOTE '!')", "22023"],
    ["COPY (SELECT 1 TO STDOUT", "42601"],
    ["COPY (SELECT 1) TO STDOUT; DROP TABLE t", "42601"],
  ])("refuses %s", (sql, state) => {
    expect(stateOf(() => readCopy(sql))).toBe(state)
  })

  const columns = [
    { name: "a b", type: wireTypes.text },
    { name: "n,m", type: wireTypes.integer },
  ]
  test("writes text with escapes, and CSV with quotes where they are needed", () => {
    const text = readCopy("COPY (SELECT 1) TO STDOUT").format
    expect(copyLine(["a\tb\\\n", 5], columns, text)).toBe("a\\tb\\\\\\n\t5\n")
    expect(copyLine([null, null], columns, text)).toBe("\\N\t\\N\n")
    const csv = readCopy("COPY (SELECT 1) TO STDOUT CSV HEADER").format
    expect(copyHeader(columns, csv)).toBe('a b,"n,m"\n')
    expect(copyLine(['say "x", ', 5], columns, csv)).toBe('"say ""x"", ",5\n')
    expect(copyLine(["", null], columns, csv)).toBe('"",\n')
    const odd = readCopy(
      "COPY (SELECT 1) TO STDOUT (FORMAT csv, QUOTE '|', ESCAPE '\\', FORCE_QUOTE *)",
    ).format
    expect(copyLine(["a|\\b", 5], columns, odd)).toBe("|a\\|\\\\b|,|5|\n")
  })
})

describe("prepared statements", () => {
  test("PREPARE has types and a question", () => {
    const sql = 'PREPARE "My One" (int, double precision, unheard) AS SELECT $1'
    expect(readPreparedCommand(sql)).toEqual({
      kind: "prepare",
      name: "My One",
      types: [20, 701, 0],
      sql: "SELECT $1",
      start: sql.indexOf("SELECT"),
    })
  })

  test("EXECUTE takes literals, with the types of the statement", () => {
    const read = readPreparedCommand(
      "EXECUTE p (-1.5, 'it''s', DATE '2020-01-31', TRUE, NULL, '7'::int, '7')",
    )
    if (read.kind !== "execute") throw new Error("it is one")
    const values = read.values.map((value) => value(0))
    const seven = { kind: "number", value: { numerator: 7n, denominator: 1n } }
    expect(values).toEqual([
      { kind: "number", value: { numerator: -3n, denominator: 2n } },
      { kind: "text", value: "it's" },
      { kind: "text", value: "2020-01-31" },
      { kind: "boolean", value: true },
      { kind: "null" },
      seven,
      { kind: "text", value: "7" },
    ])
    expect(read.values[6]?.(20)).toEqual(seven)
    expect(readCommand("deallocate Foo")).toEqual({ kind: "deallocate", name: "foo" })
  })

  test.each([
    ["EXECUTE p (x)", "0A000"],
    ["EXECUTE p (SELECT 1)", "0A000"],
    ["EXECUTE p (1 + 1)", "0A000"],
    ["EXECUTE p (1", "42601"],
    ["PREPARE p", "42601"],
    ["PREPARE TRANSACTION 'x'", "0A000"],
    ["DEALLOCATE p q", "42601"],
  ])("refuses %s", (sql, state) => {
    expect(stateOf(() => readPreparedCommand(sql))).toBe(state)
  })
})

describe("cursors", () => {
  test.each([
    ["DECLARE c CURSOR FOR SELECT 1", { canGoBack: true, isHeld: false }],
    ['declare "c" no scroll cursor with hold for SELECT 1', { canGoBack: false, isHeld: true }],
    ["DECLARE c INSENSITIVE SCROLL CURSOR WITHOUT HOLD FOR SELECT 1", { canGoBack: true, isHeld: false }],
  ])("%s", (sql, expected) => {
    expect(readCommand(sql)).toMatchObject({ kind: "declare", name: "c", sql: "SELECT 1", ...expected })
  })

  test.each([
    ["FETCH c", { kind: "forward", count: 1 }],
    ["FETCH NEXT FROM c", { kind: "forward", count: 1 }],
    ["FETCH 5 IN c", { kind: "forward", count: 5 }],
    ["FETCH -5 c", { kind: "forward", count: -5 }],
    ["FETCH FORWARD 5 FROM c", { kind: "forward", count: 5 }],
    ["FETCH FORWARD ALL FROM c", { kind: "forward", count: "all" }],
    ["MOVE ALL IN c", { kind: "forward", count: "all" }],
    ["FETCH BACKWARD FROM c", { kind: "backward", count: 1 }],
    ["FETCH PRIOR FROM c", { kind: "backward", count: 1 }],
    ["FETCH FIRST FROM c", { kind: "absolute", to: 1 }],
    ["FETCH LAST c", { kind: "absolute", to: -1 }],
    ["FETCH ABSOLUTE -2 FROM c", { kind: "absolute", to: -2 }],
    ["FETCH RELATIVE 0 FROM c", { kind: "relative", to: 0 }],
  ])("%s", (sql, step) => {
    expect(readCommand(sql)).toMatchObject({ kind: "fetch", name: "c", step })
  })

  test.each(["FETCH", "FETCH ABSOLUTE FROM c", "FETCH 1 FROM c d", "DECLARE c FOR SELECT 1", "CLOSE"])(
    "refuses %s",
    (sql) => {
      expect(stateOf(() => readCommand(sql))).toBe("42601")
    },
  )

  test("go where PostgreSQL's go", () => {
    // One after the other over five rows, as recorded from PostgreSQL 15.
    const walk: readonly (readonly [CursorStep, readonly number[]])[] = [
      [{ kind: "forward", count: 2 }, [0, 1]],
      [{ kind: "relative", to: 0 }, [1]],
      [{ kind: "forward", count: 0 }, [1]],
      [{ kind: "backward", count: 1 }, [0]],
      [{ kind: "backward", count: 1 }, []],
      [{ kind: "forward", count: "all" }, [0, 1, 2, 3, 4]],
      [{ kind: "forward", count: 1 }, []],
      [{ kind: "backward", count: 2 }, [4, 3]],
      [{ kind: "absolute", to: -1 }, [4]],
      [{ kind: "absolute", to: 9 }, []],
      [{ kind: "backward", count: "all" }, [4, 3, 2, 1, 0]],
      [{ kind: "absolute", to: 3 }, [2]],
      [{ kind: "forward", count: -2 }, [1, 0]],
      [{ kind: "relative", to: 3 }, [3]],
      [{ kind: "absolute", to: 0 }, []],
      [{ kind: "relative", to: 1 }, [0]],
    ]
    let position = 0
    for (const [step, rows] of walk) {
      const moved = moveCursor(position, 5, step)
      expect({ step, rows: moved.rows }).toEqual({ step, rows })
      position = moved.position
    }
  })
})

function stateOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return error instanceof WireError ? error.state : "another error"
  }
}
