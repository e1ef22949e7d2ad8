// A second look at SQL before it goes to the database that holds the catalogs, by code that shares nothing
// with its printing: what was written by an analyst is in quotes there, so every word outside of quotes must
// be one of ours. One statement, no comments, no words but these, and nothing in quotes is called.

import { piecesOf, type Piece } from "@dosimeter/language/text/scan"
import { printedMax } from "./catalog-context.ts"
import { notAnswered, tooMuch } from "./not-answered.ts"

/** Refuses SQL with anything but words of the list, names and texts in plain quotes, numbers and marks. */
export function checkPrinted(sql: string): void {
  // Marks and words stand beside the values that were counted.
  if (sql.length > 2 * printedMax) tooMuch("it is too long")
  const pieces = [...piecesOf(sql)].filter(({ kind }) => kind !== "space")
  for (const [index, piece] of pieces.entries()) {
    const isCalled = isOpening(sql, pieces[index + 1])
    const before = pieces[index - 1]
    const isNamed = before !== undefined && sql.slice(before.start, before.end) === "AS"
    if (!isOurs(sql, piece) || (piece.kind === "quoted-name" && isCalled && !isNamed))
      notAnswered("it could not be written safely")
  }
}

/** Whether all that is read of our schemas is about the session: by a closed list of what tells no tables. */
export function isOfSession(sql: string): boolean {
  const pieces = [...piecesOf(sql)].filter(({ kind }) => kind !== "space")
  return pieces.every(({ kind, start, end }, index) => {
    const isSchema = kind === "word" && ["pg", "info"].includes(sql.slice(start, end))
    const named = pieces[index + 2]
    return !isSchema || (named !== undefined && aboutSession.has(sql.slice(named.start, named.end)))
  })
}

const aboutSession: ReadonlySet<string> = new Set(
  "current_schemas database_name format_type may_read nothing_named number_text quote_ident role_name role_named server_version".split(
    " ",
  ),
)

function isOurs(sql: string, { kind, form, start, end, isOpen }: Piece): boolean {
  const written = sql.slice(start, end)
  switch (kind) {
    case "word":
      return words.has(written)
    case "string":
      return form === "plain" && isOpen !== true && written.startsWith("'")
    case "quoted-name":
      return form === "plain" && isOpen !== true
    case "number":
      return /^\d+(\.\d+)?$/.test(written)
    case "mark":
      return marks.has(written)
    case "space":
      return true
    case "comment":
    case "parameter":
      return false
    default:
      return kind satisfies never
  }
}

function isOpening(sql: string, piece: Piece | undefined): boolean {
  return piece?.kind === "mark" && sql[piece.start] === "("
}

const marks: ReadonlySet<string> = new Set("( ) [ ] , . = < > + - * / % |".split(" "))

const keywords =
  "ALL AND ANY ARRAY AS ASC BETWEEN BIGINT BOOLEAN BY CASE CAST CROSS DECIMAL DESC DISTINCT DOUBLE ELSE END " +
  "ESCAPE EXCEPT EXISTS FILTER FIRST FLOAT FROM FULL GROUP HAVING ILIKE IN INTEGER INTERSECT IS JOIN LAST " +
  "LATERAL LEFT LIKE LIMIT NATURAL NOT NULL NULLS OFFSET ON OR ORDER ORDINALITY OVER PARTITION RIGHT SELECT " +
  "SMALLINT THEN TIMESTAMP UNION USING VALUES VARCHAR WHEN WHERE WITH false true"

const functions =
  "abs array_agg array_to_string bool_and bool_or coalesce concat concat_ws count dense_rank generate_series " +
  "greatest least left len length lower ltrim max min nullif rank regexp_matches replace right row row_number " +
  "rtrim split_part starts_with string_agg string_split strpos substring sum trim unnest upper"

const macros =
  "class_name class_named current_schemas database_name format_type may_read nothing_named number_text " +
  "obj_description quote_ident role_name role_named schema_name schema_named server_version to_regclass " +
  "to_regnamespace to_regtype type_name type_named"

/** Of the table of settings, which is made for each question, and the schemas. */
const others = "pg info s name setting unit category short_desc context vartype source"

const words: ReadonlySet<string> = new Set(`${keywords} ${functions} ${macros} ${others}`.split(" "))
