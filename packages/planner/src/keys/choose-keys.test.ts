import { compare, divide, exactly, rational } from "@dosimeter/core/exact"
import { budgetFor, chargeAmount, type Accounting } from "@dosimeter/core/accounting"
import {
  gaussianKeys,
  laplaceKeys,
  lossOf,
  optimalKeys,
  type AnyKeySpec,
  type KeySpec,
  type Neighbours,
} from "@dosimeter/core/mechanisms"
import { expect, test } from "vitest"
import { chooseKeys, halfShown } from "./choose-keys.ts"
import { allowanceOf, type Allowance } from "../loss/share-out.ts"

const delta = exactly("1e-6", "delta")

/** All that a question of this epsilon may have: its delta for keys, but for half where sums need it. */
function allowed(accounting: Accounting, epsilon: string): Allowance {
  const asked = { epsilon: exactly(epsilon, "epsilon"), delta, selectsKeys: true }
  const keysDelta = accounting === "pure" ? delta : divide(delta, rational(2n))
  return allowanceOf(budgetFor({ epsilon: 1000, delta: "0.001", accounting }), { ...asked, keysDelta })
}

function chosen(options: {
  readonly accounting: Accounting
  readonly epsilon: string
  readonly groups: bigint
  readonly wantsCount?: boolean
  readonly neighbours?: Neighbours
  readonly canWeigh?: boolean
}): AnyKeySpec {
  const { accounting, groups: groupsPerUnit, wantsCount = false, neighbours = "add-or-remove" } = options
  const { canWeigh = false } = options
  const allowance = allowed(accounting, options.epsilon)
  return chooseKeys({ groupsPerUnit, neighbours }, allowance, {
    amount: allowance.amount,
    wantsCount,
    canWeigh,
  })
}

const table: readonly (readonly [Accounting, bigint, KeySpec["kind"], bigint])[] = [
  ["pure", 1n, "keys-optimal", 14n],
  ["pure", 2n, "keys-optimal", 27n],
  ["pure", 4n, "keys-gaussian", 47n],
  ["pure", 16n, "keys-gaussian", 96n],
  ["zcdp", 1n, "keys-gaussian", 24n],
  ["zcdp", 16n, "keys-gaussian", 103n],
  ["gdp", 4n, "keys-gaussian", 47n],
]

test.each(table)(
  "[M4] in a %s account, with %s groups per unit, keys are chosen by %s",
  (accounting, groups, kind, units) => {
    const spec = chosen({ accounting, epsilon: "1", groups })
    expect([spec.kind, halfShown(spec)]).toEqual([kind, units])
  },
)

test("no method that the account allows shows smaller groups", () => {
  for (const epsilon of ["0.1", "1", "3", "12"]) {
    for (const groupsPerUnit of [1n, 2n, 3n, 5n, 16n]) {
      for (const neighbours of ["add-or-remove", "replace"] as const) {
        const options = { epsilon, delta, groupsPerUnit, neighbours }
        const all = [optimalKeys(options), laplaceKeys(options), gaussianKeys(options)].map(halfShown)
        const least = all.reduce((a, b) => (a < b ? a : b))
        expect(halfShown(chosen({ ...options, accounting: "pure", groups: groupsPerUnit }))).toBe(least)
      }
    }
  }
})

test("[M4] without a count, a threshold on weights takes the place of the one on Gaussian counts", () => {
  for (const accounting of ["pure", "zcdp", "gdp"] as const) {
    for (const groups of [2n, 4n, 16n]) {
      const [plain, weighed] = [false, true].map((canWeigh) =>
        chosen({ accounting, epsilon: "1", groups, canWeigh }),
      )
      if (plain === undefined || weighed === undefined) throw new Error("two were chosen")
      expect(weighed.kind).toBe(plain.kind === "keys-gaussian" ? "keys-weighted" : plain.kind)
      expect(halfShown(weighed)).toBeLessThanOrEqual(halfShown(plain) + 1n)
      expect(chosen({ accounting, epsilon: "1", groups, canWeigh: true, wantsCount: true }).kind).not.toBe(
        "keys-weighted",
      )
    }
    expect(chosen({ accounting, epsilon: "1", groups: 1n, canWeigh: true }).kind).not.toBe("keys-weighted")
  }
})

test("the optimal probabilities win ties, being the largest for every number of units", () => {
  const options = { epsilon: "3", delta, groupsPerUnit: 1n, neighbours: "add-or-remove" } as const
  expect(halfShown(optimalKeys(options))).toBe(halfShown(laplaceKeys(options)))
  expect(chosen({ accounting: "pure", epsilon: "3", groups: 1n }).kind).toBe("keys-optimal")
})

test("[L1] every choice is within the loss, in every account", () => {
  for (const accounting of ["pure", "zcdp", "gdp"] as const) {
    for (const epsilon of ["0.01", "1", "40"]) {
      for (const groups of [1n, 3n, 40n]) {
        for (const [wantsCount, canWeigh] of [
          [false, false],
          [true, false],
          [false, true],
        ] as const) {
          const allowance = allowed(accounting, epsilon)
          const spec = chosen({ accounting, epsilon, groups, wantsCount, canWeigh, neighbours: "replace" })
          const charge = chargeAmount(lossOf(spec), accounting)
          expect(compare(charge.amount, allowance.amount)).toBeLessThanOrEqual(0)
          expect(compare(charge.delta, allowance.deltaForKeys)).toBeLessThanOrEqual(0)
          expect(spec.kind === "keys-optimal" && wantsCount).toBe(false)
        }
      }
    }
  }
})

test("where the count is wanted, it has the smaller error", () => {
  expect(chosen({ accounting: "pure", epsilon: "1", groups: 8n, wantsCount: true }).kind).toBe("keys-laplace")
  expect(chosen({ accounting: "pure", epsilon: "1", groups: 10n, wantsCount: true }).kind).toBe(
    "keys-gaussian",
  )
  expect(chosen({ accounting: "zcdp", epsilon: "1", groups: 1n, wantsCount: true }).kind).toBe(
    "keys-gaussian",
  )
})
