import { afterEach, describe, expect, test, vi } from "vitest"
import { rational } from "../exact/rational.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { laplaceOracle, roundedGaussianOracle } from "./cdf-oracles.ts"
import { LazyTable } from "./lazy-table.ts"
import { fillFromTable, fillWith, loadKernel, lookUpInScript, type LookUp } from "./look-up.ts"
import { integers, pending, words } from "./scratch.ts"

afterEach(() => {
  vi.unstubAllGlobals()
})

const narrow = new LazyTable(laplaceOracle(rational(1n)))
const wide = new LazyTable(laplaceOracle(rational(60n)))
const bell = new LazyTable(roundedGaussianOracle(rational(900n)))
const tables = [
  { name: "Laplace 1", table: narrow },
  { name: "Laplace 60", table: wide },
  { name: "Gaussian 900", table: bell },
]
const splitCells = (table: LazyTable) =>
  [...table.cells.keys()].filter((cell) => (table.cells[cell] ?? 0) < -16384)

function kernel(): LookUp {
  const loaded = loadKernel()
  if (loaded === undefined) throw new Error("this platform does not run the kernel")
  return loaded
}

/** What a loop writes for the first `count` words: outcomes of whole turns, and the list of split draws. */
function written(loop: LookUp, table: LazyTable, count: number) {
  integers.fill(77777)
  pending.fill(88888)
  const waiting = loop(table.cells, count)
  const drawn = 8 * Math.ceil(count / 4)
  return {
    waiting,
    outcomes: integers.slice(0, drawn),
    after: integers[drawn],
    list: pending.slice(0, waiting),
  }
}

describe.each(tables)("$name", ({ table }) => {
  test("the kernel and the script write the same outcomes and the same list", () => {
    const fast = kernel()
    const rng = seededBits("look-up")
    const split = splitCells(table)
    for (const count of [1, 3, 4, 5, 100, 4096, 16384]) {
      rng.fill(words)
      // Some words with both halves, or one half, in split cells; and the ends.
      for (let i = 0; i < 50; i += 1) {
        const [a, b] = [split[i % split.length] ?? 0, split[(i * 7) % split.length] ?? 0]
        words[i * 13] = i % 3 === 0 ? a + b * 65536 : i % 3 === 1 ? a : b * 65536
      }
      words[1] = 0
      words[2] = 0xffffffff
      const script = written(lookUpInScript, table, count)
      expect(written(fast, table, count)).toEqual(script)
      expect(script.after === 77777 || script.after === undefined).toBe(true)
      const indices = [...script.outcomes.keys()]
      expect([...script.list]).toEqual(indices.filter((i) => (script.outcomes[i] ?? 0) < -16384))
    }
  })

  test("both fill arrays of any length with the same draws, and leave nothing behind", () => {
    const fast = kernel()
    words.fill(0)
    for (const length of [0, 1, 2, 3, 7, 8, 9, 1000, 32767, 32768, 32769, 70_001]) {
      const [a, b] = [new Int32Array(length), new Float64Array(length)]
      expect(fillWith(lookUpInScript, { out: a, table, rng: seededBits("fill") })).toEqual([])
      expect(words.every((word) => word === 0)).toBe(true)
      expect(integers.subarray(0, length).every((value) => value === 0)).toBe(true)
      expect(fillWith(fast, { out: b, table, rng: seededBits("fill") })).toEqual([])
      expect(a.every((value, i) => value === b[i])).toBe(true)
      expect(b.some((value) => Object.is(value, -0))).toBe(false)
    }
  })

  test("a fill is the look-up of both halves of each word, and of more bits where the cell is split", () => {
    const length = 5001
    const out = new Int32Array(length)
    fillFromTable(out, table, seededBits("halves"))
    const rng = seededBits("halves")
    const drawn = new Uint32Array((length + 1) >> 1)
    rng.fill(drawn)
    const expected = Array.from(out, (_, i) => {
      const word = drawn[i >> 1] ?? 0
      return table.outcome(i % 2 === 0 ? word & 0xffff : word >>> 16, rng)
    })
    expect([...out]).toEqual(expected)
  })
})

test("two kernels may be used in turn, though they share their memory", () => {
  const [one, two] = [kernel(), kernel()]
  const rng = seededBits("turns")
  for (const [loop, table] of [
    [one, narrow],
    [two, wide],
    [one, narrow],
    [one, bell],
    [two, wide],
  ] as const) {
    rng.fill(words)
    expect(written(loop, table, 64)).toEqual(written(lookUpInScript, table, 64))
  }
})

test("where the platform does not compile the kernel, there is none, and nothing is thrown", () => {
  class Refused {
    constructor() {
      throw new Error("refused by policy")
    }
  }
  vi.stubGlobal("WebAssembly", { Module: Refused, Instance: Refused })
  expect(loadKernel()).toBeUndefined()
})
