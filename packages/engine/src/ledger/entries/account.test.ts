import { budgetFor, openFilter, takeCharge, type Accounting, type Losses } from "@dosimeter/core"
import { compare, rational, subtract, type Rational } from "@dosimeter/core/exact"
import { approxToRho } from "@dosimeter/core/meaning"
import fc from "fast-check"
import { expect, test } from "vitest"
import { newAccount, takeUnits, viewAccount, type LedgerCharge } from "./account.ts"
import { chargedAs, ofUnits, showDown, showUp, unitsDown, unitsPerOne, unitsUp } from "./units.ts"

const accountings: readonly Accounting[] = ["pure", "zcdp", "gdp"]
const accounting = fc.constantFrom(...accountings)
/** Fractions such as people and calibrations make them: decimals, binary fractions, anything. */
const onGrid = fc
  .record({ n: fc.bigInt(1n, 1000n), two: fc.nat(100), ten: fc.nat(9), three: fc.nat(3) })
  .map(({ n, two, ten, three }) => rational(n, 2n ** BigInt(two) * 10n ** BigInt(ten) * 3n ** BigInt(three)))
const anyFraction = fc
  .record({ n: fc.bigInt(1n, 1n << 70n), d: fc.bigInt(1n << 60n, 1n << 80n) })
  .map(({ n, d }) => rational(n, d))
const delta = fc.constantFrom("0", "1e-9", "1/1606938044258990275541962092341162602522202993782792835301376")

function losses(charge: LedgerCharge): Losses {
  const { amount, delta: probability } = charge
  return {
    approx: { measure: "approx", epsilon: amount, delta: probability },
    zcdp: { measure: "zcdp", rho: amount, delta: probability },
    gdp: { measure: "gdp", muSquared: amount, delta: probability },
  }
}

function chargesOf(
  kind: Accounting,
  amounts: readonly Rational[],
  deltas: readonly string[],
): readonly LedgerCharge[] {
  return amounts.map((amount, index) => {
    const [above = "0", below = "1"] = (deltas[index] ?? "0").replace("1e-9", "1/1000000000").split("/")
    return { accounting: kind, amount, delta: rational(BigInt(above), BigInt(below)) }
  })
}

const budgets = new Map(
  accountings.map((kind) => [kind, budgetFor({ epsilon: "1", delta: "1e-8", accounting: kind })]),
)

test("on the grid of units the ledger decides as core's filter does, charge by charge", () => {
  const cases = fc.record({
    kind: accounting,
    amounts: fc.array(onGrid, { minLength: 1, maxLength: 40 }),
    deltas: fc.array(delta, { minLength: 40, maxLength: 40 }),
  })
  fc.assert(
    fc.property(cases, ({ kind, amounts, deltas }) => {
      const budget = budgets.get(kind) ?? budgetFor({ epsilon: "1", delta: "0", accounting: "pure" })
      let exact = openFilter(budget)
      let units = newAccount(budget)
      for (const charge of chargesOf(kind, amounts, deltas)) {
        const expected = takeCharge(exact, losses(charge))
        const got = takeUnits(units, charge)
        expect(got === undefined).toBe(expected === undefined)
        exact = expected ?? exact
        units = got ?? units
        expect(viewAccount("dataset", units)).toMatchObject({
          spent: exact.spent,
          deltaSpent: exact.deltaSpent,
        })
      }
    }),
    { numRuns: 300 },
  )
})

test("off the grid the ledger never takes a charge that core's filter would not", () => {
  const cases = fc.record({
    kind: accounting,
    amounts: fc.array(anyFraction, { minLength: 1, maxLength: 40 }),
  })
  fc.assert(
    fc.property(cases, ({ kind, amounts }) => {
      const budget = budgets.get(kind) ?? budgetFor({ epsilon: "1", delta: "0", accounting: "pure" })
      let exact = openFilter(budget)
      let units = newAccount(budget)
      for (const charge of chargesOf(kind, amounts, [])) {
        const got = takeUnits(units, charge)
        if (got === undefined) continue
        const expected = takeCharge(exact, losses(charge))
        expect(expected).toBeDefined()
        exact = expected ?? exact
        units = got
      }
      const over = subtract(viewAccount("dataset", units).spent, exact.spent)
      expect(compare(over, rational(0n))).toBeGreaterThanOrEqual(0)
      expect(compare(over, rational(40n, unitsPerOne))).toBeLessThanOrEqual(0)
    }),
    { numRuns: 300 },
  )
})

test("ten million spends of 1e-7 fill a budget of 1, and one more does not fit", () => {
  const account = newAccount(budgetFor({ epsilon: "1", delta: "0", accounting: "pure" }))
  const each = { accounting: "pure", amount: rational(1n, 10n ** 7n), delta: rational(0n) } as const
  const units = unitsUp(each.amount)
  const almost = { ...account, spent: { amount: units * (10n ** 7n - 1n), delta: 0n } }
  const full = takeUnits(almost, each)
  expect(full?.spent.amount).toBe(unitsPerOne)
  expect(full && takeUnits(full, { ...each, amount: rational(1n, 1n << 4000n) })).toBeUndefined()
})

test("a limit that the owner's promise gives can be spent to the last bit", () => {
  const rho = approxToRho(rational(1n), rational(1n, 10n ** 9n))
  expect(ofUnits(unitsDown(rho))).toEqual(rho)
  expect(chargedAs(rho)).toEqual(rho)
})

test("rounding goes up for charges and down for limits, and not at all on the grid", () => {
  fc.assert(
    fc.property(fc.oneof(onGrid, anyFraction), (value) => {
      const up = ofUnits(unitsUp(value))
      const down = ofUnits(unitsDown(value))
      expect(compare(down, value)).toBeLessThanOrEqual(0)
      expect(compare(up, value)).toBeGreaterThanOrEqual(0)
      expect(unitsUp(value) - unitsDown(value)).toBe(unitsPerOne % value.denominator === 0n ? 0n : 1n)
      expect(chargedAs(value)).toEqual(up)
    }),
  )
})

test("what is left is never shown as more than it is", () => {
  fc.assert(
    fc.property(fc.oneof(onGrid, anyFraction), (value) => {
      const shown = rationalOf(showDown(value))
      const above = rationalOf(showUp(value))
      expect(compare(above, value)).toBeGreaterThanOrEqual(0)
      expect(
        compare(above, rational(value.numerator * 100_001n, value.denominator * 100_000n)),
      ).toBeLessThanOrEqual(0)
      expect(compare(shown, value)).toBeLessThanOrEqual(0)
      expect(
        compare(rational(value.numerator * 99_999n, value.denominator * 100_000n), shown),
      ).toBeLessThanOrEqual(0)
    }),
  )
  const tiny = rational(1n, 1n << 4000n)
  expect([showDown(tiny), showUp(tiny), showUp(rational(0n))]).toEqual(["0", "5e-324", "0"])
  expect([rational(1n, 10n), rational(1n, 4n)].map(showUp)).toEqual(["0.1", "0.25"])
  expect([rational(0n), rational(1n, 10n), rational(2n, 3n)].map(showDown)).toEqual(["0", "0.1", "0.666666"])
})

function rationalOf(text: string): Rational {
  const [, whole = "0", part = "", exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? []
  const power = Number(exponent) - part.length
  const digits = BigInt(whole + part)
  return power >= 0 ? rational(digits * 10n ** BigInt(power)) : rational(digits, 10n ** BigInt(-power))
}
