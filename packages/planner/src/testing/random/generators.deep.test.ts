// The generated questions have everything in them that the compiler takes: what they never make, no campaign
// can find false. Counted over a fixed number of questions.

import { DosimeterError } from "@dosimeter/core"
import { beforeAll, expect, test } from "vitest"
import { bind } from "@dosimeter/language/bind/bind"
import {
  aggregateNames,
  plainFunctions,
  specialFunctions,
  windowNames,
} from "@dosimeter/language/bind/calls/sql-names"
import { isEstimate } from "@dosimeter/proof/functions/estimates"
import { isEstimateAggregate } from "@dosimeter/proof/algebra/rel"
import { parse } from "@dosimeter/language/parse/parse"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { randomQuestion } from "./random-question.ts"
import { randomDataset } from "./random-tables.ts"
import { castKinds, computedNames } from "@dosimeter/proof/testing/second-way/campaign"
import { aggregates, windows } from "@dosimeter/proof/testing/second-way/groups"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

const schemas = 30
const questionsPerSchema = 40
/** What stands in questions, whether they are accepted or not. */
const written = new Map<string, number>()
/** What stands in questions that bind accepts. */
const bound = new Map<string, number>()

beforeAll(async () => {
  const grammar = await testGrammar()
  for (let schema = 0; schema < schemas; schema += 1) {
    const dataset = randomDataset(`generators ${schema}`)
    const { catalog } = readPolicy(dataset.policy)
    for (let place = 0; place < questionsPerSchema; place += 1) {
      const { query } = parse(randomQuestion(dataset, `generators ${schema}, ${place}`), grammar)
      walk(query, (node) => count(written, syntaxOf(node)))
      try {
        const { rel } = bind(query, { catalog, parameters: [] })
        walk(rel, (node) => count(bound, partsOf(node)))
      } catch (error) {
        if (!(error instanceof DosimeterError) || error.kind === "bug") throw error
      }
    }
  }
})

type Node = Readonly<Record<string, unknown>>

function walk(root: unknown, visit: (node: Node) => void, seen: Set<unknown> = new Set()): void {
  if (!isNode(root) || seen.has(root)) return
  seen.add(root)
  if (!Array.isArray(root)) visit(root)
  for (const part of Object.values(root)) walk(part, visit, seen)
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null
}

function count(into: Map<string, number>, names: readonly string[]): void {
  for (const name of names) into.set(name, (into.get(name) ?? 0) + 1)
}

/** What a node of the syntax is, in words. */
function syntaxOf(node: Node): readonly string[] {
  const text = (name: string): string => String(node[name])
  switch (node["kind"]) {
    case "call":
      return [`${text("name")}()`, ...(node["filter"] === undefined ? [] : ["FILTER"])]
    case "binary":
      return [`operator ${text("operator")}`]
    case "is":
      return [`is ${text("test")}`]
    case "between":
      return [`between ${text("order")}`]
    case "like":
      return [`like ${text("letters")}`, ...(node["escape"] === undefined ? [] : ["escape"])]
    case "quantified":
      return [`${text("operator")} ${text("quantifier")}`]
    case "join":
      return [`${text("type")} join`]
    case "using":
      return [`using ${Array.isArray(node["columns"]) ? node["columns"].length : 0}`]
    case "select":
      return [Array.isArray(node["from"]) && node["from"].length > 1 ? "comma" : "select"]
    case "frame":
      return [`frame ${text("mode")}`]
    case "frame-bound":
      return [`bound ${text("bound")}`]
    default:
      return typeof node["kind"] === "string" ? [node["kind"]] : []
  }
}

/** What a node of the algebra is, in words. */
function partsOf(node: Node): readonly string[] {
  const args = Array.isArray(node["args"]) ? node["args"] : []
  if (node["kind"] === "call") {
    const names = [`call ${String(node["name"])}`]
    return node["name"] === "cast" ? [...names, `cast ${typeOf(args[0])} to ${typeOf(node)}`] : names
  }
  if (typeof node["function"] === "string") {
    return [`${"partitionBy" in node ? "window" : "aggregate"} ${node["function"]}`]
  }
  return node["kind"] === "case" ? ["case"] : []
}

function typeOf(node: unknown): string {
  const domain = isNode(node) ? node["domain"] : undefined
  const type = isNode(domain) ? domain["type"] : undefined
  return isNode(type) ? String(type["kind"]) : "nothing"
}

const missing = (wanted: readonly string[], found: ReadonlyMap<string, number>): readonly string[] =>
  wanted.filter((name) => !found.has(name))

test("every function is in questions that are accepted", () => {
  expect(missing([...computedNames, "cast"].map((name) => `call ${name}`).concat("case"), bound)).toEqual([])
})

test("every name that people may call a function by is written", () => {
  const plain = Object.entries(plainFunctions).filter(([, { name }]) => !isEstimate(name))
  const aggregated = Object.entries(aggregateNames).filter(([, name]) => !isEstimateAggregate(name))
  const names = [...plain, ...aggregated, ...Object.entries(windowNames)].map(([name]) => name)
  const special = specialFunctions.filter((name) => !notWritten.includes(name))
  expect(
    missing(
      [...names, ...special].filter((name) => name !== "trim").map((name) => `${name}()`),
      written,
    ),
  ).toEqual([])
})

/** Refused in any form, or for trees only, which have questions of their own. */
const notWritten = ["dateadd", "ancestor"]

test("every cast that is accepted is in questions that are accepted", () => {
  const pairs = castKinds.flatMap((from) => castKinds.map((to) => `cast ${from} to ${to}`))
  const never = missing(pairs, bound).filter((pair) => !refusedCasts.has(pair))
  expect(never).toEqual([])
})

/** A cast to the same type is no cast, but for decimals of other scales. */
const refusedCasts: ReadonlySet<string> = new Set([
  ...castKinds.filter((kind) => kind !== "decimal").map((kind) => `cast ${kind} to ${kind}`),
  ...["decimal", "float", "date", "timestamp"].map((to) => `cast boolean to ${to}`),
  ...["date", "timestamp"].map((to) => `cast integer to ${to}`),
  ...["boolean", "date", "timestamp"].map((to) => `cast decimal to ${to}`),
  ...["boolean", "text", "date", "timestamp"].map((to) => `cast float to ${to}`),
  ...["boolean", "integer", "decimal", "float"].flatMap((to) => [
    `cast date to ${to}`,
    `cast timestamp to ${to}`,
  ]),
])

test("every aggregate and window function over one person's rows is in questions that are accepted", () => {
  const windowed = Object.entries(windows).filter(
    ([name, where]) => where === "database" && name !== "spread-place",
  )
  const wanted = [
    ...Object.keys(aggregates).map((name) => `aggregate ${name}`),
    ...windowed.map(([name]) => `window ${name}`),
  ]
  expect(missing(wanted, bound)).toEqual([])
})

const clauses =
  "between given|between symmetric|like exact|like any-case|escape|distinct-from|in-list|in-query|exists|" +
  "scalar-query|= any|<> all|row|case|cast|not|logical|inner join|left join|right join|full join|using 1|using 2|" +
  "on|comma|set-operation|cte|derived-table|distinct|grouping-set|order-item|window|FILTER|frame rows|frame range|" +
  "is null|is true|is false|is unknown|bound unbounded-preceding|bound preceding|bound current-row|" +
  "bound following|bound unbounded-following"
const operators = ["+", "-", "*", "/", "%", "^", "||", "=", "<>", "<", "<=", ">", ">="]

test("every operator and clause is written", () => {
  const wanted = [...clauses.split("|"), ...operators.map((operator) => `operator ${operator}`)]
  expect(missing(wanted, written)).toEqual([])
})
