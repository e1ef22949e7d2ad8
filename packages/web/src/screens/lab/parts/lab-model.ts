// The model behind the Lab: made-up counts, the real mechanism, and what an attacker can infer from answers.

import {
  countSensitivity,
  errorOf,
  laplace,
  releaseLaplace,
  systemBits,
  type LaplaceSpec,
} from "@dosimeter/core"
import { exactly, multiply, numberNear, numberUp, rational, showParameter } from "@dosimeter/core/exact"
import {
  balancedAccuracy,
  epsilonFor,
  posteriorBounds,
  pureToZcdp,
  zcdpToEpsilon,
} from "@dosimeter/core/meaning"

/** The exact count of the Lab, with the person in question. */
export const labCount = 1000

/** The confidence of the Lab's intervals. */
export const labConfidence = 0.95

/** The delta at which the sum of many questions is stated: one that a hospital's dataset might have. */
const totalDelta = rational(1n, 10n ** 7n)

/** Patients of a made-up ward by age: larger groups and a very small one. */
export const labWards: readonly { readonly group: string; readonly exact: number }[] = [
  { group: "0–14", exact: 14 },
  { group: "15–29", exact: 23 },
  { group: "30–44", exact: 31 },
  { group: "45–59", exact: 44 },
  { group: "60–74", exact: 38 },
  { group: "75–89", exact: 17 },
  { group: "90+", exact: 2 },
]

/** One answer about one group. */
export interface LabAnswer {
  readonly group: string
  readonly exact: number
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
  "0.01",
  "0.02",
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

/** The place on the slider that is nearest to an epsilon. */
export function labPlaceOf(epsilon: string): number {
  const off = labEpsilons.map((each) => Math.abs(Math.log(Number(each) / Number(epsilon))))
  return off.indexOf(Math.min(...off))
}

/** One person is in one group, once: the answer about all groups costs what one costs. */
const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })

/** The mechanism at an epsilon. */
export function labMechanism(epsilon: string): LaplaceSpec {
  return laplace({ sensitivity, epsilon })
}

/** Half of the interval's width. */
export function labHalfWidth(spec: LaplaceSpec): number {
  const error = errorOf(spec, rational(95n, 100n))
  return error.kind === "additive" ? Number(error.halfWidth) : 0
}

/** One answer to "how many patients by age?", as it would leave the server. */
export function labAnswers(spec: LaplaceSpec): readonly LabAnswer[] {
  const half = labHalfWidth(spec)
  const exacts = labWards.map(({ exact }) => BigInt(exact))
  const noisy = releaseLaplace(spec, exacts, systemBits())
  return labWards.map(({ group, exact }, index) => {
    const value = Number(noisy[index] ?? 0n)
    return {
      group,
      exact,
      value,
      low: value - half,
      high: value + half,
      isHit: Math.abs(value - exact) <= half,
    }
  })
}

/** The law of the answer, with the person and without: discrete Laplace around the count. */
export function labLaw(spec: LaplaceSpec): readonly LabChance[] {
  const scale = numberNear(spec.scale)
  const ratio = Math.exp(-1 / scale)
  const reach = Math.max(8, Math.ceil(4 * scale))
  const step = Math.max(1, Math.round(reach / 60))
  const side = Math.ceil(reach / step)
  const answers = Array.from({ length: 2 * side + 1 }, (_, i) => labCount + (i - side) * step)
  const chanceOf = (answer: number, centre: number): number =>
    ((1 - ratio) / (1 + ratio)) * ratio ** Math.abs(answer - centre)
  return [true, false].flatMap((isWith) =>
    answers.map((answer) => ({ answer, isWith, chance: chanceOf(answer, isWith ? labCount : labCount - 1) })),
  )
}

/** The bounds between which a guess stays, and the factor by which its odds can change. */
export function labBelief(epsilon: string, prior: string) {
  return posteriorBounds({ loss: { measure: "pure", epsilon: exactly(epsilon, "epsilon") }, prior })
}

/** How often somebody is right at best who must say whether one person is in the data. */
export function labRight(epsilon: string): number {
  return balancedAccuracy({ measure: "pure", epsilon: exactly(epsilon, "epsilon") })
}

/** What so many questions add up to. */
export interface LabTotal {
  readonly questions: number
  /** The sum of the epsilons. */
  readonly plain: number
  /** The epsilon of the sum of rho, at a delta of one in ten million. */
  readonly byRho: number
}

/** The total after so many questions at this epsilon each. */
export function labTotal(epsilon: string, questions: number): LabTotal {
  const each = exactly(epsilon, "epsilon")
  const times = rational(BigInt(questions))
  return {
    questions,
    plain: numberUp(multiply(times, each)),
    byRho: numberUp(zcdpToEpsilon(multiply(times, pureToZcdp(each)), totalDelta)),
  }
}

/** The least epsilon at which a group of this size is within so many percent; none if that makes no sense. */
export function labEpsilonFor(size: string, percent: string): string | undefined {
  if (!/^\d{1,9}$/.test(size) || !/^\d{1,3}(\.\d{1,2})?$/.test(percent)) return undefined
  if (Number(size) === 0 || Number(percent) === 0 || Number(percent) > 100) return undefined
  const within = multiply(exactly(size, "size"), multiply(exactly(percent, "percent"), rational(1n, 100n)))
  return showParameter(epsilonFor({ within, confidence: "0.95", sensitivity }).epsilon)
}

/** How far off a group of this size is, in percent of itself. */
export function labRelative(spec: LaplaceSpec, size: number): number {
  return (100 * labHalfWidth(spec)) / size
}
