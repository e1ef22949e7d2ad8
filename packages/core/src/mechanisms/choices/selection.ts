// Choosing one of many candidates by an integer score: the exponential mechanism, permute-and-flip, report
// noisy max with Laplace noise, and the top k.

import { unreachable } from "../../errors/assert.ts"
import { fail } from "../../errors/errors.ts"
import { positive, wholeNumber, type Numeric } from "../../exact/decimal.ts"
import { lnUp } from "../../exact/log.ts"
import { ceil, divide, multiply, rational, type Rational } from "../../exact/rational.ts"
import { sampleNoisyArgmax, sampleSoftmax } from "../../noise/argmax.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import type { ChoiceError } from "../shared/error.ts"
import { pureLosses, rangeLosses, type PureLosses } from "../shared/pure-losses.ts"

/**
 * How a choice is made. All three cost the same pure epsilon; permute-and-flip is never worse, and often
 * better.
 */
export type SelectionMethod = "exponential" | "permute-and-flip" | "noisy-max"

/** Choose one candidate. */
export interface SelectionSpec {
  readonly kind: "selection"
  readonly method: SelectionMethod
  /** Of one choice. */
  readonly epsilon: Rational
  /** In how many choices, each made by this spec, one unit takes part; 1 where there is only one. */
  readonly groupsPerUnit: bigint
  /** The most that one unit changes any candidate's score. */
  readonly sensitivity: bigint
  /** Does adding a unit move all scores the same way (as for counts)? Then noise is half as large. */
  readonly scores: "monotone" | "any"
  readonly candidates: bigint
}

/** Choose the k best candidates, in order: k exponential mechanisms, each without those already chosen. */
export interface TopKSpec {
  readonly kind: "top-k"
  readonly k: bigint
  /** The loss of each choice. */
  readonly epsilonPerChoice: Rational
  readonly sensitivity: bigint
  readonly scores: "monotone" | "any"
  readonly candidates: bigint
}

/** A choice of one among many. Without `groupsPerUnit` the spec is for one choice. */
export function selection(options: {
  readonly method: SelectionMethod
  readonly epsilon: Numeric
  readonly groupsPerUnit?: Numeric
  readonly sensitivity: Numeric
  readonly scores: "monotone" | "any"
  readonly candidates: Numeric
}): SelectionSpec {
  const { method, scores } = options
  return {
    kind: "selection",
    method,
    scores,
    epsilon: positive(options.epsilon, "epsilon"),
    groupsPerUnit: wholeNumber(options.groupsPerUnit ?? 1n, "groups per unit"),
    sensitivity: scoreSensitivity(options.sensitivity),
    candidates: candidateCount(options.candidates),
  }
}

/** The k best of many, for a total pure loss epsilon. */
export function topK(options: {
  readonly k: Numeric
  readonly epsilon: Numeric
  readonly sensitivity: Numeric
  readonly scores: "monotone" | "any"
  readonly candidates: Numeric
}): TopKSpec {
  const k = wholeNumber(options.k, "k")
  const candidates = candidateCount(options.candidates)
  if (k > candidates)
    fail("parameter/too-large", { name: "k", got: `${k}`, limit: `${candidates} candidates` })
  return {
    kind: "top-k",
    k,
    epsilonPerChoice: divide(positive(options.epsilon, "epsilon"), rational(k)),
    sensitivity: scoreSensitivity(options.sensitivity),
    scores: options.scores,
    candidates,
  }
}

/**
 * Chooses one candidate; returns its index.
 *
 * Guarantee: the loss, of all choices that are made by the spec together, is selectionLoss(spec).
 * Needs: one unit takes part in at most spec.groupsPerUnit choices, and changes each score of them by at most
 *   spec.sensitivity; with "monotone", all in one direction (the caller).
 * Proof: see selectionLoss.
 * Numerics: exact draws (noise/argmax.ts).
 * Source: as selectionLoss.
 */
export function releaseSelection(spec: SelectionSpec, scores: readonly bigint[], rng: RandomBits): number {
  checkScores(scores, spec.candidates)
  const rate = rateOf(spec.epsilon, spec)
  switch (spec.method) {
    case "exponential":
      return sampleSoftmax({ scores }, rate, rng)
    case "permute-and-flip":
      return sampleNoisyArgmax(scores, rate, "exponential", rng)
    case "noisy-max":
      return sampleNoisyArgmax(scores, rate, "laplace", rng)
    default:
      return unreachable(spec.method)
  }
}

/**
 * What a choice loses.
 *
 * Guarantee: pure epsilon for each method; for the exponential mechanism also epsilon^2/8-zCDP, and GDP as
 *   rangeToGdp says; as often as groupsPerUnit says.
 * Needs: as releaseSelection.
 * Proof: rate = epsilon / (2 D), or epsilon / D for monotone scores. Exponential: e^(rate q_i) and the
 *   normaliser each change by a factor of at most e^(rate D), in opposite directions; if monotone, both
 *   move the same way and only one counts. The log ratio, over all outcomes, spans a range of at most
 *   epsilon, which gives epsilon^2/8 (Cesar, Rogers) and rangeToGdp. Permute-and-flip: McKenna and Sheldon,
 *   theorem 1 (it has no range bound: only pureToZcdp). Noisy max: condition on all noise but the winner's;
 *   it stays the winner if its noise is raised by 2 D (D if monotone), which costs 2 D rate.
 * Numerics: exact, but for pureToZcdp, which rounds up.
 * Source: McSherry and Talwar 2007; McKenna and Sheldon 2020; Dwork and Roth 2014, claim 3.9; Cesar and
 *   Rogers 2021, lemma 3.2.
 */
export function selectionLoss(spec: SelectionSpec): PureLosses {
  const { epsilon, groupsPerUnit: count } = spec
  return spec.method === "exponential" ? rangeLosses(epsilon, count) : pureLosses(epsilon, { count })
}

/**
 * Chooses the k best candidates; returns their indices, best first.
 *
 * Guarantee: the loss is topKLoss(spec).
 * Needs: as releaseSelection.
 * Proof: each choice is an exponential mechanism on the candidates left, which are known from the choices
 *   before: adaptive composition. The law is that of the k largest scores with one Gumbel draw each.
 * Numerics: exact draws.
 * Source: Durfee and Rogers 2019, lemma 4.2.
 */
export function releaseTopK(spec: TopKSpec, scores: readonly bigint[], rng: RandomBits): number[] {
  checkScores(scores, spec.candidates)
  const rate = rateOf(spec.epsilonPerChoice, spec)
  const left = scores.map((score, index) => ({ score, index }))
  const chosen: number[] = []
  for (let i = 0n; i < spec.k; i += 1n) {
    const place = sampleSoftmax({ scores: left.map(({ score }) => score) }, rate, rng)
    const [best] = left.splice(place, 1)
    if (best !== undefined) chosen.push(best.index)
  }
  return chosen
}

/**
 * What the k choices lose together.
 *
 * Guarantee: pure k epsilon, and zCDP k epsilon^2/8, epsilon the loss of each choice.
 * Needs: as releaseSelection.
 * Proof: adaptive composition of k choices (selectionLoss).
 * Numerics: exact.
 * Source: Durfee and Rogers 2019; Bun and Steinke 2016, lemma 1.7.
 */
export function topKLoss(spec: TopKSpec): PureLosses {
  const { k, epsilonPerChoice } = spec
  return rangeLosses(epsilonPerChoice, k)
}

/**
 * With probability at least 1 - miss, the chosen score is within ln(n / miss) / rate of the best (each
 * method).
 */
export function selectionError(spec: SelectionSpec | TopKSpec, miss: Rational): ChoiceError {
  const epsilon = spec.kind === "selection" ? spec.epsilon : spec.epsilonPerChoice
  const choices = spec.kind === "selection" ? 1n : spec.k
  // Laplace noise is two-sided: the winner's may be high and the best one's low, so both tails are paid for.
  const sides = spec.kind === "selection" && spec.method === "noisy-max" ? 2n : 1n
  const odds = divide(rational(sides * choices * spec.candidates), miss)
  return {
    kind: "choice",
    shortfall: ceil(multiply(rational(sides), divide(lnUp(odds), rateOf(epsilon, spec)))),
  }
}

function rateOf(
  epsilon: Rational,
  spec: { readonly sensitivity: bigint; readonly scores: "monotone" | "any" },
): Rational {
  const sides = spec.scores === "monotone" ? 1n : 2n
  return divide(epsilon, rational(sides * spec.sensitivity))
}

function scoreSensitivity(value: Numeric): bigint {
  const sensitivity = wholeNumber(value, "score sensitivity", 0n)
  if (sensitivity === 0n) fail("privacy/zero-sensitivity", { name: "the score" })
  return sensitivity
}

function candidateCount(value: Numeric): bigint {
  const count = wholeNumber(value, "candidates", 0n)
  if (count === 0n) fail("parameter/empty", { name: "candidates" })
  return count
}

function checkScores(scores: readonly bigint[], candidates: bigint): void {
  if (BigInt(scores.length) === candidates) return
  fail("parameter/length", { name: "scores", got: `${scores.length}`, expected: `${candidates}` })
}
