// A source as the lines of a proposed policy.

import type { ServerSource, Source, SourceVersion, TrinoSource } from "../file/policy.ts"

/** The lines of `source`. */
export function sourceLines(source: Source): readonly string[] {
  switch (source.kind) {
    case "duckdb":
      return [`source: { duckdb: ${quote(source.file)} }`]
    case "parquet":
    case "csv":
    case "ndjson":
      return [`source: { ${source.kind}: ${listed(source.globs)} }`]
    case "postgres":
      return ["source:", `  postgres: ${quote(source.url)}`, ...serverLines(source)]
    case "trino":
      return ["source:", `  trino: ${quote(source.url)}`, ...trinoLines(source)]
    default:
      return source satisfies never
  }
}

/** What every server has beside its address. */
function serverLines({ schemas, version, copies, passwordFile }: ServerSource): readonly string[] {
  return [
    `  schemas: [${schemas.map(quote).join(", ")}]`,
    ...versionLines(version),
    copies === undefined
      ? "  # copies: dosimeter_copies   # a schema for prepared copies, where questions take less time"
      : `  copies: ${quote(copies)}`,
    ...(passwordFile === undefined ? [] : [`  password_file: ${quote(passwordFile)}`]),
  ]
}

function trinoLines({ catalog, schema, version, copies }: TrinoSource): readonly string[] {
  return [
    `  catalog: ${quote(catalog)}`,
    `  schema: ${quote(schema)}`,
    ...(version.by === "word"
      ? [`  version: ${quote(version.word)}`]
      : [
          "  # Iceberg tells which data it is. Of other tables you say it, with another word for other data:",
          '  # version: "2026-11"',
        ]),
    copies === undefined
      ? "  # copies: CATALOG.SCHEMA   # a schema for prepared copies, where questions take less time"
      : `  copies: ${quote(copies.join("."))}`,
  ]
}

function versionLines(version: SourceVersion): readonly string[] {
  switch (version.by) {
    case "word":
      return [`  version: ${quote(version.word)}`]
    case "table":
      return [`  version_table: [${version.path.map(quote).join(", ")}]`]
    case "content":
      return [
        "  # decide: auto reads every row to tell whether the data is another. Where that takes too long, write",
        '  # a word of yours, such as "2026-11", and another one whenever the data has changed.',
        "  version: auto",
      ]
    default:
      return version satisfies never
  }
}

function listed(texts: readonly string[]): string {
  return texts.length === 1 ? quote(texts[0] ?? "") : `[${texts.map(quote).join(", ")}]`
}

function quote(text: string): string {
  return JSON.stringify(text)
}
