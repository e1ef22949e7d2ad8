// From SQL text to a proven plan. Reads no data, runs anywhere.

import type { PreparedTable } from "./analyze/prepared-table.ts"
import { rational, type Rational } from "@dosimeter/core"
import type { AutoScope, LearntRange } from "./bind/auto-value.ts"
import { bind, type Bound } from "./bind/bind.ts"
import { boundsQuestions } from "./bind/learn-bounds.ts"
import { rangeOfCells } from "./bind/size-grid.ts"
import type { Catalog } from "./catalog/catalog.ts"
import type { Constant } from "./catalog/constant.ts"
import type { Dialect } from "./catalog/functions/definition.ts"
import type { Ask, Terms } from "./catalog/terms.ts"
import type { VerifiedPlan } from "./ir/release-plan.ts"
import type { Grammar } from "./parse/grammar.ts"
import { parse } from "./parse/parse.ts"
import { plan } from "./plan/plan.ts"
import { boundariesOf } from "./plan/replace-boundaries.ts"
import { printRel, type SqlText } from "./print/print.ts"
import { meaningsOf, type Meaning } from "./reuse/meaning.ts"
import { verify } from "./verify/verify.ts"

/** What a question is compiled against. */
export interface CompileOptions {
  readonly grammar: Grammar
  readonly catalog: Catalog
  readonly terms: Terms
  /**
   * What the analyst wants to spend and how people are bounded; the owner's defaults where nothing is said.
   */
  readonly ask?: Ask
  /** The values of $1, $2, ... */
  readonly parameters?: readonly Constant[]
  /** Prepared copies that may be read: made of the version of the data that the question is about. */
  readonly prepared?: readonly PreparedTable[]
  /** Bounds that were learnt, by the place of their aggregate in the SQL. */
  readonly ranges?: ReadonlyMap<string, LearntRange>
}

/** A compiled question. */
export interface Compiled {
  /** Whether EXPLAIN stood before it: then nothing is to be run. */
  readonly isExplain: boolean
  readonly plan: VerifiedPlan
  /** What each release measures, so that it can be held against earlier ones. */
  readonly meanings: readonly (Meaning | undefined)[]
}

/**
 * Compiles one statement, or throws a DosimeterError that says what cannot be proven and what to
 * write.
 */
export function compile(sql: string, options: CompileOptions): Compiled {
  const { grammar, catalog, parameters = [], ranges } = options
  const statement = parse(sql, grammar)
  const bound = bind(statement.query, { catalog, parameters, ...(ranges === undefined ? {} : { ranges }) })
  return { isExplain: statement.kind === "explain", ...planned(bound, options) }
}

function planned(bound: Bound, options: CompileOptions): Omit<Compiled, "isExplain"> {
  const { catalog, terms, ask = {}, prepared = [] } = options
  const proposed = plan(bound, { catalog, terms, ask, prepared })
  const meanings = meaningsOf(boundariesOf(bound.rel), proposed.releases)
  return { plan: verify(proposed, catalog, prepared), meanings }
}

/** A value whose bounds can be learnt before its question is asked, by two questions about its rows. */
export interface LearnableValue {
  /** Where its aggregates stand in the SQL: what `ranges` goes by. */
  readonly places: readonly string[]
  readonly label: string
  /** How many rows have it. */
  readonly rows: (ask: Ask) => Compiled
  /** The cells of its size below which these fractions of its rows lie. */
  readonly sizes: (fractions: readonly [low: Rational, high: Rational], ask: Ask) => Compiled
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
  const statement = parse(sql, grammar)
  const questions = boundsQuestions(statement.query, { catalog, parameters, scope })
  const some: LearntRange = { low: rational(0n), high: rational(1n) }
  const ranges = new Map(questions.flatMap(({ places }) => places.map((place) => [place, some] as const)))
  planned(bind(statement.query, { catalog, parameters, ranges }), options)
  const isExplain = statement.kind === "explain"
  const compiled = (bound: Bound, ask: Ask): Compiled => ({
    isExplain,
    ...planned(bound, { ...options, ask }),
  })
  // A WITH query that is used twice is bound twice, at the same places.
  const once = new Map(questions.map((value) => [value.places.join(), value]))
  return [...once.values()].map((value) => ({
    places: value.places,
    label: value.label,
    rows: (ask) => compiled(value.rows, ask),
    sizes: ([low, high], ask) => compiled(value.sizes(low, high), { ...ask, quantileIntervals: false }),
    range: (low, high) => rangeOfCells(low, high, value.type),
  }))
}

/** The SQL of every table that a plan reads, in order: releases, and their extracts. */
export function printPlan(proven: VerifiedPlan, dialect: Dialect): readonly SqlText[] {
  return proven.releases.flatMap(({ extracts }) => extracts.map(({ rel }) => printRel(rel, dialect)))
}
