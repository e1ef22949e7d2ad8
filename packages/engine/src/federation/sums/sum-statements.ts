// What the signatures of a secure sum stand under. A statement is a hash over a label and a list of texts
// (hashOf), so that none can be taken for another, nor for one of another sum.

import { fail } from "../../errors.ts"
import type { KeysMessage, SharesMessage, SiteMessage } from "./sum-messages.ts"
import { isAgreementKey, isSigned } from "./sum-keys.ts"
import { hashOf, survivorsMin, type SumSite, type SumTerms } from "./sum-terms.ts"

/** A message without its signature. */
export type Unsigned<Message extends SiteMessage> = Omit<Message, "signature">

/** What a site signs with its keys. */
export function keysStatement({ sum, site, seal, mask }: Unsigned<KeysMessage>): string {
  return hashOf("keys", [sum, site, seal, mask])
}

/** What a site signs with its sealed shares. */
export function sharesStatement({ sum, site, roster, seedHash, sealed }: Unsigned<SharesMessage>): string {
  return hashOf("shares", [sum, site, roster, seedHash, ...sorted(sealed)])
}

/** What a site signs with its masked numbers; the group is who sealed shares. */
export function maskedStatement(of: {
  readonly sum: string
  readonly site: string
  readonly group: string
  readonly numbers: string
}): string {
  return hashOf("masked", [of.sum, of.site, of.group, of.numbers])
}

/** What every survivor signs before anything is opened: the group, and who of it survived. */
export function survivorsStatement(sum: string, group: string, survivors: readonly string[]): string {
  return hashOf("survivors", [sum, group, ...survivors])
}

/** What a site signs with the shares that it opens. */
export function unmaskStatement(of: {
  readonly sum: string
  readonly site: string
  readonly survivors: string
  readonly seeds: Readonly<Record<string, string>>
  readonly keys: Readonly<Record<string, string>>
}): string {
  return hashOf("unmask", [
    of.sum,
    of.site,
    of.survivors,
    "seeds",
    ...sorted(of.seeds),
    "keys",
    ...sorted(of.keys),
  ])
}

/** The hash of who takes part with which keys: it is in every key that is derived later. */
export function rosterOf(keys: readonly KeysMessage[]): string {
  return hashOf(
    "roster",
    keys.flatMap(({ sum, site, seal, mask }) => [sum, site, seal, mask]),
  )
}

/** The hash of who sealed shares. */
export function groupOf(roster: string, group: readonly string[]): string {
  return hashOf("group", [roster, ...group])
}

/**
 * The sites of a list of names, in the order of the terms; refused where a name is unknown or named twice, or
 * where they are too few.
 */
export function sitesNamed(terms: SumTerms, names: readonly string[]): readonly SumSite[] {
  const wanted = new Set(names)
  const found = terms.sites.filter(({ name }) => wanted.has(name))
  if (found.length !== names.length) fail("federation/sum-sites", {})
  if (found.length < survivorsMin(terms)) {
    fail("federation/sum-too-few", { got: `${found.length}`, least: `${survivorsMin(terms)}` })
  }
  return found
}

/** Refuses what a site has not signed. */
export function checkSignature(terms: SumTerms, site: string, statement: string, signature: string): void {
  const key = terms.sites.find(({ name }) => name === site)?.key
  if (key === undefined) fail("federation/sum-sites", {})
  if (!isSigned(statement, signature, key)) fail("federation/sum-signature", { site })
}

/**
 * Refuses keys that are not signed by their sites for this sum, keys that nobody can agree with, and keys
 * that two sites share: whoever repeats another's key could make masks cancel. Afterwards no key fails:
 * masks are made when a site has charged and read.
 */
export function checkKeys(terms: SumTerms, sum: string, keys: readonly KeysMessage[]): void {
  for (const one of keys) {
    if (one.sum !== sum) fail("federation/sum-other", {})
    checkSignature(terms, one.site, keysStatement(one), one.signature)
  }
  const all = keys.flatMap(({ seal, mask }) => [seal, mask])
  if (!all.every(isAgreementKey)) fail("federation/sum-key", {})
  if (new Set(all).size !== all.length) fail("federation/sum-key", {})
}

function sorted(record: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(record)
    .toSorted()
    .flatMap((name) => [name, record[name] ?? ""])
}
