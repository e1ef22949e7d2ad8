// Which protocol a study should use, and how far off it will be: known before anybody is asked. A study that
// cannot answer its question is refused, with what would help.

import { fail } from "../errors/errors.ts"
import { positive, wholeNumber, type Numeric } from "../exact/decimal.ts"
import { numberDown, numberNear, numberUp } from "../exact/dyadic.ts"
import { epsilonOf } from "../local/certificate.ts"
import { hadamardProtocol } from "../local/hadamard.ts"
import { hashingProtocol } from "../local/hashing.ts"
import { karyProtocol } from "../local/kary.ts"
import { meanProtocol } from "../local/mean.ts"
import { projectiveProtocol } from "../local/projective.ts"
import { payloadBytes, type Protocol } from "../local/protocol.ts"
import { subsetProtocol } from "../local/subset.ts"
import { unaryProtocol } from "../local/unary.ts"
import { predictError, unitVariance, type Prediction } from "./predict.ts"
import { shuffledCalibration, shuffledLoss, type ShuffledLoss } from "./shuffle.ts"

/** What is asked: one of so many known values, a code of so many bits, or the mean of a bounded number. */
export type Domain =
  | { readonly kind: "values"; readonly values: Numeric }
  | { readonly kind: "codes"; readonly bits: Numeric }
  | { readonly kind: "mean" }

/**
 * Whom the devices trust. With a shuffler, epsilon is what everybody learns, `localEpsilonMax` what the
 * shuffler itself could.
 */
export type Trust =
  | { readonly kind: "nobody" }
  | {
      readonly kind: "shuffler"
      readonly delta: Numeric
      readonly localEpsilonMax: Numeric
      readonly sybils: number
      readonly crowdMin: number
    }

/** A study that is planned. */
export interface StudyPlan {
  readonly domain: Domain
  readonly epsilon: Numeric
  readonly people: Numeric
  readonly trust: Trust
  /** Half the width of an interval that would still answer the question: of a share, or a mean of -1 to 1. */
  readonly halfWidthMax: Numeric
  readonly confidence?: number
}

/** What was chosen. */
export interface ProtocolChoice {
  readonly protocol: Protocol
  readonly prediction: Prediction
  readonly epsilon: number
  readonly shuffled?: ShuffledLoss
  /** All that could have been, the best first. */
  readonly ranked: readonly RankedProtocol[]
}

/** A protocol and what it would give. */
export interface RankedProtocol {
  readonly protocol: Protocol
  readonly halfWidth: number
  readonly bytes: number
}

/** Up to here reports are sets: 128 bytes. */
const setsUpTo = 1024

/** Chooses the protocol with the smallest error, or refuses the study. */
export function chooseProtocol(plan: StudyPlan): ProtocolChoice {
  const people = Number(wholeNumber(plan.people, "people"))
  const confidence = plan.confidence ?? 0.95
  const { candidates, shuffled } = candidatesFor(plan, people)
  const ranked = candidates
    .map((protocol) => ({
      protocol,
      ...predictError(protocol, { people, confidence, share: evenShare(plan.domain) }),
    }))
    .toSorted((a, b) => a.halfWidth - b.halfWidth)
  const best = ranked[0]
  if (best === undefined) return fail("parameter/empty", { name: "protocols" })
  const { protocol, ...prediction } = best
  const wanted = numberDown(positive(plan.halfWidthMax, "halfWidthMax"))
  if (prediction.halfWidth > wanted) refuse(plan, { protocol, prediction, wanted })
  return {
    protocol,
    prediction,
    epsilon: epsilonOf(protocol),
    ...(shuffled === undefined ? {} : { shuffled: shuffled(protocol) }),
    ranked: ranked.map((one) => ({
      protocol: one.protocol,
      halfWidth: one.halfWidth,
      bytes: payloadBytes(one.protocol),
    })),
  }
}

interface Candidates {
  readonly candidates: readonly Protocol[]
  readonly shuffled?: (protocol: Protocol) => ShuffledLoss
}

function candidatesFor(plan: StudyPlan, people: number): Candidates {
  const { domain, epsilon, trust } = plan
  switch (domain.kind) {
    case "mean":
      onlyLocal(trust, "means")
      return {
        candidates: (["hybrid", "piecewise", "sign"] as const).map((method) =>
          meanProtocol({ epsilon, method }),
        ),
      }
    case "codes":
      onlyLocal(trust, "codes")
      return { candidates: [hashingProtocol({ bits: domain.bits, epsilon })] }
    case "values": {
      const values = Number(wholeNumber(domain.values, "values", 2n))
      if (trust.kind === "nobody") return { candidates: localCandidates(values, epsilon) }
      const crowd = { people, sybils: trust.sybils, crowdMin: trust.crowdMin, delta: trust.delta }
      const most = numberNear(positive(trust.localEpsilonMax, "localEpsilonMax"))
      const goal = numberDown(positive(epsilon, "epsilon"))
      const alone = shuffledCalibration({ values, goal, most, crowd })
      return {
        candidates: [karyProtocol({ values, epsilon: alone })],
        shuffled: (protocol) => shuffledLoss(protocol, crowd),
      }
    }
    default:
      return domain satisfies never
  }
}

/** Known values: k-ary response is among the subsets; unary costs more bytes and is no better. */
function localCandidates(values: number, epsilon: Numeric): readonly Protocol[] {
  const small = values <= setsUpTo
  return [
    ...(small ? [subsetProtocol({ values, epsilon }), unaryProtocol({ values, epsilon })] : []),
    karyProtocol({ values, epsilon }),
    hadamardProtocol({ values, epsilon }),
    projectiveProtocol({ values, epsilon }),
    hashingProtocol({ bits: Math.max(1, 32 - Math.clz32(values - 1)), epsilon }),
  ]
}

/** Errors are compared for people who are spread evenly. */
function evenShare(domain: Domain): number {
  return domain.kind === "values" ? 1 / Number(wholeNumber(domain.values, "values", 2n)) : 0
}

function onlyLocal(trust: Trust, what: string): void {
  if (trust.kind === "nobody") return
  fail("parameter/out-of-range", { name: "trust", got: "shuffler", range: `"nobody" for ${what}` })
}

function refuse(
  plan: StudyPlan,
  at: { readonly protocol: Protocol; readonly prediction: Prediction; readonly wanted: number },
): never {
  const { prediction, wanted, protocol } = at
  const needed = Math.ceil(prediction.people * (prediction.halfWidth / wanted) ** 2)
  const epsilon = numberUp(positive(plan.epsilon, "epsilon"))
  const larger = [1, 2, 4, 8].filter((candidate) => candidate > epsilon)
  const enough = larger.find((candidate) => reaches(plan, candidate, { prediction, wanted }))
  const loss = enough === undefined ? "" : `, or allow epsilon ${enough}`
  return fail("local/cannot-answer", {
    reached: percent(prediction.halfWidth, protocol),
    wanted: percent(wanted, protocol),
    remedy: `ask ${shown(needed)} people instead of ${shown(prediction.people)}${loss}`,
  })
}

function reaches(
  { domain, trust }: StudyPlan,
  epsilon: number,
  { prediction, wanted }: { readonly prediction: Prediction; readonly wanted: number },
): boolean {
  if (trust.kind === "shuffler") return false
  const { candidates } = candidatesFor({ domain, trust, epsilon, people: 1, halfWidthMax: 1 }, 1)
  const best = Math.min(...candidates.map((candidate) => unitVariance(candidate, evenShare(domain))))
  const width = prediction.halfWidth / prediction.standardError
  return width * Math.sqrt(best / prediction.people) <= wanted
}

/** A count with commas, the same everywhere. */
function shown(count: number): string {
  return `${count}`.replaceAll(/\B(?=(\d{3})+$)/g, ",")
}

function percent(value: number, protocol: Protocol): string {
  if (protocol.kind === "mean") return `${Number(value.toPrecision(3))}`
  return `${Number((100 * value).toPrecision(3))} percentage points`
}

/** The choice in words, for people who plan a study. */
export function describeChoice({ protocol, prediction, epsilon, shuffled, ranked }: ProtocolChoice): string {
  const off = percent(prediction.halfWidth, protocol)
  const level = `${prediction.confidence * 100}%`
  const lines = [
    `${protocol.kind}, epsilon ${Math.ceil(epsilon * 1e6) / 1e6}`,
    `with ${shown(prediction.people)} people: ${level} of estimates within ${off}`,
  ]
  if (shuffled !== undefined) {
    lines.push(
      `shuffled: epsilon ${shuffled.epsilon.toPrecision(4)} at delta ${shuffled.delta}; ` +
        `if the shuffler colludes: epsilon ${shuffled.ifShufflerColludes.toPrecision(4)}`,
    )
  }
  const others = ranked.slice(1).map((one) => `${one.protocol.kind} ${percent(one.halfWidth, one.protocol)}`)
  if (others.length > 0) lines.push(`others: ${others.join(", ")}`)
  return lines.join("\n")
}
