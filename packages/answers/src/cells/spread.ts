// How uncertain a number is. Linear in independent draws as long as arithmetic allows; a quotient of two such
// forms; otherwise a function of other uncertain numbers, whose intervals are carried through it.

import { add, multiply, negate, numberNear, type Rational } from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import {
  addForms,
  formOf,
  negateForm,
  scaleForm,
  type LinearForm,
  type NoiseBase,
} from "@dosimeter/core/post"
import { addLeftOut, scaleLeftOut, type LeftOut, type LeftOutUnknown } from "./left-out.ts"
import type { Range } from "./range.ts"

/** A value, and how uncertain it is. */
export interface Uncertain {
  readonly value: Constant
  /** Absent for what has no noise in it. */
  readonly spread?: Spread
}

/** How uncertain a value is. */
export type Spread = LinearSpread | RatioSpread | RegionSpread | DerivedSpread | VagueSpread

/** The centre is what was released; the exact value is the centre less the noise of the form. */
export interface LinearSpread {
  readonly kind: "linear"
  readonly centre: Rational
  readonly form: LinearForm
  /** What roundings of doubles may add. */
  readonly slack: number
  /** NULLIF: the exact value may be NULL. */
  readonly mayBeNull: boolean
  /** The exact value is known not to be negative: a count, or a sum of what is not. */
  readonly fromZero: boolean
  readonly leftOut?: LeftOut
}

/** top / bottom, of which the bottom has noise; `slack` is what roundings may add to each. */
export interface RatioSpread {
  readonly kind: "ratio"
  readonly top: RatioPart & { readonly form: LinearForm | undefined }
  readonly bottom: RatioPart & { readonly form: LinearForm }
  readonly mayBeNull: boolean
  /** Neither exact number is negative. */
  readonly fromZero: boolean
}

/** One of the numbers of a quotient. */
export interface RatioPart {
  readonly centre: Rational
  readonly slack: number
  readonly leftOut?: LeftOut
}

/**
 * A released value that is not a sum with noise, such as a quantile: where the exact one lies, but for a
 * miss.
 */
export interface RegionSpread {
  readonly kind: "region"
  /** Regions with the same event fail together or not at all, such as those of all quantiles of a group. */
  readonly event: object
  readonly rangeAt: (miss: number) => Range
  /** Unknown, or nothing: regions are not shifted. */
  readonly leftOut?: LeftOutUnknown
}

/** A function of cells, some of which have noise. */
export interface DerivedSpread {
  readonly kind: "derived"
  readonly inputs: CellSlice
  /** The range of the result, given those of the inputs. If it grows, so does what it gives. */
  readonly combine: (ranges: readonly Range[]) => Range
}

/** It depends on noise, and nothing is known of how. Also the spread of texts, dates and conditions. */
export interface VagueSpread {
  readonly kind: "vague"
}

/** Some cells of a list, which is not copied: a window has many slices. */
export interface CellSlice {
  readonly cells: readonly Uncertain[]
  readonly from: number
  readonly to: number
}

/** The only vague spread. */
export const vague: VagueSpread = { kind: "vague" }

/** All cells of a list. */
export function sliceOf(cells: readonly Uncertain[]): CellSlice {
  return { cells, from: 0, to: cells.length }
}

/** The cells of a slice, one by one. */
export function* cellsOf({ cells, from, to }: CellSlice): Generator<Uncertain> {
  for (let index = from; index < to; index += 1) {
    const cell = cells[index]
    if (cell !== undefined) yield cell
  }
}

/** The spread of a released value with one draw of noise in it. */
export function spreadOf(base: NoiseBase, value: Rational): LinearSpread {
  return { kind: "linear", centre: value, form: formOf(base), slack: 0, mayBeNull: false, fromZero: false }
}

/** A draw, and what it counts for. */
export interface MixedDraw {
  readonly base: NoiseBase
  readonly factor: Rational
}

/** The spread of a released value with several draws in it; none if all count 0. */
export function mixedSpread(draws: readonly MixedDraw[], centre: Rational): LinearSpread | undefined {
  const form = draws.map(({ base, factor }) => scaleForm(formOf(base), factor)).reduce(addForms, undefined)
  return linearSpread(centre, form, { slack: 0, mayBeNull: false, fromZero: false })
}

/** A linear spread, or none if there is no noise left in it. */
export function linearSpread(
  centre: Rational,
  form: LinearForm | undefined,
  { slack, mayBeNull, fromZero, leftOut }: Omit<LinearSpread, "kind" | "centre" | "form">,
): LinearSpread | undefined {
  if (form === undefined) return undefined
  return { kind: "linear", centre, form, slack, mayBeNull, fromZero, ...withLeftOut(leftOut) }
}

/** A number with or without linear noise: what sums are made of. */
export interface LinearNumber {
  readonly centre: Rational
  readonly form: LinearForm | undefined
  readonly slack: number
  readonly mayBeNull: boolean
  readonly fromZero: boolean
  readonly leftOut?: LeftOut
}

/** A field for what is left out, where something is. */
export function withLeftOut(leftOut: LeftOut | undefined): { readonly leftOut?: LeftOut } {
  return leftOut === undefined ? {} : { leftOut }
}

/** The cell as a linear number, if it is one. */
export function linearOf({ value, spread }: Uncertain): LinearNumber | undefined {
  if (spread === undefined) {
    if (value.kind !== "number") return undefined
    const fromZero = value.value.numerator >= 0n
    return { centre: value.value, form: undefined, slack: 0, mayBeNull: false, fromZero }
  }
  return spread.kind === "linear" ? spread : undefined
}

/** a + b. */
export function addLinear(a: LinearNumber, b: LinearNumber): LinearNumber {
  return {
    centre: add(a.centre, b.centre),
    form: addForms(a.form, b.form),
    slack: a.slack + b.slack,
    mayBeNull: a.mayBeNull || b.mayBeNull,
    fromZero: a.fromZero && b.fromZero,
    ...withLeftOut(addLeftOut(a.leftOut, b.leftOut)),
  }
}

/** -a. */
export function negateLinear(a: LinearNumber): LinearNumber {
  const { leftOut, ...number } = a
  return {
    ...number,
    centre: negate(a.centre),
    form: negateForm(a.form),
    fromZero: false,
    ...withLeftOut(scaleLeftOut(leftOut, -1)),
  }
}

/** factor * a. */
export function scaleLinear(a: LinearNumber, factor: Rational): LinearNumber {
  const { leftOut, ...number } = a
  return {
    ...number,
    centre: multiply(a.centre, factor),
    form: scaleForm(a.form, factor),
    slack: a.slack * Math.abs(numberNear(factor)),
    fromZero: a.fromZero && factor.numerator >= 0n,
    ...withLeftOut(scaleLeftOut(leftOut, numberNear(factor))),
  }
}

/** The same after one more rounding to a double. */
export function roundedLinear(a: LinearNumber): LinearNumber {
  return { ...a, slack: a.slack + Math.abs(numberNear(a.centre)) * 2 ** -50 }
}

/** A linear number as a spread; none if there is no noise in it. */
export function spreadOfLinear(a: LinearNumber): LinearSpread | undefined {
  return linearSpread(a.centre, a.form, a)
}
