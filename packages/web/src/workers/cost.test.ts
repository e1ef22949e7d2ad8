import { rational, type Rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import { effectOf as effectOn, type Effect, type Paid } from "@dosimeter/planner/explain/price"
import { accountOf, type ChargedAccount } from "./cost.ts"

const effectOf = (paid: Paid, accounts: readonly ChargedAccount[]): Effect =>
  effectOn(paid, accounts.map(accountOf))
const account = (name: string, epsilon: string, amount: string): ChargedAccount => ({
  name,
  accounting: "pure",
  epsilon,
  delta: "0",
  deltaForKeys: "0",
  spent: { amount, delta: "0" },
})
const charge = (amount: Rational) => ({ accounting: "pure", amount, delta: rational(0n) }) as const
const tenth = rational(1n, 10n)

test("a charge is shown on the account that is nearest to its end, and as many more fit as in all of them", () => {
  const effect = effectOf(charge(tenth), [account("dataset", "10", "1"), account("study:heart", "1", "0.5")])
  expect(effect).toMatchObject({ account: "study:heart", fits: true, more: 4 })
  expect(effect.before.share).toBeCloseTo(0.5, 12)
  expect(effect.after.share).toBeCloseTo(0.6, 12)
})

test("an account in which it does not fit goes before all others, and is full", () => {
  const effect = effectOf(charge(rational(1n)), [
    account("dataset", "10", "9.5"),
    account("analyst:ada", "20", "18.9"),
  ])
  expect(effect).toMatchObject({ account: "dataset", fits: false, more: 0, after: { share: 1 } })
})

test("the last question that fits, fits", () => {
  expect(effectOf(charge(tenth), [account("dataset", "1", "0.9")])).toMatchObject({
    fits: true,
    more: 0,
    after: { share: 1 },
  })
  expect(effectOf(charge(tenth), [account("dataset", "1", "0.91")])).toMatchObject({ fits: false })
})

test("what costs nothing fits a spent budget, any number of times", () => {
  const effect = effectOf(charge(rational(0n)), [account("dataset", "1", "1")])
  expect(effect).toMatchObject({ fits: true, more: Infinity })
  expect(effect.after).toEqual(effect.before)
})

test("deltas are counted: where they run out, nothing fits", () => {
  const budget: ChargedAccount = {
    name: "dataset",
    accounting: "zcdp",
    epsilon: "3",
    delta: "1e-6",
    deltaForKeys: "5e-7",
    spent: { amount: "0", delta: "4.9e-7" },
  }
  const small = { accounting: "zcdp", amount: rational(1n, 10_000n), delta: rational(1n, 10n ** 8n) } as const
  const effect = effectOf(small, [budget])
  expect(effect).toMatchObject({ fits: true, more: 0 })
  expect(effect.after.first).toBe("delta")
  expect(effectOf({ ...small, delta: rational(2n, 10n ** 8n) }, [budget]).fits).toBe(false)
})
