// What a released table is of, as texts: kept with its noisy rows, so that later questions can be held
// against it.

import { add, divide, numberNear, showRational, zero, type Rational } from "@dosimeter/core/exact"
import {
  errorOf,
  lossOf,
  squaredLevels,
  squaredMargins,
  type Norm,
  type SquaredSums,
} from "@dosimeter/core/mechanisms"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { groupName, publicRows } from "@dosimeter/proof/algebra/public-rows"
import { momentsAt, mostFactor } from "@dosimeter/proof/algebra/scaled-reading"
import { partsOf } from "@dosimeter/proof/algebra/walk"
import {
  hasStrategy,
  isCount,
  specOf,
  type LinearMeasurement,
  type Reading,
} from "@dosimeter/proof/algebra/measurement"
import type { LeftOutLength, Release } from "@dosimeter/proof/algebra/release-plan"
import type { Meaning, ColumnMeaning } from "./meaning.ts"
import { exprText } from "./normal-rows.ts"

/** What a table of noisy rows is of. */
export interface KeptFacts {
  readonly rows: string
  readonly conditions: readonly string[]
  readonly keys: readonly KeptKeyFacts[]
  /** One for each column after the keys. */
  readonly columns: readonly KeptColumnFacts[]
  readonly groupsPerUnit: bigint
  readonly rowsPerGroup: bigint
  /** The unit decides its group. */
  readonly oneGroup: boolean
  /** Unit and group decide the row. */
  readonly oneRow: boolean
  /** Whether a unit may have more groups than count, or may be scaled down. */
  readonly cutsGroups: boolean
  /** Where units are scaled down. */
  readonly scaled?: KeptScale
  /** Where groups passed selection: how many units a group must have to be shown almost surely. */
  readonly selectedFrom: bigint | undefined
  /** Only the largest groups were measured: nothing is known of those that are not there. */
  readonly isPartial?: true
}

/** What the units of a table were scaled to. */
export interface KeptScale {
  readonly norm: Norm
  readonly bound: bigint
  /**
   * What the norm is of: rows, keys and columns. The weight of a unit depends on all of them, so tables of
   * other vectors hold other numbers.
   */
  readonly vector: string
  /** The most that one whole number of the norm is worth in each column that is read. */
  readonly worths?: readonly Rational[]
  /** What scaling takes away from all units, where something is known of it. */
  readonly beyond?: LeftOutLength
  /** The confidence of the plan: the most that was left out holds for intervals of no more. */
  readonly confidence?: Rational
  /** Whether the bound is that of the declared cap. */
  readonly isCap?: true
}

/** A key of such a table. */
export interface KeptKeyFacts {
  readonly text: string
  /** Its list has every value that a row can have. Declared values may be exceeded by the data. */
  readonly isWhole: boolean
  /** The unit decides it: a unit has one value of it. */
  readonly byUnit: boolean
}

/** A column of such a table. */
export interface KeptColumnFacts extends ColumnMeaning {
  /** The owner's rule about small counts looks at it. */
  readonly isCount: boolean
}

/** The facts of the table that a release gives. */
export function keptFacts(meaning: Meaning, release: Release, confidence: Rational): KeptFacts {
  const { keys, bounds } = release
  const textOf = textsOf(meaning)
  const groups = groupsMost(keys, meaning.byUnit)
  const isAll = groups !== undefined && bounds.groupsPerUnit >= groups
  const conditions = meaning.conditions.map(textOf)
  const keyFacts = meaning.keys.map((key, index) => ({
    text: textOf(key),
    isWhole: isWhole(key),
    byUnit: meaning.byUnit[index] === true,
  }))
  const vector = vectorOf(release, meaning)
  const { scaled } = bounds
  const scale =
    scaled === undefined || vector === undefined
      ? undefined
      : {
          norm: scaled.norm,
          bound: scaled.bound,
          vector: JSON.stringify([meaning.rows, conditions, keyFacts.map(({ text }) => text), vector]),
          ...worthsOf(release),
          ...(scaled.beyond === undefined ? {} : { beyond: scaled.beyond }),
          confidence,
          ...(scaled.isCap === undefined ? {} : { isCap: scaled.isCap }),
        }
  return {
    rows: meaning.rows,
    conditions,
    keys: keyFacts,
    columns: release.readings.map((reading, place) => ({
      ...(meaning.columns[place] ?? { text: "", adds: "none", part: 0 }),
      isCount: isCounted(reading, release),
    })),
    groupsPerUnit: bounds.groupsPerUnit,
    rowsPerGroup: bounds.rowsPerGroup,
    oneGroup: meaning.oneGroup,
    oneRow: meaning.oneRow,
    cutsGroups: scale !== undefined || (!meaning.oneGroup && !isAll),
    ...(scale === undefined ? {} : { scaled: scale }),
    selectedFrom: selectedFrom(keys, confidence),
  }
}

function worthsOf({ measurements }: Release): Pick<KeptScale, "worths"> {
  const scaled = measurements.find((one) => hasStrategy(one, "scaled"))
  return scaled === undefined ? {} : { worths: scaled.columns.map((_, column) => mostFactor(scaled, column)) }
}

// The columns that are scaled together, each with its size in the vector; undefined where nothing is scaled.
function vectorOf(release: Release, { columns }: Meaning): readonly string[] | undefined {
  const { readings, measurements, bounds } = release
  if (bounds.scaled === undefined) return undefined
  const texts = readings.flatMap((reading, place) => {
    const source = reading.kind === "linear" ? measurements[reading.measurement] : undefined
    if (reading.kind !== "linear" || source?.kind !== "linear") return []
    const size = sizeIn(source, reading.column, release)
    const { text = "", part = 0 } = columns[place] ?? {}
    return size === undefined ? [] : [`${text} ${part} ${size}`]
  })
  return texts.length === 0 ? undefined : [...new Set(texts)].toSorted()
}

// What a column counts for in the norm: by its worth, or by what squares of its sums cost.
function sizeIn(source: LinearMeasurement, column: number, { measurements }: Release): string | undefined {
  if (hasStrategy(source, "scaled")) {
    const { worths, rowsPerGroup } = source.strategy
    const worth = worths[column]
    const basis = momentsAt(source, column)?.basis
    const as = basis === undefined ? "" : ` in a ${basis}`
    const rows = rowsPerGroup === undefined ? "" : ` of ${rowsPerGroup} rows`
    return worth === undefined ? undefined : `${showRational(worth)}${as}${rows}`
  }
  const costs = costsOf(source)
  if (costs === undefined) return undefined
  // The same at every loss, but for what is rounded.
  const whole = measurements.map((one) => lossOf(specOf(one)).gdp?.muSquared ?? zero).reduce(add, zero)
  const sizes = costs.map(({ factor, cells, of }) => ({ size: numberNear(divide(factor, whole)), cells, of }))
  const onGroups = sizes.reduce((most, { size, cells }) => Math.max(most, size * Number(cells)), 0)
  const parts = sizes
    .filter(({ size, cells }) => size * Number(cells) > onGroups / 1000)
    .map(({ size, of }) => `${of}: ${size.toPrecision(4)}`)
  return `${showRational(source.grid)} ${parts.toSorted().join("; ")}`
}

// Sums, and what their squares cost.
function costsOf(source: LinearMeasurement): readonly (SquaredSums & { readonly of: string })[] | undefined {
  if (hasStrategy(source, "parts")) {
    return squaredMargins(source.strategy.spec).map((one) => ({ ...one, of: one.attributes.join() }))
  }
  if (!hasStrategy(source, "levels")) return undefined
  return squaredLevels(source.strategy.spec).map((one, level) => ({ ...one, of: `level ${level}` }))
}

// The most groups that a unit can be in, where they are listed: a key that the unit decides adds none.
function groupsMost(keys: Release["keys"], byUnit: readonly boolean[]): bigint | undefined {
  if (keys.kind === "private" || keys.kind === "top") return undefined
  const names = publicRows(keys).map((row) => groupName(row.filter((_, place) => byUnit[place] !== true)))
  return BigInt(new Set(names).size)
}

function selectedFrom(keys: Release["keys"], confidence: Rational): bigint | undefined {
  const spec = keys.kind === "private" || keys.kind === "top" ? keys.spec : undefined
  return spec === undefined || spec.kind === "top-k" ? undefined : errorOf(spec, confidence).shownFrom
}

/** The texts of a meaning's expressions. */
export function textsOf({ names }: Meaning): (expr: Expr) => string {
  const known = new Map<Expr, string>()
  const textOf = (expr: Expr): string => {
    const before = known.get(expr)
    if (before !== undefined) return before
    const text = exprText(expr, textOf, names)
    known.set(expr, text)
    return text
  }
  return textOf
}

// A list that follows from a type, a range, a public table or the question itself is whole; one that is
// declared is not: rows with other values belong to no group.
function isWhole(key: Expr): boolean {
  if (key.kind === "literal" || key.domain.type.kind === "boolean" || key.domain.values === undefined)
    return true
  if (key.kind === "column") return key.domain.isComplete === true
  if (key.kind === "case") {
    return [...key.branches.map(({ result }) => result), key.otherwise].every(isWhole)
  }
  return partsOf(key).every(isWhole)
}

/** Whether the owner's rule about small counts looks at a column. */
export function isCounted(reading: Reading, { measurements }: Release): boolean {
  switch (reading.kind) {
    case "linear": {
      const source = measurements[reading.measurement]
      const column = source?.kind === "linear" ? source.columns[reading.column] : undefined
      return column !== undefined && isCount(column)
    }
    case "key-count":
      return true
    case "chosen":
      return false
    default:
      return reading satisfies never
  }
}
