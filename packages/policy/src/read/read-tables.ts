// The `tables` of a policy file as specs.

import { utf8Length } from "@dosimeter/language/text/source"
import { groupKeys } from "../file/keys.ts"
import { parseType } from "../file/column-type.ts"
import type { Report } from "../file/report.ts"
import { fieldsOf, optional, textIn, textsIn, wordIn, yesOrNo, type Fields } from "../file/shapes.ts"
import { parseUnit, type ColumnSpec, type KeySpec, type TableSpec, type Written } from "../file/specs.ts"
import { isNothing, showNode, type MapEntry, type PolicyNode, type ScalarNode } from "../file/tree.ts"

/** PostgreSQL would cut longer names. */
const nameLengthMax = 63

/** All tables that a site describes. */
export function readTables(node: PolicyNode, report: Report): readonly TableSpec[] {
  return namedEntries(node, "tables", report).map(({ name, entry }) => readTable(name, entry, report))
}

const deniedByOwner = "its owner has denied it"
/** Such a policy is never used: the report says what could not be read, not what follows from it. */
const unreadable = "it could not be read"

function readTable(name: string, { key, value }: MapEntry, report: Report): TableSpec {
  const base: TableSpec = { name, at: key.at, origin: "site", keys: [], columns: [] }
  if (value.kind === "scalar" && value.text === "deny") return { ...base, withheld: deniedByOwner }
  const where = `the table ${name}`
  const fields = isNothing(value)
    ? undefined
    : fieldsOf(value, { where, known: groupKeys.table, at: key.at }, report)
  const source = readPath(fields, key, report)
  if (fields === undefined)
    return { ...base, ...source, ...(isNothing(value) ? {} : { withheld: unreadable }) }
  const unitNode = optional(fields, "unit")
  const written = unitNode === undefined ? undefined : textIn(unitNode, `the unit of ${name}`, report)
  const unit = written === undefined ? undefined : parseUnit(written)
  if (written !== undefined && unit === undefined) {
    const reason = "it alternates between a column and table.column"
    report.add("policy/bad-path", { path: showNode(written), reason }, written.at)
  }
  const columns = optional(fields, "columns")
  return {
    ...base,
    ...source,
    // A unit that could not be read is reported once, and not as missing besides.
    ...(unit === undefined ? (unitNode === undefined ? {} : { withheld: unreadable }) : { unit }),
    keys: readKeys(fields, name, "keys"),
    ...(optional(fields, "keys") === undefined ? {} : { saysKeys: true as const }),
    ...(optional(fields, "prepare") === undefined ? {} : { prepare: readKeys(fields, name, "prepare") }),
    columns:
      columns === undefined
        ? []
        : namedEntries(columns, `the columns of ${name}`, report).map((column) =>
            readColumn(column.name, column.entry, { table: name, report }),
          ),
  }
}

/** The table's name in the database: as `source` says, or as the key is written where it has capitals. */
function readPath(fields: Fields | undefined, key: ScalarNode, report: Report): Pick<TableSpec, "source"> {
  const node = fields === undefined ? undefined : optional(fields, "source")
  if (node === undefined) return key.text === key.text.toLowerCase() ? {} : { source: [key.text] }
  const parts = textsIn(node, `the source of ${key.text}`, report).map(({ text }) => text)
  return { source: node.kind === "list" ? parts : parts.flatMap((text) => text.split(".")) }
}

function readKeys(fields: Fields, name: string, line: "keys" | "prepare"): readonly KeySpec[] {
  const node = optional(fields, line)
  if (node === undefined) return []
  const items = node.kind === "list" ? node.items : [node]
  return items.map((item) => ({
    columns: textsIn(item, `a key in ${line} of ${name}`, fields.report).map(lowerUnlessQuoted),
    at: item.at,
  }))
}

interface ColumnContext {
  readonly table: string
  readonly report: Report
}

/** A column: `deny`, `allow`, a type, nothing, or a group of keys. */
function readColumn(name: string, { key, value }: MapEntry, { table, report }: ColumnContext): ColumnSpec {
  const base: ColumnSpec = {
    name,
    at: key.at,
    origin: "site",
    ...(key.text === name ? {} : { source: key }),
  }
  if (isNothing(value)) return base
  const label = `${table}.${name}`
  if (value.kind === "scalar") {
    if (value.text === "deny") return { ...base, access: "denied" }
    if (value.text === "allow") return { ...base, access: "allowed" }
    if (parseType(value.text) !== undefined) return { ...base, type: value }
    const expected = "deny, allow, a type such as integer, or { min: 0, max: 500 }"
    report.add("policy/wrong-value", { where: label, got: showNode(value), expected }, value.at)
    return { ...base, broken: true }
  }
  const before = report.count
  const fields = fieldsOf(
    value,
    { where: `the column ${label}`, known: groupKeys.column, at: key.at },
    report,
  )
  const written = fields === undefined ? {} : columnFields(fields, label)
  return { ...base, ...written, ...(report.count > before ? { broken: true } : {}) }
}

function columnFields(fields: Fields, label: string): Partial<ColumnSpec> {
  const { report } = fields
  const scalar = (key: string): ScalarNode | undefined => {
    const node = optional(fields, key)
    return node === undefined ? undefined : textIn(node, `${key} of ${label}`, report)
  }
  const flag = (key: string): boolean | undefined => {
    const node = optional(fields, key)
    return node === undefined ? undefined : yesOrNo(node, `${key} of ${label}`, report)
  }
  const word = <Word extends string>(key: string, words: readonly Word[]): Word | undefined => {
    const node = optional(fields, key)
    return node === undefined ? undefined : wordIn(node, `${key} of ${label}`, words, report)
  }
  const access = word("access", ["allow", "deny"])
  return definedOnly<ColumnSpec>({
    type: scalar("type"),
    min: scalar("min"),
    max: scalar("max"),
    bounds: autoOf(fields, label),
    grid: scalar("grid"),
    values: readValues(fields, label),
    tree: scalar("tree"),
    nullable: flag("nullable"),
    key: flag("key"),
    references: scalar("references"),
    text: word("text", ["free", "code"]),
    access: access === undefined ? undefined : access === "deny" ? "denied" : "allowed",
    source: scalar("source"),
  })
}

function autoOf(fields: Fields, label: string): ScalarNode | undefined {
  const node = optional(fields, "bounds")
  if (node === undefined) return undefined
  const word = wordIn(node, `bounds of ${label}`, ["auto"], fields.report)
  return word === undefined || node.kind !== "scalar" ? undefined : node
}

function readValues(fields: Fields, label: string): readonly Written[] | undefined {
  const node = optional(fields, "values")
  if (node === undefined) return undefined
  if (node.kind !== "list") {
    const facts = { where: `values of ${label}`, got: showNode(node), expected: "a list such as [A, B, C]" }
    fields.report.add("policy/wrong-value", facts, node.at)
    return undefined
  }
  return node.items.flatMap((item) => {
    if (item.kind === "scalar" && (item.quoted || !isNothing(item))) return [item]
    const facts = {
      where: `values of ${label}`,
      got: showNode(item),
      expected: "a list of values other than NULL",
    }
    fields.report.add("policy/wrong-value", facts, item.at)
    return []
  })
}

/** Drops what is undefined, so that a spread does not overwrite the pack's line with nothing. */
function definedOnly<T>(fields: { readonly [Key in keyof T]?: T[Key] | undefined }): Partial<T> {
  const kept: Partial<T> = {}
  for (const key in fields) {
    const value = fields[key]
    if (value !== undefined) kept[key] = value
  }
  return kept
}

interface NamedEntry {
  readonly name: string
  readonly entry: MapEntry
}

/** The entries of a group whose keys are names. Names are in lower case unless they are quoted. */
export function namedEntries(node: PolicyNode, where: string, report: Report): readonly NamedEntry[] {
  if (node.kind !== "map") {
    const facts = { where, got: showNode(node), expected: "a group of names" }
    report.add("policy/wrong-value", facts, node.at)
    return []
  }
  const seen = new Set<string>()
  return node.entries.flatMap((entry) => {
    const name = lowerUnlessQuoted(entry.key).text
    if (name === "" || utf8Length(name) > nameLengthMax || /[\p{Cc}\p{Cs}]/u.test(name)) {
      const facts = { where: `a name in ${where}`, got: showNode(entry.key), range: "1 to 63 bytes of text" }
      report.add("policy/out-of-range", facts, entry.key.at)
      return []
    }
    if (seen.has(name)) {
      report.add("policy/duplicate", { what: `${name} in ${where}` }, entry.key.at)
      return []
    }
    seen.add(name)
    return [{ name, entry }]
  })
}

function lowerUnlessQuoted(written: ScalarNode): ScalarNode {
  return written.quoted ? written : { ...written, text: written.text.toLowerCase() }
}
