// Whether a statement is about catalogs or the session, and what is asked of the database that holds ours:
// SQL that is printed anew from the statement's tree. The text that came goes no further than the grammar.

import { isObject, type Json, type JsonObject } from "@dosimeter/language/parse/tree"
import { PgNode } from "@dosimeter/language/parse/pg-node"
import { piecesOf } from "@dosimeter/language/text/scan"
import { sourceText } from "@dosimeter/language/text/source"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import type { CatalogContext, SessionFacts, SetByQuestion } from "./catalog-context.ts"
import { isOfCatalogs } from "./catalog-functions.ts"
import { catalogTables } from "./catalog-tables.ts"
import { isObjectType } from "./catalog-types.ts"
import { isOfSession } from "./check-printed.ts"
import { printCall } from "./print-catalog-call.ts"
import { printQuery } from "./print-catalog-query.ts"

/** A question about catalogs or the session. */
export interface CatalogQuery {
  /** Printed here; nothing in it was written by anybody else but names and constants. */
  readonly sql: string
  /** Whether it is about tables, and not about the session alone. */
  readonly hasTables: boolean
  /** What it sets. */
  readonly settings: readonly SetByQuestion[]
}

/** What a statement is read with. */
export interface CatalogReading {
  readonly grammar: Grammar
  readonly parameters: readonly Constant[]
  readonly facts: SessionFacts
  /** Names of the dataset's tables: they are never catalogs. */
  readonly own: ReadonlySet<string>
}

/** The question, if the statement is about catalogs or the session; refuses what is not on the lists. */
export function readCatalogQuery(sql: string, reading: CatalogReading): CatalogQuery | undefined {
  const tree = catalogTree(sql, reading)
  if (tree === undefined) return undefined
  const context: CatalogContext = {
    print: { call: printCall, query: printQuery },
    facts: reading.facts,
    parameters: reading.parameters,
    named: new Set(),
    used: { tables: 0, nodes: 0, characters: 0, hasTables: false },
    settings: [],
    isAlone: true,
  }
  const printed = printQuery(context, PgNode.wrapped(tree))
  const hasTables = context.used.hasTables || !isOfSession(printed)
  return { sql: printed, hasTables, settings: context.settings }
}

/** The tree of the one SELECT that a text is, if it is about catalogs. */
function catalogTree(sql: string, { grammar, own }: CatalogReading): Json | undefined {
  if (!mentionsCatalogs(sql)) return undefined
  const statements = parsed(sql, grammar)
  const [first] = statements
  const tree = isObject(first) ? first["stmt"] : undefined
  if (statements.length !== 1 || !isObject(tree) || tree["SelectStmt"] === undefined) return undefined
  return asksCatalogs(tree, own) ? tree : undefined
}

/** What is no SQL is not about catalogs: whoever takes it next says where it is wrong. */
function parsed(sql: string, grammar: Grammar): readonly Json[] {
  try {
    return grammar.parse(sourceText(sql)).statements
  } catch {
    return []
  }
}

/** Whether a word of a text may be about catalogs: a look at its words, before anything is parsed. */
export function mentionsCatalogs(sql: string): boolean {
  for (const { kind, start, end } of piecesOf(sql)) {
    if (kind !== "word" && kind !== "quoted-name") continue
    const name = sql
      .slice(start, Math.min(end, start + 80))
      .replaceAll('"', "")
      .toLowerCase()
    if (name.startsWith("pg_") || words.has(name) || isOfCatalogs(name) || isObjectType(name)) return true
  }
  return false
}

const words: ReadonlySet<string> = new Set([
  "information_schema",
  "current_catalog",
  "current_role",
  "current_schema",
  "current_user",
  "session_user",
  "user",
])

/** Whether a tree holds a table, a function or a cast that only catalogs have. */
function asksCatalogs(tree: Json, own: ReadonlySet<string>): boolean {
  const waiting: Json[] = [tree]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue
    if (!isObject(next)) {
      for (const item of next) waiting.push(item)
      continue
    }
    for (const [kind, body] of Object.entries(next)) {
      if (isObject(body) && isOfCatalog(kind, body, own)) return true
      waiting.push(body)
    }
  }
  return false
}

function isOfCatalog(kind: string, body: JsonObject, own: ReadonlySet<string>): boolean {
  switch (kind) {
    case "RangeVar": {
      const { schemaname: schema, relname: name } = body
      if (schema !== undefined) return schema === "pg_catalog" || schema === "information_schema"
      return typeof name === "string" && catalogTables.has(name) && !own.has(name)
    }
    case "FuncCall":
      return isOfCatalogs(lastName(body["funcname"]))
    case "typeName":
      return isObjectType(lastName(body["names"]))
    case "SQLValueFunction":
      return typeof body["op"] === "string" && /USER|ROLE|CATALOG|SCHEMA/.test(body["op"])
    default:
      return false
  }
}

function lastName(names: Json | undefined): string {
  const last: Json | undefined = Array.isArray(names) ? names.at(-1) : undefined
  const text = isObject(last) && isObject(last["String"]) ? last["String"]["sval"] : undefined
  return typeof text === "string" ? text : ""
}
