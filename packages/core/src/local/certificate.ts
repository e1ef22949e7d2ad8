// What a protocol promises, exactly: the probabilities of its channel as fractions, the largest ratio of two
// of them, the epsilon that follows, and a hash of its parameters that every report carries.

import { fail } from "../errors/errors.ts"
import { showParameter, positive, type Numeric } from "../exact/decimal.ts"
import { numberUp } from "../exact/dyadic.ts"
import { lnUp } from "../exact/log.ts"
import { one, showRational, subtract, type Rational } from "../exact/rational.ts"
import { ratioOf, supportOf } from "./channel.ts"
import { payloadBytes, type Protocol } from "./protocol.ts"
import { sha256 } from "./sha256.ts"
import { keepsPromise, probabilityOf } from "./threshold.ts"

/** What a protocol promises. */
export interface Certificate {
  readonly protocol: string
  /** The largest ratio of the probabilities of one report under two answers, as a fraction. */
  readonly ratio: string
  /** Its logarithm, rounded up: what one report loses. */
  readonly epsilon: number
  /** Where reports repeat: what all reports of one period lose together. */
  readonly permanentEpsilon?: number
  /** The probabilities of the channel, as fractions. */
  readonly probabilities: Readonly<Record<string, string>>
  readonly bytes: number
  /** SHA-256 of the protocol, which every report carries and the collector compares. */
  readonly parameters: string
}

/** The certificate of a protocol. */
export function certificateOf(protocol: Protocol): Certificate {
  const ratio = ratioOf(protocol)
  const permanent = protocol.kind === "memo" ? { permanentEpsilon: epsilonOf(protocol.permanent) } : {}
  return {
    protocol: protocol.kind,
    ratio: showRational(ratio),
    epsilon: epsilonOf(protocol),
    ...permanent,
    probabilities: Object.fromEntries(
      Object.entries(probabilitiesOf(protocol)).map(([name, value]) => [name, showRational(value)]),
    ),
    bytes: payloadBytes(protocol),
    parameters: parametersOf(protocol),
  }
}

/** What one report loses, rounded up. */
export function epsilonOf(protocol: Protocol): number {
  return numberUp(lnUp(ratioOf(protocol), 128))
}

/** Refuses a protocol that loses more than what was promised to the person. */
export function checkPromise(protocol: Protocol, epsilon: Numeric): void {
  if (keepsPromise(ratioOf(protocol), positive(epsilon, "epsilon"))) return
  fail("local/promise-broken", {
    got: `${epsilonOf(protocol)}`,
    promised: showParameter(positive(epsilon, "epsilon")),
  })
}

/** The hash of a protocol's parameters: SHA-256 of its JSON with the names in order. */
export function parametersOf(protocol: Protocol): string {
  return sha256(canonical(protocol))
}

function probabilitiesOf(protocol: Protocol): Readonly<Record<string, Rational>> {
  switch (protocol.kind) {
    case "mean":
      return {
        "a place is reported": probabilityOf(protocol.piecewise),
        "the place is near": probabilityOf(protocol.near),
        "the sign is plus at the lowest level": probabilityOf(protocol.least),
        "more for every level": probabilityOf(protocol.step),
      }
    case "key-value":
      return {
        "the key that was drawn speaks": probabilityOf(protocol.present),
        "another key speaks": probabilityOf(protocol.absent),
        "the sign is right": probabilityOf(protocol.truth),
      }
    case "one-of":
      return Object.fromEntries(
        protocol.parts.flatMap((part, index) =>
          Object.entries(probabilitiesOf(part)).map(([name, value]) => [`${index}: ${name}`, value]),
        ),
      )
    default: {
      const { p, q } = supportOf(protocol)
      return {
        "a report stands for the answer": p,
        "a report stands for another value": q,
        "it does not stand for the answer": subtract(one, p),
      }
    }
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(",")}}`
}
