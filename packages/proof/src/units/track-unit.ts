// Whose is each row? Follows the unit's id through a relation, and refuses what it cannot follow.
// R is *unit-local* with unit columns U if, for every dataset D: (1) in every row of R(D) all columns of U
// hold the same unit id, not NULL; (2) the rows of R(D) with the id u are a function of u's own rows in D and
// of public data. So adding or removing the unit u adds or removes u's rows in R(D), and changes no others.

import { unreachable } from "@dosimeter/core/errors"
import type { CatalogTable } from "../catalog/catalog.ts"
import type { ColumnId, Expr } from "../algebra/expr.ts"
import type { Aggregate, Join, Mark, Project, Rel, Scan, Union, WindowRel } from "../algebra/rel.ts"
import { equalColumns, isCall } from "../algebra/walk.ts"
import { reject } from "./reject.ts"

/** Whose the rows of a relation are. */
export type Ownership = { readonly kind: "public" } | { readonly kind: "released" } | PrivateRows | PathRows

/** Unit-local rows. */
export interface PrivateRows {
  readonly kind: "private"
  /** Every one of them holds the unit's id. Empty where each row of a table is a unit by itself. */
  readonly units: ReadonlySet<ColumnId>
  /** After a full join: the id is in a column of the first set or, where those are NULL, of the second. */
  readonly either?: readonly [ReadonlySet<ColumnId>, ReadonlySet<ColumnId>]
  /** The scan whose rows are the units, where they are. */
  readonly rowsOf?: Scan
}

/** Rows of a table whose unit is found in another table: they must be joined with it first. */
export interface PathRows {
  readonly kind: "path"
  readonly table: CatalogTable
  /** How many of the table's hops were joined. */
  readonly joined: number
  /** The column that the next hop starts from. */
  readonly next: ColumnId
}

const publicRows = { kind: "public" } as const
const releasedRows = { kind: "released" } as const

/** Whose the rows are. Results are kept in `known`, so that a shared part is looked at once. */
export function ownershipOf(rel: Rel, known: Map<Rel, Ownership> = new Map()): Ownership {
  const before = known.get(rel)
  if (before !== undefined) return before
  const found = follow(rel, (input) => ownershipOf(input, known))
  known.set(rel, found)
  return found
}

function follow(rel: Rel, of: (input: Rel) => Ownership): Ownership {
  switch (rel.kind) {
    case "scan":
      return ofScan(rel)
    case "values":
      return publicRows
    case "released":
      return releasedRows
    case "filter":
      return withEqual(of(rel.input), rel.condition)
    case "project":
      return ofProject(rel, of(rel.input))
    case "join":
      return ofJoin(rel, of(rel.left), of(rel.right))
    case "mark":
      return ofMark(rel, of(rel.left), of(rel.right))
    case "aggregate":
      return ofAggregate(rel, of(rel.input))
    case "window":
      return ofWindow(rel, of(rel.input))
    case "union":
      return ofUnion(rel, rel.inputs.map(of))
    case "sort": {
      const input = of(rel.input)
      return input.kind === "public" || input.kind === "released"
        ? input
        : reject("rows of people are cut by LIMIT")
    }
    case "boundary": {
      const input = of(rel.input)
      return input.kind === "private" ? releasedRows : reject("a boundary without rows of people below it")
    }
    default:
      return unreachable(rel)
  }
}

// (1) rows without an id are not read; (2) a row belongs to the unit that it names.
function ofScan(scan: Scan): Ownership {
  const { unit } = scan.table
  if (unit.kind === "public") return publicRows
  if (unit.kind === "row") return { kind: "private", units: new Set(), rowsOf: scan }
  const [hop] = unit.hops
  const wanted = hop === undefined ? unit.column : hop.column
  const index = scan.sources.findIndex(({ name }) => name === wanted)
  const column = scan.columns[index]
  if (column === undefined) return reject(`${scan.table.name} is read without ${wanted}`)
  mustBeRaw(scan, wanted)
  if (hop !== undefined) return { kind: "path", table: scan.table, joined: 0, next: column.id }
  return { kind: "private", units: new Set([column.id]) }
}

// Clamping or rounding an id would make one unit of two people, or give rows to somebody else.
function mustBeRaw(scan: Scan, name: string): void {
  const source = scan.sources.find((one) => one.name === name)
  const { type, range } = source?.domain ?? {}
  const isPlain = type?.kind === "integer" || type?.kind === "text"
  if (!isPlain || range?.min.declared === true || range?.max.declared === true) {
    reject(`${scan.table.name}.${source?.name} is not read as it is, and cannot name a unit`)
  }
}

function withEqual(input: Ownership, condition: Expr | undefined): Ownership {
  if (input.kind !== "private" || input.units.size === 0) return input
  return { ...input, units: closeUnder(input.units, equalColumns(condition)) }
}

// Where a = b is true, both hold the same value and neither is NULL.
function closeUnder(
  units: ReadonlySet<ColumnId>,
  equal: readonly (readonly [ColumnId, ColumnId])[],
): ReadonlySet<ColumnId> {
  const all = new Set(units)
  for (let size = -1; size !== all.size;) {
    size = all.size
    for (const [a, b] of equal) {
      if (all.has(a)) all.add(b)
      if (all.has(b)) all.add(a)
    }
  }
  return all
}

// A function of one row each; the id must be among the outputs.
function ofProject(rel: Project, input: Ownership): Ownership {
  if (input.kind === "path") {
    const index = rel.items.findIndex((item) => item.kind === "column" && item.id === input.next)
    const next = rel.columns[index]
    return next === undefined ? reject("the path to the unit is cut") : { ...input, next: next.id }
  }
  if (input.kind !== "private" || input.rowsOf !== undefined) return input
  const holdsUnit = (item: Expr): boolean => {
    if (item.kind === "column") return input.units.has(item.id)
    if (!isCall(item, "coalesce") || input.either === undefined || item.args.length !== 2) return false
    const [first, second] = item.args
    const [left, right] = input.either
    if (first?.kind !== "column" || second?.kind !== "column") return false
    return (left.has(first.id) && right.has(second.id)) || (right.has(first.id) && left.has(second.id))
  }
  const units = rel.columns.filter((_, index) => {
    const item = rel.items[index]
    return item !== undefined && holdsUnit(item)
  })
  if (units.length === 0) return reject("a projection drops the unit")
  return { kind: "private", units: new Set(units.map(({ id }) => id)) }
}

function ofJoin(rel: Join, left: Ownership, right: Ownership): Ownership {
  if (left.kind === "path" || right.kind === "path") return ofPathJoin(rel, left, right)
  if (left.kind === "public" && right.kind === "public") return publicRows
  if (left.kind !== "private" && right.kind !== "private") return releasedRows
  if (left.kind === "released" || right.kind === "released") return reject("people joined with a release")
  if (left.kind === "private" && right.kind === "private") return ofPrivateJoin(rel, left, right)
  // Every pair belongs to the unit of its private row. An unmatched public row would belong to nobody.
  const isKept = rel.type === "inner" || (rel.type === "left") === (left.kind === "private")
  if (rel.type === "full" || !isKept) return reject("unmatched public rows in a join with people")
  return withEqual(left.kind === "private" ? left : right, rel.type === "inner" ? rel.condition : undefined)
}

// Only pairs of the same unit match, so what u's rows become depends on u's rows of both sides. A row that is
// kept without a match belongs to its own unit, and its lack of a match depends on that unit's rows alone.
function ofPrivateJoin(rel: Join, left: PrivateRows, right: PrivateRows): Ownership {
  if (!equatesUnits(rel.condition, left, right))
    return reject("people joined on something else than the unit")
  switch (rel.type) {
    case "inner":
      return {
        kind: "private",
        units: closeUnder(new Set([...left.units, ...right.units]), equalColumns(rel.condition)),
      }
    case "left":
      return { kind: "private", units: left.units }
    case "right":
      return { kind: "private", units: right.units }
    case "full":
      return { kind: "private", units: new Set(), either: [left.units, right.units] }
    default:
      return unreachable(rel.type)
  }
}

function equatesUnits(condition: Expr | undefined, left: PrivateRows, right: PrivateRows): boolean {
  return equalColumns(condition).some(
    ([a, b]) => (left.units.has(a) && right.units.has(b)) || (left.units.has(b) && right.units.has(a)),
  )
}

// A row of a table with a path belongs to the unit of the row that its hops lead to. That is one row, because
// the hop's target is a declared key (`pathFacts` lists it among the facts that the proof relies on).
function ofPathJoin(rel: Join, left: Ownership, right: Ownership): Ownership {
  const [path, target] =
    left.kind === "path" && rel.right.kind === "scan"
      ? [left, rel.right]
      : right.kind === "path" && rel.left.kind === "scan"
        ? [right, rel.left]
        : [undefined, undefined]
  if (path === undefined || rel.type !== "inner")
    return reject("a path to the unit is not joined as declared")
  const { unit } = path.table
  const hop = unit.kind === "path" ? unit.hops[path.joined] : undefined
  if (unit.kind !== "path" || hop === undefined || target.table.name !== hop.table) {
    return reject("a path to the unit leads elsewhere")
  }
  const idOf = (name: string): ColumnId =>
    target.columns[target.sources.findIndex((source) => source.name === name)]?.id ??
    reject(`${hop.table} is read without ${name}`)
  const key = idOf(hop.key)
  const isJoined = equalColumns(rel.condition).some(
    ([a, b]) => (a === path.next && b === key) || (b === path.next && a === key),
  )
  if (!isJoined) return reject("a path to the unit is not joined on its key")
  mustBeRaw(target, hop.key)
  const following = unit.hops[path.joined + 1]
  if (following !== undefined) {
    mustBeRaw(target, following.column)
    return { kind: "path", table: path.table, joined: path.joined + 1, next: idOf(following.column) }
  }
  mustBeRaw(target, unit.column)
  return { kind: "private", units: closeUnder(new Set([idOf(unit.column)]), equalColumns(rel.condition)) }
}

function ofMark(rel: Mark, left: Ownership, right: Ownership): Ownership {
  if (left.kind === "path" || right.kind === "path") return reject("a path to the unit ends in EXISTS")
  if (right.kind === "public") return left
  if (left.kind === "private" && right.kind === "private") {
    // Whether a row of u has a match depends on u's rows of the right side.
    return equatesUnits(rel.condition, left, right) ? left : reject("EXISTS looks at other units")
  }
  if (left.kind === "private" || right.kind === "private") return reject("EXISTS across people and others")
  return releasedRows
}

// Groups of one unit's rows only.
function ofAggregate(rel: Aggregate, input: Ownership): Ownership {
  if (input.kind === "path") return reject("a path to the unit is cut by GROUP BY")
  if (input.kind !== "private") return input
  const units = rel.keys.filter((key) => input.units.has(key))
  return units.length === 0
    ? reject("people are added up outside a boundary")
    : { kind: "private", units: new Set(units) }
}

function ofWindow(rel: WindowRel, input: Ownership): Ownership {
  if (input.kind === "path") return reject("a path to the unit is cut by a window")
  if (input.kind !== "private") return input
  for (const { partitionBy } of rel.items) {
    if (!partitionBy.some((expr) => expr.kind === "column" && input.units.has(expr.id))) {
      return reject("a window looks at other units")
    }
  }
  return input
}

function ofUnion(rel: Union, inputs: readonly Ownership[]): Ownership {
  if (inputs.every(({ kind }) => kind === "public")) return publicRows
  if (inputs.every(({ kind }) => kind === "public" || kind === "released")) return releasedRows
  const units = rel.columns.filter((_, index) =>
    inputs.every((input, which) => {
      const id = rel.inputs[which]?.columns[index]?.id
      return input.kind === "private" && id !== undefined && input.units.has(id)
    }),
  )
  if (units.length === 0) return reject("a union without one unit column")
  return { kind: "private", units: new Set(units.map(({ id }) => id)) }
}
