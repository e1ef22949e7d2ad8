// The errors of @dosimeter/sql. docs/errors.md lists every code; tools/docs.test.ts compares the two.

import { defineError, errorMaker, type ErrorDefinition, type ErrorMaker, type Fail } from "@dosimeter/core"

interface Limited extends Record<string, string> {
  readonly got: string
  readonly limit: string
}

type Facts<Name extends string> = Readonly<Record<Name, string>>

/** Every error that sql can raise. */
export const sqlErrors = {
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
  "sql/too-many": defineError<{ readonly what: string; readonly limit: string; readonly remedy: string }>({
    kind: "invalid",
    message: ({ what, limit }) => `the query has more than ${limit} ${what}`,
    help: ({ remedy }) => remedy,
  }),
  "sql/too-much-work": defineError<{ readonly problem: string; readonly remedy: string }>({
    kind: "refused",
    message: ({ problem }) => problem,
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
  "privacy/rows-multiplied": defineError<{ readonly table: string }>({
    kind: "unsupported",
    message: ({ table }) => `a join may repeat rows of ${table}, and each of its rows is protected by itself`,
    help: ({ table }) =>
      `join ${table} with public tables on all columns of a key of theirs, and not in a union`,
  }),
  "privacy/bounds-too-wide": defineError<{ readonly what: string; readonly remedy: string }>({
    kind: "unsupported",
    message: ({ what }) => `the bounds of ${what} are too wide for its grid: more than 2^62 steps`,
    help: ({ remedy }) => `${remedy}, or ask the owner for a coarser grid`,
  }),
  "series/not-a-series": defineError<Record<string, string>>({
    kind: "unsupported",
    message: () => "a series is one count or sum for each day, week, month, quarter or year",
    help: () => "write SELECT date_trunc('week', visit_date), COUNT(*) FROM visits GROUP BY 1",
  }),
  "series/rows-may-vanish": defineError<Record<string, string>>({
    kind: "unsupported",
    message: () => "rows of this question may vanish when others are added, and a person could count anew",
    help: () =>
      "use conditions on rows and inner joins only: no outer join, EXISTS, window, inner GROUP BY, nor consent",
  }),
  "series/beyond-range": defineError<{
    readonly wanted: string
    readonly found: string
    readonly from: string
  }>({
    kind: "invalid",
    message: ({ wanted, found, from }) =>
      `${wanted} periods were asked for, and the declared range of the date has ${found} from ${from} on`,
    help: () => "ask for fewer periods, or ask the owner to declare a later max for the date",
  }),
  "ask/too-large": defineError<{ readonly name: string; readonly got: string; readonly limit: string }>({
    kind: "refused",
    message: ({ name, got, limit }) => `${name} is ${got}, and the owner allows at most ${limit} a question`,
    help: ({ name, limit }) => `ask with ${name} at or below ${limit}`,
  }),
  "ask/not-positive": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `${name} must be greater than 0`,
    help: ({ name }) => `give a number above 0 for ${name}, or leave it out`,
  }),
  "ask/no-such-column": defineError<{ readonly name: string; readonly columns: string }>({
    kind: "invalid",
    message: ({ name }) => `the answer has no column ${name} to be weighed`,
    help: ({ columns }) => `name one of: ${columns}`,
  }),
  "bug/plan-rejected": defineError<{ readonly what: string }>({
    kind: "bug",
    message: ({ what }) => `the plan could not be proven private: ${what}`,
    help: () => "please report this with the SQL; nothing was read and nothing was charged",
  }),
  "sql/grammar-failed": defineError<Record<string, string>>({
    kind: "bug",
    message: () => "the PostgreSQL grammar stopped without an answer",
    help: () => "please report this with the SQL, and load the grammar again; no answer was released",
  }),
  "policy/syntax": defineError<Facts<"reason">>({
    kind: "invalid",
    message: ({ reason }) => `the policy is not valid YAML: ${reason}`,
    help: () => "correct the policy at the mark; JSON is accepted too",
  }),
  "policy/too-long": defineError<Limited>({
    kind: "invalid",
    message: ({ got, limit }) => `the policy has ${got} bytes, and ${limit} are allowed`,
    help: () => "leave out tables and columns that nobody asks about: what is not named cannot be asked",
  }),
  "policy/too-deep": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "the policy is nested too deeply",
    help: () => "start from what `dosimeter init` writes: no policy needs more than six levels",
  }),
  "policy/unsupported-yaml": defineError<Facts<"what">>({
    kind: "invalid",
    message: ({ what }) => `the policy uses ${what}, which a reader could miss`,
    help: () => "write the value out where it is meant",
  }),
  "policy/unknown-key": defineError<Facts<"key" | "where" | "known">>({
    kind: "invalid",
    message: ({ key, where }) => `${where} has no key ${key}`,
    help: ({ known }) => `write ${known}`,
  }),
  "policy/duplicate": defineError<Facts<"what">>({
    kind: "invalid",
    message: ({ what }) => `${what} stands there twice`,
    help: () => "keep one of the two",
  }),
  "policy/missing": defineError<Facts<"key" | "where" | "example">>({
    kind: "invalid",
    message: ({ key, where }) => `${where} needs ${key}, and there is no default for it`,
    help: ({ example }) => `write ${example}`,
  }),
  "policy/wrong-value": defineError<Facts<"where" | "got" | "expected">>({
    kind: "invalid",
    message: ({ where, got, expected }) => `${where} is ${got}, and should be ${expected}`,
    help: ({ expected }) => `write ${expected}`,
  }),
  "policy/out-of-range": defineError<Facts<"where" | "got" | "range">>({
    kind: "invalid",
    message: ({ where, got, range }) => `${where} is ${got}, and must be ${range}`,
    help: ({ where, range }) => `choose ${where} so that it is ${range}`,
  }),
  "policy/min-above-max": defineError<Facts<"where" | "min" | "max">>({
    kind: "invalid",
    message: ({ where, min, max }) => `the least value of ${where}, ${min}, is above its greatest, ${max}`,
    help: () => "swap the two, or correct one of them",
  }),
  "policy/above-limit": defineError<Facts<"where" | "got" | "other" | "limit">>({
    kind: "invalid",
    message: ({ where, got, other, limit }) => `${where} is ${got}, above ${other}, which is ${limit}`,
    help: ({ where, limit }) => `write ${where} as ${limit} or less`,
  }),
  "policy/unknown-pack": defineError<Facts<"name" | "known">>({
    kind: "invalid",
    message: ({ name }) => `there is no schema pack ${name}`,
    help: ({ known }) => `write ${known}, or leave schema out and describe the tables`,
  }),
  "policy/unknown-table": defineError<Facts<"table" | "where" | "known">>({
    kind: "invalid",
    message: ({ table, where }) => `${where} names the table ${table}, which the policy does not describe`,
    help: ({ known }) => `write ${known}, or describe the table under tables`,
  }),
  "policy/unknown-column": defineError<Facts<"table" | "column" | "known">>({
    kind: "invalid",
    message: ({ table, column }) => `the table ${table} has no column ${column}`,
    help: ({ known }) => `write ${known}, or describe the column under columns`,
  }),
  "policy/not-in-source": defineError<Facts<"what" | "known">>({
    kind: "invalid",
    message: ({ what }) => `the source has no ${what}`,
    help: ({ known }) => `write ${known}, name it with source:, or remove the line`,
  }),
  "policy/no-type": defineError<Facts<"column">>({
    kind: "invalid",
    message: ({ column }) => `nothing says what type ${column} has`,
    help: () =>
      "write type: integer (or text, date, ...), or let `dosimeter init` read the types from the source",
  }),
  "policy/unsupported-type": defineError<Facts<"column" | "type">>({
    kind: "invalid",
    message: ({ column, type }) => `the source stores ${column} as ${type}, which cannot be asked about`,
    help: () => "remove the line, or store the column as a number, a text, a date or a timestamp",
  }),
  "policy/type-differs": defineError<Facts<"column" | "type" | "other" | "otherType">>({
    kind: "invalid",
    message: ({ column, type, other, otherType }) => `${column} is ${type}, and ${other} is ${otherType}`,
    help: ({ otherType }) => `write type: ${otherType}, or store both in the same type`,
  }),
  "policy/not-applicable": defineError<Facts<"key" | "column" | "type">>({
    kind: "invalid",
    message: ({ key, column, type }) => `${key} means nothing for ${column}, which is ${type}`,
    help: ({ key }) => `remove ${key}, or correct the type`,
  }),
  "policy/bad-path": defineError<Facts<"path" | "reason">>({
    kind: "invalid",
    message: ({ path, reason }) => `the path ${path} leads to nobody: ${reason}`,
    help: () =>
      "write a column (patient_id), or a path (order_id -> orders.id -> patient_id), or row, or public",
  }),
  "policy/path-cycle": defineError<Facts<"table" | "path">>({
    kind: "invalid",
    message: ({ table, path }) => `the path from ${table} to its unit runs in a circle: ${path}`,
    help: () => "end the path at the column that holds the unit's id",
  }),
  "policy/unit-type": defineError<Facts<"column" | "type">>({
    kind: "invalid",
    message: ({ column, type }) => `${column} tells units apart, and is ${type}`,
    help: () => "use a column of integers or text: other values are not read back exactly",
  }),
  "policy/mixed-units": defineError<Facts<"table" | "other">>({
    kind: "invalid",
    message: ({ table, other }) => `each row of ${table} is a unit, and ${other} belongs to persons`,
    help: () =>
      "give all private tables of a dataset the same unit, or put this one into a dataset of its own",
  }),
  "policy/inexact-key": defineError<Facts<"column" | "reason">>({
    kind: "invalid",
    message: ({ column, reason }) => `${column} tells rows or units apart, but ${reason}`,
    help: () => "keys and ids are integers or text without min, max, grid or values",
  }),
  "policy/unit-denied": defineError<Facts<"column">>({
    kind: "invalid",
    message: ({ column }) => `${column} is the unit's id, which is needed to count units`,
    help: () => "remove the deny: a unit's id is never shown, and only ever counted",
  }),
} satisfies Record<string, ErrorDefinition<never>>

/** The codes of sql, stable for ever. */
export type SqlErrorCode = keyof typeof sqlErrors

/** Makes the error of one code without throwing it. */
export const errorOf: ErrorMaker<typeof sqlErrors> = errorMaker(sqlErrors)

/** Throws the error of one code. */
export const fail: Fail<typeof sqlErrors> = (...error) => {
  throw errorOf(...error)
}
