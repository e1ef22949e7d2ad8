import { test } from "vitest"
import { checkSampler } from "../../testing/check-sampler.ts"
import vectors from "../../testing/fixtures/selection.json" with { type: "json" }
import type { IntegerCdf } from "../../testing/laws.ts"
import { parseNumber, recordsOf, type VectorRecord } from "../../testing/vectors.ts"
import { releaseSelection, selection, type SelectionMethod } from "./selection.ts"

const listOf = (value: unknown): number[] =>
  Array.isArray(value) ? value.map((item: unknown) => parseNumber(String(item))) : []

const cdfOf =
  (probabilities: readonly number[]): IntegerCdf =>
  (k) =>
    k < 0n
      ? 0
      : Math.min(
          1,
          probabilities.slice(0, Number(k) + 1).reduce((a, b) => a + b, 0),
        )

/** A law that is far from the right one: every probability one place further, or the first place left out. */
function wrongLaw(right: readonly number[]): number[] {
  const rotated = [...right.slice(-1), ...right.slice(0, -1)]
  const isEven = right.every((p) => Math.abs(p - (right[0] ?? 0)) < 0.01)
  return isEven ? right.map((_, i) => (i === 0 ? 0 : 1 / (right.length - 1))) : rotated
}

interface Law {
  readonly record: VectorRecord
  readonly method: SelectionMethod
  readonly epsilon: string
  readonly sensitivity: number
  readonly scores: "monotone" | "any"
}

/** Utilities are counted in quarters. */
function checkLaw({ record, method, epsilon, sensitivity, scores }: Law): void {
  const utilities = listOf(record.inputs["utilities"]).map((u) => BigInt(4 * u))
  const spec = selection({
    method,
    epsilon,
    sensitivity: 4 * sensitivity,
    scores,
    candidates: utilities.length,
  })
  const right = listOf(record.expected["probabilities"])
  checkSampler({
    name: record.id,
    draw: (rng) => releaseSelection(spec, utilities, rng),
    cdf: cdfOf(right),
    draws: 30_000,
    mustReject: { "another order": cdfOf(wrongLaw(right)) },
  })
}

test.each(recordsOf(vectors, "selection.permute_and_flip"))(
  "permute-and-flip has the law of $id",
  (record) => {
    checkLaw({
      record,
      method: "permute-and-flip",
      epsilon: String(record.inputs["epsilon"]),
      sensitivity: parseNumber(String(record.inputs["sensitivity"])),
      scores: record.inputs["monotonic"] === true ? "monotone" : "any",
    })
  },
)

test.each(recordsOf(vectors, "selection.noisy_max_laplace"))("noisy max has the law of $id", (record) => {
  // Laplace noise of scale b on the scores: epsilon / (2 sensitivity) = 1 / b.
  const scale = parseNumber(String(record.inputs["laplace_scale"]))
  checkLaw({ record, method: "noisy-max", epsilon: `${2 / scale}`, sensitivity: 1, scores: "any" })
})
