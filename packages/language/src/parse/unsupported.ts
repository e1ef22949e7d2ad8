// Words for what PostgreSQL's grammar knows and we have no node for: by node, and by field of a node. What is
// in neither table is refused as well, under the grammar's own name for it.

/** What to call a piece of syntax, and what to write instead. */
export interface Unsupported {
  readonly what: string
  readonly remedy: string
  /** A keyword that marks the place, for syntax whose place the grammar does not record. */
  readonly word?: string
}

const json: Unsupported = {
  what: "SQL/JSON",
  remedy: "ask the owner to publish the fields as columns",
}
const xml: Unsupported = { what: "XML", remedy: "ask the owner to publish the fields as columns" }
const array: Unsupported = {
  what: "an array",
  remedy: "write x IN (a, b, c) for a list, or VALUES (a), (b) for rows",
}
const inFrom: Unsupported = {
  what: "a function in FROM",
  remedy: "write VALUES (1), (2), or join a public table that holds the rows",
}

/** By the grammar's name of the node. */
export const unsupportedNodes: Readonly<Record<string, Unsupported>> = {
  A_ArrayExpr: array,
  A_Indirection: { what: "a field or element of a value", remedy: "select the column itself" },
  CollateClause: { what: "COLLATE", remedy: "drop it; wrap both sides in LOWER() to ignore case" },
  CurrentOfExpr: { what: "CURRENT OF", remedy: "write a condition on columns" },
  NamedArgExpr: { what: "an argument by name", remedy: "give the arguments in their order" },
  SetToDefault: { what: "DEFAULT", remedy: "write the value" },
  MultiAssignRef: { what: "an assignment", remedy: "ask with SELECT" },
  MergeSupportFunc: { what: "MERGE_ACTION", remedy: "ask with SELECT" },
  RangeFunction: inFrom,
  RangeTableFunc: xml,
  RangeTableSample: {
    what: "TABLESAMPLE",
    remedy: "drop it: noise already protects each person, and sampling here would not save budget",
    word: "tablesample",
  },
  JsonTable: json,
  XmlExpr: xml,
  XmlSerialize: xml,
  JsonIsPredicate: json,
  JsonObjectConstructor: json,
  JsonArrayConstructor: json,
  JsonArrayQueryConstructor: json,
  JsonParseExpr: json,
  JsonScalarExpr: json,
  JsonSerializeExpr: json,
  JsonFuncExpr: json,
  JsonObjectAgg: json,
  JsonArrayAgg: json,
  InsertStmt: { what: "INSERT in a query", remedy: "ask with SELECT only", word: "insert" },
  UpdateStmt: { what: "UPDATE in a query", remedy: "ask with SELECT only", word: "update" },
  DeleteStmt: { what: "DELETE in a query", remedy: "ask with SELECT only", word: "delete" },
  MergeStmt: { what: "MERGE in a query", remedy: "ask with SELECT only", word: "merge" },
}

/** By node and field. */
export const unsupportedFields: Readonly<Record<string, Unsupported>> = {
  "SelectStmt.intoClause": {
    what: "SELECT INTO",
    remedy: "drop INTO: answers are returned, not stored",
    word: "into",
  },
  "SelectStmt.lockingClause": {
    what: "a locking clause (FOR UPDATE, FOR SHARE)",
    remedy: "drop it: a question locks no rows",
    word: "for",
  },
  "SelectStmt.groupDistinct": {
    what: "GROUP BY DISTINCT",
    remedy: "list each grouping set once",
    word: "group",
  },
  "WithClause.recursive": {
    what: "WITH RECURSIVE",
    remedy: "write WITH, and the steps one after the other; use a public ancestor table for hierarchies",
    word: "recursive",
  },
  "CommonTableExpr.search_clause": { what: "SEARCH", remedy: "sort with ORDER BY", word: "search" },
  "CommonTableExpr.cycle_clause": { what: "CYCLE", remedy: "drop it with RECURSIVE", word: "cycle" },
  "RangeVar.catalogname": { what: "a table of another database", remedy: "name the table, or schema.table" },
  "RangeSubselect.lateral": {
    what: "LATERAL",
    remedy: "join on a key, or use a window function with PARTITION BY",
    word: "lateral",
  },
  "JoinExpr.isNatural": {
    what: "NATURAL JOIN",
    remedy: "name the columns: JOIN ... USING (column)",
    word: "natural",
  },
  "JoinExpr.alias": { what: "an alias of a join", remedy: "give each table an alias of its own" },
  "JoinExpr.join_using_alias": { what: "an alias of USING", remedy: "give each table an alias of its own" },
  "SortBy.useOp": { what: "ORDER BY ... USING", remedy: "write ASC or DESC", word: "using" },
  "FuncCall.func_variadic": { what: "VARIADIC", remedy: "write the arguments one by one", word: "variadic" },
  "ResTarget.indirection": { what: "an assignment", remedy: "ask with SELECT" },
  "TypeName.setof": { what: "SETOF", remedy: "name a type of single values" },
  "TypeName.pct_type": { what: "%TYPE", remedy: "name the type" },
  "TypeName.arrayBounds": array,
  "ExplainStmt.options": {
    what: "an option of EXPLAIN",
    remedy: "write EXPLAIN and the query; it shows the whole plan and runs nothing",
  },
}
