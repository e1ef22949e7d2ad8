// The error that a study will have, before anybody is asked: from the protocol and the number of people.

import { fail } from "../errors/errors.ts"
import type { MeanProtocol } from "../local/mean.ts"
import type { FrequencyProtocol, Protocol } from "../local/protocol.ts"
import { openUnit } from "../post/estimates/check.ts"
import { normalUpper } from "../post/estimates/normal-quantile.ts"
import { shareNoise } from "./frequencies.ts"
import { readingVariance } from "./means.ts"

/** How far off one estimate will be. */
export interface Prediction {
  /** The standard error: of a share, if it is `share`, or of a mean between -1 and 1, in the worst case. */
  readonly standardError: number
  /** Half the width of an interval at the stated confidence. */
  readonly halfWidth: number
  readonly confidence: number
  readonly people: number
}

/** The error of one estimate of a study with so many people. */
export function predictError(
  protocol: Protocol,
  options: { readonly people: number; readonly confidence: number; readonly share?: number },
): Prediction {
  const { people, confidence, share = 0 } = options
  if (!(people >= 1))
    fail("parameter/out-of-range", { name: "people", got: `${people}`, range: "1 and more" })
  const width = normalUpper((1 - openUnit(confidence, "confidence")) / 2)
  const standardError = Math.sqrt(unitVariance(protocol, share) / people)
  return { standardError, halfWidth: width * standardError, confidence, people }
}

/** Variance times people: of a value that this share of people has, or of a mean in the worst case. */
export function unitVariance(protocol: Protocol, share = 0): number {
  switch (protocol.kind) {
    case "mean":
      return meanVariance(protocol)
    case "key-value": {
      const [present, absent] = [protocol.present / 2 ** 52, protocol.absent / 2 ** 52]
      const speaks = absent + (share / protocol.pairs) * (present - absent)
      return (speaks * (1 - speaks) * protocol.pairs ** 2) / (present - absent) ** 2
    }
    case "one-of":
      return Math.max(...protocol.parts.map((part) => unitVariance(part, share) * protocol.parts.length))
    default:
      return frequencyVariance(protocol, share)
  }
}

/** n Var of a share, exactly, for people of whom this share has the value. */
export function frequencyVariance(protocol: FrequencyProtocol, share: number): number {
  const { atZero, slope } = shareNoise(protocol)
  return atZero + share * slope
}

/** The largest over all numbers: in the middle for a sign, at the ends for a place. */
function meanVariance(protocol: MeanProtocol): number {
  const { levels } = protocol
  return Math.max(readingVariance(protocol, 0), readingVariance(protocol, Math.round(levels / 2)))
}
