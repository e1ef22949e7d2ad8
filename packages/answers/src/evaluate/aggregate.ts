// GROUP BY over released rows.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import { constantKey } from "@dosimeter/proof/catalog/constant"
import { isEstimateAggregate, type Aggregate, type AggregateItem } from "@dosimeter/proof/algebra/rel"
import { nullConstant } from "../values/doubles.ts"
import { estimateAggregate } from "../estimates/estimate-aggregate.ts"
import { cellAt, positionsOf, rowFunction, type Positions, type RowFunction } from "./evaluate-expression.ts"
import { sliceAggregate } from "./slice-aggregate.ts"
import { publicCell, type Row, type Table, type Cell } from "../cells/table.ts"

/** One row for each combination of keys, in the order in which they are met. */
export function evaluateAggregate({ keys, items, columns }: Aggregate, input: Table): Table {
  const positions = positionsOf(input.columns)
  const places = keys.map((key) => positions.get(key) ?? -1)
  const groups = groupRows(input.rows, (row) => places.map((place) => cellAt(row, place).value))
  if (keys.length === 0 && groups.length === 0) groups.push([])
  const functions = items.map((item, index) => ({
    name: item.function,
    argument: item.argument === undefined ? undefined : rowFunction(item.argument, positions),
    parts: partsOf(item, positions),
    type: columns[keys.length + index]?.domain.type ?? { kind: "null" as const },
  }))
  const rows = groups.map((group): Row => {
    const [first] = group
    const keyCells = places.map((place) =>
      first === undefined ? publicCell(nullConstant) : cellAt(first, place),
    )
    const measured = functions.map(({ name, argument, parts, type }): Cell => {
      if (isEstimateAggregate(name)) {
        return estimateAggregate(
          name,
          group.map((row) => parts.map((part) => part(row))),
        )
      }
      const cells = argument === undefined ? group.map(() => publicCell(nullConstant)) : group.map(argument)
      return sliceAggregate(name, cells, type)(0, cells.length)
    })
    return [...keyCells, ...measured]
  })
  return { columns, rows }
}

/** The columns of an aggregate that takes several. */
function partsOf({ argument }: AggregateItem, positions: Positions): readonly RowFunction[] {
  return argument?.kind === "call" && argument.name === "row-of"
    ? argument.args.map((part) => rowFunction(part, positions))
    : []
}

/** Rows with equal values together. NULL equals NULL here. */
export function groupRows(rows: readonly Row[], valuesOf: (row: Row) => readonly Constant[]): Row[][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(valuesOf(row))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return [...groups.values()]
}

/** A text that is equal for equal lists of values and for no others. */
export function keyOf(values: readonly Constant[]): string {
  return values
    .map((value) => {
      const text = constantKey(value)
      return `${text.length}:${text}`
    })
    .join("")
}
