// What an analyst has written, as a small tree: one node kind for one idea, nothing resolved, a span on every
// node. Spellings that mean the same have the same tree: x NOT IN (...) is not(in), x::t is cast, TRIM is a
// call. What has no node here is refused in from-pg*.ts.

import type { Span } from "@dosimeter/core"

/** What every node has: where it stands in the SQL. */
export interface Placed {
  readonly at: Span
}

/** One statement: a query, or EXPLAIN before one. */
export type Statement = QueryStatement | ExplainStatement

/** A query to be answered. */
export interface QueryStatement extends Placed {
  readonly kind: "query-statement"
  readonly query: Query
}

/** EXPLAIN query: what would happen, at no cost. */
export interface ExplainStatement extends Placed {
  readonly kind: "explain"
  readonly query: Query
}

/** A name as the grammar reads it: unquoted ones are in lower case already. */
export interface Name extends Placed {
  readonly kind: "name"
  readonly text: string
}

/** WITH, a body, and what orders and cuts its rows. */
export interface Query extends Placed {
  readonly kind: "query"
  readonly ctes: readonly Cte[]
  readonly body: Body
  readonly orderBy: readonly OrderItem[]
  /** Absent for LIMIT ALL and LIMIT NULL as well. */
  readonly limit: Expression | undefined
  readonly offset: Expression | undefined
}

/** What a query takes its rows from. */
export type Body = Select | SetOperation | Values

/** WITH name (columns) AS (query). Hints whether to materialise change no answer and are not kept. */
export interface Cte extends Placed {
  readonly kind: "cte"
  readonly name: Name
  readonly columns: readonly Name[]
  readonly query: Query
}

/** SELECT ... FROM ... WHERE ... GROUP BY ... HAVING ... WINDOW. */
export interface Select extends Placed {
  readonly kind: "select"
  readonly distinct: Distinct | undefined
  readonly items: readonly SelectItem[]
  /** Several items, separated by commas, are a cross join. */
  readonly from: readonly FromItem[]
  readonly where: Expression | undefined
  readonly groupBy: readonly GroupItem[]
  readonly having: Expression | undefined
  readonly windows: readonly NamedWindow[]
}

/** DISTINCT, or DISTINCT ON (keys) if there are keys. */
export interface Distinct extends Placed {
  readonly kind: "distinct"
  readonly on: readonly Expression[]
}

/** One entry of the select list. */
export type SelectItem = Output | Star

/** An expression with the name given to it, if any. */
export interface Output extends Placed {
  readonly kind: "output"
  readonly value: Expression
  readonly alias: Name | undefined
}

/** `*` or `table.*`. */
export interface Star extends Placed {
  readonly kind: "star"
  readonly table: readonly Name[]
}

/** UNION, INTERSECT or EXCEPT of two queries. */
export interface SetOperation extends Placed {
  readonly kind: "set-operation"
  readonly operator: "union" | "intersect" | "except"
  /** Whether rows that are equal are kept. */
  readonly duplicates: "keep" | "remove"
  readonly left: Query
  readonly right: Query
}

/** VALUES (...), (...). */
export interface Values extends Placed {
  readonly kind: "values"
  readonly rows: readonly ValuesRow[]
}

/** One row of VALUES. */
export interface ValuesRow extends Placed {
  readonly kind: "values-row"
  readonly items: readonly Expression[]
}

/** What stands in FROM. */
export type FromItem = Table | DerivedTable | Join

/** A table, view or CTE by its name, with a schema before it or not. */
export interface Table extends Placed {
  readonly kind: "table"
  readonly path: readonly Name[]
  readonly alias: TableAlias | undefined
}

/** (query) AS alias. */
export interface DerivedTable extends Placed {
  readonly kind: "derived-table"
  readonly query: Query
  readonly alias: TableAlias | undefined
}

/** AS name (columns). */
export interface TableAlias extends Placed {
  readonly kind: "table-alias"
  readonly name: Name
  readonly columns: readonly Name[]
}

/** A join of two items. CROSS JOIN is an inner join without a condition. */
export interface Join extends Placed {
  readonly kind: "join"
  readonly type: "inner" | "left" | "right" | "full"
  readonly left: FromItem
  readonly right: FromItem
  readonly condition: JoinOn | JoinUsing | undefined
  /** The words of the join: what a message about it should point at. */
  readonly keyword: Span
}

/** ON condition. */
export interface JoinOn extends Placed {
  readonly kind: "on"
  readonly value: Expression
}

/** USING (columns). */
export interface JoinUsing extends Placed {
  readonly kind: "using"
  readonly columns: readonly Name[]
}

/** One entry of GROUP BY; an integer by itself is the position of an output. */
export type GroupItem = Expression | GroupingSet

/** (), ROLLUP, CUBE or GROUPING SETS. In them a row is several columns of one set. */
export interface GroupingSet extends Placed {
  readonly kind: "grouping-set"
  readonly type: "empty" | "rollup" | "cube" | "sets"
  readonly items: readonly GroupItem[]
}

/** One entry of ORDER BY. Without a word, NULLs are last when ascending and first when descending. */
export interface OrderItem extends Placed {
  readonly kind: "order-item"
  readonly value: Expression
  readonly direction: "ascending" | "descending"
  readonly nulls: "first" | "last"
}

/** WINDOW name AS (...). */
export interface NamedWindow extends Placed {
  readonly kind: "named-window"
  readonly name: Name
  readonly window: Window
}

/** (base PARTITION BY ... ORDER BY ... frame), after OVER or in the WINDOW clause. */
export interface Window extends Placed {
  readonly kind: "window"
  /** The named window that it begins with. */
  readonly base: Name | undefined
  readonly partitionBy: readonly Expression[]
  readonly orderBy: readonly OrderItem[]
  /** Without one: all rows up to the current row's peers. */
  readonly frame: Frame | undefined
}

/** OVER name. */
export interface WindowName extends Placed {
  readonly kind: "window-name"
  readonly name: Name
}

/** ROWS, RANGE or GROUPS BETWEEN start AND end. */
export interface Frame extends Placed {
  readonly kind: "frame"
  readonly mode: "rows" | "range" | "groups"
  readonly start: FrameBound
  readonly end: FrameBound
}

/** One end of a frame; an offset goes with "preceding" and "following" and no other. */
export interface FrameBound extends Placed {
  readonly kind: "frame-bound"
  readonly bound: "unbounded-preceding" | "preceding" | "current-row" | "following" | "unbounded-following"
  readonly offset: Expression | undefined
}

/** A value. */
export type Expression =
  | IntegerLiteral
  | DecimalLiteral
  | StringLiteral
  | BooleanLiteral
  | NullLiteral
  | Column
  | Parameter
  | Unary
  | Binary
  | Logical
  | Not
  | Is
  | DistinctFrom
  | Between
  | InList
  | InQuery
  | Like
  | Case
  | Cast
  | Call
  | Exists
  | ScalarQuery
  | Quantified
  | Row

/** A whole number, however it was written (hexadecimal, with underscores). */
export interface IntegerLiteral extends Placed {
  readonly kind: "integer"
  readonly value: bigint
}

/** A number with a point or an exponent, as exact text: "-1.50", ".5", "1e3". */
export interface DecimalLiteral extends Placed {
  readonly kind: "decimal"
  readonly text: string
}

/** A string, its escapes resolved. DATE '...' and the like are a cast of it. */
export interface StringLiteral extends Placed {
  readonly kind: "string"
  readonly value: string
}

/** TRUE or FALSE. */
export interface BooleanLiteral extends Placed {
  readonly kind: "boolean"
  readonly value: boolean
}

/** NULL. */
export interface NullLiteral extends Placed {
  readonly kind: "null"
}

/** A column, with table and schema before it or not. */
export interface Column extends Placed {
  readonly kind: "column"
  readonly path: readonly Name[]
}

/** $1 and so on. */
export interface Parameter extends Placed {
  readonly kind: "parameter"
  readonly index: number
}

/** -x, +x and other prefix operators. */
export interface Unary extends Placed {
  readonly kind: "unary"
  readonly operator: string
  readonly operand: Expression
}

/** x + y, x = y, x || y and every other operator between two values; != is written <>. */
export interface Binary extends Placed {
  readonly kind: "binary"
  readonly operator: string
  readonly left: Expression
  readonly right: Expression
}

/** AND or OR of two or more. */
export interface Logical extends Placed {
  readonly kind: "logical"
  readonly operator: "and" | "or"
  readonly operands: readonly Expression[]
}

/** NOT, and the NOT of NOT IN, NOT LIKE, NOT BETWEEN, IS NOT ... */
export interface Not extends Placed {
  readonly kind: "not"
  readonly operand: Expression
}

/** IS NULL, IS TRUE, IS FALSE, IS UNKNOWN. */
export interface Is extends Placed {
  readonly kind: "is"
  readonly operand: Expression
  readonly test: "null" | "true" | "false" | "unknown"
}

/** x IS DISTINCT FROM y. */
export interface DistinctFrom extends Placed {
  readonly kind: "distinct-from"
  readonly left: Expression
  readonly right: Expression
}

/** x BETWEEN low AND high; symmetric when the two may be swapped. */
export interface Between extends Placed {
  readonly kind: "between"
  readonly operand: Expression
  readonly low: Expression
  readonly high: Expression
  readonly order: "given" | "symmetric"
}

/** x IN (a, b, c). */
export interface InList extends Placed {
  readonly kind: "in-list"
  readonly operand: Expression
  readonly items: readonly Expression[]
}

/** x IN (query). */
export interface InQuery extends Placed {
  readonly kind: "in-query"
  readonly operand: Expression
  readonly query: Query
}

/** x LIKE pattern ESCAPE escape, or ILIKE. */
export interface Like extends Placed {
  readonly kind: "like"
  readonly operand: Expression
  readonly pattern: Expression
  readonly escape: Expression | undefined
  readonly letters: "exact" | "any-case"
}

/** CASE operand WHEN ... THEN ... ELSE ... END. */
export interface Case extends Placed {
  readonly kind: "case"
  readonly operand: Expression | undefined
  readonly branches: readonly CaseBranch[]
  readonly otherwise: Expression | undefined
}

/** WHEN ... THEN ... */
export interface CaseBranch extends Placed {
  readonly kind: "case-branch"
  readonly when: Expression
  readonly result: Expression
}

/** CAST(x AS type), x::type, and type 'text'. */
export interface Cast extends Placed {
  readonly kind: "cast"
  readonly operand: Expression
  readonly type: TypeName
}

/** A type by PostgreSQL's own name for it: int4, float8, text, numeric, timestamptz ... */
export interface TypeName extends Placed {
  readonly kind: "type"
  readonly name: string
  /** The numbers in brackets: numeric(10, 2), varchar(20). */
  readonly modifiers: readonly number[]
  /** INTERVAL '1' DAY: "day"; INTERVAL '1-2' YEAR TO MONTH: "year to month". */
  readonly intervalFields: string | undefined
}

/**
 * A function or aggregate, and everything with brackets that is one: COALESCE, NULLIF, GREATEST, LEAST,
 * GROUPING, CURRENT_DATE and its kin. Special syntax is normalised to PostgreSQL's own functions:
 * EXTRACT(f FROM x) to extract('f', x); SUBSTRING(s FROM a FOR b) to substring(s, a, b); POSITION(a IN s) to
 * position(s, a); TRIM(LEADING c FROM s) to ltrim(s, c), TRAILING to rtrim, BOTH to btrim;
 * OVERLAY(s PLACING t FROM a FOR b) to overlay(s, t, a, b); x AT TIME ZONE z to timezone(z, x).
 */
export interface Call extends Placed {
  readonly kind: "call"
  readonly name: string
  /** Whether the argument is `*`, as in COUNT(*). */
  readonly argument: "star" | "list"
  readonly args: readonly Expression[]
  /** Whether DISTINCT stands before the arguments. */
  readonly values: "all" | "distinct"
  readonly orderBy: readonly OrderItem[]
  /** ORDER BY inside the brackets, or in WITHIN GROUP after them. */
  readonly orderPlace: "none" | "arguments" | "within-group"
  readonly filter: Expression | undefined
  readonly over: Window | WindowName | undefined
}

/** EXISTS (query). */
export interface Exists extends Placed {
  readonly kind: "exists"
  readonly query: Query
}

/** (query) as a value. */
export interface ScalarQuery extends Placed {
  readonly kind: "scalar-query"
  readonly query: Query
}

/** x < ANY (query), x = ALL (query). */
export interface Quantified extends Placed {
  readonly kind: "quantified"
  readonly operator: string
  readonly quantifier: "any" | "all"
  readonly operand: Expression
  readonly query: Query
}

/** (a, b) or ROW(a, b). */
export interface Row extends Placed {
  readonly kind: "row"
  readonly items: readonly Expression[]
}
