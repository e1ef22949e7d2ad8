import { expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { numberUp, rationalOfNumber } from "../../exact/dyadic.ts"
import { compare, divide, multiply, one, rational, subtract, type Rational } from "../../exact/rational.ts"
import rdp from "../../testing/fixtures/rdp.json" with { type: "json" }
import { freshSeed, seededBits } from "../../testing/seeded-bits.ts"
import { checkRecord, recordsOf, type VectorRecord } from "../../testing/vectors.ts"
import { laplaceToZcdp } from "./laplace-to-zcdp.ts"
import { pureToZcdp } from "./pure-to-zcdp.ts"

const records = recordsOf(rdp, "convert.discrete_laplace_to_zcdp")
const rhoOf = (record: VectorRecord): Rational =>
  laplaceToZcdp(BigInt(String(record.inputs["amount"])), fractionOf(String(record.inputs["scale"])))

test.each(records)("gives the rho of $id, never below", (record) => {
  const rho = rhoOf(record)
  checkRecord({ record, field: "rho", got: numberUp(rho), unsafeTolerance: 1e-15 })
  // Exactly, up to the 30 digits of the record; and no more than a part in 2^62 above.
  const want = exactly(String(record.expected["rho"]), "rho")
  expect(compare(rho, multiply(want, subtract(one, exactly("1e-28", "x"))))).toBeGreaterThanOrEqual(0)
  expect(numberUp(divide(subtract(rho, want), want))).toBeLessThan(2 ** -62)
})

test("bounds D_a / a of the sum that defines it, for any amount, scale and order; and is its limit at 1", () => {
  const rng = seededBits(freshSeed())
  const unit = (): number => rng.word() * 2 ** -32
  for (let round = 0; round < 200; round += 1) {
    const amount = 1 + (rng.word() % 40)
    const scale = Math.exp(6 * unit() - 2)
    const rho = numberUp(laplaceToZcdp(BigInt(amount), rationalOfNumber(scale)))
    const order = 1 + Math.exp(14 * unit() - 7)
    const ratio = plainDivergence({ amount, scale, order }) / order / rho
    expect(ratio, `seed ${rng.seed}`).toBeLessThanOrEqual(1 + 1e-12 / ((order - 1) * rho))
    const near = plainDivergence({ amount, scale, order: 1 + 2 ** -20 }) / rho
    expect(Math.abs(near - 1)).toBeLessThan(1e-3 + 1e-9 / rho)
  }
})

test("one step is randomized response, and a fine grid the continuous law", () => {
  expect(laplaceToZcdp(1n, one)).toEqual(pureToZcdp(one))
  for (const [epsilon, scale] of [
    ["1", 1n << 40n],
    ["0.25", 1n << 300n],
    ["20", 1n << 2000n],
  ] as const) {
    const amount = multiply(exactly(epsilon, "epsilon"), rational(scale))
    const fine = numberUp(laplaceToZcdp(amount.numerator / amount.denominator, rational(scale)))
    const continuous = Number(epsilon) + Math.expm1(-Number(epsilon))
    expect(Math.abs(fine / continuous - 1)).toBeLessThan(1e-12)
  }
  const steps = [1n, 2n, 4n, 16n, 256n].map((n) => numberUp(laplaceToZcdp(n, rational(n))))
  expect(steps).toEqual([...steps].sort((a, b) => b - a))
})

test("grows with the amount, also where its formula changes", () => {
  for (const scale of ["1e-3", "0.0078125", "0.0078", "0.3", "7", "16777216", "16777217", "1e60", "1e61"]) {
    const at = (amount: bigint): Rational => laplaceToZcdp(amount, exactly(scale, "scale"))
    const rhos = [1n, 2n, 3n, 10n, 11n, 1000n, 10n ** 30n].map(at)
    expect(rhos.every((rho, i) => i === 0 || compare(rho, rhos[i - 1] ?? rho) > 0)).toBe(true)
  }
})

test("is at most that of a pure loss, which it nearly is for tiny losses and for steps far apart", () => {
  for (const [amount, scale] of [
    [2n, rational(1000n)],
    [100n, one],
    [2n, rationalOfNumber(1e-300)],
    [3n, rationalOfNumber(1e300)],
    [3n, rational(1n << 190n)],
  ] as const) {
    const [rho, pure] = [laplaceToZcdp(amount, scale), pureToZcdp(divide(rational(amount), scale))]
    expect(compare(rho, pure)).toBeLessThanOrEqual(0)
    expect(numberUp(divide(rho, pure))).toBeGreaterThan(0.98)
  }
})

test("a scale that doubles cannot hold counts as it is", () => {
  const below = subtract(rational(10n), rational(1n, 10n ** 15n))
  const [rho, at] = [laplaceToZcdp(10n, below), laplaceToZcdp(10n, rational(10n))]
  // The slope of rho by the scale is -0.0632 here.
  expect(numberUp(subtract(rho, at)) / 6.32e-17).toBeCloseTo(1, 2)
})

/** The sum over all integers that matter of P^a Q^(1-a), as it stands. */
function plainDivergence(at: {
  readonly amount: number
  readonly scale: number
  readonly order: number
}): number {
  const { amount, scale, order } = at
  const far = Math.ceil(amount + 60 * scale)
  const top = (order - 1) * (amount / scale)
  let sum = 0
  for (let z = -far; z <= far; z += 1) {
    sum += Math.exp((-order * Math.abs(z) + (order - 1) * Math.abs(z - amount)) / scale - top)
  }
  return (Math.log(sum * Math.tanh(1 / scale / 2)) + top) / (order - 1)
}

function fractionOf(text: string): Rational {
  const [above = "", below = "1"] = text.split("/")
  return rational(BigInt(above), BigInt(below))
}
