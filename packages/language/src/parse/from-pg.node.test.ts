import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { DosimeterError } from "@dosimeter/core"
import { describe, expect, test } from "vitest"
import { readGolden } from "../testing/golden.ts"
import { testGrammar } from "../testing/test-grammar.ts"
import { sourceText, type SourceText } from "../text/source.ts"
import { fromPg } from "./from-pg.ts"
import type { Parsed } from "./grammar.ts"
import { show } from "./show.ts"
import { isObject, type Json, type JsonObject } from "./tree.ts"

const grammar = await testGrammar()
const folder = join(import.meta.dirname, "../../test/golden")
const accepted = readdirSync(folder)
  .flatMap((name) => readGolden(readFileSync(join(folder, name), "utf8")))
  .filter(({ sections }) => sections.some(({ name }) => name === "ast"))
  .map(({ sql }) => sql)

/** The kinds of nodes that stand in the tree without their name, by the field that holds them. */
const parts: Readonly<Record<string, string>> = {
  alias: "Alias",
  typeName: "TypeName",
  withClause: "WithClause",
  over: "WindowDef",
  larg: "SelectStmt",
  rarg: "SelectStmt",
  ival: "Integer",
  fval: "Float",
  boolval: "Boolean",
  sval: "String",
}
/** Fields that say where something stands, and a hint: the only ones that may be read and not kept. */
const harmless = /^(location|rexpr_list_(start|end)|stmt_(location|len)|ctematerialized)$/

interface Site {
  readonly kind: string
  readonly json: JsonObject
}

/** Every node of a tree with its kind. */
function sitesOf(json: Json, kind = ""): readonly Site[] {
  if (Array.isArray(json)) return json.flatMap((item: Json) => sitesOf(item))
  if (!isObject(json)) return []
  const own = kind === "" ? [] : [{ kind, json }]
  const below = Object.entries(json).flatMap(([key, value]) =>
    sitesOf(
      value,
      kind === "" && /^[A-Z]/.test(key) && isObject(value) ? key : isObject(value) ? partOf(kind, key) : "",
    ),
  )
  return [...own, ...below]
}

/** `larg` of a join is a wrapped node, that of a SELECT is not. */
function partOf(kind: string, field: string): string {
  if ((field === "larg" || field === "rarg") && kind !== "SelectStmt") return ""
  return parts[field] ?? ""
}

/** The fields of each node, from the declarations that the grammar's authors publish. */
function declaredFields(): ReadonlyMap<string, readonly (readonly [string, string])[]> {
  const require = createRequire(import.meta.url)
  const text = readFileSync(join(dirname(require.resolve("@pgsql/types")), "types.d.ts"), "utf8")
  return new Map(
    [...text.matchAll(/export interface (\w+) \{([^}]*)\}/g)].map(([, kind = "", body = ""]) => [
      kind,
      [...body.matchAll(/(\w+)\??: ([^;]+);/g)].map(([, field = "", type = ""]) => [field, type] as const),
    ]),
  )
}

function plausible(type: string): Json {
  const constant: Json = { A_Const: { ival: { ival: 4711 }, location: 0 } }
  if (type === "boolean") return true
  if (type === "number") return 77
  if (type === "string") return "zz"
  if (type === "Node") return constant
  if (type.endsWith("[]")) return [constant]
  return /^[A-Z]\w*$/.test(type) && declared.has(type) ? { location: 0 } : "SOMETHING_ELSE"
}

const declared = declaredFields()

/** What becomes of a tree: its text, or the code of the refusal. */
function outcome(parsed: Parsed, source: SourceText): string {
  try {
    return show(fromPg(parsed, source))
  } catch (error) {
    if (!(error instanceof DosimeterError)) throw error
    return error.code
  }
}

describe("nothing in the grammar's tree is dropped", () => {
  const seen = new Map<string, string>() // From kind.field to the first SQL in which it was tried.
  const dropped: string[] = []
  const wrongCode: string[] = []
  for (const sql of accepted) {
    const source = sourceText(sql)
    const parsed = grammar.parse(source)
    const before = show(fromPg(parsed, source))
    for (const { kind, json } of sitesOf([...parsed.statements])) {
      for (const [field, type] of [...(declared.get(kind) ?? []), ["brandNew", "number"] as const]) {
        const name = `${kind}.${field}`
        if (json[field] !== undefined || seen.has(name) || harmless.test(field)) continue
        seen.set(name, sql)
        json[field] = plausible(type)
        const after = outcome(parsed, source)
        delete json[field]
        if (after === before) dropped.push(`${name} in ${sql}`)
        if (after.startsWith("sql/") && after !== "sql/unsupported-syntax")
          wrongCode.push(`${name}: ${after}`)
      }
    }
  }

  test("a field added to any node is refused or changes the statement", () => {
    expect(dropped).toEqual([])
    expect(wrongCode).toEqual([])
  })

  test("which was tried for every kind of node and field", () => {
    expect(seen.size).toBeGreaterThan(130)
    const kinds = new Set([...seen.keys()].map((name) => name.split(".")[0]))
    const mustSee =
      "SelectStmt A_Expr ColumnRef FuncCall WindowDef RangeVar JoinExpr TypeName SubLink CaseExpr"
    expect(mustSee.split(" ").filter((kind) => !kinds.has(kind))).toEqual([])
  })

  test("every word of the grammar that is changed to an unknown one is refused", () => {
    const kept: string[] = []
    for (const sql of accepted) {
      const source = sourceText(sql)
      const parsed = grammar.parse(source)
      for (const { kind, json } of sitesOf([...parsed.statements])) {
        for (const [field, value] of Object.entries(json)) {
          if (typeof value !== "string" || !/^[A-Z]+[A-Z_]*_[A-Z_]+$|^CTEMaterialize/.test(value)) continue
          if (kind === "String" || kind === "RangeVar") continue
          json[field] = "UNHEARD_OF"
          if (outcome(parsed, source) !== "sql/unsupported-syntax") kept.push(`${kind}.${field} in ${sql}`)
          json[field] = value
        }
      }
    }
    expect(kept).toEqual([])
  })

  test("a node of an unknown kind is refused wherever a node may stand", () => {
    const kept: string[] = []
    for (const sql of accepted) {
      const source = sourceText(sql)
      const parsed = grammar.parse(source)
      for (const { kind, json } of sitesOf([...parsed.statements])) {
        for (const [field, value] of Object.entries(json)) {
          if (!isObject(value) || !/^[A-Z]/.test(Object.keys(value)[0] ?? "")) continue
          json[field] = { BrandNewNode: { location: 0 } }
          const code = kind === "ExplainStmt" ? "sql/not-a-query" : "sql/unsupported-syntax"
          if (outcome(parsed, source) !== code) kept.push(`${kind}.${field} in ${sql}`)
          json[field] = value
        }
      }
    }
    expect(kept).toEqual([])
  })
})
