// What a boundary measures, in a form in which two questions can be compared: the rows before any condition,
// the conditions, the keys and the aggregates, all over the columns of the tables themselves.

import { showRational } from "@dosimeter/core/exact"
import { unitFacts } from "@dosimeter/proof/units/unit-facts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnCount } from "@dosimeter/proof/algebra/boundary-columns"
import type { Boundary, BoundaryAggregate, Rel } from "@dosimeter/proof/algebra/rel"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { NormalRows, type Rows } from "./normal-rows.ts"

/** What a boundary measures. */
export interface Meaning {
  /** Equal texts: the same rows of the same units. */
  readonly rows: string
  /** What the columns in conditions and keys are called, whatever their numbers. */
  readonly names: ReadonlyMap<ColumnId, string>
  /** All must be true of a row that counts. */
  readonly conditions: readonly Expr[]
  readonly keys: readonly Expr[]
  /** One for each column after the keys; equal texts and parts: the same quantity of the same group. */
  readonly columns: readonly ColumnMeaning[]
  /** The unit decides its group. */
  readonly oneGroup: boolean
  /** Unit and group decide the row. */
  readonly oneRow: boolean
  /** For each key: the unit decides it. */
  readonly byUnit: readonly boolean[]
  /** Whether it is of several groupings that are released together: then its keys are those of all. */
  readonly isFamily: boolean
}

/** A column, and what may be done with its cells. */
export interface ColumnMeaning {
  readonly text: string
  /** Which of the columns of one aggregate: several quantiles have several. */
  readonly part: number
  /** `rows`: cells of several groups may be added. `units`: only if no unit is in two. `none`: never. */
  readonly adds: "rows" | "units" | "none"
}

/**
 * The meanings of the releases of a statement; undefined for one that is too long to be compared. The
 * groupings of a family that is one release stand for it at the place of the first.
 */
export function meaningsOf(
  boundaries: readonly Boundary[],
  releases: readonly Release[],
): readonly (Meaning | undefined)[] {
  const left = [...boundaries]
  const meanings = releases.map((release): Meaning | undefined => {
    const { keys, columns } = release
    const [first] = left
    if (first === undefined) return undefined
    if (hasGroupings(keys)) {
      const family = left.filter((one) => one.family === first.family && one.input === first.input)
      left.splice(0, left.length, ...left.filter((one) => !family.includes(one)))
      return familyMeaning(family, release, keys.groupings.sets)
    }
    left.shift()
    const isIts = first.columns.every(({ id }, place) => columns[place] === id)
    return isIts && first.columns.length === columns.length ? meaningOf(first) : undefined
  })
  return left.length === 0 ? meanings : releases.map(() => undefined)
}

/** The meaning of the finest grouping of a family, which all of its groupings are sums of. */
function familyMeaning(
  family: readonly Boundary[],
  { columns }: Release,
  sets: readonly (readonly number[])[],
): Meaning | undefined {
  const [first] = family
  if (first === undefined || family.length !== sets.length) return undefined
  const keys = [...new Set(family.flatMap((one) => one.keys))]
  const isIts = family.every((one, index) => {
    const own = sets[index]?.map((place) => keys[place])
    return own?.length === one.keys.length && own.every((key) => key !== undefined && one.keys.includes(key))
  })
  // Keys, the number of the grouping, what is measured.
  if (!isIts || columns.length !== keys.length + 1 + first.aggregates.length) return undefined
  const meaning = meaningOf({ ...first, keys })
  return meaning && { ...meaning, isFamily: true }
}

/** The meaning of a boundary. */
export function meaningOf(boundary: Boundary): Meaning | undefined {
  const { input, keys } = boundary
  const { oneGroup, oneRow } = unitFacts(input, keys)
  const normal = new NormalRows()
  const rows = normal.rowsOf(input)
  const exprs = keys.map((key) => columnOf(input, key, rows))
  const columns = boundary.aggregates.flatMap((aggregate) => {
    const meant = measured(aggregate, { oneRow, rows, normal })
    return Array.from({ length: columnCount(aggregate) }, (_, part) => ({ ...meant, part }))
  })
  // Texts are made now, so that one that is too long is noticed.
  for (const expr of [...exprs, ...rows.conditions]) normal.textOf(expr)
  if (normal.isTooLong) return undefined
  const byUnit = keys.map((key) => oneGroup || unitFacts(input, [key]).oneGroup)
  const { conditions } = rows
  return {
    rows: rows.from,
    names: normal.names,
    conditions,
    keys: exprs,
    columns,
    oneGroup,
    oneRow,
    byUnit,
    isFamily: false,
  }
}

function columnOf(input: Rel, id: ColumnId, { columns }: Rows): Expr {
  const domain = input.columns.find((column) => column.id === id)?.domain ?? {
    type: { kind: "null" },
    nullable: true,
  }
  return columns.get(id) ?? { kind: "column", id, domain }
}

interface Within {
  readonly oneRow: boolean
  readonly rows: Rows
  readonly normal: NormalRows
}

// Where a unit has one row in a group, persons are rows, and a mean's sum is a total.
function measured(
  aggregate: BoundaryAggregate,
  { oneRow, rows, normal }: Within,
): Omit<ColumnMeaning, "part"> {
  const over = (expr: Expr): string => normal.textOf(normal.inline(expr, rows.columns))
  const where = aggregate.where === undefined ? "" : ` where ${over(aggregate.where)}`
  switch (aggregate.kind) {
    case "persons":
      return oneRow ? { text: `rows${where}`, adds: "rows" } : { text: `units${where}`, adds: "units" }
    case "rows":
      return { text: `rows${where}`, adds: "rows" }
    case "sum": {
      const { value, grid, lower, upper, squaredFrom } = aggregate
      const manner = squaredFrom !== undefined ? `from ${squaredFrom}` : oneRow ? "total" : aggregate.manner
      const bounds = `${showRational(grid)} ${lower} ${upper}`
      return { text: `sum ${manner} ${over(value)} in ${bounds}${where}`, adds: "rows" }
    }
    case "distinct":
      return { text: `distinct ${over(aggregate.value)}${where}`, adds: "none" }
    case "quantile": {
      const { value, fractions, from, width, cells, cellValue } = aggregate
      const grid = [...fractions, from, width].map(showRational).join(" ")
      return { text: `quantile ${over(value)} ${grid} ${cells} ${cellValue}${where}`, adds: "none" }
    }
    case "mode": {
      const { value, values } = aggregate
      const listed = values.map((one) => normal.constantText(one)).join(" ")
      return { text: `mode ${over(value)} of ${listed}${where}`, adds: "none" }
    }
    default:
      return aggregate satisfies never
  }
}
