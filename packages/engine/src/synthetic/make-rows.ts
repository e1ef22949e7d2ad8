// Rows of values from a synthetic release: those of units, and where a second table was measured, the rows of
// each unit in it. Post-processing: any number of rows, at no further loss.

import { valueOf, type SyntheticColumn, type SyntheticValue } from "@dosimeter/ml/synthetic/columns"
import type { CodedRows } from "@dosimeter/ml/synthetic/sample-rows"
import { SeededNumbers } from "@dosimeter/ml/synthetic/seeded-numbers"
import type { Difference } from "@dosimeter/ml/synthetic/fidelity"
import type { SyntheticRelease } from "./run-synthesis.ts"
import type { RowColumns } from "./synthetic-question.ts"

/** A table of made rows. */
export interface MadeTable {
  readonly columns: readonly SyntheticColumn[]
  readonly length: number
  /** The values of one row. */
  row(number: number): readonly SyntheticValue[]
}

/** What was made. */
export interface MadeRows {
  readonly units: MadeTable
  /** Rows of the second table; the first column says of which unit, by its place from 1. */
  readonly rows: MadeTable | undefined
  /** How far the rows of units are from the data, by column and by pair of columns. */
  readonly report: readonly ReportLine[]
}

/** One line of the report. */
export interface ReportLine extends Difference {
  readonly columns: readonly string[]
}

/** How many rows, and which: the same seed gives the same rows. */
export interface MakeOptions {
  /** As many as the data is thought to have, if left out. */
  readonly rows?: number | undefined
  readonly seed: string
}

/** Makes rows. */
export function makeRows(release: SyntheticRelease, { rows, seed }: MakeOptions): MadeRows {
  const { plan, synthesis } = release
  const count = rows ?? Math.max(1, Math.round(synthesis.rows))
  const coded = synthesis.make(count, seed)
  const { confidence } = plan.example
  const sure = Number(confidence.numerator) / Number(confidence.denominator)
  const report = synthesis.check(coded, sure).map(({ attributes, low, guess, high }) => ({
    columns: attributes.map((one) => plan.columns[one]?.name ?? ""),
    low,
    guess,
    high,
  }))
  const random = new SeededNumbers(`${seed} values`)
  const ofRows = plan.records.rows
  if (ofRows === undefined) {
    return { units: tableOf(plan.columns, coded, random), rows: undefined, report }
  }
  const isOwn = plan.columns.map(
    ({ name }) => !ofRows.columns.some(({ first, second }) => [first, second].includes(name)),
  )
  const units = withNumber(
    tableOf(
      plan.columns.filter((_, place) => isOwn[place]),
      coded.filter((_, place) => isOwn[place]),
      random,
    ),
  )
  return { units, rows: rowsOfUnits(plan.columns, coded, { ofRows, random }), report }
}

function tableOf(columns: readonly SyntheticColumn[], coded: CodedRows, random: SeededNumbers): MadeTable {
  const length = coded[0]?.length ?? 0
  const values = columns.map((column, place) =>
    Array.from(coded[place] ?? [], (code) => valueOf(column, code, random)),
  )
  return { columns, length, row: (number) => values.map((list) => list[number] ?? null) }
}

const unitNumber: SyntheticColumn = {
  kind: "numbers",
  name: "unit",
  type: "integer",
  step: 1,
  hasMissing: false,
  edges: [1, Number.MAX_SAFE_INTEGER],
}

function withNumber({ columns, length, row }: MadeTable): MadeTable {
  return { columns: [unitNumber, ...columns], length, row: (number) => [number + 1, ...row(number)] }
}

/**
 * The rows of units. The first and the second are those of the unit's record. Each further one is the
 * second row of another made unit whose first row is like the row before: alike in all columns if there is
 * one, else in as many of the first columns as possible.
 */
function rowsOfUnits(
  columns: readonly SyntheticColumn[],
  coded: CodedRows,
  { ofRows, random }: { readonly ofRows: RowColumns; readonly random: SeededNumbers },
): MadeTable {
  const placeOf = (name: string): number => columns.findIndex((column) => column.name === name)
  const firsts = ofRows.columns.map(({ first }) => coded[placeOf(first)] ?? new Int32Array(0))
  const seconds = ofRows.columns.map(({ second }) => coded[placeOf(second)] ?? new Int32Array(0))
  const countColumn = columns[placeOf(ofRows.count)]
  const counts = coded[placeOf(ofRows.count)] ?? new Int32Array(0)
  const donors = donorsOf(counts, firsts)
  const out: { readonly unit: number; readonly codes: readonly number[] }[] = []
  for (const [unit, code] of counts.entries()) {
    const held = countColumn === undefined ? 0 : Number(valueOf(countColumn, code, random))
    let before = firsts.map((list) => list[unit] ?? 0)
    for (let place = 1; place <= held; place += 1) {
      const donor = place <= 2 ? unit : donors.like(before, random)
      const codes = place === 1 ? before : seconds.map((list) => list[donor ?? unit] ?? 0)
      out.push({ unit: unit + 1, codes })
      before = codes
    }
  }
  const named = ofRows.columns.flatMap(({ name, first }) => {
    const own = columns[placeOf(first)]
    return own === undefined ? [] : [{ ...own, name }]
  })
  const values = out.map(({ unit, codes }) => [
    unit,
    ...named.map((column, at) => valueOf(column, codes[at] ?? 0, random)),
  ])
  return { columns: [unitNumber, ...named], length: out.length, row: (number) => values[number] ?? [] }
}

interface Donors {
  like(codes: readonly number[], random: SeededNumbers): number | undefined
}

// Units with a second row, by what their first row begins with.
function donorsOf(counts: Int32Array, firsts: readonly Int32Array[]): Donors {
  const lists = new Map<string, number[]>()
  const name = (codes: readonly number[], length: number): string =>
    `${length}:${codes.slice(0, length).join()}`
  for (const [unit, count] of counts.entries()) {
    if (count < 2) continue
    const codes = firsts.map((list) => list[unit] ?? 0)
    for (let length = 0; length <= codes.length; length += 1) {
      const key = name(codes, length)
      const list = lists.get(key)
      if (list === undefined) lists.set(key, [unit])
      else list.push(unit)
    }
  }
  return {
    like: (codes, random) => {
      for (let length = codes.length; length >= 0; length -= 1) {
        const list = lists.get(name(codes, length))
        if (list !== undefined) return list[Math.floor(random.next() * list.length)]
      }
      return undefined
    },
  }
}
