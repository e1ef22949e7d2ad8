// The errors of @dosimeter/language. docs/errors.md lists every code; tools/rules/docs.test.ts compares the
// two.

import {
  defineError,
  errorMaker,
  type ErrorDefinition,
  type ErrorMaker,
  type Fail,
} from "@dosimeter/core/errors"
import { proofErrors } from "@dosimeter/proof/errors"

/** A number that is above its limit. */
export interface Limited extends Record<string, string> {
  readonly got: string
  readonly limit: string
}

/** Every error that language can raise. */
export const languageErrors = {
  "sql/syntax": defineError<{ readonly reason: string }>({
    kind: "invalid",
    message: ({ reason }) => reason,
    help: () => "correct the SQL at the mark; the language is that of PostgreSQL 18",
  }),
  "sql/too-long": defineError<Limited>({
    kind: "invalid",
    message: ({ got, limit }) => `the SQL has ${got} bytes, and ${limit} are allowed`,
    help: () => "shorten it: put long lists of values into a public table and join it",
  }),
  "sql/too-deep": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "the SQL is nested too deeply",
    help: () => "name inner queries in WITH, write IN lists for long chains of operators, drop parentheses",
  }),
  "sql/bad-character": defineError<{ readonly character: string }>({
    kind: "invalid",
    message: ({ character }) => `the SQL holds ${character}, which is not text`,
    help: () => "remove the character at the mark",
  }),
  "sql/name-too-long": defineError<Limited>({
    kind: "invalid",
    message: ({ got, limit }) =>
      `this name has ${got} bytes, and PostgreSQL would silently cut it to ${limit}`,
    help: ({ limit }) => `use a name of at most ${limit} bytes`,
  }),
  "sql/several-statements": defineError<{ readonly count: string }>({
    kind: "invalid",
    message: ({ count }) => `there are ${count} statements, and one is answered at a time`,
    help: () => "send each statement by itself",
  }),
  "sql/no-statement": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "there is no statement in the SQL",
    help: () => "write a query, such as SELECT COUNT(*) FROM visits",
  }),
  "sql/not-a-query": defineError<{ readonly statement: string }>({
    kind: "invalid",
    message: ({ statement }) => `${statement} is not a query, and only queries are answered`,
    help: () => "ask with SELECT, WITH ... SELECT or VALUES, or put EXPLAIN before one of them",
  }),
  "sql/unsupported-syntax": defineError<{ readonly what: string; readonly remedy: string }>({
    kind: "unsupported",
    message: ({ what }) => `${what} is not supported`,
    help: ({ remedy }) => remedy,
  }),
  "sql/unknown-table": defineError<{ readonly name: string; readonly near: string }>({
    kind: "invalid",
    message: ({ name }) => `there is no table ${name}`,
    help: ({ near }) => (near === "" ? "name a table of the dataset" : `perhaps ${near}`),
  }),
  "sql/unknown-column": defineError<{ readonly name: string; readonly near: string }>({
    kind: "invalid",
    message: ({ name }) => `there is no column ${name} here`,
    help: ({ near }) => (near === "" ? "name a column of a table in FROM" : `perhaps ${near}`),
  }),
  "sql/ambiguous-column": defineError<{ readonly name: string; readonly tables: string }>({
    kind: "invalid",
    message: ({ name, tables }) => `${name} may be a column of ${tables}`,
    help: ({ name }) => `write the table before it, such as t.${name}`,
  }),
  "sql/duplicate-alias": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `${name} stands twice in one list of names`,
    help: ({ name }) => `give one of them another name, such as AS ${name}_2`,
  }),
  "sql/unknown-function": defineError<{ readonly name: string; readonly near: string }>({
    kind: "invalid",
    message: ({ name }) => `there is no function ${name} that we know`,
    help: ({ near }) => (near === "" ? "docs/sql-reference.md lists all functions" : `perhaps ${near}`),
  }),
  "sql/type-mismatch": defineError<{ readonly reason: string; readonly remedy: string }>({
    kind: "invalid",
    message: ({ reason }) => reason,
    help: ({ remedy }) => remedy,
  }),
  "sql/may-overflow": defineError<{ readonly reason: string; readonly remedy: string }>({
    kind: "unsupported",
    message: ({ reason }) => reason,
    help: ({ remedy }) => remedy,
  }),
  "sql/bad-literal": defineError<{ readonly text: string; readonly type: string; readonly form: string }>({
    kind: "invalid",
    message: ({ text, type }) => `'${text}' is no ${type}`,
    help: ({ form }) => `write it as ${form}`,
  }),
  "sql/parameter-missing": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `there is no value for ${name}`,
    help: ({ name }) => `send a value for ${name} with the query`,
  }),
  "sql/not-grouped": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `${name} is neither in GROUP BY nor inside an aggregate`,
    help: ({ name }) => `add ${name} to GROUP BY, or aggregate it`,
  }),
  "sql/misplaced": defineError<{ readonly what: string; readonly where: string; readonly remedy: string }>({
    kind: "invalid",
    message: ({ what, where }) => `${what} cannot stand ${where}`,
    help: ({ remedy }) => remedy,
  }),
  "sql/wrong-count": defineError<{ readonly what: string; readonly remedy: string }>({
    kind: "invalid",
    message: ({ what }) => what,
    help: ({ remedy }) => remedy,
  }),
  "sql/correlated": defineError<{ readonly name: string }>({
    kind: "unsupported",
    message: ({ name }) => `${name} belongs to the outer query, and only WHERE of a subquery may use it`,
    help: () => "move the comparison into WHERE of the subquery, joined by AND, or write a join",
  }),
  "sql/clock": defineError<{ readonly name: string }>({
    kind: "unsupported",
    message: ({ name }) => `${name} depends on the time of asking, and an answer must not`,
    help: () => "write the date, such as DATE '2024-12-31', or pass it as $1",
  }),
  "privacy/denied-column": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `the owner does not allow ${name} to be used`,
    help: () => "leave it out, or ask the owner to allow it in the policy",
  }),
  "privacy/join-unbounded": defineError<{
    readonly left: string
    readonly right: string
    readonly unit: string
    readonly remedy: string
  }>({
    kind: "unsupported",
    message: ({ left, right, unit }) =>
      `rows of ${left} and ${right} could belong to different units (${unit}), so one could reach many others`,
    help: ({ remedy }) => remedy,
  }),
  "privacy/unit-lost": defineError<{ readonly what: string; readonly remedy: string }>({
    kind: "unsupported",
    message: ({ what }) => what,
    help: ({ remedy }) => remedy,
  }),
  "privacy/released-into-private": defineError<{ readonly what: string }>({
    kind: "unsupported",
    message: ({ what }) => `${what} mixes released results with rows of people`,
    help: () => "join results with results, or ask two questions and write the first answer into the second",
  }),
  "privacy/unbounded-sum": defineError<{
    readonly what: string
    readonly unit: string
    readonly remedy: string
  }>({
    kind: "unsupported",
    message: ({ what, unit }) => `${what} has no bounds, so one ${unit} could change it without limit`,
    help: ({ remedy }) => remedy,
  }),
  "privacy/free-text-key": defineError<{ readonly name: string }>({
    kind: "unsupported",
    message: ({ name }) => `${name} is free text, and a group could be a sentence about one person`,
    help: () => "group by a code or a category, or by CASE WHEN ... LIKE ... THEN 'name' ELSE 'other' END",
  }),
  "privacy/window-over-everyone": defineError<{ readonly what: string; readonly unit: string }>({
    kind: "unsupported",
    message: ({ what, unit }) => `${what} looks at rows of other units (${unit})`,
    help: ({ unit }) => `add PARTITION BY ${unit}, or use the window over results`,
  }),
  "privacy/limit-inside": defineError<{ readonly what: string; readonly unit: string }>({
    kind: "unsupported",
    message: ({ what }) => `${what} among rows of people makes one row depend on all others`,
    help: ({ unit }) =>
      `number the rows with ROW_NUMBER() OVER (PARTITION BY ${unit} ORDER BY ...) and keep the first ones, ` +
      "or cut the results",
  }),
  "privacy/rows-selected": defineError<{ readonly what: string }>({
    kind: "unsupported",
    message: ({ what }) => what,
    help: () => "ask for an aggregate, such as SELECT COUNT(*) FROM ... or AVG(x) with GROUP BY",
  }),
  "privacy/scalar-over-people": defineError<{ readonly what: string; readonly remedy: string }>({
    kind: "unsupported",
    message: ({ what }) => what,
    help: ({ remedy }) => remedy,
  }),
  "privacy/row-unit": defineError<{ readonly table: string; readonly what: string }>({
    kind: "unsupported",
    message: ({ table, what }) => `every row of ${table} is a unit by itself, so ${what} is not possible`,
    help: () => "filter and aggregate it as it is, or ask the owner to declare a unit column",
  }),
  "privacy/bounds-too-wide": defineError<{ readonly what: string; readonly remedy: string }>({
    kind: "unsupported",
    message: ({ what }) => `the bounds of ${what} are too wide for its grid: more than 2^62 steps`,
    help: ({ remedy }) => `${remedy}, or ask the owner for a coarser grid`,
  }),
  "sql/grammar-failed": defineError<Record<string, string>>({
    kind: "bug",
    message: () => "the PostgreSQL grammar stopped without an answer",
    help: () => "please report this with the SQL, and load the grammar again; no answer was released",
  }),
} satisfies Record<string, ErrorDefinition<never>>

const raised = { ...proofErrors, ...languageErrors }

/** Makes the error of one code, or of one of proof, without throwing it. */
export const errorOf: ErrorMaker<typeof raised> = errorMaker(raised)

/** Throws it. */
export const fail: Fail<typeof raised> = (...error) => {
  throw errorOf(...error)
}
