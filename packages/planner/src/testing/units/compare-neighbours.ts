// What one person changes in the exact tables of a release, held against what its mechanisms claim.

import { add, numberNear, subtract, zero, type Rational } from "@dosimeter/core/exact"
import {
  changesOf,
  l1Of,
  l2SquaredOf,
  lossOf,
  measuredSum,
  momentCoordinates,
  momentNorm,
  type MarginsSpec,
  type RunningTotalSpec,
  type Sensitivity,
  type TreeSpec,
} from "@dosimeter/core/mechanisms"
import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import {
  hasStrategy,
  specOf,
  type ChoiceKind,
  type ChoiceMeasurement,
  type ForChoices,
  type ForStrategies,
  type LinearMeasurement,
  type Measurement,
  type StrategyKind,
} from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { cellOfConstant } from "./constant-cell.ts"
import { combinationsOf, marginCost } from "./margin-cost.ts"
import type { Cell, ResultTable } from "./test-database.ts"
import { treeCost } from "./tree-cost.ts"
import { checkWeightChange } from "./weight-change.ts"

/** The results of the extracts of a release, in their order. */
export type Extracted = readonly ResultTable[]

/** What a comparison found. */
export interface Comparison {
  /** Claims that do not hold; in words. */
  readonly broken: readonly string[]
  /** Claims that were reached exactly, by the kind of measure: the check can fail. */
  readonly reached: readonly string[]
}

type Delta = ReadonlyMap<string, bigint>

/** Compares the results on two neighbouring datasets. */
export function compareNeighbours(release: Release, before: Extracted, after: Extracted): Comparison {
  const broken: string[] = []
  const reached: string[] = []
  for (const [index, { types }] of before.entries()) {
    const others = after[index]?.types ?? []
    if (types.join() !== others.join()) broken.push(`extract ${index} has other types`)
  }
  const context = { release, before, after, broken, reached }
  checkKeys(context)
  checkTop(context)
  checkListed(context)
  for (const measurement of release.measurements) {
    if (measurement.kind === "linear") checkLinear(measurement, context)
    else checkChoice(measurement, context)
  }
  return { broken, reached }
}

interface Context {
  readonly release: Release
  readonly before: Extracted
  readonly after: Extracted
  readonly broken: string[]
  readonly reached: string[]
}

// A unit is counted once in each of its groups, or by its rows up to a number, or weighs no more than the
// number of its groups allows.
function checkKeys(context: Context): void {
  const { keys } = context.release
  if (keys.kind !== "private") return
  const delta = changes(context, 0, keys.units)
  if (keys.spec.kind === "keys-weighted") {
    const found = checkWeightChange(keys.spec, [...delta.values()])
    context.broken.push(...found.broken)
    if (found.isReached) context.reached.push("keys: weights")
    return
  }
  const most = keys.spec.groupsPerUnit * (keys.spec.neighbours === "replace" ? 2n : 1n)
  expectAtMost(context, "keys: groups", BigInt(delta.size), most)
  const each = keys.spec.kind === "keys-optimal" ? 1n : keys.spec.rowsPerGroup
  const what = each === 1n ? "keys: units" : "keys: rows"
  for (const change of delta.values()) expectAtMost(context, what, magnitude(change), each)
}

// The score of every group moves by no more than is claimed, all one way unless units are replaced; and a
// unit that may have brought groups with it is in no more of them.
function checkTop(context: Context): void {
  const { keys } = context.release
  if (keys.kind !== "top") return
  const { spec } = keys
  const delta = [...changes(context, 0, keys.score).values()]
  for (const change of delta) expectAtMost(context, "top: score", magnitude(change), spec.sensitivity)
  const isOneWay = spec.kind === "top-k" ? spec.scores === "monotone" : spec.neighbours === "add-or-remove"
  if (isOneWay && delta.some(isPositive) && delta.some(isNegative)) {
    context.broken.push("top: scores move both ways")
  }
  if (spec.kind === "top-k") return
  const width = context.release.extracts[0]?.keys.length ?? 0
  const [before, after] = [context.before, context.after].map(
    ([table]) => new Set(table?.rows.map((row) => showKey(row.slice(0, width)))),
  )
  const own = [...(before ?? [])].filter((key) => after?.has(key) === false)
  expectAtMost(context, "top: groups", BigInt(own.length), spec.groupsPerUnit)
}

// Where all groups are listed, there are no others.
function checkListed({ release, before, after, broken }: Context): void {
  const { keys } = release
  const hasLists = keys.kind === "public" || keys.kind === "top"
  const all = hasLists ? keys.lists : undefined
  if (all === undefined) return
  const lists = all.map((list) => new Set(list.map((constant) => showKey([cellOfConstant(constant)]))))
  for (const { rows } of [...before, ...after]) {
    const stray = rows.find((row) => lists.some((list, place) => !list.has(showKey([row[place] ?? null]))))
    if (stray !== undefined)
      broken.push(`a group that is not listed: ${showKey(stray.slice(0, lists.length))}`)
  }
}

const strategies: ForStrategies<[Context], void> = {
  identity: (one, context) => checkAdditive(onlyColumn(one, context), one.strategy.spec.sensitivity, context),
  moments: checkMoments,
  scaled: checkScaled,
  parts: (one, context) => checkJoint("margins", one, context),
  levels: (one, context) => checkJoint("tree", one, context),
  totals: (one, context) => checkTotalsChange(onlyColumn(one, context), one.strategy.spec, context),
}

const choices: ForChoices<[Context], void> = {
  quantiles: (one, context) => {
    const { spec } = one.choice
    const perGroup = histogramChanges(context, one.extract, one)
    const rows = perGroup.map((cells) =>
      larger(total(cells.filter(isPositive)), -total(cells.filter(isNegative))),
    )
    const changed = shownOf(rows, context)
    if (spec.full === undefined) {
      expectAtMost(context, "quantiles: groups", BigInt(changed.length), spec.groupsPerUnit)
      expectAtMost(context, "quantiles: rows", changed.reduce(larger, 0n), spec.rowsPerUnit)
    } else {
      const most = spec.full * spec.rowsPerUnit
      expectNearly(context, "quantiles: groups", total(changed), most * spec.groupsPerUnit)
      expectNearly(context, "quantiles: rows", changed.reduce(larger, 0n), most)
    }
    checkCells(context, one.extract, one.cell, spec.cells)
  },
  mode: (one, context) => {
    const { spec } = one.choice
    const perGroup = histogramChanges(context, one.extract, one)
    const scores = perGroup.map((cells) => cells.map(magnitude).reduce(larger, 0n))
    const changed = shownOf(scores, context)
    expectAtMost(context, "mode: groups", BigInt(changed.length), spec.groupsPerUnit)
    expectAtMost(context, "mode: score", changed.reduce(larger, 0n), spec.sensitivity)
    const all = perGroup.flat()
    if (spec.scores === "monotone" && all.some(isPositive) && all.some(isNegative)) {
      context.broken.push("mode: scores move both ways")
    }
    checkCells(context, one.extract, one.cell, spec.candidates)
  },
}

function checkLinear<Kind extends StrategyKind>(one: LinearMeasurement<Kind>, context: Context): void {
  strategies[one.strategy.kind](one, context)
}

function checkChoice<Kind extends ChoiceKind>(one: ChoiceMeasurement<Kind>, context: Context): void {
  choices[one.choice.kind](one, context)
}

function onlyColumn({ extract, columns }: LinearMeasurement, context: Context): Delta {
  return changes(context, extract, columns[0]?.id ?? -1)
}

function checkAdditive(delta: Delta, sensitivity: Sensitivity, context: Context): void {
  const sizes = shownOf([...delta.values()].map(magnitude), context)
  const { groupsPerUnit } = context.release.bounds
  const most = sensitivity.patterns.flat().reduce((a, { amount }) => larger(a, amount), 0n)
  const groups = sensitivity.neighbours === "replace" ? 2n * groupsPerUnit : groupsPerUnit
  expectAtMost(context, "groups", BigInt(sizes.length), groups)
  for (const size of sizes) expectAtMost(context, "amount", size, most)
  expectAtMost(context, "L1", total(sizes), l1Of(sensitivity))
  expectAtMost(context, "L2 squared", total(sizes.map((size) => size * size)), l2SquaredOf(sensitivity))
}

// All columns of all groups are one vector.
function checkScaled({ extract, columns, strategy }: LinearMeasurement<"scaled">, context: Context): void {
  const { sensitivity } = strategy.spec
  const amounts = columns.flatMap(({ id }) => [...changes(context, extract, id).values()])
  const squares = total(amounts.map((amount) => amount * amount))
  if (sensitivity.norm === "l1") {
    const size = total(amounts.map(magnitude))
    expectAtMost(context, "scaled: L1", size, l1Of(sensitivity))
    if (1000n * size >= 999n * l1Of(sensitivity)) context.reached.push("scaled: norm")
  }
  const limit = l2SquaredOf(sensitivity)
  expectAtMost(context, "scaled: L2 squared", squares, limit)
  // Weights are rounded down, so that the norm is hardly ever reached exactly.
  if (1000n * squares >= 999n * limit) context.reached.push("scaled: norm")
}

// The coordinates of every group, as release makes them of the columns.
function checkMoments({ extract, columns, strategy }: LinearMeasurement<"moments">, context: Context): void {
  const { lower, upper, from, basis, spec } = strategy
  const deltas = columns.map(({ id }) => changes(context, extract, id))
  const groups = new Set(deltas.flatMap((delta) => [...delta.keys()]))
  const { groupsPerUnit } = context.release.bounds
  const isReplace = spec.sensitivity.neighbours === "replace"
  expectAtMost(context, "groups", BigInt(groups.size), isReplace ? 2n * groupsPerUnit : groupsPerUnit)
  const changed = [...groups].map((group) => {
    const [n = 0n, s = 0n, q = 0n] = deltas.map((delta) => delta.get(group) ?? 0n)
    const shift = from - lower
    const moments = [n, s - lower * n, q + 2n * shift * (s - from * n) + shift * shift * n]
    return momentCoordinates(basis, upper - lower, moments.slice(0, deltas.length))
  })
  const worst = (size: (one: bigint) => bigint): bigint =>
    total(
      shownOf(
        changed.map((vector) => total(vector.map(size))),
        context,
      ),
    )
  expectAtMost(
    context,
    `${basis}: L2 squared`,
    worst((one) => one * one),
    l2SquaredOf(spec.sensitivity),
  )
  if (momentNorm(basis) !== "L1") return
  expectAtMost(context, `${basis}: L1`, worst(magnitude), l1Of(spec.sensitivity))
}

// Whichever groups were chosen, no more than the largest changes can be among them.
function shownOf(sizes: readonly bigint[], { release: { keys } }: Context): readonly bigint[] {
  if (keys.kind !== "top") return sizes
  return sizes.toSorted((a, b) => (a > b ? -1 : 1)).slice(0, Number(keys.spec.k))
}

// Where units are weighed, all measurements of a release are paid for together; else each by itself.
function checkJoint(what: "margins" | "tree", measurement: LinearMeasurement, context: Context): void {
  const { bounds, measurements } = context.release
  const all = bounds.scaled === undefined ? [measurement] : measurements
  const paid = all.map((one) => lossOf(specOf(one)).gdp?.muSquared ?? zero).reduce(add, zero)
  const cost = all.map((one) => jointCost(one, context)).reduce(add, zero)
  const lost = subtract(paid, cost)
  if (lost.numerator < 0n) context.broken.push(`${what}: a unit costs more than is charged`)
  // Losses of trees are rounded up a little.
  if (what === "tree" ? numberNear(lost) < 1e-9 : lost.numerator === 0n) context.reached.push(`${what}: loss`)
  // Weights are rounded down.
  if (bounds.scaled !== undefined && numberNear(cost) > 0.99 * numberNear(paid))
    context.reached.push(`${what}: weighed`)
}

function jointCost(measurement: Measurement, context: Context): Rational {
  if (hasStrategy(measurement, "parts")) {
    return marginChange(onlyColumn(measurement, context), measurement.strategy.spec, context)
  }
  return hasStrategy(measurement, "levels")
    ? treeChange(onlyColumn(measurement, context), measurement.strategy.spec, context)
    : zero
}

function marginChange(delta: Delta, spec: MarginsSpec, context: Context): Rational {
  const { keys } = context.release
  const lists = keys.kind === "public" ? keys.lists : []
  const names = lists.map((list) => list.map((constant) => cellOfConstant(constant)))
  const cells = combinationsOf(names).flatMap(({ values, places }) => {
    const amount = delta.get(showKey(values))
    return amount === undefined || amount === 0n ? [] : [{ places, amount }]
  })
  return marginCost(spec, cells)
}

function treeChange(delta: Delta, spec: TreeSpec, context: Context): Rational {
  const { keys } = context.release
  const rows = keys.kind === "public" ? (keys.rows ?? []) : []
  return treeCost(
    spec,
    rows.map((row) => delta.get(showKey(row.map(cellOfConstant))) ?? 0n),
  )
}

function checkTotalsChange(delta: Delta, spec: RunningTotalSpec, context: Context): void {
  const { form, horizon, stepsPerUnit, amountPerStep, neighbours } = spec
  const { keys } = context.release
  const [periods = []] = keys.kind === "public" ? keys.lists : []
  const amounts = periods.map((period) => delta.get(showKey([cellOfConstant(period)])) ?? 0n)
  const measured = amounts.map((_, step) => measuredSum(form, amounts.slice(0, step + 1)))
  const each = neighbours === "replace" ? 2n * amountPerStep : amountPerStep
  const claimed = changesOf(form, { horizon, steps: stepsPerUnit }).map((change) => (change * each) ** 2n)
  expectAtMost(context, "totals: L2 squared", total(measured.map((size) => size * size)), total(claimed))
}

function expectAtMost(context: Context, what: string, got: bigint, limit: bigint): void {
  if (got > limit) context.broken.push(`${what}: ${got} is more than ${limit}`)
  if (got === limit) context.reached.push(what)
}

// Weights are rounded down, so that the most is hardly ever reached exactly.
function expectNearly(context: Context, what: string, got: bigint, limit: bigint): void {
  expectAtMost(context, what, got, limit)
  if (1000n * got >= 999n * limit && got < limit) context.reached.push(what)
}

// Cells are whole numbers inside the histogram.
function checkCells(context: Context, extract: number, cell: ColumnId, cells: bigint): void {
  for (const { rows } of [context.before[extract], context.after[extract]].filter(
    (one) => one !== undefined,
  )) {
    const place = placeOf(context, extract, cell)
    const isInside = rows.every((row) => {
      const value = row[place]
      return typeof value === "bigint" && value >= 0n && value < cells
    })
    if (!isInside) context.broken.push("a cell outside the histogram")
  }
}

// The changes of a column of sums, group by group; groups that do not change are left out.
function changes(context: Context, extract: number, column: ColumnId): Delta {
  const place = placeOf(context, extract, column)
  const width = context.release.extracts[extract]?.keys.length ?? 0
  return difference(context, extract, (row) => [showKey(row.slice(0, width)), row[place]])
}

// The changes of each group's histogram, cell by cell.
function histogramChanges(
  context: Context,
  extract: number,
  { cell, count }: { readonly cell: ColumnId; readonly count: ColumnId },
): readonly (readonly bigint[])[] {
  const [cellPlace, countPlace] = [placeOf(context, extract, cell), placeOf(context, extract, count)]
  const width = context.release.extracts[extract]?.keys.length ?? 0
  const groupOf = new Map<string, string>()
  const delta = difference(context, extract, (row) => {
    const group = showKey(row.slice(0, width))
    const key = showKey([group, row[cellPlace] ?? null])
    groupOf.set(key, group)
    return [key, row[countPlace]]
  })
  const byGroup = new Map<string, bigint[]>()
  for (const [key, change] of delta) {
    const group = groupOf.get(key) ?? ""
    byGroup.set(group, [...(byGroup.get(group) ?? []), change])
  }
  return [...byGroup.values()]
}

function difference(
  { before, after, broken }: Context,
  extract: number,
  read: (row: readonly Cell[]) => readonly [string, Cell | undefined],
): Delta {
  const delta = new Map<string, bigint>()
  for (const [table, sign] of [
    [before[extract], -1n],
    [after[extract], 1n],
  ] as const) {
    const seen = new Set<string>()
    for (const row of table?.rows ?? []) {
      const [key, value] = read(row)
      if (seen.has(key)) broken.push(`a group stands there twice: ${key}`)
      seen.add(key)
      // A sum over nobody is NULL where there are no keys: nothing was added.
      if (typeof value !== "bigint" && value !== null) broken.push(`a value that is no integer: ${value}`)
      delta.set(key, (delta.get(key) ?? 0n) + sign * (typeof value === "bigint" ? value : 0n))
    }
  }
  return new Map([...delta].filter(([, change]) => change !== 0n))
}

function placeOf({ release }: Context, extract: number, column: ColumnId): number {
  const place = release.extracts[extract]?.rel.columns.findIndex(({ id }) => id === column) ?? -1
  if (place < 0) throw new Error(`extract ${extract} has no column ${column}`)
  return place
}

/** A group's key as text. */
export function showKey(cells: readonly Cell[]): string {
  return cells.map((cell) => `${typeof cell} ${cell}`).join("\u0000")
}

const isPositive = (value: bigint): boolean => value > 0n
const isNegative = (value: bigint): boolean => value < 0n
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const total = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n)
