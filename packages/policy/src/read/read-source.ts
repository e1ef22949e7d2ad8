// Where the data is, as a policy says it: files, or a server with what must be known of it.

import { groupKeys } from "../file/keys.ts"
import type { FileFormat, PostgresSource, Source, SourceVersion, TrinoSource } from "../file/policy.ts"
import { fieldsOf, optional, required, textIn, textsIn, type Fields } from "../file/shapes.ts"

/** The source of a policy, or undefined; then the report says why. */
export function readSource(fields: Fields): Source | undefined {
  const { report } = fields
  const node = required(fields, "source", 'source: { parquet: "data/*.parquet" }')
  if (node === undefined) return undefined
  const at = fields.entries.get("source")?.key.at ?? fields.at
  const own = fieldsOf(node, { where: "source", known: groupKeys.source, at }, report)
  if (own === undefined) return undefined
  const given = Object.entries(sourceKinds).filter(([kind]) => own.entries.has(kind))
  const [first] = given
  if (first === undefined || given.length > 1) {
    const got = given.length === 0 ? "empty" : given.map(([kind]) => kind).join(" and ")
    const kinds = Object.keys(sourceKinds)
    const expected = `one of ${kinds.slice(0, -1).join(", ")} and ${kinds.at(-1) ?? ""}`
    report.add("policy/wrong-value", { where: "source", got, expected }, at)
    return undefined
  }
  const [kind, { keys, read }] = first
  // What says nothing about this kind of source would be read by nobody.
  for (const [key, entry] of own.entries) {
    if (key === kind || keys.includes(key)) continue
    const known = [kind, ...keys].join(", ")
    report.add("policy/unknown-key", { key, where: `a source of ${kind}`, known }, entry.key.at)
  }
  return read(own)
}

/** A kind of source: which keys stand beside its own, and how it is read. */
interface SourceKind {
  readonly keys: readonly string[]
  readonly read: (own: Fields) => Source | undefined
}

/** Files that a Trino's address may have beside it, by key and by name. */
const trinoFiles = [
  ["password_file", "passwordFile"],
  ["token_file", "tokenFile"],
  ["certificate_file", "certificateFile"],
  ["key_file", "keyFile"],
  ["ca_file", "caFile"],
] as const

const sourceKinds: Readonly<Record<Source["kind"], SourceKind>> = {
  duckdb: {
    keys: [],
    read: (own) => {
      const file = textOf(own, "duckdb", "duckdb: FILE")
      return file === undefined ? undefined : { kind: "duckdb", file }
    },
  },
  parquet: filesOf("parquet"),
  csv: filesOf("csv"),
  ndjson: filesOf("ndjson"),
  postgres: {
    keys: ["schemas", "version", "version_table", "copies", "password_file"],
    read: readPostgres,
  },
  trino: {
    keys: ["catalog", "schema", "version", "copies", ...trinoFiles.map(([key]) => key)],
    read: readTrino,
  },
}

function filesOf(kind: FileFormat): SourceKind {
  return {
    keys: [],
    read: (own) => {
      const value = required(own, kind, `${kind}: FILE`)
      const globs = value === undefined ? [] : textsIn(value, kind, own.report).map(({ text }) => text)
      return globs.length === 0 ? undefined : { kind, globs }
    },
  }
}

const urlExample = "postgres: postgres://ROLE@HOST/DATABASE"

function readPostgres(own: Fields): PostgresSource | undefined {
  const url = textOf(own, "postgres", urlExample)
  const version = versionOf(own)
  if (url === undefined || version === undefined) return undefined
  if (!isServerUrl(url, ["postgres", "postgresql"])) {
    // Not shown: what is no URL may hold a password in any place.
    const facts = {
      where: "postgres",
      got: "something else",
      expected: "a URL without a password: postgres://ROLE@HOST/DATABASE",
    }
    own.report.add("policy/wrong-value", facts, own.entries.get("postgres")?.key.at ?? own.at)
    return undefined
  }
  const [copies, passwordFile] = [optionalText(own, "copies"), optionalText(own, "password_file")]
  const listed = optional(own, "schemas")
  const schemas = listed === undefined ? [] : textsIn(listed, "schemas", own.report).map(({ text }) => text)
  return {
    kind: "postgres",
    url,
    schemas: schemas.length === 0 ? ["public"] : schemas,
    version,
    ...(copies === undefined ? {} : { copies }),
    ...(passwordFile === undefined ? {} : { passwordFile }),
  }
}

const trinoExample = "trino: https://USER@HOST:PORT"

function readTrino(own: Fields): TrinoSource | undefined {
  const url = textOf(own, "trino", trinoExample)
  const catalog = textOf(own, "catalog", "catalog: CATALOG")
  const schema = textOf(own, "schema", "schema: SCHEMA")
  if (url === undefined || catalog === undefined || schema === undefined) return undefined
  if (!isServerUrl(url, ["http", "https"]) || !/^https?:\/\/[^/?]+\/?$/.test(url)) {
    const expected = `a URL without a password or path: ${trinoExample.slice(7)}`
    const at = own.entries.get("trino")?.key.at ?? own.at
    own.report.add("policy/wrong-value", { where: "trino", got: "something else", expected }, at)
    return undefined
  }
  const word = optionalText(own, "version")
  const place = optionalText(own, "copies")
  const [copyCatalog, copySchema, ...more] = place?.split(".") ?? []
  const isPlace = copyCatalog !== undefined && copySchema !== undefined && more.length === 0
  const isOfData = place?.toLowerCase() === `${catalog}.${schema}`.toLowerCase()
  if (place !== undefined && (!isPlace || isOfData)) {
    const at = own.entries.get("copies")?.key.at ?? own.at
    const expected = "CATALOG.SCHEMA, and not where the data is"
    own.report.add("policy/wrong-value", { where: "copies", got: place, expected }, at)
    return undefined
  }
  const files = trinoFiles.flatMap(([key, name]) => {
    const file = optionalText(own, key)
    return file === undefined ? [] : [[name, file] as const]
  })
  return {
    kind: "trino",
    url,
    // Trino writes all names in lower case.
    catalog: catalog.toLowerCase(),
    schema: schema.toLowerCase(),
    version: word === undefined || word === "auto" ? { by: "snapshots" } : { by: "word", word },
    ...(isPlace ? { copies: [copyCatalog.toLowerCase(), copySchema.toLowerCase()] } : {}),
    ...Object.fromEntries(files),
  }
}

/** Whether a text is a URL of a server that holds no password: neither beside the role nor as a parameter. */
function isServerUrl(text: string, protocols: readonly string[]): boolean {
  const parts = /^([a-z]+):\/\/(?:([^@/?#\s]*)@)?[^@?#\s]*(\?[^#\s]*)?$/.exec(text)
  const [, protocol = "", role = "", parameters = ""] = parts ?? []
  return protocols.includes(protocol) && !role.includes(":") && !/[?&]pass(word|file)?=/i.test(parameters)
}

/** Which data it is: the owner's word, unless a table or the rows themselves tell it. */
function versionOf(own: Fields): SourceVersion | undefined {
  const word = optionalText(own, "version")
  const table = optional(own, "version_table")
  if (table !== undefined) {
    const path = textsIn(table, "version_table", own.report).map(({ text }) => text)
    if (word === undefined && path.length === 2) return { by: "table", path }
    const [got, expected] =
      word === undefined ? [path.join("."), "[SCHEMA, TABLE]"] : ["version too", "one of the two"]
    const at = own.entries.get("version_table")?.key.at ?? own.at
    own.report.add("policy/wrong-value", { where: "version_table", got, expected }, at)
    return undefined
  }
  if (word === undefined) {
    required(own, "version", 'version: "2026-11" (another word whenever the data is another), or auto')
    return undefined
  }
  return word === "auto" ? { by: "content" } : { by: "word", word }
}

function textOf(own: Fields, key: string, example: string): string | undefined {
  const node = required(own, key, example)
  return node === undefined ? undefined : textIn(node, key, own.report)?.text
}

function optionalText(own: Fields, key: string): string | undefined {
  const node = optional(own, key)
  return node === undefined ? undefined : textIn(node, key, own.report)?.text
}
