import { isLongForm, sampleOf } from "../testing/suite/long-form.ts"
import { describe, expect, test } from "vitest"
import { exactly } from "../exact/decimal.ts"
import { numberUp } from "../exact/dyadic.ts"
import { multiply, rational, type Rational } from "../exact/rational.ts"
import collected from "../testing/fixtures/collected.json" with { type: "json" }
import { refusalOf } from "../testing/refusals.ts"
import { numberExpected, numberInput, recordsOf, type VectorRecord } from "../testing/vectors.ts"
import { composeAdvanced } from "./compose.ts"
import type { LossEvent, Planned } from "./event.ts"
import { addCurves, renyiToEpsilon } from "./renyi.ts"
import { subsampledGaussianCurve } from "./subsampled-renyi.ts"
import { accountByPld, howManyFit, totalBy, whatIf, type AccountantName } from "./what-if.ts"

const at = (text: unknown): Rational => exactly(String(text), "x")
const gaussian = (muSquared: string): LossEvent => ({ kind: "gaussian", muSquared: at(muSquared) })
/** Laplace noise on so fine a grid that it is the continuous law, to all digits that are printed. */
const laplace = (epsilon: string): LossEvent => ({
  kind: "laplace",
  amount: 4096n,
  scale: multiply(rational(4096n), at(1 / Number(epsilon))),
})
const pure = (epsilon: string): LossEvent => ({ kind: "pure", epsilon: at(epsilon), shape: "any" })
const sampled = (rate: string, sigma: string): LossEvent => ({
  kind: "sampled-gaussian",
  rate: at(rate),
  sigma: at(sigma),
  neighbours: "add-or-remove",
})

/** Totals by accountant. */
function totals(planned: readonly Planned[], delta: string): ReadonlyMap<AccountantName, number> {
  return new Map(whatIf(planned, delta).map(({ accountant, epsilon }) => [accountant, epsilon]))
}

const batches: readonly (readonly [name: string, planned: readonly Planned[]])[] = [
  ["Laplace", [{ event: laplace("0.1"), count: 40 }]],
  ["Laplace at one step", [{ event: { kind: "laplace", amount: 1n, scale: at("5") }, count: 20 }]],
  ["pure losses", [{ event: pure("0.3"), count: 15 }]],
  ["Gaussians", [{ event: gaussian("0.02"), count: 30 }]],
  [
    "one of each",
    [
      { event: gaussian("0.05"), count: 2 },
      { event: laplace("0.2"), count: 3 },
      { event: pure("0.1"), count: 4 },
      { event: { kind: "approx", epsilon: at("0.2"), delta: at("1e-8") }, count: 2 },
      { event: { kind: "response", truth: at("0.6"), categories: 3 }, count: 1 },
      { event: { kind: "failure", delta: at("1e-9") }, count: 5 },
    ],
  ],
  ["samples", [{ event: sampled("0.05", "1.5"), count: 50 }]],
  [
    "samples and a Gaussian",
    [
      { event: sampled("0.1", "2"), count: 20 },
      { event: gaussian("0.04"), count: 1 },
    ],
  ],
  [
    "sampled Laplaces",
    [
      {
        event: {
          kind: "sampled-laplace",
          rate: at("0.1"),
          amount: 1n,
          scale: at("1"),
          neighbours: "add-or-remove",
        },
        count: 30,
      },
    ],
  ],
]

test.each(sampleOf(batches, 3))(
  "no accountant falls below what the lattice proves, and none is better: %s",
  (_, planned) => {
    for (const delta of ["1e-6", "1e-3"]) {
      const all = whatIf(planned, delta)
      const pld = all.find(({ accountant }) => accountant === "pld")
      const [upper, lower] = [pld?.epsilon ?? 0, pld?.atLeast ?? Infinity]
      expect(lower).toBeLessThanOrEqual(upper)
      expect(upper - lower).toBeLessThan(0.01 * upper)
      for (const { epsilon, accountant } of all) {
        expect(epsilon, accountant).toBeGreaterThanOrEqual(lower * (1 - 1e-9))
        expect(epsilon, accountant).toBeGreaterThanOrEqual(upper * (1 - 2e-4) - 1e-6)
      }
    }
  },
)

test("says which totals hold when questions depend on answers", () => {
  const adaptive = whatIf([{ event: pure("0.1"), count: 3 }], "1e-6").filter((total) => total.adaptive)
  expect(adaptive.map(({ accountant }) => accountant)).toEqual(["basic", "zcdp", "gdp"])
})

describe("figures to the printed digits", () => {
  const near = (got: number | undefined, want: number, digits: number): void => {
    // Rounded up in print and exact to the last digit: no more than one unit off.
    expect(Math.abs((got ?? 0) - want)).toBeLessThanOrEqual(10 ** -digits)
  }

  test.each([
    ["0.1", 100, { basic: 10, zcdp: 5.13, pld: 4.69 }, 5.22],
    ["0.1", 50, { basic: 5, zcdp: 3.48, pld: 3.12 }, 3.54],
    ["0.1", 10, { basic: 1, zcdp: 1.45, pld: 1.0 }, 1.47],
    ["0.5", 50, { basic: 25, zcdp: 21.4, pld: 18.8 }, 23.7],
  ] as const)("Laplace of %s, %i times", (epsilon, count, want, pureZcdp) => {
    const got = totals([{ event: laplace(epsilon), count }], "1e-6")
    const digits = epsilon === "0.5" ? 1 : 2
    near(got.get("basic"), want.basic, 9)
    near(got.get("zcdp"), want.zcdp, digits)
    near(got.get("pld"), want.pld, digits)
    // Printed for rho = epsilon^2 / 2; ours is the tight constant, so no larger.
    const plain = totals([{ event: pure(epsilon), count }], "1e-6").get("zcdp") ?? Infinity
    expect(plain).toBeLessThanOrEqual(pureZcdp + 0.05)
    expect(plain).toBeGreaterThan(want.zcdp)
  })

  test("the textbook's advanced composition", () => {
    for (const [count, want] of [
      [100n, 6.31],
      [50n, 4.24],
    ] as const) {
      const loss = { measure: "approx", epsilon: at("0.1"), delta: at("0") } as const
      near(numberUp(composeAdvanced({ loss, count }, at("1e-6"), "textbook").epsilon), want, 2)
    }
  })

  test("a hundred Gaussians of mu 0.1", () => {
    const got = totals([{ event: gaussian("0.01"), count: 100 }], "1e-6")
    near(got.get("gdp"), 4.887, 3)
    near(got.get("pld"), 4.887, 3)
    near(got.get("zcdp"), 5.222, 3)
    near(got.get("renyi"), 5.222, 3)
  })

  test.runIf(isLongForm)("private learning on MNIST, as everybody quotes it", () => {
    const planned: Planned = {
      event: {
        kind: "sampled-gaussian",
        rate: rational(256n, 60000n),
        sigma: at("1.1"),
        neighbours: "add-or-remove",
      },
      count: 14062,
    }
    near(totalBy("renyi", [planned], at("1e-5")).epsilon, 2.5966, 4)
    const { epsilon, atLeast } = totalBy("pld", [planned], at("1e-5"))
    near(epsilon, 2.3816, 4)
    expect(epsilon).toBeGreaterThan(2.3815)
    near(atLeast, 2.381, 3)
    const curve = addCurves([{ curve: subsampledGaussianCurve(256 / 60000, 1.1), count: 14062 }])
    near(renyiToEpsilon(curve, 1e-5, "classic"), 3.01, 2)
  })
})

describe("figures of others", () => {
  const input = (record: VectorRecord, field: string): string => String(record.inputs[field])

  // Of the table's rows these take less than half a second each; the others are in the long form.
  const quick = /000[4678]|0009|0010|0016|0019/
  const rows = recordsOf(collected, "opacus.prv_table").filter(({ id }) => isLongForm || quick.test(id))
  test.each(sampleOf(rows, 3))("$id", (record) => {
    const planned = {
      event: sampled(input(record, "q"), input(record, "sigma")),
      count: numberInput(record, "steps"),
    }
    const { upper, lower } = accountByPld([planned]).epsilonAt(numberInput(record, "delta"))
    // Theirs is an upper bound with an allowed error of 0.01; the exact value lies at most 0.02 below.
    const bound = numberExpected(record, "epsilon_upper_bound")
    expect(lower).toBeLessThanOrEqual(bound)
    expect(upper).toBeGreaterThanOrEqual(bound - 0.02)
    expect(upper).toBeLessThanOrEqual(bound)
  })

  test.each(recordsOf(collected, "tf_privacy.tutorial_table"))("$id: the classic conversion", (record) => {
    const [n, batch, epochs] = [
      numberInput(record, "n"),
      numberInput(record, "batch"),
      numberInput(record, "epochs"),
    ]
    const curve = subsampledGaussianCurve(batch / n, numberInput(record, "noise_multiplier"))
    const count = Math.floor((epochs * n) / batch)
    const got = renyiToEpsilon(addCurves([{ curve, count }]), numberInput(record, "delta"), "classic")
    expect(Math.abs(got - numberExpected(record, "epsilon_classic_rdp"))).toBeLessThan(0.006)
  })

  test.each(recordsOf(collected, "tf_privacy.dp_sgd_rdp"))("$id: theirs has too few orders", (record) => {
    const [n, batch, epochs] = [
      numberInput(record, "n"),
      numberInput(record, "batch"),
      numberInput(record, "epochs"),
    ]
    const event: LossEvent = {
      kind: "sampled-gaussian",
      rate: rational(BigInt(batch), BigInt(n)),
      sigma: at(input(record, "noise_multiplier")),
      neighbours: "add-or-remove",
    }
    const count = Math.ceil((epochs * n) / batch)
    const { epsilon } = totalBy("renyi", [{ event, count }], at(input(record, "delta")))
    expect(epsilon).toBeLessThan(numberExpected(record, "epsilon_rdp"))
    // At their order ours is theirs; that a unit comes ten times and loses 50 each time is a floor.
    const curve = subsampledGaussianCurve(batch / n, 0.1)
    const atTheirs =
      count * curve.at(1.25) - (Math.log(1e-7) + Math.log(1.25)) / 0.25 + Math.log(1 - 1 / 1.25)
    expect(Math.abs(atTheirs / numberExpected(record, "epsilon_rdp") - 1)).toBeLessThan(0.02)
    expect(epsilon).toBeGreaterThan(500)
  })

  test("a unit that comes once an epoch: Gaussians, not samples", () => {
    const record = recordsOf(collected, "tf_privacy.statement")[0]
    const once = totals([{ event: gaussian("1"), count: 5 }], "1e-6").get("pld") ?? 0
    const want = record === undefined ? 0 : numberExpected(record, "epsilon_each_example_once_per_epoch")
    expect(Math.abs(once - want)).toBeLessThan(5e-4)
    for (const { expected, inputs } of recordsOf(collected, "tf_privacy.example_privacy")) {
      if (inputs["poisson_q"] !== null) continue
      const got = totals([{ event: gaussian(String(1 / 0.49)), count: 2 }], "1e-5")
      const theirs = Number(expected["epsilon"])
      const ours = got.get(inputs["accountant"] === "rdp" ? "renyi" : "gdp") ?? 0
      // Rényi orders on their grid are at most a little worse than ours.
      expect(ours - theirs).toBeLessThan(1e-3)
      expect(ours - theirs).toBeGreaterThan(-0.01)
    }
    const zcdp = recordsOf(collected, "tf_privacy.zcdp")[0]
    const got = totals([{ event: gaussian("1.62"), count: 1 }], "1e-10").get("zcdp") ?? 0
    expect(Math.abs(got - (zcdp === undefined ? 0 : numberExpected(zcdp, "epsilon")))).toBeLessThan(0.01)
  })

  test("samples with micro-batches", () => {
    const micro = accountByPld([{ event: sampled("0.01", "0.35"), count: 120 }]).epsilonAt(1e-5)
    expect(Math.abs(micro.upper - 18.6977407)).toBeLessThan(1e-3)
    expect(micro.lower).toBeLessThan(18.6977407)
  })

  // Thousands of samples take seconds.
  test.runIf(isLongForm)("the central limit's figure is too low", () => {
    // 6.59 by the central limit theorem; the exact value is 6.7688.
    const opacus = accountByPld([{ event: sampled("0.04", "1.5"), count: 2250 }]).epsilonAt(1e-5)
    expect(opacus.lower).toBeGreaterThan(6.7)
    expect(opacus.upper).toBeGreaterThanOrEqual(6.7688 - 1e-4)
  })
})

describe("how many fit", () => {
  const fits: readonly (readonly [AccountantName, LossEvent])[] = [
    ["basic", pure("0.07")],
    ["advanced", pure("0.01")],
    ["optimal", pure("0.05")],
    ["zcdp", gaussian("0.003")],
    ["gdp", gaussian("0.003")],
    ["renyi", laplace("0.05")],
    ["pld", { kind: "laplace", amount: 2n, scale: at("40") }],
  ]
  test.each(fits)("by %s: so many, and not one more", (accountant, event) => {
    const planned: Planned[] = [{ event: pure("0.02"), count: 2 }]
    const count = howManyFit({ event, planned, epsilon: 1, delta: "1e-6", accountant })
    expect(count).toBeGreaterThan(1)
    const total = (more: number): number =>
      totalBy(accountant, [...planned, { event, count: count + more }], at("1e-6")).epsilon
    expect(total(0)).toBeLessThanOrEqual(1)
    expect(total(1)).toBeGreaterThan(1)
  })

  test("none where one is too much already", () => {
    const options = { planned: [], epsilon: "0.1", delta: "1e-6", accountant: "basic" } as const
    expect(howManyFit({ ...options, event: pure("0.2") })).toBe(0)
    expect(howManyFit({ ...options, event: pure("0.1") })).toBe(1)
    expect(howManyFit({ ...options, event: pure("0.05") })).toBe(2)
    expect(howManyFit({ ...options, event: pure("0.00001") })).toBe(10_000)
    expect(howManyFit({ ...options, event: gaussian("0.01"), accountant: "gdp" })).toBe(0)
    expect(
      howManyFit({ ...options, event: pure("0.05"), planned: [{ event: pure("0.06"), count: 1 }] }),
    ).toBe(0)
  })
})

test("deltas of releases leave the rest for the sum, exactly", () => {
  const approx: Planned = { event: { kind: "approx", epsilon: at("0.1"), delta: at("1e-7") }, count: 10 }
  for (const { accountant, epsilon } of whatIf([approx], "1e-6")) {
    // All of delta is used up: sums have nothing left to work with, and only the plain sum holds.
    const isFine = accountant === "basic" || accountant === "pld" || accountant === "optimal"
    if (!isFine) expect(epsilon, accountant).toBe(Infinity)
    else expect(epsilon, accountant).toBeLessThanOrEqual(1)
  }
  for (const { accountant, epsilon } of whatIf([approx], "9.99e-7")) {
    // Ten times: 1 - (1 - 1e-7)^10 is a little below 1e-6, but not by so much.
    expect(epsilon, accountant).toBe(Infinity)
  }
  // A remainder of a part in 10^12 is what it is, not what doubles make of it.
  const rest = (accountant: AccountantName): number =>
    totalBy(accountant, [approx], at("0.000001000000000001")).epsilon
  const alone = totalBy("renyi", [{ event: pure("0.1"), count: 10 }], at("1e-18")).epsilon
  expect(rest("renyi") / alone).toBeGreaterThan(1 - 1e-9)
  expect(rest("renyi") / alone).toBeLessThan(1 + 1e-9)
  expect(rest("advanced")).toBeGreaterThan(2)
})

test("refuses what is no plan", () => {
  const event = pure("0.1")
  for (const count of [0, -1, 1.5, Number.NaN, Infinity]) {
    expect(() => whatIf([{ event, count }], "1e-6")).toThrow(/number of releases/)
    expect(() => accountByPld([{ event, count }])).toThrow(/number of releases/)
  }
  for (const delta of [0, 1, -1, "nan"]) expect(() => whatIf([{ event, count: 1 }], delta)).toThrow(/delta/)
  expect(refusalOf(() => whatIf([], "1e-6")).code).toBe("parameter/empty")
  const none = { event, planned: [], delta: "1e-6", accountant: "basic" } as const
  expect(() => howManyFit({ ...none, epsilon: 0 })).toThrow(/epsilon/)
})
