// How far fake devices can move an estimate. A protocol that protects people well gives each report little
// weight for the truth and much for a lie: this is the price, and it is shown.

import { fail } from "../errors/errors.ts"
import type { Protocol } from "../local/protocol.ts"
import { shareNoise } from "./frequencies.ts"
import { readingsOf } from "./means.ts"

/** What so many fake devices can do to one estimate. */
export interface Robustness {
  readonly fakes: number
  readonly people: number
  /** How much higher and lower they can make a share, or a mean between -1 and 1. */
  readonly up: number
  readonly down: number
  /** How many values one report can speak for at once. */
  readonly spread: number
}

/**
 * How far `fakes` of `people` reports can move an estimate, against the same reports being left out of the
 * sum: an estimate is a mean of one number for each report, and these are the largest and smallest.
 */
export function robustnessOf(
  protocol: Protocol,
  { fakes, people }: { readonly fakes: number; readonly people: number },
): Robustness {
  if (!(people >= 1 && fakes >= 0 && fakes <= people)) {
    fail("parameter/out-of-range", { name: "fakes", got: `${fakes}`, range: `0 to ${people}` })
  }
  const share = fakes / people
  const { up, down, spread } = weights(protocol)
  return { fakes, people, up: share * up, down: share * down, spread }
}

function weights(protocol: Protocol): {
  readonly up: number
  readonly down: number
  readonly spread: number
} {
  switch (protocol.kind) {
    case "mean": {
      const readings = readingsOf(protocol)
      const used = [...readings].filter((_, report) =>
        isUsed(protocol.piecewise, report < readings.length - 2),
      )
      return { up: Math.max(...used), down: -Math.min(...used), spread: 1 }
    }
    case "key-value": {
      const [present, absent] = [protocol.present / 2 ** 52, protocol.absent / 2 ** 52]
      const gap = (present - absent) / protocol.pairs
      return { up: (1 - absent) / gap, down: absent / gap, spread: protocol.keys }
    }
    case "one-of": {
      // All fakes may pretend to have drawn the same question, which others answer less often.
      const [parts, times] = [protocol.parts.map(weights), protocol.parts.length]
      return {
        up: times * Math.max(...parts.map(({ up }) => up)),
        down: times * Math.max(...parts.map(({ down }) => down)),
        spread: Math.max(...parts.map(({ spread }) => spread)),
      }
    }
    default: {
      const { p, q } = shareNoise(protocol)
      return { up: (1 - q) / (p - q), down: q / (p - q), spread: spreadOf(protocol) }
    }
  }
}

function isUsed(piecewise: number, isPlace: boolean): boolean {
  return isPlace ? piecewise > 0 : piecewise < 2 ** 52
}

function spreadOf(protocol: Exclude<Protocol, { readonly kind: "mean" | "key-value" | "one-of" }>): number {
  switch (protocol.kind) {
    case "kary":
      return 1
    case "subset":
      return protocol.size
    case "unary":
      return protocol.values
    case "hadamard":
      return Math.floor(protocol.columns / 2)
    case "projective":
      return Math.floor((protocol.field ** (protocol.dimension - 1) - 1) / (protocol.field - 1))
    case "hashing":
      return Math.ceil(2 ** protocol.bits / protocol.field)
    case "memo":
      return protocol.fresh.kind === "kary" ? 1 : protocol.fresh.values
    default:
      return protocol satisfies never
  }
}
