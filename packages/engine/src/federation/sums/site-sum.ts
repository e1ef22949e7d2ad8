// A site's side of a secure sum: its numbers leave under masks that cancel in the sum of those who stay, and
// only if enough of them stay. Without input or output: messages go in, messages come out.

import { randomBytes, type KeyObject } from "node:crypto"
import { assert } from "@dosimeter/core/errors"
import { fail } from "../../errors.ts"
import { MaskedNumbers } from "./masked-numbers.ts"
import { splitSecret } from "./secret-sharing.ts"
import { AgreementKey, deriveKey, publicHalf, seal, secretBytes, signHash, unseal } from "./sum-keys.ts"
import {
  decodeCoordinatorMessage,
  entryOf,
  type AgreedMessage,
  type AgreementsMessage,
  type CoordinatorMessage,
  type KeysMessage,
  type MaskedMessage,
  type RosterMessage,
  type SealedMessage,
  type SharesMessage,
  type SiteMessage,
  type SurvivorsMessage,
  type UnmaskMessage,
} from "./sum-messages.ts"
import {
  checkKeys,
  checkSignature,
  groupOf,
  keysStatement,
  maskedStatement,
  rosterOf,
  sharesStatement,
  sitesNamed,
  survivorsStatement,
  unmaskStatement,
} from "./sum-statements.ts"
import { checkTerms, hashOf, hashOfTerms, type SumTerms } from "./sum-terms.ts"

/** Where a site stands. It masks its numbers when told so by its owner's code, not by a message. */
export type SiteStage = "roster" | "sealed" | "mask" | "survivors" | "agreements" | "done"

/** Random bytes: the system's, but in tests. */
export type RandomBytes = (bytes: number) => Uint8Array

/** The stage after each message. */
const after: Readonly<Record<CoordinatorMessage["kind"], SiteStage>> = {
  roster: "sealed",
  sealed: "mask",
  survivors: "agreements",
  agreements: "done",
}

/** What others have said, as far as this site has come. */
interface Known {
  readonly keys: ReadonlyMap<string, KeysMessage>
  readonly roster: string
}

/**
 * One site in one sum. A message that is refused changes nothing; the same message again gets the same
 * answer; another one of a kind that was answered is refused. What a site knows is in memory alone: one that
 * restarts has dropped out.
 *
 * Guarantee: whatever the coordinator and up to `colluding` sites do, they learn of this site's numbers no
 *   more than their sum with those of all other honest sites of one set of survivors, with at least
 *   `honest` honest ones; or nothing.
 * Needs: terms that all honest sites hold (the signed job); signing keys that are their sites' own; what
 *   X25519, HKDF, ChaCha20, Poly1305 and Ed25519 are believed to do.
 * Proof: site-sum.proof.md.
 * Numerics: as MaskedNumbers.
 * Source: Bonawitz et al. 2017, "Practical secure aggregation for privacy-preserving machine learning",
 *   figure 4, with the consistency check, and with the group in what survivors sign.
 */
export class SiteSum {
  readonly #terms: SumTerms
  readonly #sum: string
  readonly #name: string
  readonly #signing: KeyObject
  readonly #random: RandomBytes
  readonly #seed: Uint8Array
  readonly #maskSecret: Uint8Array
  readonly #sealKey: AgreementKey
  readonly #maskKey: AgreementKey
  readonly #answered = new Map<
    string,
    { readonly question: string; readonly answer: SiteMessage | undefined }
  >()
  #stage: SiteStage = "roster"
  #known: Known | undefined
  /** The shares that each peer of the group has sealed for this site: of its seed, then of its mask key. */
  #held: ReadonlyMap<string, Uint8Array> = new Map()
  #group = ""
  #survivors: readonly string[] = []

  constructor(
    terms: SumTerms,
    of: { readonly name: string; readonly signing: KeyObject; readonly random?: RandomBytes },
  ) {
    this.#terms = checkTerms(terms)
    this.#sum = hashOfTerms(terms)
    this.#name = of.name
    this.#signing = of.signing
    this.#random = of.random ?? randomBytes
    const own = terms.sites.find(({ name }) => name === of.name)
    if (own?.key !== publicHalf(of.signing)) fail("federation/sum-sites", {})
    this.#seed = this.#random(secretBytes)
    this.#maskSecret = this.#random(secretBytes)
    this.#maskKey = new AgreementKey(this.#maskSecret)
    this.#sealKey = new AgreementKey(this.#random(secretBytes))
  }

  /** What was fixed before it began. */
  get terms(): SumTerms {
    return this.#terms
  }

  /** What the site waits for. At "mask" it waits for its own numbers. */
  get stage(): SiteStage {
    return this.#stage
  }

  /** The first message: the site's keys. */
  keys(): KeysMessage {
    const own = {
      kind: "keys",
      sum: this.#sum,
      site: this.#name,
      seal: this.#sealKey.public,
      mask: this.#maskKey.public,
    } as const
    return { ...own, signature: signHash(keysStatement(own), this.#signing) }
  }

  /** Reads a message of the coordinator; returns what to answer. */
  receive(value: unknown): SiteMessage | undefined {
    const message = decodeCoordinatorMessage(value)
    if (message.sum !== this.#sum) fail("federation/sum-other", {})
    const question = hashOf("question", [JSON.stringify(message)])
    const before = this.#answered.get(message.kind)
    if (before?.question === question) return before.answer
    if (message.kind !== this.#stage) fail("federation/sum-out-of-turn", { stage: this.#stage })
    const answer = this.#answer(message)
    this.#answered.set(message.kind, { question, answer })
    this.#stage = after[message.kind]
    return answer
  }

  /** The site's numbers under its masks: the one time that they leave. */
  mask(numbers: readonly bigint[]): MaskedMessage {
    if (this.#stage !== "mask") fail("federation/sum-out-of-turn", { stage: this.#stage })
    assert(numbers.length === this.#terms.numbers, "a site has as many numbers as the terms say")
    const { roster, keys } = this.#roster()
    const masked = new MaskedNumbers(this.#terms)
    masked.addNumbers(numbers)
    masked.addMask(ownKey(this.#seed, roster, this.#name), 1)
    const place = this.#placeOf(this.#name)
    for (const peer of this.#held.keys()) {
      if (peer === this.#name) continue
      const other = keys.get(peer)
      assert(other !== undefined, "whoever sealed shares has keys")
      const shared = this.#maskKey.sharedWith(other.mask)
      masked.addMask(pairKey(shared, roster, [this.#name, peer]), place < this.#placeOf(peer) ? 1 : -1)
      shared.fill(0)
    }
    const own = {
      kind: "masked",
      sum: this.#sum,
      site: this.#name,
      group: this.#group,
      numbers: masked.encode(),
    } as const
    masked.wipe()
    this.#stage = "survivors"
    return { ...own, signature: signHash(maskedStatement(own), this.#signing) }
  }

  #answer(message: CoordinatorMessage): SiteMessage | undefined {
    switch (message.kind) {
      case "roster":
        return this.#sealShares(message)
      case "sealed":
        return this.#openShares(message)
      case "survivors":
        return this.#agree(message)
      case "agreements":
        return this.#unmask(message)
      default:
        return message satisfies never
    }
  }

  #sealShares({ keys }: RosterMessage): SharesMessage {
    const terms = this.#terms
    const inOrder = sitesNamed(
      terms,
      keys.map(({ site }) => site),
    ).flatMap(({ name }) => keys.filter(({ site }) => site === name))
    checkKeys(terms, this.#sum, inOrder)
    const mine = inOrder.find(({ site }) => site === this.#name)
    const own = this.keys()
    if (mine?.seal !== own.seal || mine.mask !== own.mask) fail("federation/sum-key", {})
    const roster = rosterOf(inOrder)
    const places = inOrder.map(({ site }) => this.#placeOf(site))
    const split = { places, threshold: terms.threshold }
    const seeds = splitSecret(this.#seed, split, this.#random)
    const secrets = splitSecret(this.#maskSecret, split, this.#random)
    const sealed: [site: string, sealed: string][] = []
    for (const [index, { site, seal: key }] of inOrder.entries()) {
      const both = Buffer.concat([seeds[index]?.bytes ?? none(), secrets[index]?.bytes ?? none()])
      // A site's share for itself takes the same way; it needs no key that others know.
      const shared = site === this.#name ? Buffer.from(this.#seed) : this.#sealKey.sharedWith(key)
      sealed.push([site, seal(sealKey(shared, roster, this.#name, site), both)])
      shared.fill(0)
      both.fill(0)
    }
    this.#known = { roster, keys: new Map(inOrder.map((one) => [one.site, one])) }
    const message = {
      kind: "shares",
      sum: this.#sum,
      site: this.#name,
      roster,
      seedHash: seedHash(this.#seed, roster, this.#name),
      sealed: Object.fromEntries(sealed),
    } as const
    return { ...message, signature: signHash(sharesStatement(message), this.#signing) }
  }

  #openShares({ sealed }: SealedMessage): undefined {
    const { roster, keys } = this.#roster()
    const group = sitesNamed(this.#terms, Object.keys(sealed)).map(({ name }) => name)
    if (!group.includes(this.#name)) fail("federation/sum-sites", {})
    const held = new Map<string, Uint8Array>()
    for (const site of group) {
      const peer = keys.get(site)
      if (peer === undefined) fail("federation/sum-sites", {})
      const shared = site === this.#name ? Buffer.from(this.#seed) : this.#sealKey.sharedWith(peer.seal)
      const both = unseal(sealKey(shared, roster, site, this.#name), entryOf(sealed, site) ?? "")
      shared.fill(0)
      if (both.length !== 2 * secretBytes) fail("federation/sum-sealed", {})
      held.set(site, both)
    }
    this.#held = held
    this.#group = groupOf(roster, group)
    return undefined
  }

  #agree({ survivors }: SurvivorsMessage): AgreedMessage {
    const inOrder = sitesNamed(this.#terms, survivors).map(({ name }) => name)
    const isKnown = inOrder.every((name) => this.#held.has(name))
    if (!isKnown || !inOrder.includes(this.#name)) fail("federation/sum-sites", {})
    this.#survivors = inOrder
    const statement = survivorsStatement(this.#sum, this.#group, inOrder)
    const signature = signHash(statement, this.#signing)
    return { kind: "agreed", sum: this.#sum, site: this.#name, signature }
  }

  #unmask({ signatures }: AgreementsMessage): UnmaskMessage {
    const statement = survivorsStatement(this.#sum, this.#group, this.#survivors)
    const signers = Object.keys(signatures)
    if (signers.length < this.#terms.threshold || signers.some((name) => !this.#survivors.includes(name))) {
      fail("federation/sum-not-agreed", {})
    }
    for (const name of signers) {
      checkSignature(this.#terms, name, statement, entryOf(signatures, name) ?? "")
    }
    // One kind of share for each peer, and once: the seed of who is in the sum, the mask key of who is not.
    const stayed = new Set(this.#survivors)
    const opened = [...this.#held].map(([site, both]) => ({ site, both, isIn: stayed.has(site) }))
    const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")
    const seeds = opened.filter(({ isIn }) => isIn)
    const keys = opened.filter(({ isIn }) => !isIn)
    const message = {
      kind: "unmask",
      sum: this.#sum,
      site: this.#name,
      seeds: Object.fromEntries(seeds.map(({ site, both }) => [site, base64(both.subarray(0, secretBytes))])),
      keys: Object.fromEntries(keys.map(({ site, both }) => [site, base64(both.subarray(secretBytes))])),
    } as const
    const signed = unmaskStatement({ ...message, survivors: statement })
    this.#forget()
    return { ...message, signature: signHash(signed, this.#signing) }
  }

  /** What the site no longer needs is gone. */
  #forget(): void {
    for (const bytes of [this.#seed, this.#maskSecret, ...this.#held.values()]) bytes.fill(0)
  }

  #roster(): Known {
    assert(this.#known !== undefined, "a roster comes first")
    return this.#known
  }

  #placeOf(site: string): number {
    const index = this.#terms.sites.findIndex(({ name }) => name === site)
    assert(index >= 0, "a site is one of the terms")
    return index + 1
  }
}

/** The key under which one site seals shares for another. */
function sealKey(shared: Uint8Array, roster: string, from: string, to: string): Buffer {
  return deriveKey(shared, roster, ["seal", from, to])
}

/** What a site commits to its seed with: a key of a use of its own, which tells nothing of the others. */
export function seedHash(seed: Uint8Array, roster: string, site: string): string {
  return deriveKey(seed, roster, ["commitment", site]).toString("hex")
}

/** The key of the mask that a site shares with nobody. */
export function ownKey(seed: Uint8Array, roster: string, site: string): Buffer {
  return deriveKey(seed, roster, ["seed", site])
}

/** The key of the mask that two sites share, whoever computes it. */
export function pairKey(shared: Uint8Array, roster: string, pair: readonly [string, string]): Buffer {
  return deriveKey(shared, roster, ["mask", ...pair.toSorted()])
}

function none(): never {
  assert(false, "every site of the roster has a share")
}
