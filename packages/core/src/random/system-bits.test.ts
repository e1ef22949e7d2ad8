import { afterEach, expect, test, vi } from "vitest"
import { systemBits } from "./system-bits.ts"

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A source that hands out 1, 2, 3, ..., keeps the arrays it has filled, and is as strict as Web Crypto. */
function countingCrypto() {
  const requests: Uint32Array[] = []
  let next = 1
  return {
    requests,
    getRandomValues(array: Uint32Array) {
      if (array.byteLength > 65536) throw new Error("QuotaExceededError")
      requests.push(array)
      for (let i = 0; i < array.length; i += 1) array[i] = next++
      return array
    },
  }
}

test("words are integers of 32 bits, and do not repeat", () => {
  const rng = systemBits()
  const words = Array.from({ length: 5000 }, () => rng.word())
  expect(words.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32)).toBe(true)
  // Two equal among 5000 has a chance of 0.3 %; ten do not happen.
  expect(new Set(words).size).toBeGreaterThan(4990)
})

test("[N2] the pool is filled on first use only, wiped as it is handed out, and filled again", () => {
  const source = countingCrypto()
  vi.stubGlobal("crypto", source)
  const rng = systemBits()
  expect(source.requests).toHaveLength(0)
  const first = Array.from({ length: 10 }, () => rng.word())
  expect(first).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const [pool] = source.requests
  if (pool === undefined) throw new Error("nothing was asked for")
  expect(pool.slice(0, 11)).toEqual(Uint32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11))
  const rest = Array.from({ length: pool.length - 10 }, () => rng.word())
  expect(rest.at(-1)).toBe(pool.length)
  expect(source.requests).toHaveLength(1)
  expect(pool.every((word) => word === 0)).toBe(true)
  expect(rng.word()).toBe(pool.length + 1)
  expect(source.requests).toHaveLength(2)
})

test("two sources do not share a pool", () => {
  vi.stubGlobal("crypto", countingCrypto())
  const [a, b] = [systemBits(), systemBits()]
  const words = [a.word(), b.word(), a.word(), b.word()]
  expect(new Set(words).size).toBe(4)
})

test("a fill beyond 64 KiB is asked for in pieces, and every element is overwritten", () => {
  const source = countingCrypto()
  vi.stubGlobal("crypto", source)
  const words = new Uint32Array(16384 * 2 + 5)
  systemBits().fill(words)
  expect(source.requests.map(({ length }) => length)).toEqual([16384, 16384, 5])
  expect(words.every((word, i) => word === i + 1)).toBe(true)
  systemBits().fill(new Uint32Array(0))
  expect(source.requests).toHaveLength(3)
})

test("the platform serves a fill beyond 64 KiB", () => {
  const words = new Uint32Array(16384 * 2 + 50)
  systemBits().fill(words)
  for (const start of [0, 16384, 32768]) {
    expect(words.subarray(start, start + 50).some((word) => word !== 0)).toBe(true)
  }
})

test("random/unavailable: a platform without a cryptographic source is refused, not replaced", () => {
  vi.stubGlobal("crypto", undefined)
  expect(() => systemBits()).toThrow(
    expect.objectContaining({ code: "random/unavailable", kind: "unavailable" }),
  )
})
