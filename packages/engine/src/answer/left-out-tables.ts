// What bounding may have left out of released tables, cell by cell: nothing where the plan proves it, inside
// a range where units were scaled and the length of what that takes away is known, else unknown.

import {
  add,
  compare,
  divide,
  maximum,
  multiply,
  numberNear,
  numberUp,
  one,
  rational,
  zero,
  type Rational,
} from "@dosimeter/core/exact"
import { momentCoordinates } from "@dosimeter/core/mechanisms"
import { unknownLeftOut, type LeftOut } from "@dosimeter/answers/cells/left-out"
import type { Spread } from "@dosimeter/answers/cells/spread"
import type { Cell, Table } from "@dosimeter/answers/cells/table"
import type { KeptFacts, KeptScale } from "@dosimeter/answers/reuse/kept-facts"
import {
  hasStrategy,
  type LinearMeasurement,
  type LinearReading,
  type Measurement,
  type Reading,
} from "@dosimeter/proof/algebra/measurement"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import { factorLength, momentsAt } from "@dosimeter/proof/algebra/scaled-reading"
import type { LeftOutLength, Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { isNeverNegative } from "./shown-table.ts"

/** The earlier tables that a release's numbers come from, by its place in the plan; none if all are new. */
export type EarlierTables = (release: number) => EarlierFacts

/** The facts of earlier tables, and those of the table that is wanted. */
export interface EarlierFacts {
  readonly wanted?: KeptFacts
  readonly from: readonly KeptFacts[]
}

/** Of a plan whose numbers are all new. */
export const nothingEarlier: EarlierTables = () => ({ from: [] })

/** The tables of a plan's releases, each number with what bounding may have left out of it. */
export function tablesWithLeftOut(
  { releases }: ReleasePlan,
  tables: readonly Table[],
  earlier: EarlierTables,
): readonly Table[] {
  return tables.map((table, index) => {
    const release = releases[index]
    if (release === undefined || release.extracts.length === 0) return table
    return withLeftOut(table, release, earlier(index))
  })
}

function withLeftOut(table: Table, release: Release, earlier: EarlierFacts): Table {
  const keyCount = table.columns.length - release.readings.length
  const columns = release.readings.map((reading, place) => {
    const cells = table.rows.map((row) => row[keyCount + place])
    return leftOutOfColumn(cells, { reading, release, earlier, table })
  })
  if (columns.every((column) => column === undefined)) return table
  const rows = table.rows.map((row, index) =>
    row.map((cell, place) => {
      const leftOut = columns[place - keyCount]?.[index]
      return leftOut === undefined ? cell : marked(cell, leftOut)
    }),
  )
  return { columns: table.columns, rows }
}

interface ColumnPlace {
  readonly reading: Reading
  readonly release: Release
  readonly earlier: EarlierFacts
  readonly table: Table
}

/** What is left out of each cell of a column; undefined where everything counts. */
function leftOutOfColumn(
  cells: readonly (Cell | undefined)[],
  { reading, release, earlier, table }: ColumnPlace,
): readonly LeftOut[] | undefined {
  const unknown = (): readonly LeftOut[] => cells.map(() => unknownLeftOut)
  const isEarlier = earlier.from.length > 0
  const isCutOff = release.bounds.cutsValues === true && isOfValues(reading, release)
  const isAll = isEarlier ? earlier.from.every(keepsAll) : countsAll(reading, release)
  if (isAll && !isCutOff) return undefined
  const known = isEarlier ? earlierBeyond(earlier) : release.bounds.scaled?.beyond
  const source = reading.kind === "linear" ? release.measurements[reading.measurement] : undefined
  // Rows that an average does not have room for are dropped, and nobody has looked at how many.
  if (hasStrategy(source, "scaled") && source.strategy.rowsPerGroup !== undefined) return unknown()
  // A norm that nobody can exceed.
  if (known?.most?.numerator === 0n && !isCutOff) return undefined
  // What learnt bounds cut off is in no proof; an estimate may be too low anyway.
  const beyond = isCutOff && known !== undefined ? { estimate: known.estimate } : known
  if (beyond === undefined || reading.kind !== "linear" || source === undefined) return unknown()
  if (!hasStrategy(source, "scaled")) return unknown()
  return scaledLeftOut(reading, { source, beyond, release, table }) ?? unknown()
}

/**
 * The length that is known of earlier tables: of the vector that is wanted, so that it is in the same whole
 * numbers. Of several tables the largest, which is right for any average of them.
 */
function earlierBeyond({ wanted, from }: EarlierFacts): LeftOutLength | undefined {
  const lengths = from.flatMap(({ scaled }) => {
    const isSame = scaled?.norm === wanted?.scaled?.norm && scaled?.vector === wanted?.scaled?.vector
    return isSame && scaled?.beyond !== undefined ? [asSure(scaled.beyond, scaled, wanted)] : []
  })
  const [first, ...others] = lengths
  if (first === undefined || lengths.length < from.length) return undefined
  return others.reduce(longer, first)
}

// The most that was left out, worked out for a lower confidence, is none for a higher.
function asSure(
  beyond: LeftOutLength,
  { confidence }: KeptScale,
  wanted: KeptFacts | undefined,
): LeftOutLength {
  const least = wanted?.scaled?.confidence
  const isSure = least !== undefined && confidence !== undefined && compare(confidence, least) >= 0
  return isSure ? beyond : { estimate: beyond.estimate }
}

function longer(a: LeftOutLength, b: LeftOutLength): LeftOutLength {
  const most = a.most === undefined || b.most === undefined ? undefined : maximum(a.most, b.most)
  return { estimate: maximum(a.estimate, b.estimate), ...(most === undefined ? {} : { most }) }
}

function keepsAll({ cutsGroups, oneRow }: KeptFacts): boolean {
  return oneRow && !cutsGroups
}

// Whether values are read, and not only how many there are.
function isOfValues(reading: Reading, { measurements }: Release): boolean {
  if (reading.kind !== "linear") return reading.kind === "chosen"
  const source = measurements[reading.measurement]
  const column = source?.kind === "linear" ? source.columns[reading.column] : undefined
  return column?.of === "values" || column?.of === "squares"
}

/** Whether the plan proves that all rows of every unit count in what is read. */
export function countsAll(reading: Reading, release: Release): boolean {
  const { bounds } = release
  const groups = groupsOf(release)
  const source = reading.kind === "linear" ? release.measurements[reading.measurement] : undefined
  if (source !== undefined && hasStrategy(source, "scaled"))
    return groups !== undefined && isNeverLonger(source, release, groups)
  const countsGroups =
    bounds.groupsProof !== undefined || (groups !== undefined && bounds.groupsPerUnit >= groups)
  return countsGroups && (bounds.rowsProof !== undefined || countsUnits(reading, source))
}

// How many groups there are, where that is public.
function groupsOf({ keys }: Release): bigint | undefined {
  if (keys.kind === "none") return 1n
  return keys.kind === "public" ? BigInt(publicRows(keys).length) : undefined
}

// A unit is one, however many rows it has.
function countsUnits(reading: Reading, source: Measurement | undefined): boolean {
  if (source?.kind !== "linear" || reading.kind !== "linear") return false
  return source.columns[reading.column]?.of === "units"
}

// Whether a unit that is one in every column of every group is no longer than the norm, whatever this is: no
// unit is scaled down. How much a sum may be is not looked at.
function isNeverLonger(
  { columns, strategy: { worths } }: LinearMeasurement<"scaled">,
  { bounds: { rowsProof, scaled } }: Release,
  groups: bigint,
): boolean {
  const isOne = columns.every(({ of }) => of === "units" || (of === "rows" && rowsProof !== undefined))
  if (!isOne || scaled === undefined) return false
  const { norm, bound } = scaled
  const sizes = worths
    .map((worth) => divide(one, worth))
    .map((size) => (norm === "l2" ? multiply(size, size) : size))
  const length = multiply(rational(groups), sizes.reduce(add, zero))
  return compare(length, rational(norm === "l2" ? bound * bound : bound)) <= 0
}

interface ScaledRelease {
  readonly source: LinearMeasurement<"scaled">
  readonly beyond: LeftOutLength
  readonly release: Release
  readonly table: Table
}

/** The ranges of a column whose units are scaled. */
function scaledLeftOut(reading: LinearReading, scaled: ScaledRelease): readonly LeftOut[] | undefined {
  const { source, beyond, release, table } = scaled
  const worth = factorLength(source, reading.column)
  const column = measuredOf(reading.column, scaled)
  const place = release.readings.indexOf(reading)
  const shown = table.columns[table.columns.length - release.readings.length + place]
  if (column === undefined || shown === undefined) return undefined
  // Numbers that are read from the same columns are no places of one vector.
  const of = momentsAt(source, reading.column) === undefined ? beyond : source.columns[reading.column]
  const length = (raw: Rational): number => numberUp(multiply(raw, worth))
  const shares = sharesOf(column, scaled)
  const isSigned = !isNeverNegative(reading, release)
  const range = (high: number, proof?: object): LeftOut => ({
    kind: "range",
    low: isSigned ? -high : 0,
    high,
    ...(proof === undefined ? {} : { proof }),
  })
  const noise = deviationOf(source) * numberNear(worth)
  const size = rootMeanSquare(column) * numberNear(worth)
  const isWorthSaying = (leftOut: number): boolean => leftOut <= noiseTimes * noise || leftOut <= size / 2
  if (beyond.most !== undefined && isWorthSaying(length(beyond.most))) {
    const most = length(beyond.most)
    return column.map(() => ({ ...range(most, beyond), vector: { of: of ?? beyond, length: most } }))
  }
  const estimate = length(beyond.estimate)
  if (!isWorthSaying(estimate * rootMeanSquare(shares))) return column.map(() => range(Infinity))
  return shares.map((share) => ({
    ...range(estimate * share),
    vector: { of: of ?? beyond, length: estimate },
  }))
}

/** What is left out is not worth saying above so many deviations of the noise, and half of the answers. */
const noiseTimes = 10

/**
 * How large a part of the length each group is given: the square root of its part in the answers' length, but
 * no less than the root of the mean square. If people are alike a group loses in proportion to its answer;
 * where heavy people have groups to themselves those lose more, which the square root leaves room for
 * (whole-coverage.stat.test.ts).
 */
function sharesOf(column: readonly number[], scaled: ScaledRelease): readonly number[] {
  const { source } = scaled
  const all = source.columns.flatMap((_, index) => drawnIn(index, scaled) ?? [])
  // The square of a measured number is too large by the variance of its noise, on average.
  const squares = all.reduce((sum, value) => sum + value * value, 0) - all.length * deviationOf(source) ** 2
  const length = Math.sqrt(Math.max(0, squares))
  const least = 1 / Math.sqrt(Math.max(1, column.length))
  const part = (value: number): number => (length === 0 ? 1 : Math.sqrt(Math.abs(value) / length))
  return column.map((value) => Math.min(1, Math.max(least, part(value))))
}

/** What was drawn for a column: the numbers that are read at its place, or the coordinates of moments. */
function drawnIn(column: number, scaled: ScaledRelease): readonly number[] | undefined {
  const moments = momentsAt(scaled.source, column)
  if (moments === undefined) return measuredOf(column, scaled)
  const { places, basis, lower, upper } = moments
  const [rows, sums] = places.map((place) => {
    const length = numberNear(factorLength(scaled.source, place))
    const worth = numberNear(scaled.source.strategy.worths[place] ?? { numerator: 1n, denominator: 1n })
    return measuredOf(place, scaled)?.map((value) => (value * length) / worth)
  })
  return rows?.map((number, group) => {
    const steps = [number, (sums?.[group] ?? 0) - Number(lower) * number]
    const whole = steps.map((value) => BigInt(Math.round(value)))
    return Number(momentCoordinates(basis, upper - lower, whole)[places.indexOf(column)] ?? 0n)
  })
}

/** The measured numbers of a column, as multiples of what a vector of length one moves them by. */
function measuredOf(
  column: number,
  { source, release, table }: ScaledRelease,
): readonly number[] | undefined {
  const place = release.readings.findIndex(
    (one) =>
      one.kind === "linear" && release.measurements[one.measurement] === source && one.column === column,
  )
  const worth = numberNear(factorLength(source, column))
  if (place < 0 || !(worth > 0)) return undefined
  const keyCount = table.columns.length - release.readings.length
  return table.rows.map((row) => {
    const spread = row[keyCount + place]?.spread
    return spread?.kind === "linear" ? numberNear(spread.centre) / worth : 0
  })
}

function deviationOf({ strategy: { spec } }: LinearMeasurement<"scaled">): number {
  return spec.kind === "laplace" ? Math.SQRT2 * numberNear(spec.scale) : Math.sqrt(numberNear(spec.variance))
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / Math.max(1, values.length))
}

// Only sums of draws can be moved by a range.
function marked(cell: Cell, leftOut: LeftOut): Cell {
  const { spread } = cell
  return spread === undefined ? cell : { ...cell, spread: markedSpread(spread, leftOut) }
}

function markedSpread(spread: Spread, leftOut: LeftOut): Spread {
  switch (spread.kind) {
    case "linear":
      return { ...spread, leftOut }
    case "region":
      return { ...spread, leftOut: unknownLeftOut }
    case "ratio":
    case "derived":
    case "vague":
      return spread
    default:
      return spread satisfies never
  }
}
