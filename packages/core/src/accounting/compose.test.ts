import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { exactly } from "../exact/decimal.ts"
import { numberDown, numberUp } from "../exact/dyadic.ts"
import { add, compare, divide, multiply, one, rational, zero, type Rational } from "../exact/rational.ts"
import type { ApproxLoss } from "../privacy/loss.ts"
import vectors from "../testing/fixtures/composition.json" with { type: "json" }
import { refusalOf } from "../testing/refusals.ts"
import { checkRecord, numberInput, recordsOf, type VectorRecord } from "../testing/vectors.ts"
import { composeAdvanced, composeBasic, composeParallel, groupLoss, subsampleLoss } from "./compose.ts"
import { approxLaw, subsampledLaw } from "./distributions/loss-law.ts"
import { deltaOfLaw } from "../testing/atom-laws.ts"

const at = (text: unknown): Rational => exactly(String(text), "x")
const loss = (epsilon: unknown, delta: unknown): ApproxLoss => ({
  measure: "approx",
  epsilon: at(epsilon),
  delta: at(delta),
})
const listOf = (record: VectorRecord, field: string): readonly unknown[] => {
  const value = record.inputs[field]
  return Array.isArray(value) ? value : []
}

/** Both numbers of a loss against a record; exact digits, so nothing may be lost below. */
function check(record: VectorRecord, got: ApproxLoss): void {
  checkRecord({ record, field: "epsilon", got: numberUp(got.epsilon), unsafeTolerance: 0 })
  if ("delta" in record.expected)
    checkRecord({ record, field: "delta", got: numberUp(got.delta), unsafeTolerance: 0 })
}

describe("basic composition", () => {
  test.each(recordsOf(vectors, "composition.basic"))("$id", (record) => {
    const each = loss(record.inputs["epsilon0"], record.inputs["delta0"])
    check(record, composeBasic(Array.from({ length: numberInput(record, "k") }, () => each)))
  })

  test.each(recordsOf(vectors, "composition.basic_heterogeneous"))("$id", (record) => {
    const losses = listOf(record, "mechanisms").map((one) => {
      const entry = new Map(Object.entries(one ?? {}))
      return loss(entry.get("epsilon"), entry.get("delta"))
    })
    check(record, composeBasic(losses))
  })

  test("is exact: a tenth and two tenths are three tenths", () => {
    expect(composeBasic([loss("0.1", 0), loss("0.2", 0)]).epsilon).toEqual(rational(3n, 10n))
    expect(composeBasic([])).toEqual({ measure: "approx", epsilon: zero, delta: zero })
    expect(composeBasic([loss(1, "0.7"), loss(1, "0.7")]).delta).toEqual(one)
  })
})

describe("releases on disjoint units", () => {
  test.each(recordsOf(vectors, "composition.parallel"))("$id", (record) => {
    const losses = listOf(record, "epsilons").map((epsilon) => loss(epsilon, 0))
    expect(composeParallel(losses).epsilon).toEqual(at(record.expected["epsilon"]))
  })

  test("[A3] take the largest of each, and there must be some", () => {
    expect(composeParallel([loss(1, "1e-9"), loss("0.5", "1e-6")])).toEqual(loss(1, "1e-6"))
    expect(refusalOf(() => composeParallel([])).code).toBe("parameter/empty")
  })
})

describe("advanced composition", () => {
  test.each(recordsOf(vectors, "composition.advanced"))("$id", (record) => {
    const release = {
      loss: loss(record.inputs["epsilon0"], record.inputs["delta0"]),
      count: BigInt(numberInput(record, "k")),
    }
    const slack = at(record.inputs["delta_slack"])
    const [textbook, tanh] = [composeAdvanced(release, slack, "textbook"), composeAdvanced(release, slack)]
    checkRecord({ record, field: "epsilon_drv", got: numberUp(textbook.epsilon), unsafeTolerance: 0 })
    checkRecord({ record, field: "epsilon_drv_tanh", got: numberUp(tanh.epsilon), unsafeTolerance: 0 })
  })

  test("adds up the deltas and the slack", () => {
    const { delta } = composeAdvanced({ loss: loss("0.1", "1e-9"), count: 100n }, at("1e-6"))
    expect(delta).toEqual(add(at("1e-7"), at("1e-6")))
    expect(composeAdvanced({ loss: loss(1, "0.5"), count: 9n }, at("0.1")).delta).toEqual(one)
  })
})

describe("groups", () => {
  test.each(recordsOf(vectors, "composition.group_privacy"))("$id", (record) => {
    const single = loss(record.inputs["epsilon"], record.inputs["delta"])
    check(record, groupLoss(single, BigInt(numberInput(record, "group_size"))))
  })

  test("are steps from neighbour to neighbour: delta' = e^epsilon delta' + delta", () => {
    for (const [epsilon, delta, k] of [
      ["0.5", "1e-6", 4],
      ["1e-9", "1e-12", 100],
      ["0", "1e-6", 7],
      ["1e-40", "1e-6", 7],
      ["3", "1e-9", 3],
    ] as const) {
      const got = groupLoss(loss(epsilon, delta), BigInt(k))
      let sum = 0
      for (let step = 0; step < k; step += 1) sum = sum * Math.exp(Number(epsilon)) + Number(delta)
      expect(numberUp(got.delta) / sum).toBeGreaterThanOrEqual(1 - 1e-13)
      expect(numberUp(got.delta) / sum).toBeLessThan(1 + 1e-9)
      expect(got.epsilon).toEqual(multiply(rational(BigInt(k)), at(epsilon)))
    }
    expect(groupLoss(loss(5, "0.01"), 10n).delta).toEqual(one)
  })
})

describe("on a sample", () => {
  test.each(recordsOf(vectors, "composition.subsampling"))("$id", (record) => {
    check(
      record,
      subsampleLoss(loss(record.inputs["epsilon"], record.inputs["delta"]), at(record.inputs["q"])),
    )
  })

  test("hold for the worst release of that loss, in both directions", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 5, noNaN: true }),
        fc.constantFrom(0, 1e-6, 0.05),
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        (epsilon, delta, q) => {
          const sampled = subsampleLoss(loss(epsilon, delta), at(q))
          const { forward, backward } = subsampledLaw(approxLaw(epsilon, delta), q)
          for (const law of [forward, backward]) {
            const truth = deltaOfLaw(law, numberDown(sampled.epsilon))
            expect(truth).toBeLessThanOrEqual(numberUp(sampled.delta) * (1 + 1e-12) + 1e-15)
          }
          // And the forward one attains it.
          const less = numberDown(sampled.epsilon) * (1 - 1e-6)
          expect(deltaOfLaw(forward, less)).toBeGreaterThan(numberDown(sampled.delta))
        },
      ),
    )
  })

  test("the whole is no sample", () => {
    const whole = subsampleLoss(loss("0.5", "1e-6"), one)
    expect(compare(whole.epsilon, at("0.5"))).toBeGreaterThanOrEqual(0)
    expect(numberUp(divide(whole.epsilon, at("0.5"))) - 1).toBeLessThan(1e-15)
  })
})
