// What people call functions -> our names. One line a spelling.

import type { FunctionName } from "@dosimeter/proof/functions/function-name"
import type { EstimateAggregate } from "@dosimeter/proof/algebra/rel"

/** A function that takes its arguments as they are written. */
export interface PlainFunction {
  readonly name: FunctionName
  readonly least: number
  readonly most: number
  /** Arguments must be brought to one type, as for COALESCE. */
  readonly together?: true
}

const many = 100

/** Functions whose arguments are ours in the same order. */
export const plainFunctions: Readonly<Record<string, PlainFunction>> = {
  coalesce: { name: "coalesce", least: 1, most: many, together: true },
  ifnull: { name: "coalesce", least: 2, most: 2, together: true },
  nvl: { name: "coalesce", least: 2, most: 2, together: true },
  nullif: { name: "nullif", least: 2, most: 2, together: true },
  greatest: { name: "greatest", least: 1, most: many, together: true },
  least: { name: "least", least: 1, most: many, together: true },
  clamp: { name: "clamp", least: 3, most: 3, together: true },
  abs: { name: "abs", least: 1, most: 1 },
  sign: { name: "sign", least: 1, most: 1 },
  round: { name: "round", least: 1, most: 2 },
  floor: { name: "floor", least: 1, most: 1 },
  ceil: { name: "ceil", least: 1, most: 1 },
  ceiling: { name: "ceil", least: 1, most: 1 },
  trunc: { name: "trunc", least: 1, most: 2 },
  truncate: { name: "trunc", least: 1, most: 2 },
  sqrt: { name: "sqrt", least: 1, most: 1 },
  exp: { name: "exp", least: 1, most: 1 },
  ln: { name: "ln", least: 1, most: 1 },
  log10: { name: "log10", least: 1, most: 1 },
  power: { name: "power", least: 2, most: 2 },
  pow: { name: "power", least: 2, most: 2 },
  mod: { name: "modulo", least: 2, most: 2 },
  lower: { name: "lower", least: 1, most: 1 },
  lcase: { name: "lower", least: 1, most: 1 },
  upper: { name: "upper", least: 1, most: 1 },
  ucase: { name: "upper", least: 1, most: 1 },
  length: { name: "length", least: 1, most: 1 },
  len: { name: "length", least: 1, most: 1 },
  char_length: { name: "length", least: 1, most: 1 },
  character_length: { name: "length", least: 1, most: 1 },
  btrim: { name: "trim", least: 1, most: 2 },
  trim: { name: "trim", least: 1, most: 2 },
  ltrim: { name: "trim-start", least: 1, most: 2 },
  rtrim: { name: "trim-end", least: 1, most: 2 },
  substring: { name: "substring", least: 2, most: 3 },
  substr: { name: "substring", least: 2, most: 3 },
  left: { name: "left", least: 2, most: 2 },
  right: { name: "right", least: 2, most: 2 },
  position: { name: "position", least: 2, most: 2 },
  strpos: { name: "position", least: 2, most: 2 },
  instr: { name: "position", least: 2, most: 2 },
  replace: { name: "replace", least: 3, most: 3 },
  starts_with: { name: "starts-with", least: 2, most: 2 },
  date_trunc: { name: "date-trunc", least: 2, most: 2 },
  rate_per: { name: "rate-per", least: 2, most: 3 },
  incidence_rate: { name: "rate-per", least: 2, most: 3 },
  risk: { name: "risk", least: 2, most: 2 },
  prevalence: { name: "risk", least: 2, most: 2 },
  risk_ratio: { name: "risk-ratio", least: 4, most: 4 },
  risk_difference: { name: "risk-difference", least: 4, most: 4 },
  rate_ratio: { name: "rate-ratio", least: 4, most: 4 },
  rate_difference: { name: "rate-difference", least: 4, most: 4 },
  odds_ratio: { name: "odds-ratio", least: 4, most: 4 },
}

/** Functions that bind-call.ts turns into others. */
export const specialFunctions: readonly string[] = [
  "extract",
  "date_part",
  "year",
  "quarter",
  "month",
  "day",
  "age",
  "ancestor",
  "concat",
  "log",
  "date_diff",
  "datediff",
  "dateadd",
  "if",
  "iff",
  "date",
]

/** Functions of the clock. */
export const clockFunctions: ReadonlySet<string> = new Set([
  "current_date",
  "current_time",
  "current_timestamp",
  "localtime",
  "localtimestamp",
  "now",
  "today",
  "getdate",
  "clock_timestamp",
  "statement_timestamp",
  "transaction_timestamp",
  "timeofday",
])

/** Functions that give another value each time, or depend on who asks. */
export const volatileFunctions: ReadonlySet<string> = new Set([
  "random",
  "rand",
  "setseed",
  "gen_random_uuid",
  "uuid",
  "nextval",
  "currval",
  "lastval",
  "pg_sleep",
  "txid_current",
  "version",
])

/** What aggregates ask for, by all their names. */
export type AggregateName =
  | "count"
  | "sum"
  | "avg"
  | "min"
  | "max"
  | "every"
  | "some"
  | "var-samp"
  | "var-pop"
  | "stddev-samp"
  | "stddev-pop"
  | "median"
  | "percentile-cont"
  | "percentile-disc"
  | "mode"
  | EstimateAggregate

/** BoundaryAggregates by name. */
export const aggregateNames: Readonly<Record<string, AggregateName>> = {
  count: "count",
  count_if: "count",
  countif: "count",
  sum: "sum",
  avg: "avg",
  mean: "avg",
  min: "min",
  max: "max",
  bool_and: "every",
  every: "every",
  bool_or: "some",
  variance: "var-samp",
  var_samp: "var-samp",
  var_pop: "var-pop",
  stddev: "stddev-samp",
  stddev_samp: "stddev-samp",
  stddev_pop: "stddev-pop",
  median: "median",
  percentile_cont: "percentile-cont",
  percentile_disc: "percentile-disc",
  quantile_cont: "percentile-cont",
  quantile_disc: "percentile-disc",
  quantile: "percentile-disc",
  mode: "mode",
  standardised_rate: "standardised-rate",
  standardized_rate: "standardised-rate",
  log_rank: "log-rank",
  log_rank_p: "log-rank-p",
  hazard_ratio: "hazard-ratio",
}

/** Whether a function is an aggregate. */
export function isAggregateName(name: string): boolean {
  return Object.hasOwn(aggregateNames, name)
}

/** Functions that need OVER, by name. */
export const windowNames: Readonly<
  Record<string, "row-number" | "rank" | "dense-rank" | "lag" | "lead" | "first-value" | "last-value">
> = {
  row_number: "row-number",
  rank: "rank",
  dense_rank: "dense-rank",
  lag: "lag",
  lead: "lead",
  first_value: "first-value",
  last_value: "last-value",
}

/** Functions over time bins that need OVER (ORDER BY bin), over results only. */
export const survivalNames: readonly string[] = ["kaplan_meier", "at_risk"]

/** PostgreSQL's other aggregates and windows: known, and not supported. */
export const refusedAggregates: Readonly<Record<string, string>> = {
  array_agg: "count or average instead: an array of values would be the rows themselves",
  list: "count or average instead: a list of values would be the rows themselves",
  string_agg: "count or average instead: a text of all values would be the rows themselves",
  json_agg: "count or average instead: all values would be the rows themselves",
  jsonb_agg: "count or average instead: all values would be the rows themselves",
  corr: "release SUM(x * y), SUM(x), SUM(y) and COUNT(*), and compute it from them",
  covar_pop: "release SUM(x * y), SUM(x), SUM(y) and COUNT(*), and compute it from them",
  covar_samp: "release SUM(x * y), SUM(x), SUM(y) and COUNT(*), and compute it from them",
  regr_slope: "release SUM(x * y), SUM(x), SUM(y) and COUNT(*), and compute it from them",
  any_value: "use MIN or MAX, or group by it",
  approx_count_distinct: "write COUNT(DISTINCT x)",
  ntile: "use ROW_NUMBER() and arithmetic",
  percent_rank: "use RANK() and COUNT(*) OVER (...)",
  cume_dist: "use RANK() and COUNT(*) OVER (...)",
  nth_value: "use ROW_NUMBER() in a subquery, and filter",
}

/** Every name, for "perhaps ...". */
export function allFunctionNames(): readonly string[] {
  return [plainFunctions, aggregateNames, windowNames]
    .flatMap((table) => Object.keys(table))
    .concat(specialFunctions, survivalNames)
}
