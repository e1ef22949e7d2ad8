import fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"
import { loadGrammar, type Grammar } from "../parse/grammar.ts"
import { forGrammar } from "./for-grammar.ts"
import { piecesOf } from "./scan.ts"
import { sourceText } from "./source.ts"
import {
  hasWords,
  firstWord,
  locateStatements,
  onOneLine,
  parameterCount,
  splitStatements,
} from "./statements.ts"

let grammar: Grammar

beforeAll(async () => {
  grammar = await loadGrammar()
})

const show = (text: string): readonly string[] =>
  [...piecesOf(text)].map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`)

test.each([
  ["E'\\'' ; a", ["string E'\\''", "space  ", "mark ;", "space  ", "word a"]],
  ["E'a'\n 'b\\';'", ["string E'a'\n 'b\\';'"]],
  ["E'a' -- c\n 'b\\';'", ["string E'a' -- c\n 'b\\';'"]],
  ["'a' 'b'", ["string 'a'", "space  ", "string 'b'"]],
  ["'a\\'", ["string 'a\\'"]],
  ["'it''s'", ["string 'it''s'"]],
  ["U&'\\'';", ["string U&'\\'';"]],
  ['U&"a"";"', ['quoted-name U&"a"";"']],
  ["fooE'\\'", ["word fooE", "string '\\'"]],
  ["$a$ ; $b$ $a$;", ["string $a$ ; $b$ $a$", "mark ;"]],
  ["a$b$;$b$", ["word a$b$", "mark ;", "string $b$"]],
  ["$1$$;$$", ["parameter $1", "string $$;$$"]],
  ["/* /* ; */ ; */;", ["comment /* /* ; */ ; */", "mark ;"]],
  ["--a\r;", ["comment --a", "space \r", "mark ;"]],
  ["+--;\n*/*;*/;", ["mark +", "comment --;", "space \n", "mark *", "comment /*;*/", "mark ;"]],
  ["1e-5 0xff 1_0.5", ["number 1e-5", "space  ", "number 0xff", "space  ", "number 1_0.5"]],
  ["é\u00a0ü", ["word é\u00a0ü"]],
])("the pieces of %s", (text, pieces) => {
  expect(show(text)).toEqual(pieces)
})

const nasty = fc
  .array(
    fc.constantFrom(
      ..."' '' \" ; ;; \\ \\' -- /* */ $ $$ $a$ $1 E e' E' U&' U&\" B' x' N' \n \r \t \v a é 😀 1 . 1e5 + - * / ( ) , select".split(
        " ",
      ),
      " ",
      "\u00a0",
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""))

/** Where PostgreSQL's own scanner sees semicolons; undefined where it finds an error. */
function semicolonsOfGrammar(text: string): readonly number[] | undefined {
  const tokens = grammar.scan(sourceText(text))
  return tokens?.list.filter(({ word }) => word === ";").map(({ start }) => start)
}

function semicolons(text: string): readonly number[] {
  return [...piecesOf(text)]
    .filter(({ start, kind }) => kind === "mark" && text[start] === ";")
    .map(({ start }) => start)
}

test("statements end where PostgreSQL's lexer says so", () => {
  let compared = 0
  fc.assert(
    fc.property(nasty, (text) => {
      const expected = semicolonsOfGrammar(text)
      if (expected === undefined) return
      compared += 1
      expect(semicolons(text)).toEqual(expected)
    }),
    { numRuns: 3000 },
  )
  expect(compared).toBeGreaterThan(500)
})

/** What stands for a comment must not make one string of two, with an end elsewhere. */
const smuggled = [
  "SELECT 1 WHERE 'x' <> E'a'/**/\n'\\' ' ; SELECT 2 --'",
  "SELECT relname FROM pg_class WHERE relname <> E'a'/**/\n'\\' ' OR relname = $1 --' LIMIT 1",
  "SELECT E'a'\n/* b\n */ -- c\n'\\' , $2 --'",
  "SELECT $$a$$ /**/\n'b'",
]

test.each(smuggled)("a comment between strings is refused: %s", (text) => {
  expect(forGrammar(text)).toMatchObject({ kind: "wrong" })
  expect(() => grammar.parse(sourceText(text))).toThrow("a string stands beside a string")
})

test("the text for the grammar has the statements and parameters that every door counted", () => {
  const parts = fc.constantFrom(
    ..."' '' E' U&' $$ ; /**/ /*\n*/ --\n -- \n \\ \\' \" $1 $7 a + , select".split(" "),
    " ",
    "\n",
    "--\n",
    "'a'",
    "E'a'",
  )
  const texts = fc.array(parts, { maxLength: 30 }).map((some) => some.join(""))
  const gaps = fc.array(fc.constantFrom(" ", "\n", "/**/", "/*\n*/", "--\n"), { maxLength: 4 })
  const strings = fc
    .tuple(fc.constantFrom("'a'", "E'a'", "U&'a'", "$$a$$"), gaps, fc.constantFrom("'b'", "'\\' ' ; $1 --'"))
    .map(([first, gap, second]) => `${first}${gap.join("")}${second}`)
  let compared = 0
  fc.assert(
    fc.property(fc.oneof(texts, nasty, strings), (text) => {
      const prepared = forGrammar(text)
      const tokens = prepared.kind === "text" ? grammar.scan(sourceText(prepared.text)) : undefined
      if (tokens === undefined) return
      compared += 1
      const places = (word: RegExp): readonly number[] =>
        tokens.list.filter(({ start, end }) => word.test(text.slice(start, end))).map(({ start }) => start)
      expect(places(/^;$/)).toEqual(semicolons(text))
      const parameters = [...piecesOf(text)].filter(({ kind }) => kind === "parameter")
      expect(places(/^\$\d+$/)).toEqual(parameters.map(({ start }) => start))
    }),
    { numRuns: 3000 },
  )
  expect(compared).toBeGreaterThan(500)
})

test("the pieces are the text, whatever it is", () => {
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: "binary" })), (text) => {
      expect([...piecesOf(text)].map(({ start, end }) => text.slice(start, end)).join("")).toBe(text)
    }),
  )
})

/** Texts of which a search that starts anew at each character would be quadratic. */
const longTexts: readonly (readonly [name: string, unit: string])[] = [
  ["comments that do not end", "/* "],
  ["comments in comments", "/*"],
  ["ends of comments", "*/"],
  ["comments of a line", "--"],
  ["quotes", "'"],
  ["escapes", "E'\\'"],
  ["strings on lines of their own", "'a'\n"],
  ["strings and space", "'a'\n\n\n\n\n\n\n\n"],
  ["strings and comments", "'a'--b\n"],
  ["names in quotes", '"'],
  ["dollars", "$"],
  ["dollars and tags", "$a"],
  ["tags of many kinds", "$a$b"],
  ["parameters", "$1"],
  ["digits", "1"],
  ["exponents", "1e-"],
  ["spaces", " "],
  ["line ends", "\n"],
  ["semicolons", ";"],
  ["letters", "e"],
  ["brackets", "("],
]

describe.each(longTexts)("%s", (_, unit) => {
  test("cost no more than a fixed number of looks at each character", () => {
    for (const length of [1_000, 100_000]) {
      const text = unit.repeat(Math.ceil(length / unit.length))
      const meter = { steps: 0 }
      for (const _piece of piecesOf(text, meter)) continue
      expect(meter.steps).toBeLessThan(10 * text.length + 10)
    }
  })
})

test("statements, their parameters and first words", () => {
  const text = " SELECT E'\\'' AS a FROM pg_class; CREATE TABLE x -- '; \n; "
  expect(splitStatements(text)).toEqual({
    statements: ["SELECT E'\\'' AS a FROM pg_class", "CREATE TABLE x -- '; "],
    rest: " ",
  })
  for (const { sql, start } of locateStatements(text).statements) {
    expect(text.slice(start, start + sql.length)).toBe(sql)
  }
  expect(
    parameterCount("SELECT $2, '$9', \"$8\", E'\\'$7', $a$ $6 $a$ -- $5\n/* /* */ $4 */ WHERE a = $1"),
  ).toBe(2)
  expect([hasWords(" -- x\n/* /* y */ */ "), hasWords("/* */ a"), hasWords("")]).toEqual([false, true, false])
  expect(onOneLine("SELECT  E'\\' --' -- c\n  FROM /* d */ t")).toBe("SELECT E'\\' --' FROM t")
  expect(["/* why */ EXPLAIN SELECT 1", "SELECT 42 AS explanation", "EXPLAINED"].map(firstWord)).toEqual([
    "explain",
    "select",
    "explained",
  ])
})

test("the grammar sees no comments and no endless operators, and every place stays", () => {
  const text = "SELECT /* é /* 😀 */ */ 1 -- x\n+ 'a -- b'"
  const prepared = forGrammar(text)
  expect(prepared).toEqual({
    kind: "text",
    text: text.replace(/\/\*.*\*\/|-- x/g, (part) => " ".repeat(part.length)),
  })
  for (const [wrong, reason] of [
    ["/*".repeat(29_000), "unterminated /* comment"],
    [`SELECT 1 ${"+".repeat(50_000)} 1`, "an operator is too long"],
    [`SELECT 1 ${"<-".repeat(25_000)} 1`, "an operator is too long"],
  ] as const) {
    expect(forGrammar(wrong)).toMatchObject({ kind: "wrong", reason: expect.stringContaining(reason) })
    expect(() => grammar.parse(sourceText(wrong))).toThrow(reason)
  }
  // Deep comments that end, of which the grammar's own lexer would look at each mark thousands of times.
  const deep = `SELECT ${"/*".repeat(14_000)}${"*/".repeat(14_000)} 1`
  expect(grammar.parse(sourceText(deep)).statements).toHaveLength(1)
})
