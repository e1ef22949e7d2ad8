// What a collector keeps of the reports: counters, and how many reports there were. No report is kept, and
// the order in which they came is forgotten.

import { fail } from "../errors/errors.ts"
import { numberNear } from "../exact/dyadic.ts"
import { supportOf } from "../local/channel.ts"
import type { HashedAnswer } from "../local/hashing.ts"
import { meanReports } from "../local/mean.ts"
import { pointCount } from "../local/projective.ts"
import { payloadBytes, type Protocol, type SingleProtocol } from "../local/protocol.ts"
import { malformed } from "../local/report.ts"
import { checkOnes, hashFinder, readBits, readIndex } from "./read-report.ts"

/** Counters of one question. */
export interface Tally {
  readonly reports: number
  /** What a counter counts depends on the protocol; `tallyLength` says how many there are. */
  readonly counts: readonly number[]
}

/** Counts reports of one protocol. */
export interface Counters {
  /** Adds one report, or refuses it and changes nothing. */
  readonly add: (payload: Uint8Array) => void
  /** The counters of each part; of a protocol for one question there is one. */
  readonly tallies: () => readonly Tally[]
}

/** How counting goes on, or which answers a hashing protocol is asked about. */
export interface CountingOptions {
  readonly tallies?: readonly Tally[]
  /** For hashing: the answers to count, part by part. */
  readonly candidates?: readonly (readonly HashedAnswer[])[]
}

/** Counters for a protocol, from nothing or from where they stood. */
export function countersFor(protocol: Protocol, options: CountingOptions = {}): Counters {
  const parts = protocol.kind === "one-of" ? protocol.parts : [protocol]
  const { tallies } = options
  if (tallies !== undefined && tallies.length !== parts.length) {
    fail("parameter/length", { name: "tallies", got: `${tallies.length}`, expected: `${parts.length}` })
  }
  const counted = parts.map((part, index) =>
    countPart(part, { tally: tallies?.[index], candidates: options.candidates?.[index] ?? [] }),
  )
  const bytes = payloadBytes(protocol)
  const sizes = parts.map(payloadBytes)
  return {
    add: (payload) => {
      if (payload.length !== bytes) malformed("its length is another")
      if (protocol.kind !== "one-of") return counted[0]?.add(payload)
      const index = payload[0] ?? 0
      const end = 1 + (sizes[index] ?? malformed("it answers no question"))
      if (payload.subarray(end).some((byte) => byte !== 0)) malformed("it is not filled with zeros")
      return counted[index]?.add(payload.subarray(1, end))
    },
    tallies: () => counted.map(({ tally }) => tally()),
  }
}

/** How many counters a question needs. */
export function tallyLength(protocol: SingleProtocol, candidates = 0): number {
  switch (protocol.kind) {
    case "kary":
    case "unary":
    case "subset":
      return protocol.values
    case "hadamard":
      return protocol.columns
    case "projective":
      return pointCount(protocol.field, protocol.dimension)
    case "hashing":
      return candidates
    case "memo":
      return protocol.fresh.values
    case "mean":
      return meanReports(protocol)
    case "key-value":
      return 2 * protocol.keys
    default:
      return protocol satisfies never
  }
}

interface PartCounter {
  readonly add: (payload: Uint8Array) => void
  readonly tally: () => Tally
}

function countPart(
  protocol: SingleProtocol,
  options: { readonly tally: Tally | undefined; readonly candidates: readonly HashedAnswer[] },
): PartCounter {
  const length = tallyLength(protocol, options.candidates.length)
  const counts = new Float64Array(length)
  let reports = 0
  if (options.tally !== undefined) {
    if (options.tally.counts.length !== length) {
      const got = `${options.tally.counts.length}`
      fail("parameter/length", { name: "counts", got, expected: `${length}` })
    }
    counts.set(options.tally.counts)
    reports = options.tally.reports
  }
  const read = placesReader(protocol, options.candidates)
  return {
    add: (payload) => {
      for (const place of read(payload)) counts[place] = (counts[place] ?? 0) + 1
      reports += 1
    },
    tally: () => ({ reports, counts: [...counts] }),
  }
}

/** Which counters a report adds to. */
function placesReader(
  protocol: SingleProtocol,
  candidates: readonly HashedAnswer[],
): (payload: Uint8Array) => Iterable<number> {
  const length = tallyLength(protocol, candidates.length)
  switch (protocol.kind) {
    case "kary":
    case "hadamard":
    case "projective":
    case "mean":
      return (payload) => [readIndex(payload, length)]
    case "unary":
    case "subset":
      return bitsReader(protocol)
    case "hashing":
      return hashFinder(protocol, candidates)
    case "memo":
      return protocol.fresh.kind === "kary" ? (payload) => [readIndex(payload, length)] : bitsReader(protocol)
    case "key-value":
      return (payload) => {
        const bits = readBits(payload, 2 * protocol.keys)
        const places = onesOf(bits)
        if (places.some((place) => place % 2 === 0 && bits[place + 1] === 1)) malformed("a key has two signs")
        return places
      }
    default:
      return protocol satisfies never
  }
}

function bitsReader(
  protocol: Extract<SingleProtocol, { readonly kind: "unary" | "subset" | "memo" }>,
): (payload: Uint8Array) => readonly number[] {
  const zero = numberNear(supportOf(protocol).q)
  const values = protocol.kind === "memo" ? protocol.fresh.values : protocol.values
  return (payload) => {
    const bits = readBits(payload, values)
    const places = onesOf(bits)
    if (protocol.kind !== "subset") checkOnes(bits, zero)
    else if (places.length !== protocol.size) malformed("its set has another size")
    return places
  }
}

function onesOf(bits: Uint8Array): number[] {
  const places: number[] = []
  for (let i = 0; i < bits.length; i += 1) if (bits[i] === 1) places.push(i)
  return places
}
