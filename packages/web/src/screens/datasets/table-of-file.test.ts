import { expect, test } from "vitest"
import { tableOfFile } from "./table-of-file.ts"

/** `name type, name type` of a file that can be read. */
function shown(file: string, text: string, isWhole = true): string {
  const read = tableOfFile(file, text, isWhole)
  if (typeof read === "string") return read
  const columns = read.table.columns.map(({ name, type }) => `${name} ${type?.kind ?? "none"}`)
  return `${read.table.name} (${read.rows}): ${columns.join(", ")}`
}

test("types are those that every value has, and an empty field is no value", () => {
  const text =
    "id,fee,seen,at,ok,ward,void\n1,2.5,2020-01-31,2020-01-31 08:00,true,A,\n2,,2020-02-01,,false,7,\n"
  expect(shown("visits.csv", text)).toBe(
    "visits (2): id integer, fee float, seen date, at timestamp, ok boolean, ward text, void text",
  )
})

test("quotes hold delimiters, line ends and quotes; other delimiters are found", () => {
  expect(shown("a.csv", '\uFEFFname;note\r\n"x; y";"first\nsecond ""it"""\r\n\r\n')).toBe(
    "a (1): name text, note text",
  )
  expect(shown("a.tsv", "a\tb\n1\t2")).toBe("a (1): a integer, b integer")
  expect(shown("a.csv", '"a,b"|c\n1|2\n')).toBe("a (1): a,b integer, c integer")
})

test("a line that may be cut is left out", () => {
  expect(shown("a.csv", "n\n1\n2\nx", false)).toBe("a (2): n integer")
  expect(shown("a.ndjson", '{"n":1}\n{"n":"x', false)).toBe("a (1): n integer")
})

test("names that are missing or doubled are made up as the database does", () => {
  expect(shown("a.csv", "x,,X\n1,2,3\n")).toBe("a (1): x integer, column1 integer, X_1 integer")
})

test("objects line by line: numbers in quotes are texts, lists have no type, fields may be missing", () => {
  const text = '{"id":1,"code":"07","tags":[1]}\n{"id":2.5,"day":"2020-01-31","code":null,"ok":true}\n'
  expect(shown("a.jsonl.gz", text)).toBe("a (2): id float, code text, tags none, day date, ok boolean")
})

test("what cannot be read says why", () => {
  expect(shown("a.xlsx", "x")).toBe("ending")
  expect(shown("a.csv", "")).toBe("empty")
  expect(shown("a.ndjson", "\n")).toBe("empty")
  expect(shown("a.ndjson", "[1]\n")).toBe("shape")
})

test("nothing that stands in a file comes out but names", () => {
  const read = tableOfFile("a.csv", "name,age\nCANARY-7,4711\n", true)
  expect(JSON.stringify(read)).not.toMatch(/CANARY|4711/)
})
