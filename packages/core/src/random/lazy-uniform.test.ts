import { expect, test } from "vitest"
import { rational, type Rational } from "../exact/rational.ts"
import { OutOfBits, replayBits } from "../testing/replay-bits.ts"
import { LazyUniform, lazyUniform, uniformIsBelow } from "./lazy-uniform.ts"

const bug = expect.objectContaining({ code: "bug/invariant" })

function enclose(p: Rational): (bits: number) => { lo: bigint; hi: bigint; bits: number } {
  return (bits) => {
    const scaled = p.numerator << BigInt(bits)
    const lo = scaled / p.denominator
    return { lo, hi: lo * p.denominator === scaled ? lo : lo + 1n, bits }
  }
}

test("a lazy uniform appends words from the top, and keeps what it has", () => {
  const u = lazyUniform(replayBits([0x80000001]))
  expect([u.value, u.count]).toEqual([0x80000001n, 32])
  u.extend(replayBits([0x00000003]))
  expect([u.value, u.count]).toEqual([0x8000000100000003n, 64])
  u.extendTo(64, replayBits([]))
  expect(u.count).toBe(64)
  u.extendTo(65, replayBits([0xffffffff]))
  expect([u.value, u.count]).toEqual([0x8000000100000003ffffffffn, 96])
  const odd = new LazyUniform(5n, 3)
  odd.extendTo(4, replayBits([7]))
  expect([odd.value, odd.count]).toEqual([(5n << 32n) | 7n, 35])
})

test("bug/invariant: a lazy uniform has no more bits than it says", () => {
  expect(() => new LazyUniform(8n, 3)).toThrow(bug)
  expect(() => new LazyUniform(-1n, 3)).toThrow(bug)
  expect(new LazyUniform(0n, 0).count).toBe(0)
})

test("U < p is decided by the first differing word, and not before", () => {
  // 1/3 = 0x55555555 55555555 ...
  const third = enclose(rational(1n, 3n))
  const decide = (words: readonly number[]) => {
    const rng = replayBits(words)
    const below = uniformIsBelow(lazyUniform(rng), third, rng)
    return { below, used: rng.used }
  }
  expect(decide([0x55555554])).toEqual({ below: true, used: 1 })
  expect(decide([0x55555556])).toEqual({ below: false, used: 1 })
  expect(() => decide([0x55555555])).toThrow(OutOfBits)
  expect(decide([0x55555555, 0x55555554])).toEqual({ below: true, used: 2 })
  expect(decide([0x55555555, 0x55555556])).toEqual({ below: false, used: 2 })
  expect(decide([0x55555555, 0x55555555, 0x55555555, 0])).toEqual({ below: true, used: 4 })
})

test("p on the grid is decided at the grid: U = p is not below p", () => {
  const quarter = enclose(rational(1n, 4n))
  const decide = (word: number) => uniformIsBelow(lazyUniform(replayBits([word])), quarter, replayBits([]))
  expect(decide(0x3fffffff)).toBe(true)
  expect(decide(0x40000000)).toBe(false)
  expect(uniformIsBelow(new LazyUniform(0n, 0), enclose(rational(1n)), replayBits([]))).toBe(true)
  expect(uniformIsBelow(new LazyUniform(0n, 0), enclose(rational(0n)), replayBits([]))).toBe(false)
})

test("a wide enclosure is never believed: the bits go on until it is narrow", () => {
  const rough = (bits: number) => {
    const { lo, hi } = enclose(rational(1n, 3n))(bits)
    // Wider by 2^20 units at every precision.
    return { lo: lo - (1n << 20n), hi: hi + (1n << 20n), bits }
  }
  const rng = replayBits([0x55555554, 0xffffffff])
  expect(uniformIsBelow(lazyUniform(rng), rough, rng)).toBe(true)
  expect(rng.used).toBe(2)
})
