// Quantiles: MEDIAN, PERCENTILE, and MIN and MAX as extreme ones. All fractions of one value are one
// aggregate, a histogram with cells that the declared range fixes.

import {
  compare,
  divide,
  multiply,
  rational,
  showRational,
  subtract,
  type Rational,
} from "@dosimeter/core/exact"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { QuantileAggregate, RelColumn } from "@dosimeter/proof/algebra/rel"
import { makeCall, makeCast, makeLiteral, types } from "../exprs/build.ts"
import { failUnbounded, type InputColumns, type Question, type Reading } from "./collector.ts"
import type { BindContext } from "../scope/context.ts"
import { exprKey } from "../exprs/expr-key.ts"
import { declaredRange } from "./grid.ts"
import { quantileDomain } from "./aggregate-domain.ts"

/** The most cells of a histogram. */
const cellsMax = 65_536n
/** MIN and MAX cannot be released: one person decides them. These can. */
const extremes = { min: rational(1n, 200n), max: rational(199n, 200n) } as const

interface Cells {
  readonly from: Rational
  readonly width: Rational
  readonly cells: bigint
  readonly cellValue: QuantileAggregate["cellValue"]
}

interface Entry {
  readonly base: Omit<QuantileAggregate, "fractions">
  readonly domain: Domain
  readonly columns: Map<string, { readonly fraction: Rational; readonly column: RelColumn }>
}

/** Collects quantiles. */
export class QuantileAggregates {
  readonly #context: BindContext
  readonly #input: InputColumns
  readonly #entries = new Map<string, Entry>()

  constructor(context: BindContext, input: InputColumns) {
    this.#context = context
    this.#input = input
  }

  /** All aggregates, each with one column for each fraction, growing. */
  get all(): readonly { readonly aggregate: QuantileAggregate; readonly columns: readonly RelColumn[] }[] {
    return [...this.#entries.values()].map(({ base, columns }) => {
      const sorted = [...columns.values()].toSorted((a, b) => compare(a.fraction, b.fraction))
      return {
        aggregate: { ...base, fractions: sorted.map(({ fraction }) => fraction) },
        columns: sorted.map(({ column }) => column),
      }
    })
  }

  add(question: Question): Reading {
    const { value, valueAst, at } = question
    if (value === undefined)
      return fail("sql/wrong-count", { what: `${question.label} needs a value`, remedy: "name a column" }, at)
    const fraction = this.#fraction(question)
    const { kind } = value.domain.type
    if (kind === "date") return this.#ofDate(question, value, fraction)
    if (kind !== "integer" && kind !== "decimal" && kind !== "float") {
      const remedy =
        kind === "timestamp"
          ? "take it of the day: CAST(x AS date)"
          : "give it a number or a date, or COUNT by it"
      const reason = `${question.label} of ${kind} over people is not possible`
      return fail("sql/type-mismatch", { reason, remedy }, valueAst?.at ?? at)
    }
    const column = this.#column(question, value, fraction)
    const isExact = question.name === "percentile-disc" || question.name === "min" || question.name === "max"
    return (read) => makeCast(read(column), isExact ? value.domain.type : types.float, at)
  }

  /** In days since 1970, and back. */
  #ofDate(question: Question, value: Expr, fraction: Rational): Reading {
    const { at } = question
    const epoch = makeLiteral({ kind: "date", day: 0n }, types.date)
    const days = makeCall("days-between", [value, epoch], at)
    const column = this.#column(question, days, fraction)
    return (read) =>
      makeCall("add-days", [epoch, makeCast(makeCall("floor", [read(column)], at), types.integer, at)], at)
  }

  #column(question: Question, value: Expr, fraction: Rational): RelColumn {
    const { filter, label, at } = question
    const cells = cellsOf(value.domain)
    if (cells === undefined) return failUnbounded(this.#context, question)
    const read = this.#input.read(value, "value")
    const where = filter === undefined ? undefined : this.#input.read(filter, "where")
    const key = `${exprKey(read)} where ${where === undefined ? "" : exprKey(where)}`
    let entry = this.#entries.get(key)
    if (entry === undefined) {
      const domain = quantileDomain(cells.cellValue === "start" ? value.domain.type : types.float, cells)
      entry = {
        base: { kind: "quantile", value: read, ...cells, where, label, at },
        domain,
        columns: new Map(),
      }
      this.#entries.set(key, entry)
    }
    const before = entry.columns.get(showRational(fraction))
    if (before !== undefined) return before.column
    const column = this.#context.column("quantile", entry.domain)
    entry.columns.set(showRational(fraction), { fraction, column })
    return column
  }

  #fraction({ name, fraction, label, at }: Question): Rational {
    if (name === "min" || name === "max") {
      const which = name === "min" ? "0.5 %" : "99.5 %"
      this.#context.note(`${label} is the ${which} quantile: an extreme value would show one person's`)
      return extremes[name]
    }
    if (name === "median") return rational(1n, 2n)
    const value =
      fraction?.kind === "literal" && fraction.value.kind === "number" ? fraction.value.value : undefined
    const inside = value !== undefined && value.numerator > 0n && value.numerator < value.denominator
    if (value === undefined || !inside) {
      const reason = `the fraction of ${label} is not a constant between 0 and 1`
      return fail("sql/type-mismatch", { reason, remedy: "write a number such as 0.5" }, at)
    }
    return value
  }
}

/** One cell a step where there are few steps, else equal cells; nothing without a declared range. */
export function cellsOf(domain: Domain): Cells | undefined {
  const range = declaredRange(domain)
  if (range === undefined) return undefined
  const from = range.min.value
  const span = subtract(range.max.value, from)
  const step = domain.type.kind === "decimal" ? rational(1n, 10n ** BigInt(domain.type.scale)) : rational(1n)
  const steps = divide(span, step)
  if (domain.type.kind !== "float" && steps.denominator === 1n && steps.numerator < cellsMax) {
    return { from, width: step, cells: steps.numerator + 1n, cellValue: "start" }
  }
  if (span.numerator <= 0n) return { from, width: step, cells: 1n, cellValue: "start" }
  return { from, width: multiply(span, rational(1n, cellsMax)), cells: cellsMax, cellValue: "middle" }
}
