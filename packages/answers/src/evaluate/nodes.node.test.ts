// Every kind of node, alone and in generated trees: TypeScript and DuckDB give the same rows.

import { expect, test } from "vitest"
import { parseDecimal, rational } from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import type { FunctionName } from "@dosimeter/proof/functions/function-name"
import { resultOf } from "@dosimeter/proof/functions/results"
import { isNoResult } from "@dosimeter/proof/functions/no-result"
import type { ColumnExpr, Expr } from "@dosimeter/proof/algebra/expr"
import { aggregateDomain, windowDomain } from "@dosimeter/proof/algebra/item-domain"
import { columnExpr, integerLiteral } from "@dosimeter/proof/algebra/make"
import type {
  AggregateItem,
  Frame,
  FrameBound,
  Join,
  PlainAggregate,
  Rel,
  RelColumn,
  SortKey,
  WindowItem,
} from "@dosimeter/proof/algebra/rel"
import { openDuckdb } from "@dosimeter/proof/testing/two-databases"
import { differences } from "../testing/against-duckdb.ts"
import { Dice } from "@dosimeter/proof/testing/dice"

const connection = await openDuckdb()
const nothing: Constant = { kind: "null" }
const number = (value: string): Constant => ({ kind: "number", value: parseDecimal(value, "value") })
const text = (value: string): Constant => ({ kind: "text", value })
const truth = (nullable: boolean): Domain => ({ type: { kind: "boolean" }, nullable })

const whole: Domain = {
  type: { kind: "integer" },
  nullable: true,
  range: {
    min: { value: rational(-1000n), declared: true },
    max: { value: rational(1000n), declared: true },
  },
}
const price: Domain = { ...whole, type: { kind: "decimal", scale: 2 } }
const word: Domain = { type: { kind: "text" }, nullable: true }
const kinds = [
  { domain: whole, values: [nothing, ..."0 1 2 3 -1 7".split(" ").map(number)] },
  { domain: whole, values: [nothing, ..."0 1 2".split(" ").map(number)] },
  { domain: price, values: [nothing, ..."0.5 1 2.25 -3.75 99.99".split(" ").map(number)] },
  { domain: word, values: [nothing, ..."|a|A|é|'|😀".split("|").map(text)] },
  {
    domain: truth(true),
    values: [nothing, { kind: "boolean", value: true }, { kind: "boolean", value: false }],
  },
] as const

/** Makes relations; every column has its own number. */
class Maker {
  readonly dice: Dice
  #last = 0

  constructor(seed: string) {
    this.dice = new Dice(seed)
  }

  column(domain: Domain): RelColumn {
    this.#last += 1
    return { id: this.#last, name: `x${this.#last}`, domain }
  }

  values(): Rel {
    const columns = [this.column(whole), ...kinds.map(({ domain }) => this.column(domain))]
    const rows = Array.from({ length: this.dice.below(14) }, (_, index) => [
      number(`${index}`),
      ...kinds.map(({ values }) => this.dice.pick<Constant>(values)),
    ])
    return { kind: "values", columns, rows }
  }

  /** A relation with at least one column. */
  rel(depth: number): Rel {
    if (depth === 0) return this.values()
    const kind = this.dice.pick([
      "filter",
      "project",
      "join",
      "mark",
      "aggregate",
      "window",
      "union",
      "sort",
    ] as const)
    const input = this.rel(depth - 1)
    switch (kind) {
      case "filter":
        return { kind, input, condition: this.condition(input), columns: input.columns }
      case "project":
        return this.project(input)
      case "join":
        return this.join(input, this.dice.pick(["inner", "left", "right", "full"] as const))
      case "mark": {
        const right = this.values()
        const condition = this.joinCondition(input, right)
        return { kind, left: input, right, condition, columns: [...input.columns, this.column(truth(false))] }
      }
      case "aggregate":
        return this.aggregate(input)
      case "window":
        return this.window(input)
      case "union":
        return this.union(input)
      case "sort": {
        const limit = this.dice.chance(0.3) ? undefined : this.dice.pick([0n, 3n, 100n])
        const offset = this.dice.chance(0.5) ? undefined : 2n
        return { kind, input, orderBy: this.order(input), limit, offset, columns: input.columns }
      }
      default:
        return kind satisfies never
    }
  }

  any(rel: Rel, kind?: Domain["type"]["kind"]): ColumnExpr | undefined {
    const fitting = rel.columns.filter(({ domain }) => kind === undefined || domain.type.kind === kind)
    return fitting.length === 0 ? undefined : columnExpr(this.dice.pick(fitting))
  }

  condition(rel: Rel): Expr {
    const flag = this.any(rel, "boolean")
    if (flag !== undefined && this.dice.chance(0.3)) return flag
    const value = this.any(rel)
    if (value === undefined) return call("is-null", [integerLiteral(1n)])
    const other = this.any(rel, value.domain.type.kind) ?? value
    const name = this.dice.pick(["equal", "less", "greater-or-equal", "distinct-from", "not-equal"] as const)
    const compared = value.domain.type.kind === "null" ? call("is-null", [value]) : call(name, [value, other])
    return this.dice.chance(0.3) ? call("or", [compared, call("is-null", [value])]) : compared
  }

  project(input: Rel): Rel {
    const kept = input.columns.filter(() => this.dice.chance(0.7))
    const a = this.any(input, "integer") ?? integerLiteral(5n)
    const b = this.any(input, "integer") ?? integerLiteral(3n)
    const added: readonly Expr[] = [
      narrow(call("divide", [a, b])),
      narrow(call("add", [a, integerLiteral(1n)])),
      {
        kind: "case",
        branches: [{ when: this.condition(input), result: a }],
        otherwise: b,
        domain: a.domain.nullable ? a.domain : { ...a.domain, nullable: true },
      },
    ]
    const sameType = added.map((one) => (one.kind === "case" ? widest(one, [a, b]) : one))
    const items = [...kept.map(columnExpr), ...sameType]
    const columns = [...kept, ...sameType.map((item) => this.column(item.domain))]
    return { kind: "project", input, items, columns }
  }

  joinCondition(left: Rel, right: Rel): Expr | undefined {
    if (this.dice.chance(0.1)) return undefined
    const kind = this.dice.pick(["integer", "text", "decimal"] as const)
    const [a, b] = [this.any(left, kind), this.any(right, kind)]
    if (a === undefined || b === undefined) return undefined
    const equal = call("equal", this.dice.chance(0.5) ? [a, b] : [b, a])
    const [c, d] = [this.any(left, "integer"), this.any(right, "integer")]
    if (c === undefined || d === undefined || this.dice.chance(0.5)) return equal
    return call(this.dice.chance(0.2) ? "or" : "and", [equal, call("less-or-equal", [c, d])])
  }

  join(left: Rel, type: Join["type"]): Rel {
    const right = this.values()
    const condition = this.joinCondition(left, right)
    const nullable = (column: RelColumn): RelColumn => ({
      ...column,
      domain: { ...column.domain, nullable: true },
    })
    const columns = [...left.columns, ...right.columns].map(nullable)
    // A join without equality is left to small sides.
    return { kind: "join", type: condition === undefined ? "inner" : type, left, right, condition, columns }
  }

  aggregate(input: Rel): Rel {
    const keys = this.dice.some(input.columns, 0.3).slice(0, 2)
    const items = this.items(input)
    return {
      kind: "aggregate",
      input,
      keys: keys.map(({ id }) => id),
      items,
      columns: [...keys, ...items.map((item) => this.column(aggregateDomain(item)))],
    }
  }

  items(input: Rel): readonly (AggregateItem & { readonly function: PlainAggregate })[] {
    const names = ["count", "count-distinct", "min", "max"] as const
    const argument = this.any(input)
    const flag = this.any(input, "boolean")
    const summed = this.any(input, this.dice.pick(["integer", "decimal"] as const))
    return [
      { function: "rows", argument: undefined },
      ...(argument === undefined ? [] : [{ function: this.dice.pick(names), argument }]),
      ...(summed === undefined || !isSmall(summed.domain)
        ? []
        : [{ function: "sum" as const, argument: summed }]),
      ...(flag === undefined
        ? []
        : [{ function: this.dice.pick(["every", "some"] as const), argument: flag }]),
    ]
  }

  order(input: Rel): readonly SortKey[] {
    return this.dice
      .some(input.columns, 0.3)
      .slice(0, 2)
      .map((column) => ({
        value: columnExpr(column),
        direction: this.dice.pick(["ascending", "descending"] as const),
        nulls: this.dice.pick(["first", "last"] as const),
      }))
  }

  window(input: Rel): Rel {
    const items = Array.from({ length: 3 }, () => this.windowItem(input))
    return {
      kind: "window",
      input,
      items,
      columns: [...input.columns, ...items.map((item) => this.column(windowDomain(item)))],
    }
  }

  windowItem(input: Rel): WindowItem {
    const partitionBy = this.dice.some(input.columns, 0.2).slice(0, 2).map(columnExpr)
    const orderBy = this.order(input)
    const argument = this.any(input)
    const plain = ["row-number", "rank", "dense-rank"] as const
    if (argument === undefined || this.dice.chance(0.3)) {
      return { function: this.dice.pick(plain), args: [], partitionBy, orderBy, frame: undefined }
    }
    if (this.dice.chance(0.25)) {
      const offset = this.dice.pick([[], [integerLiteral(0n)], [integerLiteral(2n)]])
      return {
        function: this.dice.pick(["lag", "lead"] as const),
        args: [argument, ...offset],
        partitionBy,
        orderBy,
        frame: undefined,
      }
    }
    const frame = this.frame()
    if (this.dice.chance(0.3)) {
      return {
        function: this.dice.pick(["first-value", "last-value"] as const),
        args: [argument],
        partitionBy,
        orderBy,
        frame,
      }
    }
    const [item = { function: "rows" as const, argument: undefined }] = this.dice
      .shuffled(this.items(input))
      .filter(({ function: name }) => name !== "count-distinct")
    return {
      function: item.function,
      args: item.argument === undefined ? [] : [item.argument],
      partitionBy,
      orderBy,
      frame,
    }
  }

  frame(): Frame | undefined {
    if (this.dice.chance(0.2)) return undefined
    const mode = this.dice.pick(["rows", "range"] as const)
    const starts: readonly FrameBound[] = [{ kind: "unbounded-preceding" }, { kind: "current-row" }]
    const ends: readonly FrameBound[] = [{ kind: "unbounded-following" }, { kind: "current-row" }]
    if (mode === "range") return { mode, start: this.dice.pick(starts), end: this.dice.pick(ends) }
    const near: readonly FrameBound[] = [
      { kind: "preceding", offset: 2n },
      { kind: "preceding", offset: 1n },
      { kind: "following", offset: 1n },
      { kind: "following", offset: 3n },
    ]
    const at = this.dice.below(near.length)
    const pairs: readonly (readonly [FrameBound, FrameBound])[] = [
      [this.dice.pick(starts), this.dice.pick(ends)],
      [near[0] ?? { kind: "current-row" }, { kind: "current-row" }],
      [near[at] ?? { kind: "current-row" }, near[3] ?? { kind: "current-row" }],
      [{ kind: "unbounded-preceding" }, near[at] ?? { kind: "current-row" }],
    ]
    const [start, end] = this.dice.pick(pairs)
    return { mode, start, end }
  }

  union(input: Rel): Rel {
    const columns = input.columns.map(({ domain }) => this.column({ ...domain, nullable: true }))
    const second: Rel = { kind: "filter", input, condition: this.condition(input), columns: input.columns }
    return { kind: "union", inputs: [input, second], columns }
  }
}

function call(name: Exclude<FunctionName, "cast">, args: readonly Expr[]): Expr {
  const domain = resultOf(
    name,
    args.map((arg) => ({ domain: arg.domain, ...(arg.kind === "literal" ? { literal: arg.value } : {}) })),
  )
  if (isNoResult(domain)) throw new Error(domain.reason)
  return { kind: "call", name, args, domain }
}

/** Keeps numbers small enough to be added up again. */
function narrow(value: Expr): Expr {
  const bounds = [-1000n, 1000n].map((bound) => integerLiteral(bound))
  return isSmall(value.domain) ? value : call("clamp", [value, ...bounds])
}

function isSmall({ range }: Domain): boolean {
  return (
    range !== undefined &&
    [range.min, range.max].every(
      ({ value }) => value.numerator < 10n ** 12n && value.numerator > -(10n ** 12n),
    )
  )
}

function widest(expr: Expr, parts: readonly Expr[]): Expr {
  const { domain } = call("coalesce", parts)
  return { ...expr, domain: { ...domain, nullable: true } }
}

const seeds = Array.from({ length: 240 }, (_, index) => index)

test.each(seeds)("generated relation %i", async (seed) => {
  const rel = new Maker(`evaluate ${seed}`).rel(1 + (seed % 4))
  expect(await differences(connection, rel, { ordered: rel.kind === "sort", error: 0 })).toEqual([])
})

test("shares and steps", async () => {
  const maker = new Maker("steps")
  const input = maker.values()
  const [, number2 = input.columns[0], , decimal2] = input.columns
  if (number2 === undefined || decimal2 === undefined) throw new Error("there are columns")
  const columns = [number2, decimal2].map((column) => columnExpr(column))
  const items = columns.map((operand): Expr => ({
    kind: "steps",
    operand,
    grid: rational(1n, 2n),
    lower: -3n,
    upper: 5n,
    domain: {
      ...whole,
      range: { min: { value: rational(-3n), declared: true }, max: { value: rational(5n), declared: true } },
    },
  }))
  const rel: Rel = { kind: "project", input, items, columns: items.map(({ domain }) => maker.column(domain)) }
  expect(await differences(connection, rel)).toEqual([])
})
