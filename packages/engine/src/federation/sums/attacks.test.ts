// Coordinators and networks that lie: whatever they send, a site tells no more than its part of one sum of
// enough sites.

import { generateKeyPairSync } from "node:crypto"
import { describe, expect, test } from "vitest"
import {
  carried,
  openSum,
  playSum,
  signingOf,
  siteNames,
  termsFor,
  type SumHouse,
  type SumRun,
} from "../../testing/sum-house.ts"
import { SiteSum } from "./site-sum.ts"
import { joinShares } from "./secret-sharing.ts"
import { AgreementKey, signHash } from "./sum-keys.ts"
import type { CoordinatorMessage, KeysMessage, RosterMessage, UnmaskMessage } from "./sum-messages.ts"
import { keysStatement, survivorsStatement } from "./sum-statements.ts"
import { hashOfTerms, type SumTerms } from "./sum-terms.ts"

const numbers = (): readonly bigint[] => [1n, 2n]

function codeOf(run: () => unknown): string {
  try {
    run()
    return "nothing was refused"
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error)
  }
}

/** Plays a sum under a coordinator that lies; returns the codes with which sites refused, without repeats. */
function refusals(house: SumHouse, altered: SumRun["altered"]): readonly string[] {
  const codes = new Set<string>()
  const onRefusal = (_: string, error: unknown): void => {
    codes.add(error instanceof Error && "code" in error ? String(error.code) : "unknown")
  }
  playSum(house, { numbers, ...(altered === undefined ? {} : { altered }), onRefusal })
  return [...codes]
}

/** A run up to the message of some kind: the sites, and that message to each. */
function upTo(kind: CoordinatorMessage["kind"], terms: SumTerms = termsFor(4)) {
  const house = openSum(terms)
  const held = new Map<string, CoordinatorMessage>()
  playSum(house, {
    numbers,
    altered: (to, message) => {
      if (message.kind !== kind) return message
      held.set(to, message)
      throw new Error("kept back")
    },
    onRefusal: () => undefined,
  })
  return { ...house, held }
}

describe("messages", () => {
  test("that are replayed get the same answer, and other ones of their kind none", () => {
    const { sites, held } = upTo("agreements")
    const site = sites.get("site 1")
    const message = carried(held.get("site 1"))
    const first = site?.receive(message)
    expect(site?.receive(message)).toEqual(first)
    const other = { ...held.get("site 1"), signatures: {} }
    expect(codeOf(() => site?.receive(other))).toBe("federation/sum-out-of-turn")
    expect(codeOf(() => site?.mask([1n, 2n]))).toBe("federation/sum-out-of-turn")
  })

  test("out of order are refused, and change nothing", () => {
    const { sites, held } = upTo("survivors")
    const fresh = openSum(termsFor(4)).sites.get("site 1")
    for (const kind of ["sealed", "survivors", "agreements"]) {
      const early = { kind, sum: hashOfTerms(termsFor(4)), sealed: {}, survivors: [], signatures: {} }
      const only = Object.fromEntries(
        Object.entries(early).filter(([name]) =>
          [
            "kind",
            "sum",
            { sealed: "sealed", survivors: "survivors", agreements: "signatures" }[kind],
          ].includes(name),
        ),
      )
      expect(codeOf(() => fresh?.receive(only))).toBe("federation/sum-out-of-turn")
    }
    expect(fresh?.stage).toBe("roster")
    expect(sites.get("site 1")?.receive(carried(held.get("site 1")))?.kind).toBe("agreed")
  })

  test("of another job, or of the same job under other terms, are refused", () => {
    const { held } = upTo("roster")
    const roster = carried(held.get("site 1"))
    for (const terms of [termsFor(4, { id: "job 2" }), termsFor(4, { honest: 3 })]) {
      expect(codeOf(() => openSum(terms).sites.get("site 1")?.receive(roster))).toBe("federation/sum-other")
    }
  })

  test("with one bit changed are refused: sealed shares, signatures, masked numbers", () => {
    const flipped = (text: string): string => {
      const bytes = Buffer.from(text, "base64")
      bytes[0] = (bytes[0] ?? 0) ^ 1
      return bytes.toString("base64")
    }
    const sealed = refusals(openSum(termsFor(4)), (_, message) =>
      message.kind === "sealed"
        ? { ...message, sealed: { ...message.sealed, "site 2": flipped(message.sealed["site 2"] ?? "") } }
        : message,
    )
    expect(sealed).toEqual(["federation/sum-sealed"])
    const { sites, coordinator } = openSum(termsFor(4))
    const keys = sites.get("site 1")?.keys()
    expect(codeOf(() => coordinator.receive({ ...keys, signature: flipped(keys?.signature ?? "") }))).toBe(
      "federation/sum-signature",
    )
    expect(codeOf(() => coordinator.receive({ ...keys, more: 1 }))).toBe("federation/sum-message")
    expect(codeOf(() => coordinator.receive({ ...keys, kind: "constructor" }))).toBe("federation/sum-message")
    expect(codeOf(() => coordinator.receive(null))).toBe("federation/sum-message")
  })

  test("sealed for another site, or by another, are refused", () => {
    expect(
      refusals(openSum(termsFor(4)), (_, message) =>
        message.kind === "sealed"
          ? {
              ...message,
              sealed: {
                ...message.sealed,
                "site 1": message.sealed["site 2"] ?? "",
                "site 2": message.sealed["site 1"] ?? "",
              },
            }
          : message,
      ),
    ).toEqual(["federation/sum-sealed"])
  })

  test("that come late are refused, and stay hidden though the site's mask key came out", () => {
    const house = openSum(termsFor(4))
    playSum(house, { numbers, dropsAt: (site) => (site === "site 4" ? "masked" : "never") })
    // The site did mask its numbers; the message stayed with the network.
    expect(house.coordinator.result?.survivors).toEqual(["site 1", "site 2", "site 3"])
    expect(house.sites.get("site 4")?.stage).toBe("survivors")
    const opened = house.coordinator.events.flatMap((event) =>
      event.kind === "received" && event.message.kind === "unmask" ? [event.message] : [],
    )
    for (const { seeds, keys } of opened) {
      expect(Object.keys(keys)).toEqual(["site 4"])
      expect(Object.hasOwn(seeds, "site 4")).toBe(false)
    }
    const again = house.sites.get("site 1")?.keys()
    expect(codeOf(() => house.coordinator.receive(again))).toBe("federation/sum-out-of-turn")
    // What came out is the key of the masks that cancel; the seed of its own mask never does.
    const secret = joinShares(
      opened.map((one) => ({
        place: Number(one.site.split(" ")[1]),
        bytes: Buffer.from(one.keys["site 4"] ?? "", "base64"),
      })),
    )
    expect(new AgreementKey(secret).public).toBe(house.sites.get("site 4")?.keys().mask)
  })
})

describe("survivors", () => {
  test("that differ from site to site are agreed on by nobody, and nothing is opened", () => {
    const house = openSum(termsFor(6))
    const opened: string[] = []
    const sets = [siteNames(6).slice(0, 5), siteNames(6)]
    const codes = refusals(house, (to, message) => {
      if (message.kind === "agreements") opened.push(to)
      if (message.kind !== "survivors") return message
      return { ...message, survivors: sets[Number(to.split(" ")[1]) % 2] }
    })
    expect(opened).toEqual([])
    // Site 6 sees that it is left out; of the others' signatures those under another list are no use.
    expect(codes.toSorted()).toEqual(["federation/sum-signature", "federation/sum-sites"])
  })

  test("who are told one list and shown signatures under another open nothing", () => {
    const { sites, held, terms } = upTo("survivors")
    const all = siteNames(4)
    const three = all.slice(0, 3)
    const sum = hashOfTerms(terms)
    const agreed = all.flatMap((name) => {
      const message = { ...held.get(name), survivors: name === "site 1" ? all : three }
      const answer = name === "site 4" ? undefined : sites.get(name)?.receive(message)
      return answer?.kind === "agreed" ? [[name, answer.signature] as const] : []
    })
    const agreements = { kind: "agreements", sum, signatures: Object.fromEntries(agreed) }
    expect(codeOf(() => sites.get("site 1")?.receive(agreements))).toBe("federation/sum-signature")
    // And a second list is not signed at all.
    expect(codeOf(() => sites.get("site 1")?.receive({ kind: "survivors", sum, survivors: three }))).toBe(
      "federation/sum-out-of-turn",
    )
  })

  test("who have sealed other shares than the next site was shown agree on nothing", () => {
    const house = openSum(termsFor(5))
    const codes = refusals(house, (to, message) => {
      if (message.kind === "sealed" && to === "site 1") {
        const { "site 5": _, ...rest } = message.sealed
        return { ...message, sealed: rest }
      }
      return message.kind === "survivors" ? { ...message, survivors: siteNames(4) } : message
    })
    expect(codes).not.toEqual([])
    expect(house.coordinator.result).toBeUndefined()
  })

  test("are too few, or not those of the job, or not the site itself: refused", () => {
    const terms = termsFor(5, { colluding: 1, honest: 3, threshold: 4 })
    const { sites, held } = upTo("survivors", terms)
    const site = sites.get("site 1")
    const given = (survivors: readonly string[]) => () => site?.receive({ ...held.get("site 1"), survivors })
    expect(codeOf(given(["site 1", "site 2", "site 3"]))).toBe("federation/sum-too-few")
    expect(codeOf(given(["site 1"]))).toBe("federation/sum-too-few")
    expect(codeOf(given(siteNames(5).slice(1)))).toBe("federation/sum-sites")
    expect(codeOf(given([...siteNames(4), "site 4"]))).toBe("federation/sum-sites")
    expect(codeOf(given([...siteNames(4), "site 9"]))).toBe("federation/sum-sites")
    expect(site?.stage).toBe("survivors")
  })

  test("are agreed on by the threshold only: fewer signatures, or one site's twice, open nothing", () => {
    const { sites, held, terms } = upTo("agreements")
    const message = held.get("site 1")
    const signatures = message?.kind === "agreements" ? message.signatures : {}
    const few = Object.fromEntries(Object.entries(signatures).slice(0, terms.threshold - 1))
    const site = sites.get("site 1")
    expect(codeOf(() => site?.receive({ ...message, signatures: few }))).toBe("federation/sum-not-agreed")
    const own = signatures["site 1"] ?? ""
    const twice = Object.fromEntries(siteNames(4).map((name) => [name, own]))
    expect(codeOf(() => site?.receive({ ...message, signatures: twice }))).toBe("federation/sum-signature")
    const stranger = { ...few, "site 9": own }
    expect(codeOf(() => site?.receive({ ...message, signatures: stranger }))).toBe(
      "federation/sum-not-agreed",
    )
  })

  test("and those who dropped out: never both kinds of share for one of them", () => {
    const house = openSum(termsFor(6))
    const said = playSum(house, { numbers, dropsAt: (site) => (site === "site 2" ? "masked" : "never") })
    const opened = said.filter((one): one is UnmaskMessage => one.kind === "unmask")
    expect(opened.length).toBe(5)
    for (const { seeds, keys } of opened) {
      expect(Object.keys(seeds).filter((name) => Object.hasOwn(keys, name))).toEqual([])
      expect(Object.keys(keys)).toEqual(["site 2"])
    }
  })
})

describe("keys", () => {
  const resigned = (own: KeysMessage): KeysMessage => ({
    ...own,
    signature: signHash(keysStatement(own), signingOf(own.site)),
  })

  function withKeys(change: (keys: readonly KeysMessage[]) => readonly KeysMessage[]) {
    return (_: string, message: CoordinatorMessage): CoordinatorMessage =>
      message.kind === "roster" ? { ...message, keys: change(message.keys) } : message
  }

  test("that the coordinator put in are refused by all", () => {
    const own = new AgreementKey(Buffer.alloc(32, 5)).public
    const put = (keys: readonly KeysMessage[]) =>
      keys.map((one) => (one.site === "site 2" ? { ...one, mask: own } : one))
    expect(refusals(openSum(termsFor(4)), withKeys(put))).toEqual(["federation/sum-signature"])
    const { privateKey } = generateKeyPairSync("ed25519")
    const signed = (keys: readonly KeysMessage[]) =>
      put(keys).map((one) =>
        one.mask === own ? { ...one, signature: signHash(keysStatement(one), privateKey) } : one,
      )
    expect(refusals(openSum(termsFor(4)), withKeys(signed))).toEqual(["federation/sum-signature"])
  })

  test("that a colluding site signs for another's, or repeats, are refused", () => {
    const copy = (keys: readonly KeysMessage[]) =>
      keys.map((one) => {
        if (one.site !== "site 2") return one
        const repeated = { ...one, mask: keys[0]?.mask ?? "" }
        return { ...repeated, signature: signHash(keysStatement(repeated), signingOf("site 2")) }
      })
    expect(refusals(openSum(termsFor(4)), withKeys(copy))).toEqual(["federation/sum-key"])
  })

  test("of small order, or of another length, are refused", () => {
    const one = Buffer.alloc(32)
    one[0] = 1
    // -1, which has order 4: p - 1.
    const minusOne = Buffer.alloc(32, 0xff)
    minusOne[0] = 0xec
    minusOne[31] = 0x7f
    const texts = [Buffer.alloc(32), one, minusOne].map((bytes) => bytes.toString("base64"))
    for (const bad of [...texts, "AAAA"]) {
      for (const use of ["seal", "mask"] as const) {
        const small = (keys: readonly KeysMessage[]) =>
          keys.map((own) => (own.site === "site 2" ? resigned({ ...own, [use]: bad }) : own))
        // Nobody seals a share: site 2 itself sees that it is not the key that it sent, by the same code.
        const house = openSum(termsFor(4))
        expect(refusals(house, withKeys(small))).toEqual(["federation/sum-key"])
        expect([...house.sites.values()].map(({ stage }) => stage)).toEqual(Array(4).fill("roster"))
        const keys = house.sites.get("site 2")?.keys()
        const { coordinator } = openSum(termsFor(4))
        expect(codeOf(() => coordinator.receive(keys && resigned({ ...keys, [use]: bad })))).toBe(
          "federation/sum-key",
        )
      }
    }
  })

  test("that are another's in other words are refused", () => {
    const wordings: readonly ((key: string) => string)[] = [
      (key) => key.replace("=", ""),
      (key) => `${key} `,
      (key) => key.replaceAll("+", "-").replaceAll("/", "_").replace("=", ""),
      // The highest bit is not read: RFC 7748.
      (key) => {
        const bytes = Buffer.from(key, "base64")
        bytes[31] = (bytes[31] ?? 0) | 0x80
        return bytes.toString("base64")
      },
    ]
    for (const wording of wordings) {
      const copy = (keys: readonly KeysMessage[]) =>
        keys.map((own) =>
          own.site === "site 2" ? resigned({ ...own, mask: wording(keys[0]?.mask ?? "") }) : own,
        )
      expect(refusals(openSum(termsFor(4)), withKeys(copy))).toEqual(["federation/sum-key"])
    }
  })

  test("of an earlier sum are refused: a site that restarts has dropped out", () => {
    const terms = termsFor(4)
    const { held, sites } = upTo("roster", terms)
    const restarted = new SiteSum(terms, { name: "site 1", signing: signingOf("site 1") })
    expect(restarted.keys().mask).not.toBe(sites.get("site 1")?.keys().mask)
    expect(codeOf(() => restarted.receive(carried(held.get("site 1"))))).toBe("federation/sum-key")
    expect(codeOf(() => new SiteSum(terms, { name: "site 2", signing: signingOf("site 1") }))).toBe(
      "federation/sum-sites",
    )
  })

  test("that differ from site to site: what was sealed for one roster does not open under another", () => {
    const house = openSum(termsFor(5))
    const short = (message: RosterMessage): RosterMessage => ({ ...message, keys: message.keys.slice(0, 4) })
    const codes = refusals(house, (to, message) =>
      message.kind === "roster" && to === "site 1" ? short(message) : message,
    )
    expect(house.coordinator.result?.survivors.includes("site 1") ?? false).toBe(false)
    expect(codes).not.toEqual([])
  })

  test("of the same random bytes in two sums still give masks of their own", () => {
    const same = (bytes: number): Uint8Array => Buffer.alloc(bytes, 77)
    const maskedOf = (id: string): string => {
      const terms = termsFor(3, { id })
      let label = 0
      const house = openSum(terms, (bytes) =>
        Buffer.concat([same(bytes - 1), Buffer.from([(label += 1) % 256])]),
      )
      const said = playSum(house, { numbers })
      return said
        .flatMap((one) => (one.kind === "masked" && one.site === "site 1" ? [one.numbers] : []))
        .join()
    }
    expect(maskedOf("job 1")).toBe(maskedOf("job 1"))
    expect(maskedOf("job 1")).not.toBe(maskedOf("job 2"))
  })
})

describe("terms", () => {
  test("that would not hide a site are refused before anything is said", () => {
    const bad: readonly Partial<SumTerms>[] = [
      { honest: 1 },
      { colluding: 3 },
      { threshold: 2 },
      { threshold: 5 },
      { colluding: 2, threshold: 3 },
      { colluding: -1 },
      { numbers: 0 },
      { limbs: 0 },
      { limbs: 1.5 },
      { id: "" },
      { sites: [] },
      { sites: [...termsFor(3).sites, ...termsFor(1).sites] },
      { sites: termsFor(4).sites.map((site) => ({ ...site, key: "AAAA" })) },
    ]
    for (const change of bad) {
      expect([change, codeOf(() => openSum(termsFor(4, change)))]).toEqual([change, "federation/sum-terms"])
    }
  })

  test("are all in the hash that messages carry", () => {
    const terms = termsFor(4)
    const others: readonly SumTerms[] = [
      { ...terms, id: "x" },
      { ...terms, colluding: 1 },
      { ...terms, honest: 3 },
      { ...terms, threshold: 4 },
      { ...terms, numbers: 3 },
      { ...terms, limbs: 3 },
      { ...terms, sites: terms.sites.toReversed() },
    ]
    expect(new Set([terms, ...others].map(hashOfTerms)).size).toBe(others.length + 1)
    expect(survivorsStatement("a", "b", ["c", "d"])).not.toBe(survivorsStatement("a", "b", ["d", "c"]))
  })
})
