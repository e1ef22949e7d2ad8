// Aggregates and window functions over the rows of one person, for generated questions.

import type { Dice } from "@dosimeter/proof/testing/dice"
import type { ColumnKind } from "@dosimeter/proof/testing/hostile-values"
import type { ExpressionMaker } from "./random-expression.ts"

/** A call, and the kind of its value. */
export type KindedCall = readonly [text: string, kind: ColumnKind]

/** Every frame that has rows for some row; RANGE has no offsets. */
export function randomFrame(dice: Dice): string {
  const offset = (): number => dice.pick([0, 1, 2, 5, 1000])
  const [far, near] = [offset(), offset()].toSorted((a, b) => b - a)
  const start = dice.pick(["UNBOUNDED PRECEDING", "CURRENT ROW"])
  const end = dice.pick(["CURRENT ROW", "UNBOUNDED FOLLOWING"])
  return dice.pick([
    `ROWS BETWEEN ${start} AND ${end}`,
    `RANGE BETWEEN ${start} AND ${end}`,
    `ROWS ${offset()} PRECEDING`,
    "ROWS UNBOUNDED PRECEDING",
    `ROWS BETWEEN ${far} PRECEDING AND ${near} PRECEDING`,
    `ROWS BETWEEN ${near} FOLLOWING AND ${far} FOLLOWING`,
    `ROWS BETWEEN ${offset()} PRECEDING AND ${offset()} FOLLOWING`,
    `ROWS BETWEEN ${offset()} PRECEDING AND ${end}`,
    `ROWS BETWEEN ${start} AND ${offset()} FOLLOWING`,
    `ROWS BETWEEN UNBOUNDED PRECEDING AND ${offset()} PRECEDING`,
    `ROWS BETWEEN ${offset()} FOLLOWING AND UNBOUNDED FOLLOWING`,
  ])
}

/** An order of rows. */
export function randomOrder(make: ExpressionMaker, dice: Dice): string {
  const kind = dice.pick<ColumnKind>(["integer", "date", "text", "float", "decimal", "timestamp", "boolean"])
  return `${make.make(kind, 0)}${dice.pick(["", " DESC"])}${dice.pick(["", " NULLS FIRST", " NULLS LAST"])}`
}

const kinds: readonly ColumnKind[] = ["integer", "float", "decimal", "text", "date", "timestamp", "boolean"]

/** Window functions of all names; `unit` is what they are partitioned by. */
export function windowCalls(make: ExpressionMaker, unit: string, dice: Dice): readonly KindedCall[] {
  const order = randomOrder(make, dice)
  const over = `OVER (PARTITION BY ${unit} ORDER BY ${order})`
  const framed = (): string =>
    dice.chance(0.3) ? over : `OVER (PARTITION BY ${unit} ORDER BY ${order} ${randomFrame(dice)})`
  const [a, b, c, d] = [dice.pick(kinds), dice.pick(kinds), dice.pick(kinds), dice.pick(kinds)]
  const offset = dice.pick(["", ", 0", ", 1", ", 2", ", 1000"])
  const distance = dice.pick(["LAG", "LEAD"])
  return [
    [`ROW_NUMBER() ${over}`, "integer"],
    [`RANK() ${over}`, "integer"],
    [`DENSE_RANK() ${over}`, "integer"],
    [`${distance}(${make.make(a, 1)}${offset}) ${over}`, a],
    [`COALESCE(LAG(${make.make("integer", 0)}, 3) ${over}, ${make.make("integer", 0)})`, "integer"],
    [`LEAD(${make.make("date", 0)}) ${over}`, "date"],
    [`FIRST_VALUE(${make.make(b, 0)}) ${framed()}`, b],
    [`LAST_VALUE(${make.make(c, 0)}) ${framed()}`, c],
    [`SUM(${make.make("integer", 1)}) ${framed()}`, "integer"],
    [`SUM(${make.make("decimal", 0)}) ${framed()}`, "decimal"],
    [`SUM(CLAMP(${make.make("float", 0)}, 0, 5)) ${framed()}`, "float"],
    [`${dice.pick(["AVG", "MEAN"])}(${make.make("integer", 0)}) ${framed()}`, "float"],
    [`COUNT(*) ${framed()}`, "integer"],
    [`COUNT(${make.make("text", 0)}) FILTER (WHERE ${make.condition(0)}) ${framed()}`, "integer"],
    [`${dice.pick(["MIN", "MAX"])}(${make.make(d, 0)}) ${framed()}`, d],
    [`${dice.pick(["BOOL_AND", "EVERY"])}(${make.condition(0)}) ${framed()}`, "boolean"],
    [`BOOL_OR(${make.condition(0)}) ${framed()}`, "boolean"],
  ]
}

/** Aggregates of all names, over groups of one person's rows. */
export function groupCalls(make: ExpressionMaker, dice: Dice): readonly KindedCall[] {
  const kind = dice.pick(kinds)
  const number = dice.pick<ColumnKind>(["integer", "decimal"])
  return [
    ["COUNT(*)", "integer"],
    [`COUNT(DISTINCT ${make.make(kind, 0)})`, "integer"],
    [`SUM(${make.make(number, 1)})`, number],
    [`SUM(${make.make("float", 0)})`, "float"],
    [`SUM(CLAMP(${make.make("float", 1)}, -1, 4)) FILTER (WHERE ${make.condition(0)})`, "float"],
    [`${dice.pick(["AVG", "MEAN"])}(${make.make(number, 1)})`, "float"],
    [`${dice.pick(["MIN", "MAX"])}(${make.make(kind, 0)})`, kind],
    [`MIN(${make.make("date", 0)})`, "date"],
    [`MAX(${make.make("decimal", 0)})`, "decimal"],
    [`${dice.pick(["BOOL_AND", "EVERY"])}(${make.condition(0)})`, "boolean"],
    [`BOOL_OR(${make.condition(0)})`, "boolean"],
    [`COUNT(${make.make("integer", 1)}) FILTER (WHERE ${make.condition(0)})`, "integer"],
    [`${dice.pick(["COUNT_IF", "COUNTIF"])}(${make.condition(0)})`, "integer"],
  ]
}
