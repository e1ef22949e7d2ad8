// Values whose bounds are to be learnt: in a first pass each gets an aggregate of its size on a public
// logarithmic grid, in a second the bounds that were learnt.

import { rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { AutoValue, LearntRange } from "../scope/auto-value.ts"
import {
  alsoWhere,
  isPresent,
  makeCall,
  makeCase,
  makeCast,
  numberLiteral,
  types,
  wholeLiteral,
} from "../exprs/build.ts"
import type { InputColumns, Question } from "./collector.ts"
import type { BindContext } from "../scope/context.ts"
import { exprKey } from "../exprs/expr-key.ts"
import { declaredRange } from "./grid.ts"
import { perSign, sizeCells, sizeGrid } from "./size-grid.ts"
import { countDomain, quantileDomain } from "./aggregate-domain.ts"

const bounded = new Set<Question["name"]>([
  "sum",
  "avg",
  "var-samp",
  "var-pop",
  "stddev-samp",
  "stddev-pop",
  "min",
  "max",
  "median",
  "percentile-cont",
  "percentile-disc",
])

/** Finds such values among the aggregates of one boundary. */
export class AutoValues {
  readonly #context: BindContext
  readonly #input: InputColumns
  readonly #found = new Map<string, AutoValue>()

  constructor(context: BindContext, input: InputColumns) {
    this.#context = context
    this.#input = input
  }

  /** What was found in this pass. */
  get found(): readonly AutoValue[] {
    return [...this.#found.values()]
  }

  /** The same question about a value inside bounds, where those are learnt; else the question as it is. */
  bounded(question: Question): Question {
    const { value, at, name } = question
    const { bounds } = this.#context
    if (bounds === undefined || value === undefined || !bounded.has(name)) return question
    const { kind } = value.domain.type
    if (kind !== "integer" && kind !== "decimal" && kind !== "float") return question
    const place = placeOf(question)
    if (bounds.kind === "learnt") {
      const range = bounds.ranges.get(place)
      return range === undefined ? question : { ...question, value: clamped(value, range, at) }
    }
    if (bounds.scope !== "all" && declaredRange(value.domain) !== undefined) return question
    if (bounds.scope === "policy" && value.domain.autoBounds !== true) return question
    this.#learn(question, value, place)
    // Placeholder bounds: nothing is asked in this pass.
    return { ...question, value: clamped(value, { low: rational(0n), high: rational(1n) }, at) }
  }

  #learn(question: Question, value: Expr, place: string): void {
    const { label, filter, at } = question
    const there = isPresent(value)
    const where = there === undefined ? filter : alsoWhere(there, filter)
    const key = `${exprKey(value)} where ${where === undefined ? "" : exprKey(where)}`
    const before = this.#found.get(key)
    if (before !== undefined) {
      this.#found.set(key, { ...before, places: [...before.places, place] })
      return
    }
    const base = { where: where === undefined ? undefined : this.#input.read(where, "where"), label, at }
    const cells = { from: rational(0n), width: rational(1n), cells: sizeCells, cellValue: "start" } as const
    const domain = quantileDomain(types.integer, cells)
    this.#found.set(key, {
      places: [place],
      label,
      type: value.domain.type,
      rows: { kind: "rows", ...base },
      rowsColumn: this.#context.column("rows", countDomain),
      sizes: {
        kind: "quantile",
        value: this.#input.read(sizeOf(value), "size"),
        fractions: [rational(1n, 4n), rational(3n, 4n)],
        ...cells,
        ...base,
      },
      sizeColumns: [this.#context.column("low", domain), this.#context.column("high", domain)],
    })
  }
}

function placeOf({ at }: Question): string {
  return `${at.start}:${at.end}`
}

function clamped(value: Expr, { low, high }: LearntRange, at: Question["at"]): Expr {
  const { type } = value.domain
  const end = (bound: Rational): Expr => makeCast(numberLiteral(bound), type, at)
  return makeCall("clamp", [value, end(low), end(high)], at)
}

/** The cell of a value on the grid: a function of the value alone, however a logarithm is rounded. */
function sizeOf(value: Expr): Expr {
  const at = undefined
  const x = makeCast(value, types.float, at)
  const zero = makeCast(wholeLiteral(0n), types.float, at)
  const steps = makeCast(
    numberLiteral(rationalOfNumber(Number(sizeGrid.perOctave) / Math.LN2)),
    types.float,
    at,
  )
  const log = makeCall("multiply", [makeCall("ln", [makeCall("abs", [x], at)], at), steps], at)
  const first = sizeGrid.least * sizeGrid.perOctave
  const index = makeCall(
    "clamp",
    [
      makeCast(makeCall("floor", [log], at), types.integer, at),
      wholeLiteral(first),
      wholeLiteral(first + perSign - 1n),
    ],
    at,
  )
  const positive = makeCall("add", [index, wholeLiteral(perSign + 1n - first)], at)
  const negative = makeCall("subtract", [wholeLiteral(perSign - 1n + first), index], at)
  const cell = makeCase(
    [
      { when: makeCall("greater", [x, zero], at), result: positive },
      { when: makeCall("less", [x, zero], at), result: negative },
    ],
    wholeLiteral(perSign),
    at,
  )
  return makeCall("clamp", [cell, wholeLiteral(0n), wholeLiteral(sizeCells - 1n)], at)
}
