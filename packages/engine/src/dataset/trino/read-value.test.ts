import { constantKey } from "@dosimeter/proof/catalog/constant"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { expect, test } from "vitest"
import { readConstant, readInteger, withExactCells } from "./read-value.ts"
import type { TrinoCell } from "./trino-client.ts"
import { trinoType } from "./trino-type.ts"

const bytes = (text: string): string => Buffer.from(text).toString("base64")

test.each<[SqlType, TrinoCell, string]>([
  [{ kind: "integer" }, "9223372036854775807", "number 9223372036854775807/1"],
  [
    { kind: "integer" },
    "-99999999999999999999999999999999999999",
    "number -99999999999999999999999999999999999999/1",
  ],
  [{ kind: "decimal", scale: 2 }, "-0.25", "number -1/4"],
  [{ kind: "float" }, 0.5, "number 1/2"],
  [{ kind: "boolean" }, false, "boolean false"],
  [{ kind: "text" }, bytes("\uFEFFé"), "text \uFEFFé"],
  [{ kind: "date" }, "-719162", "date -719162"],
  [{ kind: "timestamp" }, "1969-12-31 23:59:59.999999", "timestamp -1"],
  [{ kind: "timestamp" }, "0001-01-01 00:00:00.000000", "timestamp -62135596800000000"],
  [{ kind: "text" }, null, "null"],
])("%o: %s", (type, cell, shown) => {
  expect(constantKey(readConstant(cell, type))).toBe(shown)
})

test.each<[string, SqlType, TrinoCell]>([
  ["a number of JSON, which may be rounded", { kind: "integer" }, 7],
  ["an integer with digits after the point", { kind: "integer" }, "1.5"],
  ["NaN", { kind: "float" }, "NaN"],
  ["bytes that are no text", { kind: "text" }, Buffer.from([0xff]).toString("base64")],
  ["a word for a moment", { kind: "timestamp" }, "infinity"],
])("%s is refused", (_, type, cell) => {
  expect(() => readConstant(cell, type)).toThrow("an answer that cannot be")
})

test("a sum of nothing is 0", () => {
  expect(readInteger(null)).toBe(0n)
})

test("numbers are asked for as texts, and texts as bytes", () => {
  const columns = (["integer", "text", "boolean"] as const).map((kind) => ({
    domain: { type: { kind }, nullable: true },
  }))
  const { text } = withExactCells({ text: "SELECT 1, 'a', TRUE", parameters: [] }, columns)
  expect(text).toContain("SELECT CAST(k0 AS VARCHAR), to_utf8(CAST(k1 AS VARCHAR)), k2 FROM (")
})

test.each([
  ["bigint", "integer"],
  ["decimal(38,2)", "decimal"],
  ["decimal(38,20)", "float"],
  ["varchar(7)", "text"],
  ["timestamp(3)", "timestamp"],
  ["timestamp(9)", undefined],
  ["timestamp(6) with time zone", undefined],
  ["row(name varchar)", undefined],
])("the type %s is %s", (written, kind) => {
  const { type, typeName } = trinoType(written)
  expect(type?.kind).toBe(kind)
  expect(typeName).not.toContain("name")
})
