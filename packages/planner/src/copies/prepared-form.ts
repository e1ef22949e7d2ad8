// May a boundary read prepared copies, where bounding is a condition on stored places? The choice follows the
// form of the question and public facts. The answer must also be as good: a condition that drops some of a
// unit's rows has to come before bounding, so such a question reads the tables themselves.

import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { closureOf, dependenciesOf, groupClosure, type Closure } from "@dosimeter/proof/units/dependencies"
import { placeMax, type StoredPlace } from "@dosimeter/proof/catalog/catalog"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr, columnIn, stepsExpr, type ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary, BoundaryAggregate, Rel, RelColumn, Scan } from "@dosimeter/proof/algebra/rel"
import { columnsIn, conjunctsOf, inputsOf, isCall } from "@dosimeter/proof/algebra/walk"
import type { Bounding } from "../extracts/build-extract.ts"
import { quantileCell } from "../aggregates/cells.ts"
import { whereAll } from "../keys/key-lists.ts"
import { scansIn, severalRows, unitsOf } from "./scans-in.ts"
import { matchingOf, numbered, OverCopies, storedNames, type ChosenCopy } from "./over-copies.ts"
import { definitionsIn, isSameExpression, lookThrough } from "../aggregates/same-expression.ts"

/** A boundary over prepared copies: every unit is bounded below it, or all of its rows are there. */
export interface PreparedForm {
  readonly boundary: Boundary
  /** The copies that are read. */
  readonly labels: readonly string[]
  /** Of a unit's rows in a group, one has 1 here; there is none where a unit has one row anyway. */
  readonly rowPlace: RelColumn | undefined
  /** How many groups the unit of a row is in, where that is stored and may be asked for. */
  readonly groupTotal: RelColumn | undefined
  /** How many rows the unit of a row has in its group, where all rows are read and that is stored. */
  readonly rowTotal: RelColumn | undefined
  /** Columns that hold the steps of a sum, or the cell of a quantile, already. */
  readonly stored: ReadonlyMap<BoundaryAggregate, RelColumn>
}

interface Context {
  readonly boundary: Boundary
  readonly bounding: Bounding
  readonly prepared: readonly PreparedTable[]
  readonly listed: readonly Expr[]
  readonly rows: FormRows
  readonly ids: ColumnIds
  readonly definitions: ReadonlyMap<ColumnId, Expr>
}

/** Rows and groups within the bounds, or all of them, to be weighed. */
export type FormRows = "bounded" | "all"

/**
 * The form of a boundary over copies, or nothing if the tables themselves must be read. `listed`: what is
 * true of rows whose keys are listed. Copies give places to listed groups before others, so nothing is lost
 * by it.
 */
export function preparedForm(
  boundary: Boundary,
  bounding: Bounding,
  options: {
    readonly prepared: readonly PreparedTable[]
    readonly listed: readonly Expr[]
    readonly rows: FormRows
    readonly ids: ColumnIds
  },
): PreparedForm | undefined {
  // Copies of pairs have none of the table's rows.
  const prepared = options.prepared.filter(({ totals }) => totals === undefined)
  if (prepared.length === 0) return undefined
  const definitions = definitionsIn(boundary.input)
  const context = { boundary, bounding, ...options, prepared, definitions }
  const scans = scansIn(boundary.input)
  if (scans === undefined) return undefined
  const owned = scans.filter(({ table }) => prepared.some(({ base }) => base === table))
  if (owned.length === 0) return undefined
  if (bounding.oneRow && bounding.oneGroup) return unbounded(owned, context)
  const several = severalRows(boundary.input, scans)
  const [main] = several
  if (main === undefined || several.length > 1) return undefined
  for (const copy of prepared.filter(({ base }) => base === main.table)) {
    const form = bounded({ main, copy, others: owned.filter((scan) => scan !== main) }, context)
    if (form !== undefined) return form
  }
  return undefined
}

// Nothing needs to be bounded: any copy will do.
function unbounded(scans: readonly Scan[], context: Context): PreparedForm | undefined {
  const chosen = new Map(scans.flatMap((scan) => anyCopy(scan, context)))
  const rebuilt = new OverCopies(chosen, context.definitions).rebuild(context.boundary.input)
  return rebuilt === undefined ? undefined : formOf(rebuilt, chosen, undefined, context)
}

function anyCopy(scan: Scan, context: Context): readonly (readonly [Scan, ChosenCopy])[] {
  const copy = context.prepared.find(({ base }) => base === scan.table)
  return copy === undefined ? [] : [[scan, choose(scan, copy, context, { names: [], limits: [] })]]
}

function choose(
  scan: Scan,
  copy: PreparedTable,
  { boundary, definitions, listed, ids }: Context,
  more: { readonly names: readonly string[]; readonly limits: ChosenCopy["limits"] },
): ChosenCopy {
  const matching = matchingOf(scan, copy, definitions)
  const computed = [...definitions.values(), ...boundary.aggregates.flatMap(valueOfAggregate), ...listed]
  const names = [...storedNames(computed, copy, matching), ...more.names]
  const known = new Set(scan.sources.map(({ name }) => name))
  return {
    copy,
    added: numbered(
      names.filter((name) => !known.has(name)),
      ids,
    ),
    limits: more.limits,
  }
}

// One table has several rows of a unit; its copy says which of them count.
function bounded(
  read: { readonly main: Scan; readonly copy: PreparedTable; readonly others: readonly Scan[] },
  context: Context,
): PreparedForm | undefined {
  const { main, copy, others } = read
  const { boundary, bounding, definitions } = context
  const { oneRow, oneGroup, rowsPerGroup, groupsPerUnit } = bounding
  const places = copy.table.prepared?.places ?? []
  const rows = places.find(({ counts }) => counts === "rows")
  const groups = places.find(({ counts }) => counts === "groups")
  if (rowsPerGroup >= placeMax || groupsPerUnit >= placeMax) return undefined
  if ((!oneRow && rows === undefined) || (!oneGroup && groups === undefined)) return undefined
  const bounds = [
    ...(oneRow || rows === undefined ? [] : [{ column: rows.column, most: rowsPerGroup }]),
    ...(oneGroup || groups === undefined ? [] : [{ column: groups.column, most: groupsPerUnit }]),
  ]
  const isWhole = context.rows === "all"
  const limits = isWhole ? [] : bounds
  const all = isWhole ? places.find(({ counts }) => counts === "all-rows") : undefined
  const total = context.listed.length === 0 ? places.find(({ counts }) => counts === "all-groups") : undefined
  const names = [
    ...limits.map(({ column }) => column),
    ...(rows?.by ?? []),
    ...(groups?.by ?? []),
    ...(oneGroup || total === undefined ? [] : [total.column]),
    ...(all === undefined ? [] : [all.column]),
  ]
  const chosen = new Map([
    [main, choose(main, copy, context, { names, limits })] as const,
    ...others.flatMap((scan) => anyCopy(scan, context)),
  ])
  const rebuilt = new OverCopies(chosen, definitions).rebuild(boundary.input)
  if (rebuilt === undefined) return undefined
  const idOf = (name: string): ColumnId => idIn(main, chosen.get(main), name)
  if (!isBounded(rebuilt, { rows, groups, idOf, main }, context)) return undefined
  // Whoever has rows in a group has all of them there, whatever other groups are left out.
  const kept = isWhole ? { ...context, bounding: { ...bounding, oneGroup: true } } : context
  if (!losesNothing(rebuilt, { by: (groups ?? rows)?.by.map(idOf) ?? [] }, kept)) return undefined
  const isPlaced = !isWhole && !oneRow && rows !== undefined
  const place = isPlaced ? columnIn(rebuilt, idOf(rows.column)) : undefined
  const groupTotal = oneGroup || total === undefined ? undefined : columnIn(rebuilt, idOf(total.column))
  const rowTotal = all === undefined ? undefined : columnIn(rebuilt, idOf(all.column))
  return { ...formOf(rebuilt, chosen, place, context), groupTotal, rowTotal }
}

function idIn(scan: Scan, chosen: ChosenCopy | undefined, name: string): ColumnId {
  const index = scan.sources.findIndex((source) => source.name === name)
  return scan.columns[index]?.id ?? chosen?.added.get(name) ?? -1
}

interface Places {
  readonly rows: StoredPlace | undefined
  readonly groups: StoredPlace | undefined
  readonly idOf: (name: string) => ColumnId
  readonly main: Scan
}

// What verify/ will prove: unit and keys decide the columns that rows are numbered by, and the columns that
// groups are numbered by decide the keys. The second is asked even where all groups are kept: otherwise a row
// of one group would take the place of a row of another.
function isBounded(rel: Rel, { rows, groups, idOf, main }: Places, context: Context): boolean {
  const { bounding, boundary } = context
  const dependencies = dependenciesOf(rel)
  const units = unitsOf(rel)
  const [row] = [...dependencies.rowOf].flatMap(([of, number]) =>
    of.kind === "scan" && of.columns[0]?.id === main.columns[0]?.id ? [number] : [],
  )
  if (row === undefined) return false
  const grouped = groupClosure(dependencies, [...units], { rel, keys: boundary.keys })
  const isOne = closureOf(dependencies, [row]).has(dependencies.row)
  const rowsHold =
    bounding.oneRow ||
    (isOne && (rows?.by ?? []).every((name) => grouped.has(idOf(name)) || boundary.keys.includes(idOf(name))))
  if (!rowsHold) return false
  const by = ((groups ?? rows)?.by ?? []).map(idOf)
  const decided = groupClosure(dependencies, [...units], { rel, keys: by })
  return boundary.keys.every((key) => decided.has(key) || by.includes(key))
}

// Conditions are decided by the unit, or by the unit and what the copy is by where all its groups are kept:
// they keep all rows that a place counts, or none. Only rows without a value may take places in vain.
function losesNothing(rel: Rel, { by }: { readonly by: readonly ColumnId[] }, context: Context): boolean {
  const { boundary, bounding, definitions } = context
  const dependencies = dependenciesOf(withoutFilters(rel))
  const units = unitsOf(rel)
  const kept = closureOf(dependencies, bounding.oneGroup ? [...units, ...by] : units)
  const conditions = conditionsIn(boundary.input)
  if (!conditions.every((condition) => isDecided(condition, kept))) return false
  const grouped = groupClosure(dependencies, [...units], { rel, keys: boundary.keys })
  return boundary.aggregates.every(({ where, kind }) => {
    if (kind === "distinct") return true
    return conjunctsOf(where === undefined ? undefined : lookThrough(where, definitions)).every(
      (part) => isDecided(part, grouped) || isPresence(lookThrough(part, definitions)),
    )
  })
}

function isDecided(condition: Expr, closure: Closure): boolean {
  return [...columnsIn(condition)].every((id) => closure.has(id))
}

function isPresence(condition: Expr): boolean {
  const [inner] = isCall(condition, "not") ? condition.args : []
  return inner !== undefined && isCall(inner, "is-null")
}

function formOf(
  input: Rel,
  chosen: ReadonlyMap<Scan, ChosenCopy>,
  rowPlace: RelColumn | undefined,
  { boundary, definitions, listed }: Context,
): PreparedForm {
  const storedAs = (wanted: Expr): RelColumn | undefined => {
    for (const [scan, { copy, added }] of chosen) {
      const matching = matchingOf(scan, copy, definitions)
      const found = copy.derived.find(({ value }) => isSameExpression(value, wanted, matching))
      const id = found === undefined ? undefined : added.get(found.name)
      if (id !== undefined) return columnIn(input, id)
    }
    return undefined
  }
  const stored = new Map<BoundaryAggregate, RelColumn>()
  for (const aggregate of boundary.aggregates) {
    const [column] = valueOfAggregate(aggregate).map(storedAs)
    if (column !== undefined) stored.set(aggregate, column)
  }
  const conditions = listed.map((condition) => {
    const column = storedAs(condition)
    return column === undefined ? condition : columnExpr(column)
  })
  const labels = [...new Set([...chosen.values()].map(({ copy }) => copy.label))].toSorted()
  const over = { ...boundary, input: whereAll(input, conditions) }
  return { boundary: over, labels, rowPlace, stored, groupTotal: undefined, rowTotal: undefined }
}

// What an aggregate takes from each row, as a whole number.
function valueOfAggregate(aggregate: BoundaryAggregate): readonly Expr[] {
  switch (aggregate.kind) {
    case "sum":
      return [stepsExpr(aggregate.value, aggregate.grid, aggregate)]
    case "quantile":
      return [quantileCell(aggregate)]
    case "persons":
    case "rows":
    case "distinct":
    case "mode":
      return []
    default:
      return aggregate satisfies never
  }
}

function conditionsIn(rel: Rel): readonly Expr[] {
  const own = rel.kind === "filter" ? [rel.condition] : []
  return [...own, ...inputsOf(rel).flatMap(conditionsIn)]
}

function withoutFilters(rel: Rel): Rel {
  switch (rel.kind) {
    case "filter":
      return withoutFilters(rel.input)
    case "project":
      return { ...rel, input: withoutFilters(rel.input) }
    case "join":
      return { ...rel, left: withoutFilters(rel.left), right: withoutFilters(rel.right) }
    default:
      return rel
  }
}
