import { rational } from "@dosimeter/core"
import { describe, expect, it } from "vitest"
import type { Constant } from "../catalog/constant.ts"
import type { Domain, Range } from "../catalog/domain.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import { domainOf } from "./domain-of.ts"
import type { CallExpr, CaseExpr, Expr } from "./expr.ts"

const integer: SqlType = { kind: "integer" }
const range = (min: bigint, max: bigint): Range => ({
  min: { value: rational(min), declared: true },
  max: { value: rational(max), declared: true },
})
const small: Domain = { type: integer, nullable: true, range: range(0n, 9n) }
/** A claim that nobody may rely on. */
const lie: Domain = { type: integer, nullable: false, range: range(0n, 0n) }
const column: Expr = { kind: "column", id: 1, domain: lie }
const columns = new Map([[1, small]])
const literal = (value: Constant, type: SqlType): Expr => ({
  kind: "literal",
  value,
  domain: { ...literalDomain(value, type) },
})
const number = (value: bigint): Expr => literal({ kind: "number", value: rational(value) }, integer)
const call = (name: CallExpr["name"], args: readonly Expr[], domain: Domain = lie): Expr => ({
  kind: "call",
  name,
  args,
  domain,
})
const choice = (type: SqlType, ...results: readonly Expr[]): CaseExpr => ({
  kind: "case",
  branches: results.slice(0, -1).map((result) => ({ when: call("is-null", [column]), result })),
  otherwise: results.at(-1) ?? number(0n),
  domain: { ...lie, type },
})

describe("the domain of an expression", () => {
  it("follows from the columns, whatever was claimed", () => {
    expect(domainOf(column, columns)).toBe(small)
    expect(domainOf(call("add", [column, number(1n)]), columns).range).toEqual(range(1n, 10n))
    expect(domainOf(call("cast", [column], { ...lie, type: { kind: "float" } }), columns)).toMatchObject({
      type: { kind: "float" },
      range: range(0n, 9n),
    })
    expect(domainOf({ ...number(5n), domain: { ...lie } }, columns).range).toEqual(range(5n, 5n))
  })

  it("unites the results of CASE", () => {
    const text = (value: string): Expr => literal({ kind: "text", value }, { kind: "text" })
    const listed = domainOf(
      choice({ kind: "text" }, text("a"), text("b"), literal({ kind: "null" }, { kind: "text" })),
      columns,
    )
    expect(listed).toEqual({
      type: { kind: "text" },
      nullable: true,
      values: [
        { kind: "text", value: "a" },
        { kind: "text", value: "b" },
      ],
    })
    expect(domainOf(choice(integer, column, number(20n)), columns)).toEqual({
      type: integer,
      nullable: true,
      range: range(0n, 20n),
    })
    // NULL adds nothing to the range.
    const some = domainOf(choice(integer, number(20n), literal({ kind: "null" }, integer)), columns)
    expect(some).toMatchObject({ nullable: true, range: range(20n, 20n) })
  })

  it("knows steps, shares and hashes", () => {
    const steps = domainOf(
      { kind: "steps", operand: column, grid: rational(1n), lower: -1n, upper: 4n, domain: lie },
      columns,
    )
    expect(steps).toEqual({ type: integer, nullable: true, range: range(-1n, 4n) })
    const share = domainOf(
      { kind: "share", sum: call("add", [column, number(5n)]), count: column, most: 3n, domain: lie },
      columns,
    )
    expect(share).toEqual({ type: integer, nullable: true, range: range(0n, 14n) })
    expect(domainOf({ kind: "keyed-hash", args: [column], domain: lie }, columns)).toEqual({
      type: { kind: "text" },
      nullable: false,
    })
  })

  it("stops where there is none", () => {
    expect(() => domainOf({ kind: "column", id: 2, domain: lie }, columns)).toThrow("in reach")
    expect(() => domainOf(call("lower", [column]), columns)).toThrow("has a result")
    expect(() =>
      domainOf(choice(integer, literal({ kind: "text", value: "a" }, { kind: "text" }), column), columns),
    ).toThrow("has a result")
    expect(() =>
      domainOf(
        {
          kind: "steps",
          operand: call("is-null", [column]),
          grid: rational(1n),
          lower: 0n,
          upper: 1n,
          domain: lie,
        },
        columns,
      ),
    ).toThrow("a number")
  })
})
