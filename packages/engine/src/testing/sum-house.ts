// Sites and a coordinator of one secure sum, for tests: messages go through JSON, and tests may change them.

import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { CoordinatorSum } from "../federation/sums/coordinator-sum.ts"
import { SiteSum, type RandomBytes } from "../federation/sums/site-sum.ts"
import type { CoordinatorMessage, SiteMessage } from "../federation/sums/sum-messages.ts"
import { usualThreshold, type SumTerms } from "../federation/sums/sum-terms.ts"

/** Where a site stops answering. */
export type DropsAt = SiteMessage["kind"] | "never"

/** Who takes part and what happens. */
export interface SumHouse {
  readonly terms: SumTerms
  readonly signing: ReadonlyMap<string, KeyObject>
  readonly sites: ReadonlyMap<string, SiteSum>
  readonly coordinator: CoordinatorSum
}

/** The names of so many sites, in order. */
export function siteNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `site ${index + 1}`)
}

const pairs = new Map(siteNames(12).map((name) => [name, generateKeyPairSync("ed25519")]))

/** The signing key of a site, the same in every test. */
export function signingOf(name: string): KeyObject {
  const pair = pairs.get(name)
  if (pair === undefined) throw new Error(`no keys for ${name}`)
  return pair.privateKey
}

/** Terms for so many sites. */
export function termsFor(count: number, change: Partial<SumTerms> = {}): SumTerms {
  const sites = siteNames(count).map((name) => {
    const der = pairs.get(name)?.publicKey.export({ format: "der", type: "spki" })
    return { name, key: der?.subarray(-32).toString("base64") ?? "" }
  })
  const threshold = usualThreshold(count, 0)
  return { id: "job 1", sites, colluding: 0, honest: 2, threshold, numbers: 2, limbs: 2, ...change }
}

/** Sites and a coordinator under these terms. */
export function openSum(terms: SumTerms, random?: RandomBytes): SumHouse {
  const names = terms.sites.map(({ name }) => name)
  const signing = new Map(names.map((name) => [name, signingOf(name)]))
  const own = (name: string) => ({
    name,
    signing: signingOf(name),
    ...(random === undefined ? {} : { random }),
  })
  const sites = new Map(names.map((name) => [name, new SiteSum(terms, own(name))]))
  return { terms, signing, sites, coordinator: new CoordinatorSum(terms) }
}

/** As JSON would carry it. */
export function carried(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message))
}

/** What a run of a sum may change, and what it tells. */
export interface SumRun {
  readonly numbers: (site: string) => readonly bigint[]
  readonly dropsAt?: (site: string) => DropsAt
  /** A coordinator that lies: what it sends instead. */
  readonly altered?: (to: string, message: CoordinatorMessage) => unknown
  readonly onRefusal?: (site: string, error: unknown) => void
}

/** Plays a sum to its end; returns all that sites have said. */
export function playSum({ sites, coordinator }: SumHouse, run: SumRun): readonly SiteMessage[] {
  const said: SiteMessage[] = []
  const say = (message: SiteMessage | undefined): void => {
    if (message === undefined || run.dropsAt?.(message.site) === message.kind) return
    said.push(message)
    coordinator.receive(carried(message))
  }
  for (const site of sites.values()) say(site.keys())
  while (coordinator.stage !== "summed" && coordinator.stage !== "failed") {
    const asked = coordinator.close()
    const told: SiteSum[] = []
    for (const { to, message } of asked) {
      const site = sites.get(to)
      if (site === undefined) continue
      try {
        say(site.receive(carried(run.altered?.(to, message) ?? message)))
        told.push(site)
      } catch (error) {
        if (run.onRefusal === undefined) throw error
        run.onRefusal(to, error)
      }
    }
    for (const [name, site] of sites) {
      if (!told.includes(site) || site.stage !== "mask") continue
      const masked = site.mask(run.numbers(name))
      try {
        say(masked)
      } catch (error) {
        if (run.onRefusal === undefined) throw error
        run.onRefusal(name, error)
      }
    }
  }
  return said
}
