// The data of the benchmark of learners that is made up: patients and images.

import type { ColumnSpec, Examples, NetworkData } from "@dosimeter/ml"
import { imageData } from "@dosimeter/ml"
import { shuffledIndices, type RandomBits } from "@dosimeter/core/noise"
import { examplesOf, normal, unit } from "../../packages/ml/src/testing/made-up.ts"

/** One set of rows with what is declared of them. */
export interface LearnSet {
  readonly name: string
  readonly features: readonly ColumnSpec[]
  readonly target: ColumnSpec
  readonly examples: Examples
  /** Rows to train on; four fifths of all unless said. */
  readonly trainOn?: number
}

const patientFeatures: readonly ColumnSpec[] = [
  { kind: "number", name: "age", low: 0, high: 110 },
  { kind: "number", name: "length_of_stay", low: 0, high: 60 },
  { kind: "number", name: "medications", low: 0, high: 80 },
  { kind: "number", name: "glucose", low: 0, high: 500 },
  { kind: "number", name: "earlier_visits", low: 0, high: 20 },
  { kind: "category", name: "ward", categories: 8 },
  { kind: "category", name: "payer", categories: 5 },
  { kind: "category", name: "sex", categories: 2 },
]

/** Made-up patients: who comes back (classes), or what they cost (numbers). */
export function patients(kind: "classes" | "numbers", rows: number, rng: RandomBits): LearnSet {
  const examples = examplesOf(rows, () => {
    const age = Math.min(110, Math.max(0, 60 + 18 * normal(rng)))
    const days = Math.min(60, -4 * Math.log(unit(rng)))
    const drugs = Math.min(80, 12 + 8 * Math.abs(normal(rng)))
    const glucose = unit(rng) < 0.3 ? NaN : Math.min(500, 90 + 60 * Math.abs(normal(rng)))
    const visits = Math.floor(Math.min(20, -1.2 * Math.log(unit(rng))))
    const [ward, payer, sex] = [rng.word() % 8, rng.word() % 5, rng.word() % 2]
    const score =
      -2.2 +
      0.9 * Math.max(0, (age - 55) / 20) +
      0.5 * Math.sqrt(days) +
      (visits > 0 ? 0.7 + 0.15 * visits : 0) +
      (glucose > 180 ? 0.8 : 0) +
      ([0, 0.6, -0.5, 0.2, 0.9, -0.2, 0, -0.8][ward] ?? 0) +
      (payer === 2 ? 0.4 : 0)
    const cost = Math.max(0, Math.min(20, 4 + 1.5 * score + 0.05 * drugs + normal(rng)))
    const target = kind === "numbers" ? cost : unit(rng) < 1 / (1 + Math.exp(-score)) ? 1 : 0
    return [age, days, drugs, glucose, visits, ward, payer, sex, target]
  })
  const target: ColumnSpec =
    kind === "numbers"
      ? { kind: "number", name: "cost", low: 0, high: 20 }
      : { kind: "category", name: "readmitted", categories: 2 }
  return {
    name: kind === "numbers" ? "patients' cost" : "patients' return",
    features: patientFeatures,
    target,
    examples,
  }
}

/** So many rows to train on, or four fifths, and rows of the last fifth to test. */
export function split({ examples: data, trainOn }: LearnSet, rng: RandomBits): readonly [Examples, Examples] {
  const order = shuffledIndices(data.rows, rng)
  const cut = Math.floor(0.8 * data.rows)
  const part = (rows: Uint32Array): Examples => ({
    rows: rows.length,
    features: data.features.map((values) => Float64Array.from(rows, (row) => values[row] ?? NaN)),
    target: Float64Array.from(rows, (row) => data.target[row] ?? NaN),
  })
  return [part(order.subarray(0, trainOn ?? cut)), part(order.subarray(cut))]
}

/** Images of 28 x 28 bytes: ten figures of five spots each, shifted and dimmed. */
export function images(rows: number, rng: RandomBits): NetworkData {
  const figures = Array.from({ length: 10 }, () => {
    const spots = Array.from({ length: 5 }, () => [4 + 20 * unit(rng), 4 + 20 * unit(rng)] as const)
    return Float64Array.from({ length: 784 }, (_, at) =>
      spots.reduce(
        (sum, [x, y]) => sum + Math.exp(-(((at % 28) - x) ** 2 + (Math.floor(at / 28) - y) ** 2) / 8),
        0,
      ),
    )
  })
  const bytes = new Uint8Array(rows * 784)
  const labels = new Uint8Array(rows)
  for (let row = 0; row < rows; row += 1) {
    const label = rng.word() % 10
    const [dx, dy] = [(rng.word() % 5) - 2, (rng.word() % 5) - 2]
    labels[row] = label
    for (let at = 0; at < 784; at += 1) {
      const [x, y] = [(at % 28) - dx, Math.floor(at / 28) - dy]
      const light = x >= 0 && x < 28 && y >= 0 && y < 28 ? (figures[label]?.[28 * y + x] ?? 0) : 0
      bytes[row * 784 + at] = Math.max(0, Math.min(255, 255 * light * (0.5 + unit(rng) / 2)))
    }
  }
  return imageData(bytes, labels)
}
