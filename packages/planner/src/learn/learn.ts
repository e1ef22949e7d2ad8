// Questions that learn the bounds of values before their own question is asked.

import { rational, type Rational } from "@dosimeter/core"
import type { AutoScope, LearntRange } from "@dosimeter/language/bind/scope/auto-value"
import { bind, type Bound } from "@dosimeter/language/bind/bind"
import { boundsQuestions } from "@dosimeter/language/bind/learn-bounds"
import { rangeOfCells } from "@dosimeter/language/bind/aggregates/size-grid"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import { planned, type CompileOptions, type Planned } from "../compile.ts"
import { parse } from "@dosimeter/language/parse/parse"

/** A value whose bounds can be learnt before its question is asked, by two questions about its rows. */
export interface LearnableValue {
  /** Where its aggregates stand in the SQL: what `ranges` goes by. */
  readonly places: readonly string[]
  readonly label: string
  /**
   * Placeholder bounds until some are learnt: a question that can be answered at all can be answered with
   * these.
   */
  readonly trial: LearntRange
  /** How many rows have it. */
  readonly rows: (ask: Ask) => Planned
  /** The cells of its size below which these fractions of its rows lie. */
  readonly sizes: (fractions: readonly [low: Rational, high: Rational], ask: Ask) => Planned
  /** The bounds that two such cells stand for. */
  readonly range: (low: bigint, high: bigint) => LearntRange
}

/**
 * The values of a statement whose bounds can be learnt: those without declared ones, or all. Whatever else is
 * wrong with it is said now, before anything is paid.
 */
export function learnableValues(
  sql: string,
  { scope, ...options }: CompileOptions & { readonly scope: AutoScope },
): readonly LearnableValue[] {
  const { grammar, catalog, parameters = [] } = options
  const { query } = parse(sql, grammar)
  const questions = boundsQuestions(query, { catalog, parameters, scope })
  const trial: LearntRange = { low: rational(0n), high: rational(1n) }
  const ranges = new Map(questions.flatMap(({ places }) => places.map((place) => [place, trial] as const)))
  planned(bind(query, { catalog, parameters, ranges }), options)
  const compiled = (bound: Bound, ask: Ask): Planned => planned(bound, { ...options, ask })
  // A WITH query that is used twice is bound twice, at the same places.
  const once = new Map(questions.map((value) => [value.places.join(), value]))
  return [...once.values()].map((value) => ({
    places: value.places,
    label: value.label,
    trial,
    rows: (ask) => compiled(value.rows, ask),
    sizes: ([low, high], ask) => compiled(value.sizes(low, high), { ...ask, quantileIntervals: false }),
    range: (low, high) => rangeOfCells(low, high, value.type),
  }))
}
