// What a coordinator tells the sites between two rounds: the last sum, and whose numbers are in it.

import { listOf, objectOf, Unreadable } from "@dosimeter/answers/shown/read-fields"
import { fail } from "../errors.ts"
import { readName, textLike } from "./envelope.ts"
import type { RoundSum } from "./job-rounds.ts"
import { survivorsMin, type SumTerms } from "./sums/sum-terms.ts"

/** The body of a round. */
export function roundBody({ numbers, survivors }: RoundSum): unknown {
  return { numbers: numbers.map(String), survivors }
}

/** Reads the body of a round: it has a number for every place, and as many survivors as the sum needs. */
export function readRound(body: unknown, terms: SumTerms): RoundSum {
  try {
    const { numbers, survivors } = readBody(body, "the round")
    const sums = numbers.map(BigInt)
    // Numbers are added up modulo 2^(32 limbs).
    const isSum = (number: bigint): boolean => BigInt.asIntN(32 * terms.limbs, number) === number
    if (sums.length !== terms.numbers || !sums.every(isSum))
      throw new Unreadable("the round has other numbers")
    const named = terms.sites.map(({ name }) => name).filter((name) => survivors.includes(name))
    if (named.length !== survivors.length || named.length < survivorsMin(terms))
      throw new Unreadable("the round has other survivors")
    return { numbers: sums, survivors }
  } catch (error) {
    if (error instanceof Unreadable) return fail("federation/bad-message", { what: "is no round" })
    throw error
  }
}

const readBody = objectOf(({ need }) => ({
  numbers: need("numbers", listOf(textLike(/^(0|-?[1-9]\d{0,199})$/))),
  survivors: need("survivors", listOf(readName)),
}))
