import { DosimeterError } from "@dosimeter/core"
import { expect, test } from "vitest"
import { sourceLines } from "../propose/source-lines.ts"
import { readOpening, readPolicy } from "./read-policy.ts"

const url = "postgres://reader@db.example.org/hospital"

function problems(source: string): readonly string[] {
  try {
    readPolicy(`source: ${source}`)
  } catch (error) {
    if (!(error instanceof DosimeterError)) throw error
    return error.issues
      .filter(({ message }) => /source|postgres|version|trino|copies|schema is missing/.test(message))
      .map(({ message }) => message)
  }
  return []
}

test("a server is a source: its schemas, how its versions are told, and where copies are kept", () => {
  expect(readOpening(`source: { postgres: "${url}", version: auto }`)?.source).toEqual({
    kind: "postgres",
    url,
    schemas: ["public"],
    version: { by: "content" },
  })
  const whole = `source: { postgres: "${url}?sslmode=verify-full", schemas: [ehr, lab], version_table: [etl, load],
    copies: dosimeter, password_file: /run/secrets/pg }`
  expect(readOpening(whole)?.source).toEqual({
    kind: "postgres",
    url: `${url}?sslmode=verify-full`,
    schemas: ["ehr", "lab"],
    version: { by: "table", path: ["etl", "load"] },
    copies: "dosimeter",
    passwordFile: "/run/secrets/pg",
  })
  expect(readOpening(`source: { postgres: "${url}", version: "2026-11" }`)?.source).toMatchObject({
    version: { by: "word", word: "2026-11" },
  })
})

test("what a server's data is must be said, and a password must not", () => {
  const [missing = ""] = problems(`{ postgres: "${url}" }`)
  expect(missing).toContain("version")
  for (const secret of ["postgres://reader:hunter2@db/x", "postgres://reader@db/x?password=hunter2"]) {
    const found = problems(`{ postgres: "${secret}", version: auto }`)
    expect(found).toHaveLength(1)
    expect(found.join()).not.toContain("hunter2")
  }
  expect(problems(`{ postgres: "mysql://reader@db/x", version: auto }`)).toHaveLength(1)
  expect(problems(`{ postgres: "${url}", version: auto, version_table: [a, b] }`)).toHaveLength(1)
  expect(problems(`{ postgres: "${url}", version_table: [a] }`)).toHaveLength(1)
  expect(problems('{ csv: "*.csv", version: auto }')).toHaveLength(1)
})

test("a proposed source is read as it was", () => {
  for (const source of [
    { kind: "postgres", url, schemas: ["a b", 'q"q'], version: { by: "content" } },
    {
      kind: "postgres",
      url,
      schemas: ["x"],
      version: { by: "word", word: "1: a" },
      copies: "c",
      passwordFile: "p",
    },
    { kind: "postgres", url, schemas: ["x"], version: { by: "table", path: ["a", "b"] } },
    { kind: "duckdb", file: "a b.duckdb" },
    { kind: "csv", globs: ["a.csv", "b.csv"] },
  ] as const) {
    expect(readOpening(sourceLines(source).join("\n"))?.source).toEqual(source)
  }
})

test("a Trino has an address, a catalog and a schema; its snapshots tell the version unless a word does", () => {
  const lake = "https://reader@trino.example.org:8443"
  const plain = { kind: "trino", url: lake, catalog: "lake", schema: "clinic", version: { by: "snapshots" } }
  expect(readOpening(`source: { trino: "${lake}", catalog: Lake, schema: Clinic }`)?.source).toEqual(plain)
  const whole = `source: { trino: "${lake}", catalog: lake, schema: clinic, version: "2026-11",
    copies: lake.own, token_file: token, certificate_file: c, key_file: k, ca_file: ca, password_file: p }`
  expect(readOpening(whole)?.source).toEqual({
    ...plain,
    version: { by: "word", word: "2026-11" },
    copies: ["lake", "own"],
    passwordFile: "p",
    tokenFile: "token",
    certificateFile: "c",
    keyFile: "k",
    caFile: "ca",
  })
})

test.each([
  'trino: "https://reader:hunter2@trino.example.org", catalog: lake, schema: clinic',
  'trino: "https://trino.example.org/path", catalog: lake, schema: clinic',
  'trino: "postgres://trino.example.org", catalog: lake, schema: clinic',
  'trino: "https://trino.example.org", catalog: lake, schema: clinic, copies: own',
  'trino: "https://trino.example.org", catalog: lake, schema: clinic, copies: lake.Clinic',
  'trino: "https://trino.example.org", catalog: lake',
  'trino: "https://trino.example.org", catalog: lake, schema: clinic, version_table: [a, b]',
])("{ %s } is no source, and no password is shown", (text) => {
  const found = problems(`{ ${text} }`)
  expect(found).not.toEqual([])
  expect(found.join()).not.toContain("hunter2")
})
