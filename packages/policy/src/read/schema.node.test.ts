import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { examplePolicy } from "../testing/example-policy.ts"
import { groupKeys, policyKeys } from "../file/keys.ts"
import { packNames } from "../packs/packs.ts"

const docs = join(import.meta.dirname, "../../../../docs")

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
}

const schema: Schema & { readonly $defs: Readonly<Record<string, Schema>> } = JSON.parse(
  readFileSync(join(docs, "policy.schema.json"), "utf8"),
)

function keysAt(...path: readonly string[]): readonly string[] {
  const [first = "", ...rest] = path
  let at: Schema | undefined = schema.$defs[first] ?? schema.properties?.[first]
  for (const step of rest) at = at?.properties?.[step]
  const group = at?.properties ?? at?.oneOf?.find(({ properties }) => properties !== undefined)?.properties
  return Object.keys(group ?? {})
}

test("the schema for editors has the keys that are read", () => {
  expect(Object.keys(schema.properties ?? {})).toEqual(policyKeys)
  expect({
    source: keysAt("source"),
    budget: keysAt("budget"),
    question: keysAt("question"),
    epsilon: keysAt("question", "epsilon"),
    bounding: keysAt("bounding"),
    limits: keysAt("limits"),
    limit: keysAt("limit"),
    resources: keysAt("resources"),
    tree: keysAt("tree"),
    table: keysAt("table"),
    column: keysAt("column"),
  }).toEqual(groupKeys)
  expect(schema.properties?.["schema"]?.enum).toEqual(packNames)
})

test("every key is explained to owners", () => {
  const page = readFileSync(join(docs, "policy.md"), "utf8")
  const all = [...policyKeys, ...Object.values(groupKeys).flat()]
  expect(all.filter((key) => !page.includes(`\`${key}`) && !page.includes(`${key}: `))).toEqual([])
  expect(existsSync(join(docs, "policy.schema.json"))).toBe(true)
})

test("the page shows the example policy as it is", () => {
  expect(readFileSync(join(docs, "policy.md"), "utf8")).toContain(`\`\`\`yaml\n${examplePolicy}\`\`\``)
})

test("the example fits the schema, and what is wrong does not", () => {
  const example: Readonly<Record<string, unknown>> = parse(examplePolicy)
  expect(fits(example, schema)).toBe(true)
  expect(fits({ ...example, neighbors: "replace" }, schema)).toBe(false)
  expect(fits({ ...example, budget: { epsilon: 0, accounting: "zcdp" } }, schema)).toBe(false)
  expect(fits({ ...example, tables: { a: { columns: { x: "money" } } } }, schema)).toBe(false)
  expect(
    fits({ ...example, tables: { a: { columns: { x: "decimal(2)", y: null, z: { max: 1 } } } } }, schema),
  ).toBe(true)
})

/** The part of JSON Schema that ours uses. */
function fits(value: unknown, rule: Schema): boolean {
  if (rule.$ref !== undefined) return fits(value, schema.$defs[rule.$ref.replace("#/$defs/", "")] ?? {})
  if (rule.oneOf !== undefined) return rule.oneOf.some((one) => fits(value, one))
  if (rule.const !== undefined) return value === rule.const
  if (rule.enum !== undefined) return rule.enum.includes(value)
  const types = rule.type === undefined ? undefined : [rule.type].flat()
  if (types !== undefined && !types.some((type) => hasType(value, type))) return false
  if (typeof value === "string" && rule.pattern !== undefined) return new RegExp(rule.pattern).test(value)
  if (typeof value === "number") {
    return (
      value >= (rule.minimum ?? value) &&
      value <= (rule.maximum ?? value) &&
      value > (rule.exclusiveMinimum ?? -Infinity) &&
      value < (rule.exclusiveMaximum ?? Infinity)
    )
  }
  if (Array.isArray(value)) return value.every((item) => fits(item, rule.items ?? {}))
  return typeof value !== "object" || value === null || fitsObject(Object.entries(value), rule)
}

function fitsObject(entries: readonly (readonly [string, unknown])[], rule: Schema): boolean {
  const has = (key: string): boolean => entries.some(([name]) => name === key)
  if (!(rule.required ?? []).every(has)) return false
  return entries.every(([key, value]) => {
    const own = rule.properties?.[key]
    if (own !== undefined) return fits(value, own)
    const other = rule.additionalProperties ?? true
    return typeof other === "boolean" ? other : fits(value, other)
  })
}

function hasType(value: unknown, type: string): boolean {
  if (type === "null") return value === null
  if (type === "array") return Array.isArray(value)
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value)
  if (type === "integer") return Number.isInteger(value)
  return typeof value === type
}
