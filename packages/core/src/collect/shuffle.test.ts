import { describe, expect, test } from "vitest"
import { binaryProtocol, karyProtocol } from "../local/kary.ts"
import { subsetProtocol } from "../local/subset.ts"
import shuffle from "../testing/fixtures/shuffle.json" with { type: "json" }
import { refusalOf } from "../testing/refusals.ts"
import { checkRecord, numberInput, recordsOf } from "../testing/vectors.ts"
import { cloneDelta, karyDelta, shuffledLoss, type Crowd } from "./shuffle.ts"

const crowd = (people: number): Crowd => ({ people, sybils: 0, crowdMin: 1, delta: "1e-6" })

describe("the clone bound is the reference's, and never below it", () => {
  const small = recordsOf(shuffle, "shuffle.numerical").filter((record) => numberInput(record, "n") <= 10_000)
  test.each(small)("$id", (record) => {
    const [people, alone] = [numberInput(record, "n"), numberInput(record, "epsilon0")]
    const delta = String(record.inputs["delta"])
    // Any protocol that is not k-ary.
    const protocol = subsetProtocol({ values: 40, epsilon: alone })
    const { epsilon } = shuffledLoss(protocol, { people, sybils: 0, crowdMin: 1, delta })
    checkRecord({ record, field: "epsilon", got: epsilon, unsafeTolerance: 1e-5 })
  })
  test.each(recordsOf(shuffle, "shuffle.delta"))("$id", (record) => {
    const at = { honest: numberInput(record, "n"), alone: numberInput(record, "epsilon0") }
    const got = cloneDelta(at, numberInput(record, "epsilon"))
    checkRecord({ record, field: "delta", got, unsafeTolerance: 1e-5 })
  })
})

/**
 * Of others who report any value alike, exactly: the delta between the counts of all values for a person with
 * value 0 and one with value 1.
 */
function directDelta(
  of: { readonly others: number; readonly values: number; readonly kept: number },
  epsilon: number,
): number {
  const { others, values, kept } = of
  const low = (1 - kept) / values
  const laws = [new Map<string, number>(), new Map<string, number>()]
  for (let code = 0; code < values ** others; code += 1) {
    const counts = Array.from({ length: values }, () => 0)
    for (let i = 0, rest = code; i < others; i += 1, rest = Math.floor(rest / values)) {
      counts[rest % values] = (counts[rest % values] ?? 0) + 1
    }
    for (const [own, law] of laws.entries()) {
      for (let report = 0; report < values; report += 1) {
        const seen = counts.map((count, value) => count + (value === report ? 1 : 0)).join()
        const chance = (low + (report === own ? kept : 0)) / values ** others
        law.set(seen, (law.get(seen) ?? 0) + chance)
      }
    }
  }
  let delta = 0
  for (const [seen, chance] of laws[0] ?? []) {
    delta += Math.max(0, chance - Math.exp(epsilon) * (laws[1]?.get(seen) ?? 0))
  }
  return delta
}

/** The same when each of the others keeps its answer with probability `kept`, and one knows who did. */
function mixedDelta(
  of: { readonly others: number; readonly values: number; readonly kept: number },
  epsilon: number,
): number {
  let delta = 0
  for (let gave = 0; gave <= of.others; gave += 1) {
    let ways = 1
    for (let i = 0; i < gave; i += 1) ways = (ways * (of.others - i)) / (i + 1)
    const chance = ways * (1 - of.kept) ** gave * of.kept ** (of.others - gave)
    delta += chance * directDelta({ ...of, others: gave }, epsilon)
  }
  return delta
}

test.each([
  [2, 6, 0.4, 0.3],
  [3, 5, 0.3, 0.2],
  [4, 4, 0.5, 0.4],
])(
  "k-ary response with %d values and %d others is what all reports give",
  (values, others, kept, epsilon) => {
    const got = karyDelta({ honest: others + 1, values, keep: Math.round(kept * 2 ** 52) }, epsilon)
    const want = mixedDelta({ others, values, kept }, epsilon)
    expect(got).toBeGreaterThanOrEqual(want * (1 - 1e-9))
    // With so few people every size of the crowd is a step of its own.
    expect(got).toBeLessThan(want * (1 + 1e-5) + 1e-9)
  },
)

test("[L4] k-ary response gains more than the clone bound says, and never less than published", () => {
  // From an independent computation in which the attacker does not know who gave up the answer: ours, in
  // which it does, must not be below.
  const published: readonly (readonly [number, number, number, number])[] = [
    [1000, 1, 2, 0.14867],
    [1000, 1, 16, 0.06423],
    [1000, 2, 4, 0.35105],
  ]
  for (const [people, alone, values, want] of published) {
    const { epsilon, ifShufflerColludes } = shuffledLoss(
      karyProtocol({ values, epsilon: alone }),
      crowd(people),
    )
    expect(epsilon).toBeGreaterThan(want - 1e-5)
    expect(epsilon).toBeLessThan(want * 1.01)
    expect(ifShufflerColludes).toBeCloseTo(alone, 9)
  }
})

test("[L4] fakes hide nobody, and too small a crowd is not released", () => {
  const protocol = binaryProtocol({ epsilon: 2 })
  const all = shuffledLoss(protocol, crowd(1000))
  const some = shuffledLoss(protocol, { ...crowd(1500), sybils: 500 })
  expect(some.epsilon).toBe(all.epsilon)
  expect(some.honest).toBe(1000)
  const error = refusalOf(() => shuffledLoss(protocol, { ...crowd(1500), sybils: 1400, crowdMin: 200 }))
  expect(error.code).toBe("local/crowd-too-small")
})

test("one person alone gains what a delta is worth, and no more", () => {
  const { epsilon } = shuffledLoss(binaryProtocol({ epsilon: 1 }), crowd(1))
  expect(epsilon).toBeGreaterThan(0.99999)
  expect(epsilon).toBeLessThanOrEqual(1)
})
