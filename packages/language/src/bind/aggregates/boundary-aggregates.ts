// Aggregates over people, as they are written -> aggregates of a boundary. One is read from few: AVG from a
// sum and a count, VARIANCE from two sums and a count (the planner makes one vector of them), MIN from an
// extreme quantile.

import type { Span } from "@dosimeter/core"
import { multiply, rational, showRational, square, subtract, type Rational } from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { BoundaryAggregate, RelColumn } from "@dosimeter/proof/algebra/rel"
import { alsoWhere, floatLiteral, isPresent, makeCall, makeCase, nullLiteral } from "../exprs/build.ts"
import {
  failUnbounded,
  refuseDistinct,
  type Collector,
  type InputColumns,
  type Question,
  type Reading,
} from "./collector.ts"
import type { BindContext } from "../scope/context.ts"
import { failOverRows } from "../calls/estimate-calls.ts"
import { exprKey } from "../exprs/expr-key.ts"
import { gridOf, momentGrid, type Grid } from "./grid.ts"
import { countDomain, divisorDomain, momentDomain, sumDomain } from "./aggregate-domain.ts"
import { QuantileAggregates } from "./quantile-aggregates.ts"
import type { PrivateZone } from "../scope/relation.ts"

/** An aggregate with the columns that it gives. */
export interface AggregateColumns {
  readonly aggregate: BoundaryAggregate
  readonly columns: readonly RelColumn[]
}

/** Collects aggregates; what is asked twice is measured once. */
export class BoundaryAggregates implements Collector {
  readonly #context: BindContext
  readonly #zone: PrivateZone
  readonly #input: InputColumns
  readonly #aggregates = new Map<string, AggregateColumns>()
  readonly #quantiles: QuantileAggregates

  constructor(context: BindContext, zone: PrivateZone, input: InputColumns) {
    this.#context = context
    this.#zone = zone
    this.#input = input
    this.#quantiles = new QuantileAggregates(context, input)
  }

  /** All aggregates, in the order in which they were asked for; quantiles last. */
  get all(): readonly AggregateColumns[] {
    return [...this.#aggregates.values(), ...this.#quantiles.all]
  }

  add(question: Question): Reading {
    refuseDistinct(question)
    const { name } = question
    switch (name) {
      case "count":
        return this.#count(question)
      case "sum":
        return this.#total(question)
      case "avg":
        return this.#average(question)
      case "var-samp":
      case "var-pop":
      case "stddev-samp":
      case "stddev-pop":
        return this.#spread(question, name)
      case "min":
      case "max":
      case "median":
      case "percentile-cont":
      case "percentile-disc":
        return this.#quantiles.add(question)
      case "mode":
        return this.#mode(question)
      case "every":
      case "some": {
        const remedy = "count instead: COUNT(*) FILTER (WHERE ...), and compare the counts"
        return fail("sql/unsupported-syntax", { what: `${question.label} over people`, remedy }, question.at)
      }
      case "standardised-rate":
      case "log-rank":
      case "log-rank-p":
      case "hazard-ratio":
        return failOverRows(name.replaceAll("-", "_"), question.at)
      default:
        return name satisfies never
    }
  }

  #count(question: Question): Reading {
    const { value, filter, values } = question
    if (value === undefined || values === "all") {
      return readColumn(this.#rows(question, value === undefined ? filter : present(value, filter)))
    }
    if (value.kind === "column" && this.#zone.equal.has(value.id)) return this.#persons(question, filter)
    if (value.kind === "column" && this.#zone.maybe.has(value.id)) {
      return this.#persons(question, present(value, filter))
    }
    const read = this.#input.read(value, "value")
    const key = `distinct ${exprKey(read)}`
    const column = this.#aggregate(key, question, filter, (base) => ({
      aggregate: { kind: "distinct", value: read, ...base },
      columns: [this.#context.column("count", countDomain)],
    }))
    return readColumn(column)
  }

  #persons(question: Question, where: Expr | undefined): Reading {
    const column = this.#aggregate("persons", question, where, (base) => ({
      aggregate: { kind: "persons", ...base },
      columns: [this.#context.column("persons", countDomain)],
    }))
    return readColumn(column)
  }

  #rows(question: Question, where: Expr | undefined): RelColumn {
    return this.#aggregate("rows", question, where, (base) => ({
      aggregate: { kind: "rows", ...base },
      columns: [this.#context.column("rows", countDomain)],
    }))
  }

  #total(question: Question): Reading {
    const { value } = question
    if (value === undefined) return failNumber(question)
    return readColumn(this.#sum(question, value))
  }

  /** NULL where nobody is left to be averaged: the count is noisy, and may be 0 or less. */
  #average(question: Question): Reading {
    const { value, at } = question
    if (value === undefined) return failNumber(question)
    const { rows, sum, grid } = this.#moments(question, value)
    return (read) => {
      const mean = makeCall("divide", [read(sum), read(rows)], at)
      return whereMore(read(rows), 0n, withinFloats(mean, endsOf(grid), at))
    }
  }

  /** From sums of x - c and (x - c) squared, with c in the middle of the range: nothing large cancels out. */
  #spread(question: Question, name: "var-samp" | "var-pop" | "stddev-samp" | "stddev-pop"): Reading {
    const { value, at } = question
    if (value === undefined) return failNumber(question)
    const { rows, sum, grid } = this.#moments(question, value)
    const centre = (grid.lower + grid.upper) / 2n
    const squares = this.#moment(question, { value, grid, squaredFrom: centre })
    const call = (named: "divide" | "subtract" | "multiply", a: Expr, b: Expr): Expr =>
      makeCall(named, [a, b], at)
    return (read) => {
      const n = read(rows)
      const middle = floatLiteral(multiply(rational(centre), grid.grid))
      const mean = call("divide", call("subtract", read(sum), call("multiply", middle, n)), n)
      const raw = call("subtract", call("divide", read(squares), n), call("multiply", mean, mean))
      const { low, high } = endsOf(grid)
      const most = square(multiply(subtract(high, low), rational(1n, 2n)))
      const population = withinFloats(raw, { low: rational(0n), high: most }, at)
      const isSample = name.endsWith("samp")
      const less = call("subtract", n, floatLiteral(rational(1n)))
      const variance = isSample ? call("multiply", population, call("divide", n, less)) : population
      const result = name.startsWith("var") ? variance : makeCall("sqrt", [variance], at)
      return whereMore(n, isSample ? 1n : 0n, result)
    }
  }

  /** How many values there are and their sum: what means and variances begin with. */
  #moments(
    question: Question,
    value: Expr,
  ): { readonly rows: RelColumn; readonly sum: RelColumn; readonly grid: Grid } {
    const grid = momentGrid(this.#grid(question, value))
    const where = present(value, question.filter)
    const sum = this.#moment(question, { value, grid })
    const read = this.#input.read(value, "value")
    const rows = this.#aggregate(`divisor ${exprKey(read)}`, question, where, (base) => ({
      aggregate: { kind: "rows", divisorOf: read, ...base },
      columns: [this.#context.column("rows", divisorDomain)],
    }))
    return { rows, sum, grid }
  }

  #moment(
    question: Question,
    {
      value,
      grid: { grid, lower, upper },
      squaredFrom,
    }: { readonly value: Expr; readonly grid: Grid; readonly squaredFrom?: bigint },
  ): RelColumn {
    const read = this.#input.read(value, "value")
    const counted = { where: present(value, question.filter) }
    const isSquare = squaredFrom !== undefined
    const key = `${isSquare ? "squares" : "sum"} mean ${exprKey(read)} ${showRational(grid)}`
    const more = isSquare ? { squaredFrom } : {}
    return this.#aggregate(key, question, question.filter, (base) => ({
      aggregate: { kind: "sum", manner: "mean", value: read, grid, lower, upper, counted, ...more, ...base },
      columns: [
        this.#context.column(isSquare ? "squares" : "sum", momentDomain(grid, isSquare ? "squares" : "sum")),
      ],
    }))
  }

  #sum(question: Question, value: Expr): RelColumn {
    const { grid, lower, upper } = this.#grid(question, value)
    const read = this.#input.read(value, "value")
    const counted = { where: present(value, question.filter) }
    const key = `sum total ${exprKey(read)} ${showRational(grid)}`
    return this.#aggregate(key, question, question.filter, (base) => ({
      aggregate: { kind: "sum", manner: "total", value: read, grid, lower, upper, counted, ...base },
      columns: [this.#context.column("sum", sumDomain(value.domain, grid))],
    }))
  }

  #grid(question: Question, value: Expr): Grid {
    if (!["integer", "decimal", "float"].includes(value.domain.type.kind)) return failNumber(question)
    const found = gridOf(value.domain)
    if (found === "too-wide") return failUnbounded(this.#context, question, "too-wide")
    return found ?? failUnbounded(this.#context, question)
  }

  #mode(question: Question): Reading {
    const { value, valueAst, at } = question
    const values = value === undefined ? undefined : listedValues(value.domain)
    if (value === undefined || values === undefined || values.length === 0) {
      const remedy = "ask the owner to list its values, or take it of CASE WHEN ... THEN 'a' ELSE 'b' END"
      const what = `${question.label} of something without listed values`
      return fail("sql/unsupported-syntax", { what, remedy }, valueAst?.at ?? at)
    }
    const read = this.#input.read(value, "value")
    const domain: Domain = { ...value.domain, nullable: false, values }
    const column = this.#aggregate(`mode ${exprKey(read)}`, question, question.filter, (base) => ({
      aggregate: { kind: "mode", value: read, values, ...base },
      columns: [this.#context.column("mode", domain)],
    }))
    return readColumn(column)
  }

  #aggregate(
    key: string,
    { label, at }: Question,
    where: Expr | undefined,
    make: (base: Pick<BoundaryAggregate, "where" | "label" | "at">) => AggregateColumns,
  ): RelColumn {
    const read = where === undefined ? undefined : this.#input.read(where, "where")
    const whole = `${key} where ${read === undefined ? "" : exprKey(read)}`
    let found = this.#aggregates.get(whole)
    if (found === undefined) {
      found = make({ where: read, label, at })
      this.#aggregates.set(whole, found)
    }
    const [column] = found.columns
    return column ?? fail("bug/plan-rejected", { what: "an aggregate without a column" }, at)
  }
}

function readColumn(column: RelColumn): Reading {
  return (read) => read(column)
}

/** FILTER, and the value is not NULL. */
function present(value: Expr, filter: Expr | undefined): Expr | undefined {
  const there = isPresent(value)
  return there === undefined ? filter : alsoWhere(there, filter)
}

/** The least and greatest value of a grid. */
function endsOf({ grid, lower, upper }: Grid): { readonly low: Rational; readonly high: Rational } {
  return { low: multiply(rational(lower), grid), high: multiply(rational(upper), grid) }
}

/** Noise may carry a mean out of the range of its values; it does not leave it. */
function withinFloats(
  value: Expr,
  { low, high }: { readonly low: Rational; readonly high: Rational },
  at: Span,
): Expr {
  return makeCall("clamp", [value, floatLiteral(low), floatLiteral(high)], at)
}

/** A result where the noisy count is above some number, and NULL elsewhere. */
function whereMore(count: Expr, above: bigint, result: Expr): Expr {
  const when = makeCall("greater", [count, floatLiteral(rational(above))], undefined)
  return makeCase([{ when, result }], nullLiteral(result.domain.type), undefined)
}

/** Listed values, and both of a boolean. */
function listedValues({ type, values }: Domain): readonly Constant[] | undefined {
  if (values !== undefined || type.kind !== "boolean") return values
  return [
    { kind: "boolean", value: false },
    { kind: "boolean", value: true },
  ]
}

function failNumber({ label, at }: Question): never {
  const remedy = "give it a number; COUNT(x) counts values of any type"
  return fail("sql/type-mismatch", { reason: `${label} needs numbers`, remedy }, at)
}
