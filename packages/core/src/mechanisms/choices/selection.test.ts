import { expect, test } from "vitest"
import { pureToZcdp } from "../../accounting/conversions/pure-to-zcdp.ts"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import { rational } from "../../exact/rational.ts"
import rdp from "../../testing/fixtures/rdp.json" with { type: "json" }
import vectors from "../../testing/fixtures/selection.json" with { type: "json" }
import { bitsOfUniforms, inversionLaw } from "../../testing/inversion-law.ts"
import { refusalOf, untouchedBits } from "../../testing/refusals.ts"
import { checkRecord, parseNumber, recordsOf, type VectorRecord } from "../../testing/vectors.ts"
import { boundedRangeRho } from "../shared/pure-losses.ts"
import {
  releaseSelection,
  releaseTopK,
  selection,
  selectionError,
  selectionLoss,
  topK,
  topKLoss,
  type SelectionSpec,
  type TopKSpec,
} from "./selection.ts"

/** The exact law of the exponential mechanism, read off the mechanism. */
function lawOf(spec: SelectionSpec, scores: readonly bigint[]): number[] {
  const draw = (uniform: number) => releaseSelection(spec, scores, bitsOfUniforms([uniform]))
  return inversionLaw(scores.length, draw).map(({ probability }) => probability)
}

/** Quarters: the records have utilities such as 0.25. */
const quarters = (text: unknown): bigint => BigInt(4 * parseNumber(String(text)))

function exponentialOf(record: VectorRecord): { spec: SelectionSpec; scores: bigint[] } {
  const utilities = record.inputs["utilities"]
  const scores = Array.isArray(utilities) ? utilities.map(quarters) : []
  const spec = selection({
    method: "exponential",
    epsilon: String(record.inputs["epsilon"]),
    sensitivity: quarters(record.inputs["sensitivity"]),
    scores: record.inputs["monotonic"] === true ? "monotone" : "any",
    candidates: scores.length,
  })
  return { spec, scores }
}

test.each(recordsOf(vectors, "selection.exponential"))("has the law of $id to nine digits", (record) => {
  const { spec, scores } = exponentialOf(record)
  checkRecord({ record, field: "probabilities", got: lawOf(spec, scores) })
})

test.each(recordsOf(vectors, "selection.base2_exponential"))("has the law of $id", (record) => {
  const losses = record.inputs["losses"]
  const scores = Array.isArray(losses) ? losses.map((loss: unknown) => -BigInt(String(loss))) : []
  const epsilon = exactly(Number(record.expected["epsilon"]), "epsilon")
  const spec = selection({
    method: "exponential",
    epsilon,
    sensitivity: 1,
    scores: "any",
    candidates: scores.length,
  })
  const wanted = record.expected["probabilities"]
  const probabilities = Array.isArray(wanted) ? wanted.map((p: unknown) => parseNumber(String(p))) : []
  for (const [i, p] of lawOf(spec, scores).entries()) expect(p).toBeCloseTo(probabilities[i] ?? -1, 12)
})

/** All score lists of three candidates with entries 0, 1, 2, and their neighbours. */
const small = Array.from({ length: 27 }, (_, i) => [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)])
const shifts = Array.from({ length: 27 }, (_, i) => [
  (i % 3) - 1,
  (Math.floor(i / 3) % 3) - 1,
  Math.floor(i / 9) - 1,
])

test.each([
  ["any", shifts],
  ["monotone", shifts.filter((shift) => shift.every((d) => d >= 0) || shift.every((d) => d <= 0))],
] as const)("keeps its loss, and reaches it, for %s scores over all neighbours", (scores, moves) => {
  const spec = selection({ method: "exponential", epsilon: "0.7", sensitivity: 1, scores, candidates: 3 })
  const law = new Map<string, number[]>()
  const lawAt = (list: readonly number[]): number[] => {
    const known = law.get(list.join()) ?? lawOf(spec, list.map(BigInt))
    law.set(list.join(), known)
    return known
  }
  let [worst, widest] = [0, 0]
  for (const list of small) {
    for (const move of moves) {
      const neighbour = lawAt(list.map((score, i) => score + (move[i] ?? 0)))
      const logs = lawAt(list).map((p, i) => Math.log(p / (neighbour[i] ?? 0)))
      worst = Math.max(worst, ...logs)
      widest = Math.max(widest, Math.max(...logs) - Math.min(...logs))
    }
  }
  expect(worst).toBeLessThanOrEqual(0.7 * (1 + 1e-9))
  // Rates are spent in full: the range of log ratios, from which epsilon^2 / 8 follows, is reached.
  expect(widest).toBeLessThanOrEqual(0.7 * (1 + 1e-9))
  expect(widest).toBeGreaterThan(0.69)
})

test("[M2] chooses the top 2 of 4 by the law of two exponential mechanisms", () => {
  const spec = topK({ k: 2, epsilon: "1.5", sensitivity: 1, scores: "monotone", candidates: 4 })
  const scores = [3n, 0n, 2n, 1n]
  const weights = scores.map((score) => Math.exp(0.75 * Number(score)))
  const total = weights.reduce((a, b) => a + b, 0)
  const first = inversionLaw(4, (u) => releaseTopK(spec, scores, bitsOfUniforms([u, 0]))[0] ?? -1)
  for (const [i, entry] of first.entries()) {
    expect(entry.probability).toBeCloseTo((weights[i] ?? 0) / total, 12)
    const left = [0, 1, 2, 3].filter((j) => j !== i)
    const second = inversionLaw(3, (u) => {
      const [one = -1, two = -1] = releaseTopK(spec, scores, bitsOfUniforms([entry.uniform, u]))
      expect(one).toBe(i)
      return left.indexOf(two)
    })
    for (const [place, { probability }] of second.entries()) {
      const weight = weights[left[place] ?? -1] ?? 0
      expect(probability).toBeCloseTo(weight / (total - (weights[i] ?? 0)), 12)
    }
  }
})

test("the top k of k are all of them, each once", () => {
  const spec = topK({ k: 3, epsilon: 1, sensitivity: 1, scores: "any", candidates: 3 })
  for (const u of [0, 2 ** 52, 2 ** 53 - 1]) {
    const chosen = releaseTopK(spec, [5n, 5n, 5n], bitsOfUniforms([u, u, u]))
    expect(chosen.toSorted((a, b) => a - b)).toEqual([0, 1, 2])
  }
})

test.each(recordsOf(rdp, "zcdp.exponential_mechanism"))("charges the rho of $id", (record) => {
  const rho = boundedRangeRho(exactly(String(record.inputs["epsilon"]), "epsilon"))
  checkRecord({ record, field: "rho", got: numberUp(rho) })
})

test.each(recordsOf(rdp, "rdp.exponential_mechanism_kl"))("charges no less than the record $id", (record) => {
  const rho = boundedRangeRho(exactly(String(record.inputs["epsilon"]), "epsilon"))
  expect(numberUp(rho)).toBeGreaterThanOrEqual(Number(record.expected["rdp"]))
})

test("only the exponential mechanism has the smaller rho", () => {
  const loss = (method: SelectionSpec["method"]) =>
    selectionLoss(selection({ method, epsilon: "0.5", sensitivity: 3, scores: "any", candidates: 9 }))
  expect(loss("exponential").zcdp.rho).toEqual(rational(1n, 32n))
  for (const method of ["permute-and-flip", "noisy-max"] as const) {
    expect(loss(method).pure?.epsilon).toEqual(rational(1n, 2n))
    expect(loss(method).zcdp.rho).toEqual(pureToZcdp(rational(1n, 2n)))
  }
})

test("charges the top k for each choice", () => {
  const spec = topK({ k: 5, epsilon: 2, sensitivity: 1, scores: "any", candidates: 9 })
  expect(spec.epsilonPerChoice).toEqual(rational(2n, 5n))
  expect(topKLoss(spec).pure?.epsilon).toEqual(rational(2n))
  // 5 (2/5)^2 / 8.
  expect(topKLoss(spec).zcdp).toEqual({ measure: "zcdp", rho: rational(1n, 10n), delta: rational(0n) })
})

test("states a shortfall from the exact law that the law keeps", () => {
  const spec = selection({ method: "exponential", epsilon: 1, sensitivity: 1, scores: "any", candidates: 20 })
  for (const miss of ["0.5", "0.1", "0.01"]) {
    const { shortfall } = selectionError(spec, exactly(miss, "miss"))
    const scores = [0n, ...Array.from({ length: 19 }, () => -shortfall - 1n)]
    const [best = 0] = lawOf(spec, scores)
    expect(1 - best).toBeLessThanOrEqual(Number(miss))
    // ln(20 / miss) / rate with rate 1/2, rounded up.
    expect(Number(shortfall)).toBe(Math.ceil(2 * Math.log(20 / Number(miss))))
  }
  const top = topK({ k: 2, epsilon: 2, sensitivity: 1, scores: "any", candidates: 20 })
  expect(selectionError(top, exactly("0.1", "miss")).shortfall).toBe(BigInt(Math.ceil(2 * Math.log(400))))
})

test("takes scores of any size without overflow", () => {
  const spec = selection({ method: "exponential", epsilon: 1, sensitivity: 1, scores: "any", candidates: 3 })
  expect(lawOf(spec, [0n, 1_000_000n, 1n << 60n])).toEqual([0, 0, 1])
  const [low = 0, high = 0] = lawOf(
    selection({ method: "exponential", epsilon: 1, sensitivity: 1n << 60n, scores: "any", candidates: 2 }),
    [0n, 1n << 60n],
  )
  expect(high / low).toBeCloseTo(Math.exp(0.5), 9)
})

test("draws nothing when the scores do not fit", () => {
  const spec = selection({ method: "exponential", epsilon: 1, sensitivity: 1, scores: "any", candidates: 3 })
  const top: TopKSpec = topK({ k: 2, epsilon: 1, sensitivity: 1, scores: "any", candidates: 3 })
  for (const scores of [[], [1n, 2n], [1n, 2n, 3n, 4n]]) {
    expect(refusalOf(() => releaseSelection(spec, scores, untouchedBits())).code).toBe("parameter/length")
    expect(refusalOf(() => releaseTopK(top, scores, untouchedBits())).code).toBe("parameter/length")
  }
})
