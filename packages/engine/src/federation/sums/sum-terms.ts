// What is fixed before a secure sum begins: who takes part, how many must stay, and what is added up. All of
// it is in the signed job, so every site holds the same.

import { createHash } from "node:crypto"
import { fail } from "../../errors.ts"

/** A site that may take part, with the key that it was enrolled with. */
export interface SumSite {
  readonly name: string
  /** Its Ed25519 public key: 32 bytes as base64. */
  readonly key: string
}

/** The terms of one sum. */
export interface SumTerms {
  /** The job and the round that the sum is for, such as the hash of the signed job; no two sums share one. */
  readonly id: string
  readonly sites: readonly SumSite[]
  /** Sites that may tell the coordinator all they know. */
  readonly colluding: number
  /** The least number of other sites whose numbers are in the sum: what the noise in shares counts on. */
  readonly honest: number
  /** How many sites must answer at the end: so many together can open what one site has left behind. */
  readonly threshold: number
  /** How many numbers each site has. */
  readonly numbers: number
  /** Each is added up modulo 2^(32 limbs). */
  readonly limbs: number
}

/** Sites are the points of a polynomial over 255 places. */
const sitesMax = 255
const numbersMax = 1 << 24
const limbsMax = 16

/** The least number of sites whose numbers may be added up without telling too much. */
export function survivorsMin({ threshold, honest, colluding }: SumTerms): number {
  return Math.max(threshold, honest + colluding)
}

/** More than two thirds, which holds against a third of the sites; more where more may collude. */
export function usualThreshold(sites: number, colluding: number): number {
  return Math.max(Math.floor((2 * sites) / 3), Math.floor((sites + colluding) / 2)) + 1
}

/**
 * Refuses terms under which a sum would not hide what it should.
 *
 * Guarantee: honest >= 2; two sets of survivors cannot both be agreed on while at most `colluding` sites sign
 *   twice; nobody opens what a site left behind without honest sites; the bounds fit the number of sites.
 * Needs: nothing.
 * Proof: two sets with `threshold` signatures each have 2 threshold - n signers in common, more than
 *   `colluding` where 2 threshold > n + colluding: one of them is honest, and signs once. Then also threshold
 *   > colluding, since threshold <= n.
 * Numerics: small integers.
 * Source: Bonawitz et al. 2017, "Practical secure aggregation", section 6.2, with colluding in place of n /
 *   3.
 */
export function checkTerms(terms: SumTerms): SumTerms {
  const { sites, colluding, honest, threshold, numbers, limbs } = terms
  const count = sites.length
  const isWhole = [colluding, honest, threshold, numbers, limbs].every((one) => Number.isInteger(one))
  const isNamed = sites.every(({ name, key }) => name !== "" && isKey(key)) && terms.id !== ""
  const isDistinct =
    new Set(sites.map(({ name }) => name)).size === count &&
    new Set(sites.map(({ key }) => key)).size === count
  if (!isWhole || !isNamed || !isDistinct || count > sitesMax) {
    fail("federation/sum-terms", { what: `sites need names and keys of their own, at most ${sitesMax}` })
  }
  if (numbers < 1 || numbers > numbersMax || limbs < 1 || limbs > limbsMax) {
    fail("federation/sum-terms", {
      what: `1 to ${numbersMax} numbers of 1 to ${limbsMax} limbs are added up`,
    })
  }
  if (honest < 2 || colluding < 0 || honest + colluding > count) {
    fail("federation/sum-terms", {
      what: `of ${count} sites ${honest} honest ones and ${colluding} colluding ones cannot be counted on`,
    })
  }
  if (threshold > count || 2 * threshold <= count + colluding) {
    fail("federation/sum-terms", {
      what: `the threshold must be above ${(count + colluding) / 2} and at most ${count}`,
    })
  }
  return terms
}

/** The hash that every message of the sum carries. */
export function hashOfTerms(terms: SumTerms): string {
  const { id, sites, colluding, honest, threshold, numbers, limbs } = terms
  return hashOf("terms", [
    id,
    ...[colluding, honest, threshold, numbers, limbs].map(String),
    ...sites.flatMap(({ name, key }) => [name, key]),
  ])
}

/** A hash of a list of texts: no other list, and no list under another label, has the same. */
export function hashOf(label: string, parts: readonly string[]): string {
  const hash = createHash("sha256")
  for (const part of ["dosimeter secure sum 1", label, `${parts.length}`, ...parts]) {
    const bytes = Buffer.from(part, "utf8")
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest("hex")
}

function isKey(text: string): boolean {
  const bytes = Buffer.from(text, "base64")
  return bytes.length === 32 && bytes.toString("base64") === text
}
