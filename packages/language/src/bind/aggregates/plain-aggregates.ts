// Aggregates of rows that belong to one unit, to nobody, or to a release: exact, and the same whatever order
// the rows come in. Floats are added up in steps.

import type { Rational } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { aggregateResult } from "@dosimeter/proof/algebra/item-domain"
import { stepsExpr } from "@dosimeter/proof/algebra/make"
import type { AggregateItem, EstimateAggregate, RelColumn } from "@dosimeter/proof/algebra/rel"
import { writtenExpression } from "../calls/ast-parts.ts"
import {
  floatLiteral,
  held,
  makeCall,
  makeCase,
  makeCast,
  nullLiteral,
  numberLiteral,
  types,
  wholeLiteral,
} from "../exprs/build.ts"
import { toBoolean } from "../exprs/coerce.ts"
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
import { declaredRange, floatSteps, gridOf } from "./grid.ts"

/** An aggregate with its column. */
export interface PlainItem {
  readonly item: AggregateItem
  readonly column: RelColumn
}

/** Where the rows come from: those of people have coarse steps, everything else fine ones. */
export type PlainZone = "private" | "other"

/** Collects aggregates for an Aggregate node, or for a window. */
export class PlainAggregates implements Collector {
  readonly #context: BindContext
  readonly #zone: PlainZone
  readonly #input: InputColumns | undefined
  readonly #items = new Map<string, PlainItem>()

  /** Arguments are columns of `input`, if there is one. */
  constructor(context: BindContext, zone: PlainZone, input?: InputColumns) {
    this.#context = context
    this.#zone = zone
    this.#input = input
  }

  get items(): readonly PlainItem[] {
    return [...this.#items.values()]
  }

  add(question: Question): Reading {
    refuseDistinct(question)
    const { name, value, at } = question
    switch (name) {
      case "count":
        return this.#count(question)
      case "sum":
        return this.#sum(question)
      case "avg":
        return this.#average(question)
      case "min":
      case "max": {
        const column = this.#column({ function: name, argument: chosen(question) }, question)
        return (read) => read(column)
      }
      case "every":
      case "some": {
        const condition = value === undefined ? undefined : toBoolean(value, at, name.toUpperCase())
        const column = this.#column(
          { function: name, argument: chosen({ ...question, value: condition }) },
          question,
        )
        return (read) => read(column)
      }
      case "var-samp":
      case "var-pop":
      case "stddev-samp":
      case "stddev-pop":
      case "median":
      case "percentile-cont":
      case "percentile-disc":
      case "mode": {
        const remedy = "use COUNT, SUM, AVG, MIN or MAX here; the others are for groups of people"
        return fail("sql/unsupported-syntax", { what: `${question.label} over these rows`, remedy }, at)
      }
      case "standardised-rate":
      case "log-rank":
      case "log-rank-p":
      case "hazard-ratio":
        return this.#estimate(question, name)
      default:
        return name satisfies never
    }
  }

  /** Counts are 0, not NULL, where there are no rows. */
  isCount(column: RelColumn): boolean {
    const item = this.items.find((one) => one.column.id === column.id)?.item.function
    return item === "rows" || item === "count" || item === "count-distinct"
  }

  #count(question: Question): Reading {
    const { value, filter, values } = question
    if (value !== undefined && values === "distinct") {
      const distinct = this.#column({ function: "count-distinct", argument: chosen(question) }, question)
      return (read) => read(distinct)
    }
    const isAll = filter === undefined && (value === undefined || !value.domain.nullable)
    const argument = isAll ? undefined : chosen({ ...question, value: value ?? wholeLiteral(1n) })
    const column = this.#column({ function: isAll ? "rows" : "count", argument }, question)
    return (read) => read(column)
  }

  #sum(question: Question): Reading {
    const { value, at } = question
    const { type } = value?.domain ?? { type: types.null }
    if (value === undefined || !["integer", "decimal", "float"].includes(type.kind))
      return failNumber(question)
    if (type.kind !== "float") {
      const column = this.#column({ function: "sum", argument: chosen(question) }, question)
      return (read) => read(column)
    }
    const bits = this.#zone === "private" ? floatSteps.coarse : floatSteps.fine
    const found = gridOf(value.domain, bits)
    if (found === undefined || found === "too-wide") {
      return this.#zone === "private" ? failUnbounded(this.#context, question) : failFloat(question)
    }
    const steps = stepsExpr(value, found.grid, { lower: found.lower, upper: found.upper })
    const column = this.#column(
      { function: "sum", argument: chosen({ ...question, value: steps }) },
      question,
    )
    return (read) => makeCast(timesGrid(read(column), found.grid), types.float, at)
  }

  /** As a float. Between the bounds of what is averaged, where it has some. */
  #average(question: Question): Reading {
    const { value, at } = question
    const sum = this.#sum(question)
    const count = this.#count({ ...question, values: "all" })
    const range = value === undefined ? undefined : declaredRange(value.domain)
    return (read) => {
      const mean = makeCall(
        "divide",
        [makeCast(sum(read), types.float, at), makeCast(count(read), types.float, at)],
        at,
      )
      if (range === undefined) return mean
      return makeCall("clamp", [mean, floatLiteral(range.min.value), floatLiteral(range.max.value)], at)
    }
  }

  /** Several columns side by side; FILTER leaves a row out by its first number. */
  #estimate(question: Question, name: EstimateAggregate): Reading {
    const { value, at } = question
    if (this.#zone === "private") return failOverRows(name.replaceAll("-", "_"), at)
    const parts = value?.kind === "call" ? value.args : []
    const read = parts.map((part, index) => {
      const own = index === 0 ? (chosen({ ...question, value: part }) ?? part) : part
      return own.kind === "literal" ? own : (this.#input?.read(own, name) ?? own)
    })
    const column = this.#add({ function: name, argument: makeCall("row-of", read, at) }, question)
    return (take) => take(column)
  }

  #column({ function: name, argument }: AggregateItem, question: Question): RelColumn {
    const read =
      argument === undefined ? undefined : (this.#input?.read(argument, shownName(name)) ?? argument)
    return this.#add({ function: name, argument: read }, question)
  }

  #add(item: AggregateItem, { at }: Question): RelColumn {
    const key = `${item.function}(${item.argument === undefined ? "" : exprKey(item.argument)})`
    const before = this.#items.get(key)
    if (before !== undefined) return before.column
    const column = this.#context.column(shownName(item.function), held(aggregateResult(item), at))
    this.#items.set(key, { item, column })
    return column
  }
}

function shownName(name: AggregateItem["function"]): string {
  return name === "rows" || name === "count-distinct" ? "count" : name
}

/** The value where FILTER is true, and NULL, which counts for nothing, elsewhere. */
function chosen({ value, filter, at }: Question): Expr | undefined {
  if (value === undefined || filter === undefined) return value
  return makeCase([{ when: filter, result: value }], nullLiteral(value.domain.type), at)
}

/** A sum of floats depends on the order of rows, so it is taken in steps, and they need bounds. */
function failFloat({ label, valueAst, at }: Question): never {
  const value = valueAst === undefined ? "x" : writtenExpression(valueAst)
  const remedy = `add up CLAMP(${value}, 0, 500) with bounds that fit, or CAST(${value} AS numeric(12, 2))`
  return fail("sql/unsupported-syntax", { what: `${label} of a float without bounds`, remedy }, at)
}

function failNumber({ label, at }: Question): never {
  const remedy = "give it a number; COUNT(x) counts values of any type"
  return fail("sql/type-mismatch", { reason: `${label} needs numbers`, remedy }, at)
}

/** Steps as the numbers that they stand for. */
export function timesGrid(steps: Expr, grid: Rational): Expr {
  if (grid.numerator === 1n && grid.denominator === 1n) return steps
  const exact = numberLiteral(grid)
  if (exact.domain.type.kind !== "float") return makeCall("multiply", [steps, exact], undefined)
  return makeCall("multiply", [makeCast(steps, types.float, undefined), floatLiteral(grid)], undefined)
}
