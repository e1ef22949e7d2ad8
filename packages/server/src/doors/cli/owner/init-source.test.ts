import { expect, test } from "vitest"
import { sourceFor } from "./init-source.ts"

const typed = (text: string): unknown =>
  sourceFor({ given: [text], folder: "/data", policyFolder: "/data", schemas: [] })

test("a Trino is typed as its address with catalog and schema", () => {
  expect(typed("https://reader@trino.example:8443/Lake/Clinic")).toEqual({
    kind: "trino",
    url: "https://reader@trino.example:8443",
    catalog: "lake",
    schema: "clinic",
    version: { by: "snapshots" },
  })
})

test.each([
  "https://trino.example",
  "https://trino.example/lake",
  "https://reader:secret@trino.example/lake/clinic",
  "https://reader:sec@secret/@trino.example/lake/clinic",
  "Postgres://reader:secret@db.example/ward",
  "mysql://db.example/ward?password=secret",
])("%s is no source, and nothing secret is said of it", (text) => {
  expect(() => typed(text)).toThrowError(/^nothing tells what kind of data (?!.*(secret|reader))/)
})
