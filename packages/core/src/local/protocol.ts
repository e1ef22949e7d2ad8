// A protocol is plain data: how a device randomizes an answer before anything leaves it. `encode` is the one
// door; what comes out has the same length whatever goes in.

import { fail } from "../errors/errors.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { uniformDraws, type Draws } from "./draws.ts"
import { releaseHadamard, type HadamardProtocol } from "./hadamard.ts"
import { hashedBytes, releaseHashed, type HashedAnswer, type HashingProtocol } from "./hashing.ts"
import { releaseKary, type KaryProtocol } from "./kary.ts"
import { releaseKeyValues, type KeyValuePair, type KeyValueProtocol } from "./key-value.ts"
import { meanReports, releaseLevel, type MeanProtocol } from "./mean.ts"
import type { MemoProtocol } from "./memo.ts"
import { releaseOneOf, type OneOf } from "./one-of.ts"
import { bytesFor, numberPayload, packBits, readNumber, unpackBits } from "./payload.ts"
import { pointCount, releaseProjective, type ProjectiveProtocol } from "./projective.ts"
import { releaseSubset, type SubsetProtocol } from "./subset.ts"
import { checkAnswer } from "./threshold.ts"
import { flipBits, releaseUnary, type UnaryProtocol } from "./unary.ts"

/** Protocols whose answer is one of some values, and whose reports stand for a set of them. */
export type FrequencyProtocol =
  | KaryProtocol
  | UnaryProtocol
  | SubsetProtocol
  | HadamardProtocol
  | ProjectiveProtocol
  | HashingProtocol
  | MemoProtocol

/** A protocol for one question. */
export type SingleProtocol = FrequencyProtocol | MeanProtocol | KeyValueProtocol

/** Any protocol. */
export type Protocol = SingleProtocol | OneOf<SingleProtocol>

/** An answer to one question: a category, a level, bytes to be hashed, or pairs. */
export type SingleAnswer = HashedAnswer | readonly KeyValuePair[]

/** An answer to a protocol; for one-of, a list with one for every part. */
export type Answer = SingleAnswer | { readonly answers: readonly SingleAnswer[] }

/**
 * Randomizes an answer: the bytes that may leave the device.
 *
 * Guarantee: whatever two answers a person could have, the probabilities of the bytes differ by a factor of
 *   ratioOf(protocol) at most.
 * Needs: a protocol that was made here or read by readProtocol; an answer that fits it (checked here).
 * Proof: the bytes are a one-to-one writing of what the protocol's release function returns.
 * Numerics: as there.
 * Source: as there.
 */
export function releaseReport(protocol: Protocol, answer: Answer, rng: RandomBits): Uint8Array {
  return encodeWith(protocol, answer, uniformDraws(rng))
}

/** The same from draws, for tests that walk through all of them. */
export function encodeWith(protocol: Protocol, answer: Answer, draws: Draws): Uint8Array {
  if (protocol.kind !== "one-of") return encodeSingle(protocol, singleAnswer(answer), draws)
  const answers = answersOf(answer, protocol.parts.length)
  return releaseOneOf(protocol, (part, index) => encodeSingle(part, answers[index] ?? -1, draws), {
    draws,
    bytes: payloadBytes(protocol),
  })
}

function encodeSingle(protocol: SingleProtocol, answer: SingleAnswer, draws: Draws): Uint8Array {
  switch (protocol.kind) {
    case "kary":
      return numberPayload(releaseKary(protocol, numberOf(answer), draws), protocol.values)
    case "unary":
      return packBits(releaseUnary(protocol, numberOf(answer), draws))
    case "subset":
      return packBits(releaseSubset(protocol, numberOf(answer), draws))
    case "hadamard":
      return numberPayload(releaseHadamard(protocol, numberOf(answer), draws), protocol.columns)
    case "projective":
      return numberPayload(releaseProjective(protocol, numberOf(answer), draws), pointsOf(protocol))
    case "hashing":
      return releaseHashed(protocol, hashedOf(answer), draws)
    case "memo":
      return freshReport(protocol, encodeSingle(protocol.permanent, answer, draws), draws)
    case "mean":
      return numberPayload(releaseLevel(protocol, numberOf(answer), draws), meanReports(protocol))
    case "key-value":
      return packPairs(releaseKeyValues(protocol, pairsOf(answer), draws))
    default:
      return protocol satisfies never
  }
}

/** A fresh report from a permanent answer, which is the payload of the first round. */
export function freshReport({ fresh }: MemoProtocol, permanent: Uint8Array, draws: Draws): Uint8Array {
  if (fresh.kind === "kary") {
    const kept = readNumber(permanent, { start: 0, width: permanent.length })
    return numberPayload(releaseKary(fresh, kept, draws), fresh.values)
  }
  return packBits(flipBits(fresh, unpackBits(permanent, fresh.values), draws))
}

/** How many bytes every report of a protocol has. */
export function payloadBytes(protocol: Protocol): number {
  switch (protocol.kind) {
    case "kary":
      return bytesFor(protocol.values)
    case "unary":
    case "subset":
      return Math.ceil(protocol.values / 8)
    case "hadamard":
      return bytesFor(protocol.columns)
    case "projective":
      return bytesFor(pointsOf(protocol))
    case "hashing":
      return hashedBytes(protocol)
    case "memo":
      return payloadBytes(protocol.fresh)
    case "mean":
      return bytesFor(meanReports(protocol))
    case "key-value":
      return Math.ceil(protocol.keys / 4)
    case "one-of":
      return 1 + Math.max(...protocol.parts.map(payloadBytes))
    default:
      return protocol satisfies never
  }
}

function pointsOf({ field, dimension }: ProjectiveProtocol): number {
  return pointCount(field, dimension)
}

/** Two bits a key: 00 nothing, 01 plus, 10 minus. */
function packPairs(report: Uint8Array): Uint8Array {
  const bits = new Uint8Array(report.length * 2)
  for (let key = 0; key < report.length; key += 1) {
    bits[2 * key] = (report[key] ?? 0) >> 1
    bits[2 * key + 1] = (report[key] ?? 0) & 1
  }
  return packBits(bits)
}

function singleAnswer(answer: Answer): SingleAnswer {
  return typeof answer === "object" && "answers" in answer ? notThis("an answer to one question") : answer
}

function answersOf(answer: Answer, count: number): readonly SingleAnswer[] {
  const isList = typeof answer === "object" && "answers" in answer && answer.answers.length === count
  return isList ? answer.answers : notThis(`{ answers } with ${count} of them`)
}

function numberOf(answer: SingleAnswer): number {
  return typeof answer === "number" ? answer : notThis("a number")
}

function hashedOf(answer: SingleAnswer): HashedAnswer {
  return typeof answer === "number" || answer instanceof Uint8Array ? answer : notThis("a number or bytes")
}

function pairsOf(answer: SingleAnswer): readonly KeyValuePair[] {
  return typeof answer === "number" || answer instanceof Uint8Array ? notThis("a list of pairs") : answer
}

function notThis(range: string): never {
  checkAnswer(false, range)
  return fail("bug/invariant", { what: "an answer of another shape is refused" })
}
