// Which released tables answer a question: those that hold the very quantity, merged; or the best one from
// which it can be worked out. Only public facts decide: laws of noise, lists of keys, and released values
// where the owner's rule about small counts hides some.

import { compare, rational, type Rational } from "@dosimeter/core/exact"
import type { Reading } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { derive, type WantedTable } from "./derive.ts"
import { canSum, isReleased, shownSum } from "./joint-column.ts"
import { errorOfColumn, errorOfTerms, type DerivedFrom, type KeptTable } from "./derived-table.ts"
import { ratioOfMean, type PaidMean } from "./mean-errors.ts"
import { choiceError, noiseOf } from "../measurements/reading-noise.ts"

/** A released table that may be used. */
export interface Candidate {
  readonly table: KeptTable
  readonly drawOf: DerivedFrom["drawOf"]
  /** The position of its charge in the ledger. */
  readonly charge: bigint
}

/** What answers a question. */
export interface Chosen {
  readonly sources: readonly (DerivedFrom & { readonly charge: bigint })[]
  /** How the answer falls short of what was asked. */
  readonly differences: readonly string[]
  /** The largest error of a column, as a multiple of what paying would give. */
  readonly ratio: number
}

/** How tables are chosen. */
export interface ChooseOptions {
  /** The error of each column, if it were paid for. */
  readonly paid: readonly number[]
  /** Columns that are there to be divided by each other. */
  readonly means: readonly PaidMean[]
  /** The same for each grouping, where several are wanted. */
  readonly paidByGrouping?: readonly (readonly number[])[]
  readonly miss: number
  /** House rule about small counts. */
  readonly shownFrom: bigint | undefined
}

type Source = Chosen["sources"][number]

/** The best sources, equal ones first; undefined if none has all columns. */
export function chooseSources(
  wanted: WantedTable,
  candidates: readonly Candidate[],
  options: ChooseOptions,
): Chosen | undefined {
  const sources = sourcesFor(wanted, candidates, options)
  const isSelected = wanted.facts.selectedFrom !== undefined
  const equal = equalSources(sources)
  const whole = sources.filter(({ derivation }) => derivation.columns.every((place) => place !== undefined))
  const choices = [...(isSelected ? [] : [equal]), ...whole.map((source) => [source])]
  const found = choices.flatMap((chosen): Chosen[] => {
    const ratio = ratioOf(wanted, chosen, options)
    if (!Number.isFinite(ratio)) return []
    const differences = [...new Set(chosen.flatMap(({ derivation }) => derivation.differences))]
    return [{ sources: chosen, differences, ratio }]
  })
  return found.toSorted((a, b) => a.differences.length - b.differences.length || a.ratio - b.ratio)[0]
}

/** The tables from which columns of the wanted one can be worked out, and how. */
export function sourcesFor(
  wanted: WantedTable,
  candidates: readonly Candidate[],
  { shownFrom }: Pick<ChooseOptions, "shownFrom">,
): readonly Source[] {
  return candidates.flatMap(({ table, drawOf, charge }): Source[] => {
    const derivation = derive(wanted, table.facts, table.keys)
    if (derivation === undefined) return []
    const columns = derivation.columns.map((place) =>
      place === undefined ||
      isBeyond(table, place, derivation) ||
      hidesPart(table, place, { derivation, shownFrom })
        ? undefined
        : place,
    )
    return [{ table, drawOf, charge, derivation: { ...derivation, columns } }]
  })
}

/** Those that hold the very quantity: what a paid answer is merged with. */
export function equalSources(sources: readonly Source[]): readonly Source[] {
  return sources.filter(
    ({ derivation }) => derivation.isEqual && derivation.columns.some((place) => place !== undefined),
  )
}

/** The error of each column of a release, if it were paid for. */
export function paidErrors(release: Release, confidence: Rational, miss: number): readonly number[] {
  return release.readings.map((reading) => readingError(reading, release, { confidence, miss }))
}

function readingError(
  reading: Reading,
  release: Release,
  { confidence, miss }: { readonly confidence: Rational; readonly miss: number },
): number {
  const noise = noiseOf(reading, release)
  if (noise !== undefined) return errorOfTerms(noise, miss)
  return Number(choiceError(reading, release, confidence) ?? 0n)
}

function ratioOf(wanted: WantedTable, sources: readonly Source[], options: ChooseOptions): number {
  if (sources.length === 0) return Infinity
  const selected = sources.map(({ table }) => Number(table.facts.selectedFrom ?? 0n))
  const from = Number(wanted.facts.selectedFrom ?? 0n)
  const keys = from === 0 ? 0 : Math.max(...selected) / from
  const { paid, paidByGrouping = [], means, miss } = options
  const { sums } = wanted
  if (sums === undefined) return Math.max(keys, worstRatio(wanted, sources, { paid, means, miss }))
  let next = 0
  return sums.reduce((most, groups, grouping) => {
    const start = next
    next += groups.length
    const own = sources.map(({ derivation, ...source }) => ({
      ...source,
      derivation: { ...derivation, groups: derivation.groups.slice(start, next) },
    }))
    return Math.max(most, worstRatio(wanted, own, { paid: paidByGrouping[grouping] ?? [], means, miss }))
  }, keys)
}

function worstRatio({ facts }: WantedTable, sources: readonly Source[], options: Compared): number {
  return Math.max(0, ...facts.columns.map((_, column) => columnRatio(sources, column, options)))
}

type Compared = Pick<ChooseOptions, "paid" | "means" | "miss">

/**
 * The error of a column as a multiple of what paying would give. The sum and the number of a mean have the
 * mean's: whether they are good by themselves says nothing.
 */
export function columnRatio(
  sources: readonly Source[],
  column: number,
  { paid, means, miss }: Compared,
): number {
  const mean = means.find(({ sum, rows }) => sum === column || rows === column)
  if (mean !== undefined) return ratioOfMean(sources, mean, miss)
  const error = errorOfColumn(sources, column, miss)
  const own = paid[column] ?? 0
  return error === 0 ? 0 : own === 0 ? Infinity : error / own
}

// Whether some sum of cells cannot be worked out from a column that was measured jointly.
function isBeyond(table: KeptTable, place: number, { groups }: Source["derivation"]): boolean {
  const column = table.columns[place]
  return (
    column?.kind === "joint" &&
    !canSum(
      column,
      groups.map(({ from }) => from),
    )
  )
}

// Whether a value would be worked out from a hidden count, and so reveal it.
function hidesPart(
  table: KeptTable,
  place: number,
  { derivation, shownFrom }: Pick<Source, "derivation"> & Pick<ChooseOptions, "shownFrom">,
): boolean {
  const column = table.columns[place]
  if (shownFrom === undefined || column === undefined || table.facts.columns[place]?.isCount !== true) {
    return false
  }
  if (column.kind === "chosen") return false
  const least = rational(shownFrom)
  const { keys, sets = [] } = table
  const isSmall = (row: number): boolean => {
    const value = column.kind === "joint" ? shownSum(column, [row]) : column.values[row]
    return value !== undefined && compare(value, least) < 0
  }
  return derivation.groups.some(
    ({ from }) => from.length > 1 && !isReleased({ keys, sets }, from) && from.some(isSmall),
  )
}
