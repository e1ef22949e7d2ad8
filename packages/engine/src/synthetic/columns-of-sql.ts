// The columns of a SELECT as columns of synthetic rows: from declared domains alone.

import { numberNear } from "@dosimeter/core/exact"
import { numberColumn, type SyntheticColumn } from "@dosimeter/ml/synthetic/columns"
import { cutsOf, type WrittenRule } from "@dosimeter/ml/synthetic/rules"
import { fail } from "@dosimeter/ml/errors"
import { columnsOfRows } from "@dosimeter/language/bind/bind"
import { parse } from "@dosimeter/language/parse/parse"
import type { CompileOptions } from "@dosimeter/planner/compile"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { showDay } from "@dosimeter/proof/catalog/civil-date"
import { showDecimal } from "./group-sql.ts"
import type { RecordSql } from "./synthetic-question.ts"

/** More columns than this are refused: pairs of them would share the loss. */
const columnsMax = 40

/** The columns. Refused where one has neither declared values nor a declared range. */
export function columnsOfSql(
  { sql, rows }: RecordSql,
  rules: readonly WrittenRule[],
  options: CompileOptions,
): readonly SyntheticColumn[] {
  const found = columnsOfRows(parse(sql, options.grammar).query, { catalog: options.catalog, parameters: [] })
  if (found.length > columnsMax) {
    return fail("synthetic/too-many-columns", { got: `${found.length}`, limit: `${columnsMax}` })
  }
  const names = found.map(({ name }) => name)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) return fail("synthetic/same-name", { name: twice })
  return found.map(({ name, domain }) => {
    if (rows?.count !== name) return columnOf(name, domain, rules)
    // Its last bin holds all counts that are larger.
    return numberColumn(
      name,
      { min: 0, max: rows.most, step: 1, type: "integer", hasMissing: false },
      cutsOf(rules, name, 1),
    )
  })
}

function columnOf(name: string, domain: Domain, rules: readonly WrittenRule[]): SyntheticColumn {
  const { type, values, range, nullable, isComplete, grid } = domain
  if (type.kind === "boolean") return { kind: "listed", name, values: [false, true], hasMissing: nullable }
  if (values !== undefined) {
    // What is not listed is as if it were missing.
    const hasMissing = nullable || isComplete !== true
    return { kind: "listed", name, values: values.flatMap(plainValue), hasMissing }
  }
  const isNumber =
    type.kind === "integer" || type.kind === "decimal" || type.kind === "float" || type.kind === "date"
  if (!isNumber || range?.min.declared !== true || !range.max.declared) {
    return fail("synthetic/unbounded-column", { name })
  }
  const isWhole = type.kind === "integer" || type.kind === "date"
  const ofScale = type.kind === "decimal" ? 10 ** -type.scale : undefined
  const step = isWhole ? 1 : grid === undefined ? ofScale : numberNear(grid)
  const own = {
    min: numberNear(range.min.value),
    max: numberNear(range.max.value),
    step,
    type: type.kind === "date" ? ("date" as const) : isWhole ? ("integer" as const) : ("decimal" as const),
    hasMissing: nullable,
  }
  return numberColumn(name, own, cutsOf(rules, name, step))
}

function plainValue(value: Constant): readonly (string | number | boolean)[] {
  switch (value.kind) {
    case "text":
    case "boolean":
      return [value.value]
    case "number":
      return [Number(showDecimal(numberNear(value.value)))]
    case "date":
      return [showDay(value.day)]
    case "null":
    case "timestamp":
    case "interval":
      return []
    default:
      return value satisfies never
  }
}
