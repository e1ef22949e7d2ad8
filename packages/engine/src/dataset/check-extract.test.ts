import { DosimeterError, rational } from "@dosimeter/core"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { describe, expect, test } from "vitest"
import type { ExactRow } from "../release/secret/exact-table.ts"
import type { ExtractQuery } from "./backend.ts"
import { checkExtract } from "./check-extract.ts"

const end = (value: bigint): { readonly value: ReturnType<typeof rational>; readonly declared: boolean } => ({
  value: rational(value),
  declared: true,
})
const integer = (id: number, min: bigint, max: bigint): RelColumn => ({
  id,
  name: "n",
  domain: { type: { kind: "integer" }, nullable: false, range: { min: end(min), max: end(max) } },
})
const ward: RelColumn = { id: 1, name: "ward", domain: { type: { kind: "text" }, nullable: true } }
const sql = { text: "", parameters: [] }
const byWard: ExtractQuery = { sql, columns: [ward, integer(2, 0n, 9n)], keyCount: 1, groupCount: 1 }
const byAge: ExtractQuery = {
  sql,
  columns: [integer(1, 0n, 120n), integer(2, 0n, 9n)],
  keyCount: 1,
  groupCount: 1,
}
const histogram: ExtractQuery = {
  sql,
  columns: [ward, integer(2, 0n, 9n), integer(3, 0n, 9n)],
  keyCount: 1,
  groupCount: 2,
}
const whole: ExtractQuery = { sql, columns: [integer(1, -9n, 9n)], keyCount: 0, groupCount: 0 }

const units: ExtractQuery = { ...whole, areUnits: true }

const text = (value: string): Constant => ({ kind: "text", value })
const number = (value: bigint): Constant => ({ kind: "number", value: rational(value) })
const row = (keys: readonly Constant[], ...values: readonly bigint[]): ExactRow => ({ keys, values })

const possible: readonly (readonly [string, ExtractQuery, readonly ExactRow[]])[] = [
  ["no groups", byWard, []],
  ["groups that differ in a mark", byWard, [row([text("a")], 1n), row([text("\uFEFFa")], 9n)]],
  ["a group of NULL", byWard, [row([{ kind: "null" }], 0n), row([text("null")], 0n)]],
  ["cells of one group", histogram, [row([text("a")], 0n, 1n), row([text("a")], 1n, 1n)]],
  ["one number", whole, [row([], -9n)]],
  ["units without an id", units, [row([], 1n), row([], 1n)]],
  ["no units", units, []],
]

const impossible: readonly (readonly [string, ExtractQuery, readonly ExactRow[]])[] = [
  ["a unit outside", units, [row([], 1n), row([], 10n)]],
  ["a group twice", byWard, [row([text("a")], 1n), row([text("b")], 1n), row([text("a")], 1n)]],
  ["a group of NULL twice", byWard, [row([{ kind: "null" }], 1n), row([{ kind: "null" }], 1n)]],
  ["a cell twice", histogram, [row([text("a")], 1n, 1n), row([text("a")], 1n, 2n)]],
  ["a cell outside", histogram, [row([text("a")], 10n, 1n)]],
  ["a sum above its bounds", byWard, [row([text("a")], 10n)]],
  ["a sum below its bounds", whole, [row([], -10n)]],
  ["a key of another type", byAge, [row([text("7")], 1n)]],
  ["a text where a number is", byWard, [row([number(7n)], 1n)]],
  ["a column too few", byWard, [row([text("a")])]],
  ["a column too many", byWard, [row([text("a")], 1n, 1n)]],
  ["a key too few", byWard, [row([], 1n)]],
  ["no row where there is always one", whole, []],
  ["two rows without keys", whole, [row([], 1n), row([], 1n)]],
]

describe("[Q2] what comes back is looked at", () => {
  test.each(possible)("passes: %s", (_, query, rows) => {
    expect(checkExtract({ rows }, query)).toEqual({ rows })
  })

  test.each(impossible)("ends the question: %s", (_, query, rows) => {
    try {
      checkExtract({ rows }, query)
    } catch (error) {
      if (!(error instanceof DosimeterError)) throw error
      expect(error.code).toBe("backend/impossible-extract")
      return
    }
    throw new Error("it passed")
  })
})
