// Several answers to the same questions as one, where columns of an answer share noise: a sum and a number of
// values from one vector tell their mean far better than each of them is told by itself.

import { multiply, numberNear, rational, subtract, type Rational } from "@dosimeter/core/exact"
import { termsOf, type LinearForm, type NoiseBase } from "@dosimeter/core/post"
import { addLinear, scaleLinear, type LinearNumber } from "../cells/spread.ts"

/** The columns of one answer, in order; undefined where it does not have one. */
export type AnswerColumns = readonly (LinearNumber | undefined)[]

/**
 * The best linear estimate of all columns from independent answers, by generalised least squares. Undefined
 * where no two columns of an answer share noise (then each column is merged by itself), or where the noise of
 * one is a multiple of another's.
 *
 * Weights come from the laws of the noise alone. However they are rounded, those of a column's own answers
 * add up to one and those of every other column to zero, exactly: the estimate has no bias, and its form says
 * what noise is in it.
 */
export function mergeTogether(answers: readonly AnswerColumns[]): readonly LinearNumber[] | undefined {
  const width = answers[0]?.length ?? 0
  const columns = Array.from({ length: width }, (_, column) => column)
  const having = answers.map((answer) => columns.filter((column) => answer[column] !== undefined))
  const isWhole = columns.every((column) => having.some((own) => own.includes(column)))
  if (answers.length < 2 || width < 2 || !isWhole) return undefined
  const noises = answers.map((answer, index) => noiseOf(answer, having[index] ?? []))
  if (!noises.every((noise) => noise !== undefined) || !noises.some(isShared)) return undefined
  // In units of two to some power, so that no column is far larger than another.
  const powers = columns.map((column) => unitOf(column, having, noises))
  const weights = weightsOf({ having, noises, powers })
  if (weights === undefined) return undefined
  return columns.map((column) => estimateOf(column, { answers, having, powers, weights }))
}

/** A square matrix. */
type Matrix = readonly (readonly number[])[]

/** The covariances of an answer's columns; undefined if one of them has no noise. */
function noiseOf(answer: AnswerColumns, own: readonly number[]): Matrix | undefined {
  const forms = own.flatMap((column) => answer[column]?.form ?? [])
  if (forms.length < own.length) return undefined
  const terms = forms.map((form) => new Map(coefficientsOf(form)))
  return forms.map((_, row) => forms.map((__, column) => covarianceOf(terms[row], terms[column])))
}

interface Coefficient {
  readonly base: NoiseBase
  readonly value: number
}

function* coefficientsOf(form: LinearForm): Generator<readonly [number, Coefficient]> {
  for (const { base, coefficient } of termsOf(form)) yield [base.id, { base, value: numberNear(coefficient) }]
}

function covarianceOf(
  a: ReadonlyMap<number, Coefficient> | undefined,
  b: ReadonlyMap<number, Coefficient> | undefined,
): number {
  let sum = 0
  for (const [id, { base, value }] of a ?? []) {
    const other = b?.get(id)?.value ?? 0
    if (other !== 0) sum += value * other * varianceOf(base)
  }
  return sum
}

// Discrete Laplace noise has a little less than 2 scale^2, rounded normal noise a twelfth of a step more.
function varianceOf(base: NoiseBase): number {
  const steps = base.law === "gaussian" ? numberNear(base.variance) + 1 / 12 : 2 * numberNear(base.scale) ** 2
  return steps * numberNear(base.grid) ** 2
}

function isShared(noise: Matrix): boolean {
  return noise.some((row, place) => row.some((value, other) => other !== place && value !== 0))
}

function unitOf(column: number, having: readonly (readonly number[])[], noises: readonly Matrix[]): number {
  const variances = having.flatMap((own, index) => {
    const place = own.indexOf(column)
    return place < 0 ? [] : [noises[index]?.[place]?.[place] ?? 1]
  })
  return Math.round(Math.log2(Math.min(...variances)) / 2)
}

interface Weighing {
  readonly having: readonly (readonly number[])[]
  readonly noises: readonly Matrix[]
  readonly powers: readonly number[]
}

/** For each answer: what each of its columns (second) counts for in each estimate (first), in units. */
function weightsOf({ having, noises, powers }: Weighing): readonly Matrix[] | undefined {
  const precisions = noises.map((noise, index) => {
    const own = having[index] ?? []
    const unit = (place: number): number => 2 ** -(powers[own[place] ?? 0] ?? 0)
    return inverse(noise.map((row, i) => row.map((value, j) => value * unit(i) * unit(j))))
  })
  if (!precisions.every((precision) => precision !== undefined)) return undefined
  const total = powers.map(() => powers.map(() => 0))
  for (const [index, precision] of precisions.entries()) {
    const own = having[index] ?? []
    for (const [i, row] of own.entries()) {
      for (const [j, column] of own.entries()) {
        const line = total[row]
        if (line !== undefined) line[column] = (line[column] ?? 0) + (precision[i]?.[j] ?? 0)
      }
    }
  }
  const spread = inverse(total)
  if (spread === undefined) return undefined
  return precisions.map((precision, index) => {
    const own = having[index] ?? []
    return spread.map((row) =>
      own.map((_, j) =>
        own.reduce((sum, column, i) => sum + (row[column] ?? 0) * (precision[i]?.[j] ?? 0), 0),
      ),
    )
  })
}

/** By elimination; undefined where the matrix is singular, or nearly so. */
function inverse(matrix: Matrix): Matrix | undefined {
  const size = matrix.length
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))])
  for (let step = 0; step < size; step += 1) {
    const pivotRow = work[step] ?? []
    const pivot = pivotRow[step] ?? 0
    if (!(pivot > 1e-9 * (matrix[step]?.[step] ?? 1))) return undefined
    work[step] = pivotRow.map((value) => value / pivot)
    for (let other = 0; other < size; other += 1) {
      const factor = work[other]?.[step] ?? 0
      if (other === step || factor === 0) continue
      work[other] = (work[other] ?? []).map((value, j) => value - factor * (work[step]?.[j] ?? 0))
    }
  }
  return work.map((row) => row.slice(size))
}

/** Weights are fractions of this. */
const weightSteps = 2 ** 30

interface Weighed extends Omit<Weighing, "noises"> {
  readonly answers: readonly AnswerColumns[]
  readonly weights: readonly Matrix[]
}

function estimateOf(column: number, { answers, having, powers, weights }: Weighed): LinearNumber {
  // What is left for the first answer that has a column, so that the sums come out exactly.
  const left = powers.map((_, other) => rational(other === column ? 1n : 0n))
  let sum: LinearNumber | undefined
  for (let index = answers.length - 1; index >= 0; index -= 1) {
    for (const [place, other] of (having[index] ?? []).entries()) {
      const number = answers[index]?.[other]
      const isFirst = having.findIndex((own) => own.includes(other)) === index
      const rounded = scaledWeight(weights[index]?.[column]?.[place] ?? 0, powers, [column, other])
      const weight = isFirst ? (left[other] ?? rational(0n)) : rounded
      left[other] = subtract(left[other] ?? rational(0n), weight)
      if (number === undefined || weight.numerator === 0n) continue
      const part = scaleLinear(number, weight)
      sum = sum === undefined ? part : addLinear(sum, part)
    }
  }
  return sum ?? { centre: rational(0n), form: undefined, slack: 0, mayBeNull: false, fromZero: true }
}

function scaledWeight(
  weight: number,
  powers: readonly number[],
  [column, other]: readonly [number, number],
): Rational {
  const power = (powers[column] ?? 0) - (powers[other] ?? 0)
  const unit = power >= 0 ? rational(1n << BigInt(power)) : rational(1n, 1n << BigInt(-power))
  return multiply(rational(BigInt(Math.round(weight * weightSteps)), BigInt(weightSteps)), unit)
}
