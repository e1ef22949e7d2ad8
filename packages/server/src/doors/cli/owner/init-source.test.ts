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
])("%s is no source", (text) => {
  expect(() => typed(text)).toThrowError(/./)
})
