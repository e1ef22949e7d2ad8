// Aggregates of cells that stand next to each other in a list: prepared once, then asked for any slice in at
// most logarithmic time. A group is the slice of all its cells, a window frame is one of many.

import { add, numberNear, rational, subtract, type Rational } from "@dosimeter/core/exact"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { compareConstants } from "@dosimeter/proof/catalog/values-of"
import type { PlainAggregate } from "@dosimeter/proof/algebra/rel"
import { truthOf } from "../values/call-logic.ts"
import { widened } from "../values/convert.ts"
import { booleanConstant, nullConstant, numberConstant, wholeConstant } from "../values/doubles.ts"
import { isNumeric } from "@dosimeter/proof/functions/numeric-domain"
import { sliceNoise } from "@dosimeter/core/post"
import { leftOutSlices } from "../cells/left-out.ts"
import { addRanges, greatestRange, isEmpty, leastRange, nothing, type Range } from "../cells/range.ts"
import {
  addLinear,
  linearOf,
  negateLinear,
  spreadOfLinear,
  vague,
  withLeftOut,
  type CellSlice,
  type LinearNumber,
  type Spread,
} from "../cells/spread.ts"
import { cellOf, publicCell, type Cell, type CellState } from "../cells/table.ts"

/** The aggregate of the cells from one place up to, not including, another. */
export type SliceFunction = (from: number, to: number) => Cell

/** Prepares an aggregate. For "rows" the cells are only counted. */
export function sliceAggregate(name: PlainAggregate, cells: readonly Cell[], type: SqlType): SliceFunction {
  switch (name) {
    case "rows":
      return (from, to) => publicCell(wholeConstant(BigInt(Math.max(0, to - from))))
    case "count":
      return countSlices(cells)
    case "count-distinct":
      return distinctSlices(cells)
    case "sum":
      return sumSlices(cells, type)
    case "min":
      return extremeSlices(cells, type, { direction: -1, range: leastRange })
    case "max":
      return extremeSlices(cells, type, { direction: 1, range: greatestRange })
    case "every":
      return truthSlices(cells, false)
    case "some":
      return truthSlices(cells, true)
    default:
      return name satisfies never
  }
}

/** How many of the cells before each place have a property. */
function counted<Item>(
  cells: readonly Item[],
  has: (cell: Item) => boolean,
): (from: number, to: number) => number {
  const before = new Float64Array(cells.length + 1)
  cells.forEach((cell, index) => {
    before[index + 1] = (before[index] ?? 0) + (has(cell) ? 1 : 0)
  })
  return (from, to) => (to <= from ? 0 : (before[to] ?? 0) - (before[from] ?? 0))
}

const isThere = ({ value }: Cell): boolean => value.kind !== "null"

/** Below the threshold only if all that count are. */
function statesOf(cells: readonly Cell[]): (from: number, to: number) => CellState {
  const there = counted(cells, isThere)
  const below = counted(cells, (cell) => isThere(cell) && cell.state === "below-threshold")
  return (from, to) => {
    const count = there(from, to)
    return count > 0 && below(from, to) === count ? "below-threshold" : "released"
  }
}

/** Whether the exact value may be NULL where the noisy one is not, or the other way round. */
function mayVanish({ spread }: Cell): boolean {
  return spread !== undefined && (spread.kind !== "linear" || spread.mayBeNull)
}

function countSlices(cells: readonly Cell[]): SliceFunction {
  const [there, unsure] = [counted(cells, isThere), counted(cells, mayVanish)]
  const state = statesOf(cells)
  return (from, to) => {
    const spread = unsure(from, to) === 0 ? undefined : derived({ cells, from, to }, countRange)
    return cellOf(wholeConstant(BigInt(there(from, to))), spread, state(from, to))
  }
}

function countRange(ranges: readonly Range[]): Range {
  return {
    low: ranges.filter(({ mayBeNull }) => !mayBeNull).length,
    high: ranges.filter((range) => !isEmpty(range)).length,
    mayBeNull: false,
  }
}

function distinctSlices(cells: readonly Cell[]): SliceFunction {
  const noisy = counted(cells, ({ spread }) => spread !== undefined)
  const state = statesOf(cells)
  return (from, to) => {
    const part = cells.slice(from, Math.max(from, to)).filter(isThere)
    const count = new Set(part.map(({ value }) => constantKey(value))).size
    const most: Range = { low: 0, high: Math.max(0, to - from), mayBeNull: false }
    const spread = noisy(from, to) === 0 ? undefined : derived({ cells, from, to }, () => most)
    return cellOf(wholeConstant(BigInt(count)), spread, state(from, to))
  }
}

const none: LinearNumber = {
  centre: rational(0n),
  form: undefined,
  slack: 0,
  mayBeNull: false,
  fromZero: true,
}

/** Sums of exact numbers and of noise, each prepared for any slice. */
function sumSlices(cells: readonly Cell[], type: SqlType): SliceFunction {
  const terms = cells.map((cell) => (mayVanish(cell) ? undefined : linearOf(cell)))
  const sums = exactSlices(cells.map(({ value }) => (value.kind === "number" ? value.value : undefined)))
  const linear = linearSlices(terms)
  const leftOut = leftOutSlices(terms.map((term) => term?.leftOut))
  const anySign = counted(terms, (term) => term?.fromZero === false)
  const [there, derivedCells, noisy] = [
    counted(cells, isThere),
    counted(cells, mayVanish),
    counted(cells, ({ spread }) => spread !== undefined),
  ]
  const state = statesOf(cells)
  return (from, to) => {
    const end = Math.max(from, to)
    const value = there(from, to) === 0 ? nullConstant : widened(numberConstant(sums(from, end)), type)
    if (noisy(from, to) === 0) return cellOf(value, undefined, state(from, to))
    const spread: Spread | undefined =
      derivedCells(from, to) === 0
        ? spreadOfLinear({
            ...linear(from, end),
            fromZero: anySign(from, end) === 0,
            slack: type.kind === "float" ? slackOf(cells, from, end) : 0,
            ...withLeftOut(leftOut(from, end)),
          })
        : derived({ cells, from, to: end }, sumRange)
    return cellOf(value, spread, state(from, to))
  }
}

/** Sums of slices of exact numbers, as differences of running totals. */
function exactSlices(values: readonly (Rational | undefined)[]): (from: number, to: number) => Rational {
  if (values.every((value) => value === undefined || value.denominator === 1n)) {
    const totals: bigint[] = [0n]
    for (const value of values) totals.push((totals.at(-1) ?? 0n) + (value?.numerator ?? 0n))
    return (from, to) => rational((totals[to] ?? 0n) - (totals[from] ?? 0n))
  }
  const totals: Rational[] = [none.centre]
  for (const value of values) {
    const before = totals.at(-1) ?? none.centre
    totals.push(value === undefined ? before : add(before, value))
  }
  return (from, to) => subtract(totals[to] ?? none.centre, totals[from] ?? none.centre)
}

/** Sums of slices of numbers with noise. Where draws are shared, by the difference of two running totals. */
function linearSlices(
  terms: readonly (LinearNumber | undefined)[],
): (from: number, to: number) => LinearNumber {
  const noise = sliceNoise(terms.map((term) => term?.form))
  if (noise !== undefined) {
    const centres = exactSlices(terms.map((term) => term?.centre))
    // Terms that may be NULL are none of these.
    return (from, to) => ({ ...none, centre: centres(from, to), form: noise(from, to) })
  }
  const totals: LinearNumber[] = [none]
  for (const term of terms) {
    const total = totals.at(-1) ?? none
    totals.push(term === undefined ? total : addLinear(total, noiseOnly(term)))
  }
  return (from, to) => addLinear(totals[to] ?? none, negateLinear(totals[from] ?? none))
}

// Differences of running totals would widen what is left out: it has slices of its own.
function noiseOnly({ leftOut: _, ...number }: LinearNumber): LinearNumber {
  return number
}

function slackOf(cells: readonly Cell[], from: number, to: number): number {
  let slack = 0
  for (const cell of cells.slice(from, to)) {
    const linear = linearOf(cell)
    if (linear !== undefined) slack += linear.slack + Math.abs(numberNear(linear.centre)) * 2 ** -50
  }
  return slack
}

/** What may be NULL may be left out. */
function sumRange(ranges: readonly Range[]): Range {
  let total: Range = { low: 0, high: 0, mayBeNull: false }
  let mayBeNull = true
  for (const range of ranges) {
    if (isEmpty(range)) continue
    if (!range.mayBeNull) mayBeNull = false
    const [low, high] = range.mayBeNull
      ? [Math.min(0, range.low), Math.max(0, range.high)]
      : [range.low, range.high]
    total = addRanges(total, { low, high, mayBeNull: false })
  }
  return ranges.every(isEmpty) ? nothing : { ...total, mayBeNull }
}

interface Extreme {
  readonly direction: 1 | -1
  readonly range: (ranges: readonly Range[]) => Range
}

function extremeSlices(cells: readonly Cell[], type: SqlType, { direction, range }: Extreme): SliceFunction {
  const better = (a: number, b: number): number => {
    const [first, second] = [valueAt(cells, a), valueAt(cells, b)]
    if (second.kind === "null") return a
    return first.kind === "null" || direction * compareConstants(second, first) > 0 ? b : a
  }
  const best = bestOf(cells.length, better)
  const noisy = counted(cells, ({ spread }) => spread !== undefined)
  const there = counted(cells, (cell) => isThere(cell) || cell.spread !== undefined)
  return (from, to) => {
    const at = to > from ? cells[best(from, to)] : undefined
    if (at === undefined) return publicCell(nullConstant)
    const value = widened(at.value, type)
    if (noisy(from, to) === 0) return cellOf(value, undefined, at.state)
    if (there(from, to) === 1 && at.spread !== undefined) return cellOf(value, at.spread, at.state)
    return cellOf(value, isNumeric(type) ? derived({ cells, from, to }, range) : vague, at.state)
  }
}

function valueAt(cells: readonly Cell[], index: number): Constant {
  return cells[index]?.value ?? nullConstant
}

/** The best place of any slice that is not empty: a tree of the best of two, four, eight ... */
function bestOf(
  length: number,
  better: (a: number, b: number) => number,
): (from: number, to: number) => number {
  const tree = new Int32Array(2 * length)
  for (let index = 0; index < length; index += 1) tree[length + index] = index
  for (let node = length - 1; node > 0; node -= 1)
    tree[node] = better(tree[2 * node] ?? 0, tree[2 * node + 1] ?? 0)
  return (from, to) => {
    let best = from
    for (let [low, high] = [from + length, to + length]; low < high; low >>= 1, high >>= 1) {
      if ((low & 1) === 1) {
        best = better(best, tree[low] ?? 0)
        low += 1
      }
      if ((high & 1) === 1) {
        high -= 1
        best = better(best, tree[high] ?? 0)
      }
    }
    return best
  }
}

/** All, or some. NULLs do not count; of nothing there is none. */
function truthSlices(cells: readonly Cell[], wanted: boolean): SliceFunction {
  const [there, found] = [counted(cells, isThere), counted(cells, ({ value }) => truthOf(value) === wanted)]
  const noisy = counted(cells, ({ spread }) => spread !== undefined)
  const state = statesOf(cells)
  return (from, to) => {
    const isFound = found(from, to) > 0
    const value = there(from, to) === 0 ? nullConstant : booleanConstant(isFound ? wanted : !wanted)
    return cellOf(value, noisy(from, to) === 0 ? undefined : vague, state(from, to))
  }
}

function derived(inputs: CellSlice, combine: (ranges: readonly Range[]) => Range): Spread {
  return { kind: "derived", inputs, combine }
}
