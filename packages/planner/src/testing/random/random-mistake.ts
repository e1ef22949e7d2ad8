// Generated SQL that is well formed and mostly makes no sense: types that do not fit, aggregates in the wrong
// place, windows in windows. Whatever it is, it ends in a plan or in a refusal, never in a crash.

import { Dice } from "@dosimeter/proof/testing/dice"

const leaves = [
  "n",
  "fee",
  "ward",
  "day",
  "code",
  "person_id",
  "v.n",
  "visits.n",
  "NULL",
  "1",
  "-1",
  "0.5",
  "1e308",
  "9223372036854775808",
  "'A'",
  "''",
  "'2020-13-45'",
  "DATE '2020-01-01'",
  "TIMESTAMP '2020-01-01 10:00:00'",
  "INTERVAL '1 month 3 days'",
  "TRUE",
  "$1",
  "*",
  "v.*",
  "current_date",
  "note",
  "(SELECT 1)",
  "(SELECT COUNT(*) FROM visits)",
  "(SELECT rate FROM codes WHERE codes.code = v.code)",
  "(SELECT MAX(dose) FROM drugs AS d WHERE d.person_id = v.person_id)",
]
const functions = [
  "COUNT",
  "SUM",
  "AVG",
  "MIN",
  "MAX",
  "MEDIAN",
  "VAR_POP",
  "STDDEV",
  "BOOL_OR",
  "COALESCE",
  "NULLIF",
  "GREATEST",
  "LEAST",
  "CLAMP",
  "ABS",
  "ROUND",
  "FLOOR",
  "SQRT",
  "LN",
  "EXP",
  "POWER",
  "LOWER",
  "LENGTH",
  "TRIM",
  "LEFT",
  "REPLACE",
  "CONCAT",
  "AGE",
  "NOW",
  "RANDOM",
  "MODE",
  "LAG",
  "ROW_NUMBER",
  "STRING_AGG",
  "nothing",
]
const operators = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "||",
  "=",
  "<>",
  "<",
  ">=",
  "AND",
  "OR",
  "LIKE",
  "IS DISTINCT FROM",
  "~",
]
const relations = [
  "visits AS v",
  "visits AS v",
  "visits AS v JOIN drugs AS d USING (person_id)",
  "visits AS v LEFT JOIN drugs AS d ON v.person_id = d.person_id",
  "visits AS v FULL JOIN drugs AS d USING (person_id)",
  "visits AS v JOIN drugs AS d ON v.visit_id = d.visit_id",
  "visits AS v JOIN drugs AS d ON v.n < d.dose",
  "visits AS v, codes",
  "visits AS v NATURAL JOIN person",
  "codes RIGHT JOIN visits AS v USING (code)",
  "bills JOIN visits AS v USING (visit_id)",
  "codes AS v",
  "person AS v",
  "(SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward) AS v",
  "(SELECT DISTINCT ward, n FROM visits) AS v",
  "(SELECT * FROM visits UNION ALL SELECT * FROM visits) AS v",
  "(SELECT * FROM visits ORDER BY day LIMIT 3) AS v",
  "(VALUES (1, 'A'), (2, 'B')) AS v(n, ward)",
  "(SELECT person_id, MAX(n) AS n FROM visits GROUP BY 1) AS v",
  "LATERAL (SELECT 1 AS n) AS v",
]
const types = [
  "integer",
  "text",
  "date",
  "timestamp",
  "double precision",
  "numeric(10,2)",
  "boolean",
  "interval",
  "json",
]

/** A question of a seed about the clinic. */
export function randomMistake(seed: string): string {
  const dice = new Dice(seed)
  const list = (most: number): string =>
    Array.from({ length: 1 + dice.below(most) }, () => expression(dice, 2)).join(", ")
  const some = (chance: number, text: () => string): string => (dice.chance(chance) ? ` ${text()}` : "")
  const select = (): string =>
    [
      `SELECT${some(0.1, () => "DISTINCT")} ${dice.chance(0.5) ? `COUNT(*), ${list(2)}` : list(3)}`,
      `FROM ${dice.pick(relations)}`,
      some(0.4, () => `WHERE ${expression(dice, 2)}`),
      some(0.4, () => `GROUP BY ${dice.pick([() => "1", () => "1, 2", () => "ward", () => list(2)])()}`),
      some(0.15, () => `HAVING ${expression(dice, 2)}`),
      some(0.15, () => `ORDER BY ${list(1)}`),
      some(0.1, () => `LIMIT ${dice.pick(["1", "0", "NULL", "n", "1.5"])}`),
    ].join(" ")
  const word = dice.pick([" UNION ALL ", " UNION ", " EXCEPT ", " INTERSECT "])
  return dice.pick([
    select,
    select,
    select,
    () => `SELECT ${list(2)} FROM (${select()}) AS v`,
    () => `${select()}${word}${select()}`,
    () => `WITH v AS (${select()}) SELECT ${list(2)} FROM v, v AS w`,
    () =>
      `SELECT COUNT(*) FROM visits AS v WHERE ${dice.pick(["EXISTS", "n IN", "n > ALL", "(n, ward) IN"])} (${select()})`,
    () => `SELECT COUNT(*) FROM visits AS v WHERE n = (${select()})`,
  ])()
}

function expression(dice: Dice, depth: number): string {
  const part = (): string => expression(dice, depth - 1)
  if (depth <= 0 || dice.chance(0.3)) return dice.pick(leaves)
  return dice.pick([
    () => `(${part()} ${dice.pick(operators)} ${part()})`,
    () => `(${part()} ${dice.pick(operators)} ${part()})`,
    () => call(dice, part),
    () => call(dice, part),
    () => `CAST(${part()} AS ${dice.pick(types)})`,
    () => `CASE WHEN ${part()} THEN ${part()} ELSE ${part()} END`,
    () => `CASE ${part()} WHEN ${part()} THEN ${part()} END`,
    () => `(${part()} IS ${dice.pick(["NULL", "NOT NULL", "TRUE", "UNKNOWN"])})`,
    () => `(${part()} IN (${part()}, ${part()}))`,
    () => `(${part()} BETWEEN ${part()} AND ${part()})`,
    () => `(NOT ${part()})`,
    () => `(- ${part()})`,
    () => `EXTRACT(${dice.pick(["YEAR", "EPOCH", "DOW", "CENTURY"])} FROM ${part()})`,
    () => `DATE_TRUNC('${dice.pick(["month", "week", "century"])}', ${part()})`,
    () => `SUBSTRING(${part()} FROM ${part()})`,
    () => `EXISTS (SELECT 1 FROM drugs AS d WHERE d.person_id = v.person_id AND ${part()})`,
  ])()
}

function call(dice: Dice, part: () => string): string {
  const args = Array.from({ length: dice.below(4) }, part).join(", ")
  const after = dice.pick([
    () => "",
    () => "",
    () => "",
    () => ` FILTER (WHERE ${part()})`,
    () => " OVER ()",
    () => ` OVER (PARTITION BY v.person_id ORDER BY ${part()})`,
    () => ` OVER (PARTITION BY ${part()} ORDER BY ${part()} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`,
    () => ` WITHIN GROUP (ORDER BY ${part()})`,
  ])()
  return `${dice.pick(functions)}(${dice.chance(0.05) ? "DISTINCT " : ""}${args})${after}`
}
