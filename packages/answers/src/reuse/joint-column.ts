// A column whose cells were measured together (margins of a table, levels of a tree): kept as it was
// measured, so that any sum of its cells has the exact law of its noise.

import { assert } from "@dosimeter/core/errors"
import { add, multiply, numberUp, rational, zero, type Rational } from "@dosimeter/core/exact"
import {
  marginPartVariances,
  sumsByLevel,
  treeDrawVariances,
  type TreeSpec,
} from "@dosimeter/core/mechanisms"
import {
  cellsOfParts,
  marginSums,
  treeRounding,
  treeTerms,
  treeValues,
  wholeCells,
  wholeTree,
  addForms,
  termForm,
  type LinearForm,
  type NoiseBase,
} from "@dosimeter/core/post"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { JointLaw } from "../measurements/noise-law.ts"
import type { LinearNumber } from "../cells/spread.ts"
import { finerBits } from "@dosimeter/proof/algebra/grouping-sums"
import { groupName } from "@dosimeter/proof/algebra/public-rows"

/** The measurements of all cells of a table, as they were released, and the law of their noise. */
export interface KeptJoint {
  readonly kind: "joint"
  readonly shape: JointShape
  readonly law: JointLaw
  /** Noisy cells, or for each part or level its noisy comparisons. */
  readonly noisy: readonly (readonly bigint[])[]
  readonly grid: Rational
  /** Cells are rounded to 2^-bits of the grid. */
  readonly bits: number
  /** What was shown are whole numbers from 0 in place of the estimates. */
  readonly isWhole: boolean
  /** Columns with the same number are the same measurements. */
  readonly draw: number
}

/** How the rows of a table are arranged. */
export type JointShape =
  | { readonly kind: "table"; readonly sizes: readonly bigint[] }
  | { readonly kind: "tree"; readonly children: TreeSpec["children"] }

/** A measurement, by its number among all of the column, and what a sum takes of it. */
interface JointTerm {
  readonly place: number
  readonly factor: Rational
}

/** Sums of more terms than this take long. */
const termsMax = 150_000

/** Whether all of some sums of rows can be worked out, in good time. */
export function canSum(column: KeptJoint, sums: readonly (readonly number[])[]): boolean {
  const { termsOf } = measured(column)
  let count = 0
  for (const rows of sums) {
    const terms = termsOf(rows)
    if (terms === undefined) return false
    count += terms.length
    if (count > termsMax) return false
  }
  return true
}

/** The sum of some rows, with its noise. */
export function jointSum(
  column: KeptJoint,
  rows: readonly number[],
  drawOf: (draw: number, place: number) => number,
): LinearNumber {
  const { centres, slack, termsOf, baseOf } = measured(column)
  const forms = (termsOf(rows) ?? []).map(({ place, factor }) =>
    termForm(baseOf(place, drawOf(column.draw, place)), factor),
  )
  return {
    centre: sumOf(centres, rows),
    form: sumOfForms(forms),
    slack: slack * rows.length,
    mayBeNull: false,
    fromZero: false,
  }
}

/** What was shown of the sum of some rows, if it was released as a group. */
export function shownSum(column: KeptJoint, rows: readonly number[]): Rational {
  return sumOf(measured(column).shown, rows)
}

/** Whether some rows are a group of one of the groupings that were released. */
export function isReleased(
  { keys, sets }: { readonly keys: readonly (readonly Constant[])[]; readonly sets: Sets },
  rows: readonly number[],
): boolean {
  const known = releasedGroups.get(keys) ?? groupsOf(keys, sets)
  releasedGroups.set(keys, known)
  return known.has(nameOf(rows))
}

/** The places of the keys of each grouping. */
type Sets = readonly (readonly number[])[]

const releasedGroups = new WeakMap<readonly (readonly Constant[])[], ReadonlySet<string>>()

function groupsOf(keys: readonly (readonly Constant[])[], sets: Sets): ReadonlySet<string> {
  const names = sets.flatMap((set) => {
    const groups = new Map<string, number[]>()
    for (const [row, values] of keys.entries()) {
      const name = groupName(set.map((place) => values[place] ?? { kind: "null" }))
      const own = groups.get(name)
      if (own === undefined) groups.set(name, [row])
      else own.push(row)
    }
    return [...groups.values()].map(nameOf)
  })
  return new Set(names)
}

function nameOf(rows: readonly number[]): string {
  return rows.toSorted((a, b) => a - b).join()
}

function sumOf(values: readonly Rational[], rows: readonly number[]): Rational {
  return rows.reduce((sum, row) => add(sum, values[row] ?? missing()), zero)
}

// In pairs, so that each term is merged into another tree only a few times.
function sumOfForms(forms: readonly (LinearForm | undefined)[]): LinearForm | undefined {
  if (forms.length <= 1) return forms[0]
  const middle = forms.length >> 1
  return addForms(sumOfForms(forms.slice(0, middle)), sumOfForms(forms.slice(middle)))
}

/** A column worked out once. */
interface MeasuredColumn {
  /** By row: the estimates, and what was shown. */
  readonly centres: readonly Rational[]
  readonly shown: readonly Rational[]
  /** What roundings may add to a row. */
  readonly slack: number
  readonly termsOf: (rows: readonly number[]) => readonly JointTerm[] | undefined
  readonly baseOf: (place: number, id: number) => NoiseBase
}

const known = new WeakMap<KeptJoint, MeasuredColumn>()

function measured(column: KeptJoint): MeasuredColumn {
  const found = known.get(column)
  if (found !== undefined) return found
  const { grid, bits, law } = column
  const { cells, steps, amounts, termsOf } = estimated(column)
  const fine = law.kind === "cells" ? 0 : bits
  const step = multiply(grid, rational(1n, 1n << BigInt(fine)))
  const centres = cells.map((cell) => multiply(rational(cell), step))
  const whole = column.isWhole ? wholeOf(column, cells, fine) : undefined
  const made: MeasuredColumn = {
    centres,
    shown: whole === undefined ? centres : whole.map((count) => rational(count)),
    slack: steps * numberUp(step),
    termsOf: remembered(termsOf),
    baseOf: (place, id) => {
      const amount = amounts[place] ?? missing()
      return law.kind === "cells"
        ? { law: "laplace", id, grid, scale: amount }
        : { law: "gaussian", id, grid, variance: amount }
    },
  }
  known.set(column, made)
  return made
}

/** The estimates of all rows, in steps, and what sums of them are made of. */
interface Estimated {
  readonly cells: readonly bigint[]
  /** The most steps that a row was rounded by. */
  readonly steps: number
  /** The scale or variance of every measurement. */
  readonly amounts: readonly Rational[]
  readonly termsOf: MeasuredColumn["termsOf"]
}

function estimated({ shape, law, noisy, bits }: KeptJoint): Estimated {
  switch (law.kind) {
    case "cells": {
      const cells = noisy[0] ?? missing()
      const amounts = cells.map(() => law.scale)
      const factor = rational(1n)
      return { cells, steps: 0, amounts, termsOf: (rows) => rows.map((place) => ({ place, factor })) }
    }
    case "parts": {
      assert(shape.kind === "table", "parts are of a table")
      const { sizes } = shape
      const parts = law.parts.map(({ attributes }, index) => ({
        attributes,
        coefficients: noisy[index] ?? missing(),
      }))
      const starts = startsOf(noisy)
      const sums = marginSums(sizes, parts)
      return {
        cells: cellsOfParts(sizes, parts, bits),
        steps: 1,
        amounts: law.parts.flatMap((part) => marginPartVariances(sizes, part)),
        termsOf: (rows) =>
          sums(rows)?.map(({ part, place, factor }) => ({ place: (starts[part] ?? 0) + place, factor })),
      }
    }
    case "levels": {
      assert(shape.kind === "tree", "levels are of a tree")
      const tree = { ...law, children: shape.children }
      const leaves = shape.children.length
      const starts = startsOf(noisy)
      const sums = treeTerms(tree)
      return {
        cells: treeValues(tree, noisy, bits).at(-1) ?? missing(),
        steps: treeRounding(tree, leaves),
        amounts: treeDrawVariances(tree).flat(),
        termsOf: (rows) =>
          sums(leaves, rows).map(({ level, place, factor }) => ({
            place: (starts[level] ?? 0) + place,
            factor,
          })),
      }
    }
    default:
      return law satisfies never
  }
}

function wholeOf(
  { shape, law, noisy, grid }: KeptJoint,
  cells: readonly bigint[],
  bits: number,
): readonly bigint[] {
  const fine = bits + finerBits(grid)
  if (shape.kind === "table") return wholeCells(shape.sizes, cells, fine)
  const { children } = shape
  const values =
    law.kind === "levels" ? treeValues({ ...law, children }, noisy, bits) : sumsByLevel({ children }, cells)
  return wholeTree({ children }, values, fine).at(-1) ?? missing()
}

function startsOf(lists: readonly (readonly unknown[])[]): readonly number[] {
  let next = 0
  return lists.map((list) => {
    const start = next
    next += list.length
    return start
  })
}

// The same list of rows is asked for twice: for its error, and for its value.
function remembered(termsOf: MeasuredColumn["termsOf"]): MeasuredColumn["termsOf"] {
  const found = new WeakMap<readonly number[], { readonly terms: readonly JointTerm[] | undefined }>()
  return (rows) => {
    const before = found.get(rows) ?? { terms: termsOf(rows) }
    found.set(rows, before)
    return before.terms
  }
}

function missing(): never {
  assert(false, "every measurement was kept")
}
