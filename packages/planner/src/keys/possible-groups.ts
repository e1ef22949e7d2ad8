// Which groups can have rows at all, by what a question says: WHERE ward IN ('A', 'B') leaves two wards. A
// group is left out only if some condition cannot be true of any row in it, whatever its other columns hold.
// Conditions, keys and declared domains decide that, and no data.

import { NormalRows } from "@dosimeter/answers/reuse/normal-rows"
import { rowFunction, type RowFunction } from "@dosimeter/answers/evaluate/evaluate-expression"
import { publicCell } from "@dosimeter/answers/cells/table"
import { pinned } from "@dosimeter/answers/reuse/pinned"
import { truthOf } from "@dosimeter/answers/values/call-logic"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { mapParts } from "@dosimeter/proof/algebra/change"
import type { ColumnExpr, ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr } from "@dosimeter/proof/algebra/make"
import { groupName } from "@dosimeter/proof/algebra/public-rows"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import { columnsIn, partsOf } from "@dosimeter/proof/algebra/walk"
import { columnCells, type ColumnCells } from "./column-cells.ts"
import { anyTruth, truthsOfCall, type Truth, type Truths } from "./truths.ts"

/** Values of some keys, by their places. */
export type KnownKeys = ReadonlyMap<number, Constant>

/** What conditions say of groups; undefined where they say nothing of the columns that keys are made of. */
export function possibleGroups({
  input,
  keys,
}: Pick<Boundary, "input" | "keys">): PossibleGroups | undefined {
  if (keys.length === 0) return undefined
  const normal = new NormalRows()
  const { conditions, columns } = normal.rowsOf(input)
  const exprs = keys.flatMap((key) => columns.get(key) ?? [])
  if (exprs.length < keys.length || normal.isTooLong) return undefined
  const ofKeys = new Set(exprs.flatMap((key) => [...columnsIn(key)]))
  const relevant = conditions.filter((one) => [...columnsIn(one)].some((id) => ofKeys.has(id)))
  if (relevant.length === 0) return undefined
  const all = together(relevant)
  const groups = new PossibleGroups(all, exprs, (expr) => normal.textOf(expr))
  // Texts are needed to find keys in conditions.
  for (const expr of [...all, ...exprs]) normal.textOf(expr)
  return normal.isTooLong ? undefined : groups
}

// Conditions on one column are looked at as one: its values must meet all of them.
function together(conditions: readonly Expr[]): readonly Expr[] {
  const byColumn = new Map<ColumnId, Expr[]>()
  const others: Expr[] = []
  for (const condition of conditions) {
    const [column, ...more] = columnsIn(condition)
    if (column === undefined || more.length > 0) {
      others.push(condition)
      continue
    }
    const own = byColumn.get(column)
    if (own === undefined) byColumn.set(column, [condition])
    else own.push(condition)
  }
  const joined = [...byColumn.values()].flatMap((own) => (own.length === 1 ? own : [callExpr("and", own)]))
  return [...joined, ...others]
}

/** A condition over keys alone: key i is column i. */
interface OverKeys {
  readonly places: readonly number[]
  readonly value: RowFunction
}

/** What conditions say of the groups of some keys. */
export class PossibleGroups {
  readonly #conditions: readonly Expr[]
  readonly #keys: readonly Expr[]
  readonly #textOf: (expr: Expr) => string
  readonly #placeOf: ReadonlyMap<string, number>
  readonly #overKeys = new Map<Expr, OverKeys | undefined>()
  readonly #cells = new Map<ColumnId, ColumnCells | undefined>()
  readonly #cellsOf = new Map<string, ReadonlyMap<string, ColumnCells["cells"]>>()
  readonly #truths = new Map<Expr, Map<string, Truths>>()

  constructor(conditions: readonly Expr[], keys: readonly Expr[], textOf: (expr: Expr) => string) {
    this.#conditions = conditions
    this.#keys = keys
    this.#textOf = textOf
    this.#placeOf = new Map(keys.map((key, place) => [textOf(key), place]))
  }

  /** Whether a row with these keys may meet all conditions. */
  mayBe(known: KnownKeys): boolean {
    return this.#conditions.every((condition) => this.#truthsOf(condition, known).has(true))
  }

  /** Whether some condition reads a column that a key is made of. */
  isAbout(place: number): boolean {
    const key = this.#keys[place]
    const own = key === undefined ? new Set<ColumnId>() : columnsIn(key)
    return this.#conditions.some((condition) => [...columnsIn(condition)].some((id) => own.has(id)))
  }

  /** The values that the question itself lists for a key: a row with another does not count. */
  listedAt(place: number): readonly Constant[] | undefined {
    const key = this.#keys[place]
    const text = key === undefined ? undefined : this.#textOf(key)
    const conjuncts = this.#conditions.flatMap((one) =>
      one.kind === "call" && one.name === "and" ? one.args : [one],
    )
    const found = conjuncts.flatMap(pinned)
    return found.find((one) => one.isOfKind && this.#textOf(one.key) === text)?.values
  }

  #truthsOf(condition: Expr, known: KnownKeys): Truths {
    const over = this.#expressed(condition)
    if (over?.places.every((place) => known.has(place)) === true) {
      const row = this.#keys.map((_, place) => publicCell(known.get(place) ?? { kind: "null" }))
      return new Set([truthOf(over.value(row).value)])
    }
    const inCells = this.#inCells(condition, known)
    if (inCells !== undefined) return inCells
    if (condition.kind !== "call") return anyTruth
    const args = (): readonly Truths[] => condition.args.map((arg) => this.#truthsOf(arg, known))
    return logic.has(condition.name) ? (truthsOfCall(condition.name, args()) ?? anyTruth) : anyTruth
  }

  // The condition over keys, where it needs nothing else of a row.
  #expressed(condition: Expr): OverKeys | undefined {
    if (this.#overKeys.has(condition)) return this.#overKeys.get(condition)
    const places = new Set<number>()
    let isWhole = true
    const express = (expr: Expr): Expr => {
      const place = this.#placeOf.get(this.#textOf(expr))
      if (place !== undefined) {
        places.add(place)
        return { kind: "column", id: place, domain: expr.domain }
      }
      if (expr.kind === "literal") return expr
      // What only a database computes, and columns that are no keys.
      if (expr.kind !== "call" && expr.kind !== "case") isWhole = false
      return isWhole ? mapParts(expr, express) : expr
    }
    const expr = express(condition)
    const positions = new Map(this.#keys.map((_, place) => [place, place]))
    const over = isWhole ? { places: [...places], value: rowFunction(expr, positions) } : undefined
    this.#overKeys.set(condition, over)
    return over
  }

  // The truths of a condition on one column, over the values that the known keys leave to it.
  #inCells(condition: Expr, known: KnownKeys): Truths | undefined {
    const [column, ...others] = columnsOf(condition)
    if (column === undefined || others.length > 0 || !isComputed(condition)) return undefined
    const places = this.#placesOver(column.id).filter((place) => known.has(place))
    const cells = places.length === 0 ? undefined : this.#columnCells(column)
    if (cells?.isAtEnds(condition) !== true) return undefined
    const name = groupName(places.flatMap((place) => known.get(place) ?? []))
    const tuple = `${places.join(" ")} ${name}`
    const before = this.#truths.get(condition) ?? new Map<string, Truths>()
    this.#truths.set(condition, before)
    const found = before.get(tuple)
    if (found !== undefined) return found
    const value = rowFunction(condition, new Map([[column.id, 0]]))
    const truths = new Set<Truth>()
    for (const cell of this.#cellsBy(column, places).get(name) ?? []) {
      for (const end of cell) truths.add(truthOf(value([publicCell(end)]).value))
    }
    before.set(tuple, truths)
    return truths
  }

  /** The keys that are computed from a column and nothing else. */
  #placesOver(column: ColumnId): readonly number[] {
    return this.#keys.flatMap((key, place) => {
      const columns = columnsIn(key)
      return columns.size === 1 && columns.has(column) && isComputed(key) ? [place] : []
    })
  }

  #columnCells({ id, domain }: ColumnExpr): ColumnCells | undefined {
    if (this.#cells.has(id)) return this.#cells.get(id)
    const keys = this.#placesOver(id).flatMap((place) => this.#keys[place] ?? [])
    const cells = columnCells(domain, id, keys)
    const usable = cells !== undefined && keys.every((key) => cells.isSettled(key)) ? cells : undefined
    this.#cells.set(id, usable)
    return usable
  }

  /** The cells of a column by the keys at some places. */
  #cellsBy(column: ColumnExpr, places: readonly number[]): ReadonlyMap<string, ColumnCells["cells"]> {
    const name = `${column.id} ${places.join(" ")}`
    const known = this.#cellsOf.get(name)
    if (known !== undefined) return known
    const positions = new Map([[column.id, 0]])
    const values = places.flatMap((place) => {
      const key = this.#keys[place]
      return key === undefined ? [] : [rowFunction(key, positions)]
    })
    const found = new Map<string, (readonly Constant[])[]>()
    for (const cell of this.#columnCells(column)?.cells ?? []) {
      const row = cell.slice(0, 1).map(publicCell)
      const group = groupName(values.map((value) => value(row).value))
      const own = found.get(group)
      if (own === undefined) found.set(group, [cell])
      else own.push(cell)
    }
    this.#cellsOf.set(name, found)
    return found
  }
}

const logic: ReadonlySet<string> = new Set(["and", "or", "not", "is-true", "is-false"])

// What is worked out here as a database does.
function isComputed(expr: Expr): boolean {
  return expr.kind !== "keyed-hash" && partsOf(expr).every(isComputed)
}

function columnsOf(expr: Expr): readonly ColumnExpr[] {
  const found = new Map<ColumnId, ColumnExpr>()
  const visit = (at: Expr): void => {
    if (at.kind === "column") found.set(at.id, at)
    for (const part of partsOf(at)) visit(part)
  }
  visit(expr)
  return [...found.values()]
}
