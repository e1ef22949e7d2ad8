// A table worked out from released ones: cells are added up, and several answers to the same question become
// one, by the exact law of the noise in each.

import {
  add,
  divide,
  multiply,
  negate,
  numberNear,
  rational,
  subtract,
  type Rational,
} from "@dosimeter/core/exact"
import { roundHalfAway } from "@dosimeter/proof/functions/math"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { floatConstant, nullConstant, numberConstant } from "../values/doubles.ts"
import { addForms, formOf, formVariance, formWidth, scaleForm, type LinearForm } from "@dosimeter/core/post"
import { regionSpread } from "../cells/region-spread.ts"
import type { Region } from "@dosimeter/proof/algebra/released"
import { selectedSpread } from "../cells/selected-spread.ts"
import {
  addLinear,
  scaleLinear,
  spreadOfLinear,
  vague,
  type LinearNumber,
  type Spread,
} from "../cells/spread.ts"
import { cellOf, publicCell, type Cell, type Row } from "../cells/table.ts"
import type { Derivation } from "./derive.ts"
import { isReleased, jointSum, shownSum, type KeptJoint } from "./joint-column.ts"
import type { KeptFacts } from "./kept-facts.ts"
import { mergeTogether } from "./merge-together.ts"
import { baseOf, type NumberNoise } from "../measurements/noise-law.ts"

/** A released table with the law of its noise: all that later questions need of it. */
export interface KeptTable {
  readonly facts: KeptFacts
  /** The keys of each row. */
  readonly keys: readonly (readonly Constant[])[]
  readonly columns: readonly KeptColumn[]
  /** Where several groupings were released together: the places of the keys of each. */
  readonly sets?: readonly (readonly number[])[]
}

/**
 * A column: numbers with noise of known law, each with draws of its own or measured together, or values that
 * were chosen, with the error of the choice.
 */
export type KeptColumn = KeptNumbers | KeptJoint | KeptChoices

/** Each value is an exact one, plus a linear combination of draws of its row. */
export interface KeptNumbers extends NumberNoise {
  readonly kind: "noisy"
  readonly values: readonly Rational[]
}

/** Quantiles and modes. */
export interface KeptChoices {
  readonly kind: "chosen"
  readonly values: readonly Constant[]
  /** In rows of the order, or rows less frequent than the best. */
  readonly error: bigint
  /** Where each exact value lies, if that was paid for; columns with the same number fail together. */
  readonly regions: readonly Omit<Region, "event">[] | undefined
  readonly event: number
}

/** A released table, the way from it, and the numbers of its draws. */
export interface DerivedFrom {
  readonly table: KeptTable
  readonly derivation: Derivation
  /** The number in this answer of a draw of the table, by its number there and its row. */
  readonly drawOf: (draw: number, row: number) => number
}

/** What is worked out: rows under the wanted keys and columns. */
export function deriveRows(
  sources: readonly DerivedFrom[],
  options: {
    readonly types: readonly SqlType[]
    readonly hides: (column: number, value: Rational) => boolean
    /** All groups have the same weights, and nothing is rounded: so sums stay sums. */
    readonly addsUp?: boolean
  },
): readonly Row[] {
  const groups = sources[0]?.derivation.groups ?? []
  const weights = options.types.map((_, column) =>
    options.addsUp === true ? commonWeights(sources, column) : undefined,
  )
  return groups.map(({ keys }, group) => {
    const together = mergedColumns(sources, group)
    const cells = options.types.map((type, column): Cell => {
      const common = weights[column]
      const cell =
        common === undefined
          ? derivedCell({ sources, column, group, type, together })
          : sumCell({ sources, column, group }, common)
      const isHidden = cell.value.kind === "number" && options.hides(column, cell.value.value)
      return isHidden ? { ...cell, state: "below-threshold" } : cell
    })
    return [...keys.map(publicCell), ...cells]
  })
}

/**
 * How far off the worst cell of a column may be: the half-width of its noise, but with probability `miss`, or
 * the error of a choice.
 */
export function errorOfColumn(sources: readonly DerivedFrom[], column: number, miss: number): number {
  const groups = sources[0]?.derivation.groups ?? []
  let worst: { readonly form: LinearForm; readonly variance: number; readonly slack: number } | undefined
  for (const group of groups.keys()) {
    const numbers = numbersOf({ sources, column, group })
    if (numbers === undefined) return chosenError(sources, column)
    if (numbers.length === 0) return Infinity
    const { form, slack } = mergedColumns(sources, group)?.[column] ?? merged(numbers)
    const variance = form === undefined ? 0 : formVariance(form)
    if (form !== undefined && variance > (worst?.variance ?? 0)) worst = { form, variance, slack }
  }
  return worst === undefined ? 0 : formWidth(worst.form, miss) + worst.slack
}

/** The half-width of one value with such noise. */
export function errorOfTerms({ terms, slack }: NumberNoise, miss: number): number {
  const { form } = numberOf({ terms, slack }, rational(0n), (draw) => draw)
  return (form === undefined ? 0 : formWidth(form, miss)) + slack
}

interface Place {
  readonly sources: readonly DerivedFrom[]
  readonly column: number
  readonly group: number
}

interface MergedPlace extends Place {
  readonly type: SqlType
  readonly together: readonly (LinearNumber | undefined)[] | undefined
}

/**
 * How far off the worst cell of a combination may be: one column less so much of another, as the error of a
 * mean follows from its sum and its number.
 */
export function errorOfDifference(
  sources: readonly DerivedFrom[],
  { of, less, factor }: { readonly of: number; readonly less: number; readonly factor: Rational },
  miss: number,
): number {
  const groups = sources[0]?.derivation.groups ?? []
  const widths = [...groups.keys()].map((group) => {
    const together = mergedColumns(sources, group)
    const numberAt = (column: number): LinearNumber | undefined => {
      const numbers = numbersOf({ sources, column, group })
      if (numbers === undefined || numbers.length === 0) return undefined
      return together?.[column] ?? merged(numbers)
    }
    const [a, b] = [numberAt(of), numberAt(less)]
    if (a === undefined || b === undefined) return Infinity
    const { form, slack } = addLinear(a, scaleLinear(b, negate(factor)))
    return (form === undefined ? 0 : formWidth(form, miss)) + slack
  })
  return Math.max(0, ...widths)
}

/** The columns of a group merged together, where some share noise. Columns that are the same are one. */
function mergedColumns(
  sources: readonly DerivedFrom[],
  group: number,
): readonly (LinearNumber | undefined)[] | undefined {
  if (sources.length < 2 || !sources.some(({ table }) => sharesNoise(table))) return undefined
  const places = (sources[0]?.derivation.columns ?? []).map((_, column) =>
    sources.map(({ derivation }) => `${derivation.columns[column]}`).join(" "),
  )
  const isNumber = (column: number): boolean =>
    sources.every(({ table, derivation }) => {
      const place = derivation.columns[column]
      return place === undefined || table.columns[place]?.kind !== "chosen"
    })
  const first = [...places.keys()].filter(
    (column) => places.indexOf(places[column] ?? "") === column && isNumber(column),
  )
  const found = mergeTogether(
    sources.map((source) => first.map((column) => numbersOf({ sources: [source], column, group })?.[0])),
  )
  return found && places.map((name) => found[first.indexOf(places.indexOf(name))])
}

const sharing = new WeakMap<KeptTable, boolean>()

/** Whether two different columns have a draw in common. */
function sharesNoise(table: KeptTable): boolean {
  const known = sharing.get(table)
  if (known !== undefined) return known
  const lists = table.columns.map((column) =>
    column.kind === "noisy" ? new Set(column.terms.map(({ draw }) => draw)) : new Set<number>(),
  )
  const shares = lists.some((own, index) =>
    lists.some((other, place) => place > index && [...own].some((draw) => other.has(draw))),
  )
  sharing.set(table, shares)
  return shares
}

function derivedCell(place: MergedPlace): Cell {
  const numbers = numbersOf(place)
  if (numbers === undefined) return chosenCell(place)
  const selected = selectedCell(place)
  if (selected !== undefined) return selected
  const number = place.together?.[place.column] ?? merged(numbers)
  const shown = wholeNumber(place)
  if (shown !== undefined) return cellOf(shown, spreadOfLinear(number), "released")
  // A sum of released floats is what they add up to; anything else must be made to fit.
  const isSum = numbers.length === 1 && place.type.kind === "float"
  const value = isSum ? numberConstant(number.centre) : valueOf(number.centre, place.type)
  return cellOf(value, spreadOfLinear(number), "released")
}

/** A count that came with its key, as it was. Of tables of selected groups one is used, row by row. */
function selectedCell({ sources, column, group }: Place): Cell | undefined {
  const [source] = sources
  const kept = source?.table.columns[source.derivation.columns[column] ?? -1]
  const [row, ...rows] = source?.derivation.groups[group]?.from ?? []
  if (source === undefined || kept?.kind !== "noisy" || row === undefined || rows.length > 0) return undefined
  const [term] = kept.terms
  const { shownFrom, lowerChance } = term?.noise ?? {}
  const value = kept.values[row]
  if (term === undefined || shownFrom === undefined || value === undefined) return undefined
  const base = baseOf(term.noise, source.drawOf(term.draw, row))
  const spread = selectedSpread(base, value, { shownFrom, lowerChance })
  return { value: numberConstant(value), spread, state: "released" }
}

/** A group of one of several groupings: the same combination of answers for all. */
function sumCell(place: Place, weights: readonly Rational[]): Cell {
  const number = combined(numbersOf(place) ?? [], weights)
  return cellOf(numberConstant(number.centre), spreadOfLinear(number), "released")
}

/** One weight for each source that has a column: in inverse proportion to the variances of all groups. */
function commonWeights(sources: readonly DerivedFrom[], column: number): readonly Rational[] {
  const totals: number[] = []
  for (const group of sources[0]?.derivation.groups.keys() ?? []) {
    for (const [index, { form }] of (numbersOf({ sources, column, group }) ?? []).entries()) {
      totals[index] = (totals[index] ?? 0) + (form === undefined ? 0 : formVariance(form))
    }
  }
  return weightsOf(totals)
}

/** What was shown of a group in place of its estimate, where a single table has it. */
function wholeNumber({ sources, column, group }: Place): Constant | undefined {
  const having = sources.filter(({ derivation }) => derivation.columns[column] !== undefined)
  const [source] = having
  if (source === undefined || having.length > 1) return undefined
  const { table, derivation } = source
  const kept = table.columns[derivation.columns[column] ?? -1]
  const rows = derivation.groups[group]?.from ?? []
  if (kept?.kind !== "joint" || !kept.isWhole || table.sets === undefined) return undefined
  return isReleased({ keys: table.keys, sets: table.sets }, rows)
    ? numberConstant(shownSum(kept, rows))
    : undefined
}

/** The answers of all sources that have the column; undefined if its values were chosen. */
function numbersOf({ sources, column, group }: Place): readonly LinearNumber[] | undefined {
  const numbers: LinearNumber[] = []
  for (const { table, derivation, drawOf } of sources) {
    const place = derivation.columns[column]
    const kept = place === undefined ? undefined : table.columns[place]
    if (place === undefined || kept === undefined) continue
    if (kept.kind === "chosen") return undefined
    const rows = derivation.groups[group]?.from ?? []
    if (kept.kind === "joint") {
      numbers.push(rows.length === 0 ? nothing : jointSum(kept, rows, drawOf))
      continue
    }
    const cells = rows.map((row) =>
      numberOf(kept, kept.values[row] ?? rational(0n), (draw) => drawOf(draw, row)),
    )
    numbers.push(cells.reduce<LinearNumber>(addLinear, nothing))
  }
  return numbers
}

function numberOf(
  { terms, slack }: NumberNoise,
  centre: Rational,
  drawOf: (draw: number) => number,
): LinearNumber {
  const form = terms
    .map(({ draw, noise, factor }) => scaleForm(formOf(baseOf(noise, drawOf(draw))), factor))
    .reduce<LinearForm | undefined>(addForms, undefined)
  return { centre, form, slack, mayBeNull: false, fromZero: false }
}

const nothing: LinearNumber = {
  centre: rational(0n),
  form: undefined,
  slack: 0,
  mayBeNull: false,
  fromZero: true,
}

function chosenCell({ sources, column, group }: Place): Cell {
  const best = bestChoice(sources, column)
  const row = best?.derivation.groups[group]?.from[0] ?? -1
  const value = best?.kept.values[row] ?? nullConstant
  const region = best?.kept.regions?.[row]
  const event = best?.kept === undefined ? {} : eventOf(best.table, best.kept.event, row)
  const spread: Spread = region === undefined ? vague : regionSpread({ ...region, event })
  return { value, spread, state: "released" }
}

// One object for all regions that fail together.
const events = new WeakMap<KeptTable, Map<string, object>>()

function eventOf(table: KeptTable, event: number, row: number): object {
  const known = events.get(table) ?? new Map<string, object>()
  events.set(table, known)
  const found = known.get(`${event} ${row}`) ?? {}
  known.set(`${event} ${row}`, found)
  return found
}

function chosenError(sources: readonly DerivedFrom[], column: number): number {
  const best = bestChoice(sources, column)
  return best === undefined ? Infinity : Number(best.kept.error)
}

function bestChoice(
  sources: readonly DerivedFrom[],
  column: number,
): (DerivedFrom & { readonly kept: KeptChoices }) | undefined {
  const found = sources.flatMap((source) => {
    const kept = source.table.columns[source.derivation.columns[column] ?? -1]
    return kept?.kind === "chosen" ? [{ ...source, kept }] : []
  })
  return found.toSorted((a, b) => Number(a.kept.error - b.kept.error))[0]
}

/** Weights are fractions of this. */
const weightSteps = 1 << 20

/**
 * Independent answers to the same question as one: the mean, weighted in inverse proportion to the variances.
 * Weights are fractions that add up to one, so the form of the result says exactly what noise is in it.
 */
function merged(numbers: readonly LinearNumber[]): LinearNumber {
  const settled = numbers.find(({ form }) => form === undefined)
  const [first, ...others] = numbers
  if (settled !== undefined || first === undefined) return settled ?? nothing
  if (others.length === 0) return first
  return combined(
    numbers,
    weightsOf(numbers.map(({ form }) => (form === undefined ? 0 : formVariance(form)))),
  )
}

/** Weights that add up to one, in inverse proportion to some variances. */
function weightsOf(variances: readonly number[]): readonly Rational[] {
  const precisions = variances.map((variance) => (variance === 0 ? 0 : 1 / variance))
  // Where nothing has noise, any weights will do.
  const total = precisions.reduce((sum, precision) => sum + precision, 0) || 1
  const shares = precisions
    .slice(1)
    .map((precision) => rational(BigInt(Math.round((precision / total) * weightSteps)), BigInt(weightSteps)))
  return [subtract(rational(1n), shares.reduce(add, rational(0n))), ...shares]
}

function combined(numbers: readonly LinearNumber[], weights: readonly Rational[]): LinearNumber {
  return numbers
    .map((number, index) => scaleLinear(number, weights[index] ?? rational(0n)))
    .reduce<LinearNumber>(addLinear, nothing)
}

/** The value as its column can hold it; the spread keeps the centre. */
function valueOf(centre: Rational, type: SqlType): Constant {
  if (type.kind !== "integer" && type.kind !== "decimal") return floatConstant(numberNear(centre))
  const scale = rational(10n ** BigInt(type.kind === "decimal" ? type.scale : 0))
  return numberConstant(divide(rational(roundHalfAway(multiply(centre, scale))), scale))
}
