// Secure sums played through: every way of dropping out, coordinators that were started again, and what a
// coordinator sees.

import { describe, expect, test } from "vitest"
import { sampleOf } from "@dosimeter/core/testing"
import { openSum, playSum, siteNames, termsFor, type DropsAt } from "../../testing/sum-house.ts"
import { CoordinatorSum } from "./coordinator-sum.ts"
import { MaskedNumbers } from "./masked-numbers.ts"
import { choicesOf, joinShares, splitSecret } from "./secret-sharing.ts"
import { ownKey, pairKey } from "./site-sum.ts"
import { AgreementKey } from "./sum-keys.ts"
import type { KeysMessage, MaskedMessage, SiteMessage } from "./sum-messages.ts"
import { rosterOf } from "./sum-statements.ts"
import { survivorsMin, usualThreshold } from "./sum-terms.ts"

const valuesOf = (site: string): readonly bigint[] => {
  const place = BigInt(site.split(" ")[1] ?? 0)
  return [place ** 20n, -(1n << 40n) * place]
}

const steps: readonly DropsAt[] = ["keys", "shares", "masked", "agreed", "unmask", "never"]

/** All ways in which so many sites may stop, but for who of them it is: counts for each step. */
function patterns(count: number): readonly (readonly DropsAt[])[] {
  let all: readonly (readonly DropsAt[])[] = [[]]
  for (let site = 0; site < count; site += 1) {
    all = all.flatMap((before) =>
      steps
        .filter((step) => steps.indexOf(step) >= steps.indexOf(before.at(-1) ?? "keys"))
        .map((step) => [...before, step]),
    )
  }
  return all
}

const cases = [2, 3, 4, 5, 6].flatMap((count) =>
  patterns(count).map((pattern, index) => ({ count, pattern, turn: index % count })),
)
// Few patterns leave enough sites for a sum: those are tried for themselves.
const enough = cases.filter(
  ({ count, pattern }) => pattern.filter((step) => step === "never").length > count / 2,
)

test.each([...sampleOf(cases, 25), ...sampleOf(enough, 15)])(
  "$count sites that stop at $pattern",
  ({ count, pattern, turn }) => {
    const thresholds = Array.from({ length: count }, (_, index) => index + 1).filter((one) => 2 * one > count)
    for (const threshold of sampleOf(thresholds, 1)) {
      const terms = termsFor(count, { threshold })
      const names = siteNames(count)
      // Who stops is turned around, so that it is not always the first.
      const stops = new Map(names.map((name, index) => [name, pattern[(index + turn) % count] ?? "never"]))
      const house = openSum(terms)
      playSum(house, { numbers: valuesOf, dropsAt: (site) => stops.get(site) ?? "never" })
      const reaches = (step: DropsAt): readonly string[] =>
        names.filter((name) => steps.indexOf(stops.get(name) ?? "never") > steps.indexOf(step))
      const least = survivorsMin(terms)
      const isMade =
        reaches("masked").length >= least &&
        reaches("agreed").length >= threshold &&
        reaches("unmask").length >= threshold
      expect(house.coordinator.stage).toBe(isMade ? "summed" : "failed")
      const survivors = reaches("masked")
      const sum = [0, 1].map((place) =>
        survivors.reduce((total, name) => total + (valuesOf(name)[place] ?? 0n), 0n),
      )
      const modulus = sum.map((number) => BigInt.asIntN(64, number))
      expect(house.coordinator.result).toEqual(isMade ? { survivors, numbers: modulus } : undefined)
    }
  },
)

test("a coordinator is made again from what it has stored, at every step, and sends the same", () => {
  const house = openSum(termsFor(4))
  playSum(house, { numbers: valuesOf, dropsAt: (site) => (site === "site 3" ? "masked" : "never") })
  const { events, result } = house.coordinator
  const survivors = ["site 1", "site 2", "site 4"]
  expect(result).toEqual({ survivors, numbers: [1n + 2n ** 20n + 4n ** 20n, -7n * (1n << 40n)] })
  for (let count = 0; count <= events.length; count += 1) {
    const { sum, sent } = CoordinatorSum.rebuilt(house.terms, events.slice(0, count))
    for (const { to, message } of sent) {
      // Sites have answered it already: the same question gets the same answer.
      expect(() => house.sites.get(to)?.receive(JSON.parse(JSON.stringify(message)))).not.toThrow()
    }
    expect(sum.events.length).toBe(count)
  }
  expect(CoordinatorSum.rebuilt(house.terms, events).sum.result).toEqual(result)
})

describe("what the coordinator sees", () => {
  /** The masked numbers that a run showed, by site. */
  function masksOf(said: readonly SiteMessage[]): ReadonlyMap<string, string> {
    return new Map(
      said
        .filter((one): one is MaskedMessage => one.kind === "masked")
        .map(({ site, numbers }) => [site, numbers]),
    )
  }

  /** Bytes that are the same in every run with the same label. */
  function counted(label: number): (bytes: number) => Uint8Array {
    let next = label
    return (bytes) =>
      Uint8Array.from({ length: bytes }, () => (next = (next * 1103515245 + 12345) % 2147483648) & 255)
  }

  test("of two inputs with one sum is the same but for masks that are uniform whatever the input", () => {
    // With the same random bytes the runs differ in the masked vectors alone, and there by the difference of
    // the inputs: y = x + mask. So the law of what is seen is that of uniform vectors with the given sum.
    const terms = termsFor(3)
    const inputs: readonly Readonly<Record<string, readonly bigint[]>>[] = [
      { "site 1": [5n, 0n], "site 2": [6n, 0n], "site 3": [7n, 9n] },
      { "site 1": [-100n, 1n], "site 2": [0n, 1n << 60n], "site 3": [118n, 8n - (1n << 60n)] },
    ]
    const runs = inputs.map((input) => {
      const house = openSum(terms, counted(7))
      const said = playSum(house, { numbers: (site) => input[site] ?? [] })
      return { said, result: house.coordinator.result }
    })
    const [one, two] = runs
    expect(one?.result).toEqual(two?.result)
    const others = (said: readonly SiteMessage[] = []): readonly SiteMessage[] =>
      said.filter(({ kind }) => kind !== "masked")
    expect(others(one?.said)).toEqual(others(two?.said))
    for (const [site, numbers] of masksOf(one?.said ?? [])) {
      const difference = new MaskedNumbers(terms)
      difference.addEncoded(numbers)
      difference.addNumbers((inputs[0]?.[site] ?? []).map((value) => -value))
      difference.addNumbers(inputs[1]?.[site] ?? [])
      expect(difference.encode()).toBe(masksOf(two?.said ?? []).get(site))
    }
  })

  test("the masks of all but one site's keys leave that site's vector hidden", () => {
    // The seed of a survivor comes out, the keys of its pairs do not: without them its numbers do not appear.
    const house = openSum(termsFor(3, { numbers: 40 }))
    const input = Array<bigint>(40).fill(3n)
    const said = playSum(house, { numbers: () => input })
    const keys = said.filter((one): one is KeysMessage => one.kind === "keys")
    const shares = said.flatMap((one) =>
      one.kind === "unmask"
        ? [{ place: Number(one.site.split(" ")[1]), share: one.seeds["site 1"] ?? "" }]
        : [],
    )
    const seed = joinShares(
      shares.map(({ place, share }) => ({ place, bytes: Buffer.from(share, "base64") })),
    )
    const open = new MaskedNumbers(house.terms)
    open.addEncoded(masksOf(said).get("site 1") ?? "")
    open.addMask(ownKey(seed, rosterOf(keys), "site 1"), -1)
    const left = open.numbers()
    expect(left.some((number) => number === 3n)).toBe(false)
    expect(new Set(left).size).toBe(40)
    // All words are used: as many high bits as low ones, to within what 40 draws allow.
    expect(left.filter((number) => number < 0n).length).toBeGreaterThan(3)
    expect(left.filter((number) => number < 0n).length).toBeLessThan(37)
  })
})

describe("the parts", () => {
  test("any threshold of shares gives the secret, and one less says nothing of it", () => {
    const secret = Uint8Array.from([0, 1, 127, 255])
    let next = 3
    const random = (bytes: number) =>
      Uint8Array.from({ length: bytes }, () => (next = (next * 137 + 41) % 256))
    const shares = splitSecret(secret, { places: [1, 2, 3, 7, 255], threshold: 3 }, random)
    for (const [a, one] of shares.entries()) {
      for (const [b, two] of shares.entries()) {
        for (const [c, three] of shares.entries()) {
          if (a < b && b < c) expect(joinShares([three, one, two])).toEqual(secret)
        }
      }
    }
    // Threshold 2: over all coefficients, the share at one place takes each value once, whatever the secret.
    for (const value of [0, 200]) {
      const seen = new Set<number>()
      for (let coefficient = 0; coefficient < 256; coefficient += 1) {
        const [, one] = splitSecret(Uint8Array.of(value), { places: [4, 9], threshold: 2 }, () =>
          Uint8Array.of(coefficient),
        )
        seen.add(one?.bytes[0] ?? -1)
      }
      expect(seen.size).toBe(256)
    }
    expect(() => splitSecret(secret, { places: [1, 1], threshold: 1 }, random)).toThrow(
      expect.objectContaining({ code: "bug/invariant" }),
    )
    expect(() => splitSecret(secret, { places: [0, 1], threshold: 1 }, random)).toThrow(
      expect.objectContaining({ code: "bug/invariant" }),
    )
    expect(() => splitSecret(secret, { places: [1, 2], threshold: 3 }, random)).toThrow(
      expect.objectContaining({ code: "bug/invariant" }),
    )
  })

  test.each([
    [1, 1],
    [3, 3],
    [5, 3],
    [7, 4],
    [6, 2],
  ])("of %d shares each choice of %d is tried once", (all, count) => {
    const items = Array.from({ length: all }, (_, place) => place)
    const choices = [...choicesOf(items, count)].map((choice) => choice.join())
    const subsets = Array.from({ length: 2 ** all }, (_, set) =>
      items.filter((place) => (set >> place) % 2 === 1),
    )
    const wanted = subsets.filter(({ length }) => length === count).map((subset) => subset.join())
    expect(choices[0]).toBe(items.slice(0, count).join())
    expect(choices.toSorted()).toEqual(wanted.toSorted())
  })

  test.each([1, 2, 3])("numbers of %d limbs add up with signs and carries, and masks cancel", (limbs) => {
    const size = { numbers: 3, limbs }
    const edge = 1n << BigInt(32 * limbs - 1)
    const vectors = [
      [edge - 1n, -1n, 0n],
      [0n, 1n, -edge],
      [-5n, 0xffffffffn, 1n],
    ]
    const key = Buffer.alloc(32, 9)
    const sum = new MaskedNumbers(size)
    for (const vector of vectors) {
      const one = new MaskedNumbers(size)
      one.addNumbers(vector)
      one.addMask(key, 1)
      expect(one.numbers()).not.toEqual(vector)
      sum.addEncoded(one.encode())
    }
    for (const _ of vectors) sum.addMask(key, -1)
    const expected = [0, 1, 2].map((place) =>
      BigInt.asIntN(
        32 * limbs,
        vectors.reduce((total, vector) => total + (vector[place] ?? 0n), 0n),
      ),
    )
    expect(sum.numbers()).toEqual(expected)
    expect(() => sum.addEncoded("AAAA")).toThrow(expect.objectContaining({ code: "federation/sum-message" }))
  })

  test("a pair has one key, and every purpose another", () => {
    const [a, b] = [new AgreementKey(Buffer.alloc(32, 1)), new AgreementKey(Buffer.alloc(32, 2))]
    expect(a.sharedWith(b.public)).toEqual(b.sharedWith(a.public))
    const shared = a.sharedWith(b.public)
    const keys = [
      pairKey(shared, "aa", ["x", "y"]),
      pairKey(shared, "bb", ["x", "y"]),
      pairKey(shared, "aa", ["x", "z"]),
      ownKey(shared, "aa", "x"),
    ]
    expect(pairKey(shared, "aa", ["y", "x"])).toEqual(keys[0])
    expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(4)
  })

  test("thresholds hold against a third of the sites, or more where more may collude", () => {
    expect([3, 4, 10, 50, 100].map((count) => usualThreshold(count, 0))).toEqual([3, 3, 7, 34, 67])
    expect(usualThreshold(10, 6)).toBe(9)
  })
})
