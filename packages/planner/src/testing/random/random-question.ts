// Generated questions: aggregates over people of all kinds, with keys, filters and post-processing.

import { Dice } from "@dosimeter/proof/testing/dice"
import type { ColumnKind } from "@dosimeter/proof/testing/hostile-values"
import { ExpressionMaker, type Scope } from "./random-expression.ts"
import { SourceMaker } from "./random-source.ts"
import type { TestDataset } from "./random-tables.ts"

/** The question of a seed over a dataset, in SQL. */
export function randomQuestion(dataset: TestDataset, seed: string): string {
  const dice = new Dice(seed)
  const sources = new SourceMaker(dice, dataset)
  const body = dice.chance(0.85) ? aggregated(sources, dice) : several(sources, dice)
  const items = sources.withItems
  return items.length === 0 ? body : `WITH ${items.join(", ")} ${body}`
}

function aggregated(sources: SourceMaker, dice: Dice): string {
  const input = sources.make(dice.pick([0, 1, 1, 2, 2, 3]))
  const keys = Array.from({ length: dice.pick([0, 0, 1, 1, 2]) }, () => keyOf(input, dice))
  const asked = Array.from({ length: 1 + dice.below(3) }, () => aggregateOf(input, dice))
  // Rows and units beside each other: where everyone has one row they are the same, and paid for once.
  const both = input.unit === undefined ? [] : ["COUNT(*)", `COUNT(DISTINCT ${input.unit})`]
  const aggregates = dice.chance(0.3) ? [...asked, ...both] : asked
  const items = [
    ...keys.map((key, at) => `${key} AS g${at}`),
    ...aggregates.map((text, at) => `${text} AS m${at}`),
  ]
  const where = dice.chance(0.5) ? ` WHERE ${sources.where(input)}` : ""
  const having = keys.length > 0 && dice.chance(0.2) ? " HAVING COUNT(*) > 2" : ""
  const finish = dice.pick([
    (sql: string) => sql,
    (sql: string) => sql,
    (sql: string) => `${sql} ORDER BY m0 DESC NULLS LAST LIMIT 5`,
    (sql: string) => `SELECT q.m0, COUNT(*) OVER () AS n FROM (${sql}) AS q WHERE q.m0 IS NOT NULL`,
  ])
  const places = keys.map((_, at) => `${at + 1}`).join(", ")
  const form = dice.chance(0.25) ? dice.pick(["ROLLUP", "CUBE", "GROUPING SETS"]) : ""
  const groups = keys.length === 0 ? "" : ` GROUP BY ${form === "" ? places : `${form} (${places})`}`
  return finish(`SELECT ${items.join(", ")} FROM ${input.from}${where}${groups}${having}`)
}

/** Several boundaries in one statement. */
function several(sources: SourceMaker, dice: Dice): string {
  const one = (): string => {
    const input = sources.make(1)
    const where = dice.chance(0.5) ? ` WHERE ${sources.where(input)}` : ""
    return `SELECT ${dice.pick(["COUNT(*)", "COUNT(*)", aggregateOf(input, dice)])} AS n FROM ${input.from}${where}`
  }
  return dice.pick([
    () => `SELECT (${one()}) AS a, (${one()}) AS b`,
    () => `SELECT l.n, r.n FROM (${one()}) AS l CROSS JOIN (${one()}) AS r`,
    () => `${one()} UNION ALL ${one()}`,
  ])()
}

function keyOf(input: Scope, dice: Dice): string {
  const make = new ExpressionMaker(dice, input)
  const column = (kind: ColumnKind, otherwise: string): string => make.column(kind) ?? otherwise
  return dice.pick([
    () => column("text", "'A'"),
    () => column("text", "'A'"),
    () => column("boolean", "TRUE"),
    () => column("integer", "1"),
    () => `CLAMP(${column("integer", "1")}, 0, 3)`,
    () => make.condition(1),
    () => `DATE_TRUNC('month', ${column("date", "DATE '2020-01-01'")})`,
    () => `EXTRACT(YEAR FROM ${column("date", "DATE '2020-01-01'")})`,
    () => `CASE WHEN ${make.condition(1)} THEN 'yes' WHEN ${make.condition(0)} THEN 'no' ELSE 'other' END`,
    () => make.make(dice.pick<ColumnKind>(["text", "integer", "date"]), 1),
  ])()
}

function aggregateOf(input: Scope, dice: Dice): string {
  const make = new ExpressionMaker(dice, input)
  const filter = dice.chance(0.2) ? ` FILTER (WHERE ${make.condition(1)})` : ""
  return `${functionOf(input, make, dice)}${filter}`
}

const spreads = ["VARIANCE", "VAR_POP", "VAR_SAMP", "STDDEV", "STDDEV_SAMP", "STDDEV_POP"]

function functionOf(input: Scope, make: ExpressionMaker, dice: Dice): string {
  const number = (): string => numberOf(make, dice)
  return dice.pick([
    () => "COUNT(*)",
    () => `COUNT(${make.make(dice.pick<ColumnKind>(["integer", "text", "date"]), 1)})`,
    () => (input.unit === undefined ? "COUNT(*)" : `COUNT(DISTINCT ${input.unit})`),
    () => `COUNT(DISTINCT ${make.make(dice.pick<ColumnKind>(["integer", "text", "date"]), 1)})`,
    () => `SUM(${number()})`,
    () => `SUM(${number()})`,
    () => `${dice.pick(["AVG", "MEAN"])}(${number()})`,
    () => `${dice.pick(spreads)}(${number()})`,
    () => `${dice.pick(["COUNT_IF", "COUNTIF"])}(${make.condition(1)})`,
    () => `${dice.pick(["MIN", "MAX"])}(${number()})`,
    () => `MEDIAN(${number()})`,
    () => `PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY ${number()})`,
    () => `PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY ${number()})`,
    () => `${dice.pick(["QUANTILE_CONT", "QUANTILE_DISC", "QUANTILE"])}(${number()}, 0.5)`,
    () => `MODE() WITHIN GROUP (ORDER BY ${modeOf(make)})`,
  ])()
}

/** A number that has bounds, mostly. */
function numberOf(make: ExpressionMaker, dice: Dice): string {
  const kind = dice.pick<ColumnKind>(["integer", "float", "decimal"])
  const bounded = make.column(kind, (column) => column.bounded)
  if (bounded !== undefined && dice.chance(0.4)) return bounded
  const any = make.make(kind, 2)
  if (dice.chance(0.1)) return any
  return `CLAMP(${any}, ${dice.pick(["-3", "0", "2", "-7"])}, ${dice.pick(["3", "7", "11"])})`
}

function modeOf(make: ExpressionMaker): string {
  const listed = make.column("text") ?? make.column("boolean") ?? "'A'"
  return `CASE ${listed} WHEN 'A' THEN 'A' WHEN 'B' THEN 'B' ELSE 'C' END`
}
