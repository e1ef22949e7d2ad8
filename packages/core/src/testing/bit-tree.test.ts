import { expect, test } from "vitest"
import { dyadicToNumber, enumerateBits } from "./bit-tree.ts"

test("gives exact shares of outcomes that are decided at different depths", () => {
  const tree = enumerateBits({
    depthMax: 3,
    run: (bits) => (bits.bit() === 0 ? "left" : bits.bit() === 0 ? "middle" : bits.bit() + bits.bit()),
  })
  expect(tree).toEqual({
    outcomes: new Map([
      ["left", { numerator: 4n, denominatorPower: 3 }],
      ["middle", { numerator: 2n, denominatorPower: 3 }],
    ]),
    undecided: { numerator: 2n, denominatorPower: 3 },
  })
})

test("brackets a sampler that may read for ever", () => {
  const geometric = enumerateBits({
    depthMax: 10,
    run: (bits) => {
      let ones = 0
      while (bits.bit() === 1) ones += 1
      return ones
    },
  })
  for (let k = 0; k < 10; k += 1) {
    expect(geometric.outcomes.get(String(k))).toEqual({
      numerator: 2n ** BigInt(9 - k),
      denominatorPower: 10,
    })
  }
  expect(dyadicToNumber(geometric.undecided)).toBe(2 ** -10)
})

test("handles a sampler that reads nothing, and one that reads more than the depth at once", () => {
  expect(enumerateBits({ depthMax: 5, run: () => 1n }).outcomes.get("1")?.numerator).toBe(32n)
  expect(enumerateBits({ depthMax: 0, run: (bits) => bits.bit() })).toEqual({
    outcomes: new Map(),
    undecided: { numerator: 1n, denominatorPower: 0 },
  })
})

test("passes on the sampler's own error, and refuses a sampler that is not a function of its bits", () => {
  const broken = () => {
    throw new Error("mine")
  }
  expect(() => enumerateBits({ depthMax: 2, run: broken })).toThrow("mine")
  let runs = 0
  const forgetful = (bits: { bit: () => 0 | 1 }) => {
    runs += 1
    return runs === 1 ? bits.bit() : 0
  }
  expect(() => enumerateBits({ depthMax: 4, run: forgetful })).toThrow("when it is replayed")
  expect(() => enumerateBits({ depthMax: 51, run: () => 0 })).toThrow("depthMax")
})
