import { expect, test } from "vitest"
import { readParameter } from "./read-parameter.ts"
import { WireError } from "./wire-error.ts"
import { encodeValue, wireTypeOf, wireTypes } from "./wire-types.ts"

const text = (value: string | number | boolean | null, type: string) =>
  encodeValue(value, wireTypeOf(type), "text")?.toString()
const hex = (value: string | number | boolean, type: string) =>
  encodeValue(value, wireTypeOf(type), "binary")?.toString("hex")

test("values have PostgreSQL's texts", () => {
  expect(text(true, "boolean")).toBe("t")
  expect(text(1e21, "integer")).toBe("1000000000000000000000")
  expect(text(1e-7, "decimal(7)")).toBe("0.0000001")
  expect(text(-12.5, "decimal(2)")).toBe("-12.5")
  expect(text(1e-7, "float")).toBe("1e-7")
  expect(text("2020-01-31T10:00:00", "timestamp")).toBe("2020-01-31 10:00:00")
  expect(text(null, "integer")).toBeUndefined()
})

// As PostgreSQL 15 sends them.
test("values have PostgreSQL's bytes", () => {
  expect(hex(true, "boolean")).toBe("01")
  expect(hex(-2, "integer")).toBe("fffffffffffffffe")
  expect(hex(1.5, "float")).toBe("3ff8000000000000")
  expect(hex("2000-01-02", "date")).toBe("00000001")
  expect(hex("1999-12-31", "date")).toBe("ffffffff")
  expect(hex("2000-01-01 00:00:01.5", "timestamp")).toBe("000000000016e360")
  expect(hex("12345.678", "decimal(3)")).toBe("0003000100000003000109291a7c")
  expect(hex("-0.0001", "decimal(4)")).toBe("0001ffff400000040001")
  expect(hex(0, "decimal(2)")).toBe("0000000000000000")
  expect(hex("10000", "decimal(0)")).toBe("00010001000000000001")
})

test("parameters are read in both forms, and what cannot be is refused", () => {
  const bytes = (value: string, type: string) => encodeValue(value, wireTypeOf(type), "binary")
  expect(readParameter(undefined, 0, 0)).toEqual({ kind: "null" })
  expect(readParameter(Buffer.from("1950"), 0, 0)).toEqual({ kind: "text", value: "1950" })
  expect(readParameter(Buffer.from("1950"), 20, 0)).toMatchObject({
    kind: "number",
    value: { numerator: 1950n },
  })
  expect(readParameter(bytes("7", "integer"), wireTypes.integer.oid, 1)).toMatchObject({ kind: "number" })
  expect(readParameter(bytes("2000-01-01", "date"), wireTypes.date.oid, 1)).toEqual({
    kind: "date",
    day: 10_957n,
  })
  expect(() => readParameter(Buffer.from([1, 2]), 20, 1)).toThrow(WireError)
  expect(() => readParameter(Buffer.from([1, 2]), 1700, 1)).toThrow(WireError)
  expect(() => readParameter(Buffer.from("7ff8000000000000", "hex"), 701, 1)).toThrow(WireError)
})
