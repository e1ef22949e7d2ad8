// Of every protocol: the largest ratio of two probabilities, which is what a report can tell about a person,
// and how likely a report stands for a value, which is what it tells about the crowd.

import { maximum, one, type Rational } from "../exact/rational.ts"
import { hadamardRatio, hadamardSupport } from "./hadamard.ts"
import { hashingRatio, hashingSupport } from "./hashing.ts"
import { karyRatio, karySupport, type Support } from "./kary.ts"
import { keyValueRatio } from "./key-value.ts"
import { meanRatio } from "./mean.ts"
import { memoRatio, memoSupport } from "./memo.ts"
import type { FrequencyProtocol, Protocol } from "./protocol.ts"
import { projectiveRatio, projectiveSupport } from "./projective.ts"
import { subsetRatio, subsetSupport } from "./subset.ts"
import { unaryRatio, unarySupport } from "./unary.ts"

/**
 * The largest ratio of the probabilities of one report under two answers.
 *
 * Guarantee: pure epsilon = ln of it, between any two answers of one person.
 * Needs: a protocol that was made here or read by readProtocol.
 * Proof: in the file of each kind; of several parts, the largest.
 * Numerics: exact fractions.
 * Source: as there.
 */
export function ratioOf(protocol: Protocol): Rational {
  switch (protocol.kind) {
    case "kary":
      return karyRatio(protocol)
    case "unary":
      return unaryRatio(protocol)
    case "subset":
      return subsetRatio(protocol)
    case "hadamard":
      return hadamardRatio(protocol)
    case "projective":
      return projectiveRatio(protocol)
    case "hashing":
      return hashingRatio(protocol)
    case "memo":
      return memoRatio(protocol)
    case "mean":
      return meanRatio(protocol)
    case "key-value":
      return keyValueRatio(protocol)
    case "one-of":
      return protocol.parts.map(ratioOf).reduce(maximum, one)
    default:
      return protocol satisfies never
  }
}

/** How likely a value is among those that a report stands for, if it is the answer and if it is not. */
export function supportOf(protocol: FrequencyProtocol): Support {
  switch (protocol.kind) {
    case "kary":
      return karySupport(protocol)
    case "unary":
      return unarySupport(protocol)
    case "subset":
      return subsetSupport(protocol)
    case "hadamard":
      return hadamardSupport(protocol)
    case "projective":
      return projectiveSupport(protocol)
    case "hashing":
      return hashingSupport(protocol)
    case "memo":
      return memoSupport(protocol)
    default:
      return protocol satisfies never
  }
}
