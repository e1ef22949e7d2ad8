import { expect, test } from "vitest"
import { LiveEntries } from "./live-entries.ts"
import { networkOf } from "./network-of.ts"
import { KnownDevices } from "../people/known-devices.ts"
import { RateLimits } from "./rate-limits.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import { TryLimits, type Trying } from "./try-limits.ts"

let now = 0

function fresh(): TryLimits {
  now = 0
  return new TryLimits(() => now)
}

/** Tries once; whether it was checked at all. */
async function guess(
  limits: TryLimits,
  trying: Trying,
  outcome: "right" | "wrong" = "wrong",
): Promise<boolean> {
  const open = await limits.begin(trying)
  open?.settle(outcome)
  return open !== undefined
}

async function checkedOf(limits: TryLimits, tries: readonly Trying[]): Promise<number> {
  let checked = 0
  for (const trying of tries) if (await guess(limits, trying)) checked += 1
  return checked
}

const dana = { name: "dana", address: "192.0.2.1" }

test("of 200 guesses at once five are checked, however late each check is over", async () => {
  const limits = fresh()
  let checked = 0
  const results = Array.from({ length: 200 }, async () => {
    const open = await limits.begin(dana)
    if (open === undefined) return
    checked += 1
    // All that will ever be let in at once are in by now.
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
    open.settle("wrong")
  })
  await Promise.all(results)
  expect(checked).toBe(5)
  now += 999
  expect(await guess(limits, dana)).toBe(false)
  now += 1
  const next = await Promise.all(Array.from({ length: 20 }, () => guess(limits, dana)))
  expect(next.filter((one) => one)).toHaveLength(1)
  now += 1_999
  expect(await guess(limits, dana)).toBe(false)
  now += 1
  expect(await guess(limits, dana)).toBe(true)
})

test("twenty connections at once with the right password all come in", async () => {
  const limits = fresh()
  const results = Array.from({ length: 20 }, async () => {
    const open = await limits.begin(dana)
    await Promise.resolve()
    open?.settle("right")
    return open !== undefined
  })
  expect((await Promise.all(results)).every((one) => one)).toBe(true)
})

test("who signed in from an address, has a known browser or a session is not locked out by strangers", async () => {
  const limits = fresh()
  await guess(limits, dana, "right")
  const strangers = Array.from({ length: 500 }, (_, index) => ({
    name: "dana",
    address: `198.51.100.${index % 250}`,
  }))
  // Twenty of all strangers together, then one a minute.
  expect(await checkedOf(limits, strangers)).toBe(20)
  expect(await guess(limits, { name: "dana", address: "203.0.113.9" })).toBe(false)
  expect(await guess(limits, dana, "right")).toBe(true)
  expect(await guess(limits, { name: "dana", address: "203.0.113.9", proof: "a browser" }, "right")).toBe(
    true,
  )
  now += 60_000
  expect(await checkedOf(limits, strangers)).toBe(1)
})

test("a stranger at the same address does not lock a known browser out, and other names go on", async () => {
  const limits = fresh()
  expect(
    await checkedOf(
      limits,
      Array.from({ length: 200 }, () => dana),
    ),
  ).toBe(5)
  expect(await guess(limits, { ...dana, name: "ben" }, "right")).toBe(true)
  expect(await guess(limits, { ...dana, proof: "a browser" }, "right")).toBe(true)
  // Nor is what strangers did forgotten because somebody signed in there.
  expect(await guess(limits, dana)).toBe(false)
})

test("many names from one address are slowed, and not those who were here before", async () => {
  const limits = fresh()
  await guess(limits, { ...dana, name: "ben" }, "right")
  const names = Array.from({ length: 100 }, (_, index) => ({ ...dana, name: `n${index}` }))
  expect(await checkedOf(limits, names)).toBe(30)
  expect(await guess(limits, { ...dana, name: "ben" }, "right")).toBe(true)
  expect(await guess(limits, { ...dana, name: "new" }, "right")).toBe(false)
  now += 4_000
  expect(await guess(limits, { ...dana, name: "new" }, "right")).toBe(true)
})

test("a guess by a proof is counted too", async () => {
  const limits = fresh()
  expect(
    await checkedOf(
      limits,
      Array.from({ length: 9 }, () => ({ ...dana, proof: "a browser" })),
    ),
  ).toBe(5)
})

test("what was not checked is no guess, and holds nobody up", async () => {
  const limits = fresh()
  for (let times = 0; times < 50; times += 1) (await limits.begin(dana))?.settle("left")
  expect(await guess(limits, dana, "right")).toBe(true)
})

test("thousands of other keys make no count forgotten, and memory stays bounded", async () => {
  const limits = fresh()
  await checkedOf(
    limits,
    Array.from({ length: 5 }, () => dana),
  )
  const entries = new LiveEntries({
    make: () => ({ isOver: false }),
    isOver: (one) => one.isOver,
    placesMax: 100,
  })
  const [first, last] = [entries.of("first"), entries.of("second")]
  const made = new Set(Array.from({ length: 20_000 }, (_, index) => entries.of(`key ${index}`)))
  expect(made.size).toBeLessThanOrEqual(100 + 1024)
  expect([entries.of("first"), entries.of("second")]).toEqual([first, last])
  expect(entries.of("first")).toBe(first)
  for (const one of made) one.isOver = true
  // What is over makes room again, for new keys of their own.
  for (let index = 0; index < 200; index += 1) entries.of(`later ${index}`)
  expect(entries.of("first")).toBe(first)
  expect(entries.of("a")).not.toBe(entries.of("b"))
  // Refused tries are kept nowhere: the count of dana is where it was.
  for (let index = 0; index < 12_000; index += 1) {
    await guess(limits, { name: `n${index}`, address: `10.${index % 250}.${index % 7}.1` })
  }
  expect(await guess(limits, dana)).toBe(false)
})

test("a bucket of requests is not forgotten because others came", () => {
  now = 0
  const rates = new RateLimits({ perMinute: 2 }, () => now)
  expect([rates.take("ada"), rates.take("ada")]).toEqual([0, 0])
  for (let index = 0; index < 12_000; index += 1) rates.take(`key ${index}`)
  expect(rates.take("ada")).toBe(30)
})

test("what counts as one address", () => {
  expect(networkOf("192.0.2.7")).toBe("192.0.2.7")
  expect(networkOf("::ffff:192.0.2.7")).toBe("192.0.2.7")
  expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64")
  expect(networkOf("2001:DB8:1:2::9")).toBe("2001:db8:1:2::/64")
  expect(networkOf("2001:0db8::9%eth0")).toBe("2001:db8:0:0::/64")
  expect(networkOf("::1")).toBe("0:0:0:0::/64")
  expect(networkOf("64:ff9b::192.0.2.7")).toBe("64:ff9b:0:0::/64")
  expect(networkOf("")).toBe("")
})

test("a browser is known for the name that signed in with it, by all servers of a house", async () => {
  const store = openSqliteState(":memory:")
  const mark = await new KnownDevices(store).mark("dana")
  const devices = new KnownDevices(store)
  expect(await devices.idOf("dana", mark)).toMatch(/^[\w-]{22}$/)
  expect(await devices.idOf("ben", mark)).toBeUndefined()
  expect(await devices.idOf("dana", `x${mark}`)).toBeUndefined()
  expect(await devices.idOf("dana", undefined)).toBeUndefined()
  await store.close()
})
