// What the Lab plays with: a count, the real mechanism, and what an attacker could make of its answers.

import {
  countSensitivity,
  errorOf,
  exactly,
  laplace,
  numberNear,
  posteriorBounds,
  rational,
  releaseLaplace,
  systemBits,
  type LaplaceSpec,
} from "@dosimeter/core"

/** The exact count of the Lab, with the person in question. */
export const labCount = 1000

/** The confidence of the Lab's intervals. */
export const labConfidence = 0.95

/** One answer with its interval. */
export interface LabAnswer {
  readonly index: number
  readonly value: number
  readonly low: number
  readonly high: number
  /** Whether the exact count is inside. */
  readonly isHit: boolean
}

/** How probable an answer is, with the person and without. */
export interface LabChance {
  readonly answer: number
  readonly chance: number
  readonly isWith: boolean
}

/** Epsilons on the slider, from strong to weak protection. */
export const labEpsilons: readonly string[] = [
  "0.05",
  "0.1",
  "0.2",
  "0.3",
  "0.5",
  "0.7",
  "1",
  "1.5",
  "2",
  "3",
  "5",
]

/** The mechanism at an epsilon. */
export function labMechanism(epsilon: string): LaplaceSpec {
  const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
  return laplace({ sensitivity, epsilon })
}

/** Half of the interval's width. */
export function labHalfWidth(spec: LaplaceSpec): number {
  const error = errorOf(spec, rational(95n, 100n))
  return error.kind === "additive" ? Number(error.halfWidth) : 0
}

/** So many answers to the same question, as if each were paid. */
export function labAnswers(spec: LaplaceSpec, count: number): readonly LabAnswer[] {
  const half = labHalfWidth(spec)
  const exact = Array.from({ length: count }, () => BigInt(labCount))
  return releaseLaplace(spec, exact, systemBits()).map((noisy, index) => {
    const value = Number(noisy)
    const isHit = Math.abs(value - labCount) <= half
    return { index: index + 1, value, low: value - half, high: value + half, isHit }
  })
}

/** The law of the answer, with the person and without: discrete Laplace around the count. */
export function labLaw(spec: LaplaceSpec): readonly LabChance[] {
  const scale = numberNear(spec.scale)
  const ratio = Math.exp(-1 / scale)
  const reach = Math.min(60, Math.max(8, Math.ceil(4 * scale)))
  const step = Math.max(1, Math.round(reach / 60))
  const answers = Array.from(
    { length: 2 * Math.ceil(reach / step) + 1 },
    (_, i) => labCount + (i - Math.ceil(reach / step)) * step,
  )
  const chanceOf = (answer: number, centre: number): number =>
    ((1 - ratio) / (1 + ratio)) * ratio ** Math.abs(answer - centre)
  return [true, false].flatMap((isWith) =>
    answers.map((answer) => ({ answer, isWith, chance: chanceOf(answer, isWith ? labCount : labCount - 1) })),
  )
}

/** Up to where a guess can rise. */
export function labBelief(epsilon: string, prior: string): number {
  return posteriorBounds({ loss: { measure: "pure", epsilon: exactly(epsilon, "epsilon") }, prior }).upper
}
