import { describe, expect, test } from "vitest"
import { DosimeterError } from "../errors/dosimeter-error.ts"
import { exactly } from "../exact/decimal.ts"
import { numberUp } from "../exact/dyadic.ts"
import type { Rational } from "../exact/rational.ts"
import {
  calibrateGaussian,
  calibrateLaplace,
  calibratePureLoss,
  calibrateSampledGaussian,
} from "./calibrate.ts"
import { composeAdvanced, groupLoss, subsampleLoss } from "./compose.ts"
import type { LossEvent } from "./event.ts"
import { budgetFor } from "./filter.ts"
import { laplaceToZcdp } from "./conversions/laplace-to-zcdp.ts"
import { pureToGdp } from "./conversions/pure-to-gdp.ts"
import { totalBy, type AccountantName } from "./what-if.ts"

const at = (text: string): Rational => exactly(text, "x")
/** Two seconds of computing are meant. What is looked for is a hang, so a slow machine may take its time. */
const limitMs = 240_000
const computedMs = (): number => process.cpuUsage().user / 1000

/** Ends soon, with a number of at least 0 (Infinity is one) or a refusal. */
function expectSound(run: () => number | Rational): void {
  const started = computedMs()
  try {
    const result = run()
    const value = typeof result === "number" ? result : numberUp(result)
    expect(value).toBeGreaterThanOrEqual(0)
  } catch (error) {
    if (!(error instanceof DosimeterError)) throw error
    expect(error.code).not.toBe("bug/invariant")
  }
  expect(computedMs() - started).toBeLessThan(limitMs)
}

const sampled = (rate: string, sigma: string, neighbours: "add-or-remove" | "replace"): LossEvent => ({
  kind: "sampled-gaussian",
  rate: at(rate),
  sigma: at(sigma),
  neighbours,
})

const events: readonly (readonly [name: string, event: LossEvent])[] = [
  ["a pure loss of 1e-12", { kind: "pure", epsilon: at("1e-12"), shape: "any" }],
  ["a pure loss of 1e6", { kind: "pure", epsilon: at("1e6"), shape: "range" }],
  ["a pure loss of 1e-300", { kind: "pure", epsilon: at("1e-300"), shape: "any" }],
  ["epsilon 1e-12 and delta 1e-300", { kind: "approx", epsilon: at("1e-12"), delta: at("1e-300") }],
  ["a delta of a half", { kind: "approx", epsilon: at("1"), delta: at("0.5") }],
  ["Laplace noise of 1e-6", { kind: "laplace", amount: 1n, scale: at("1e-6") }],
  ["Laplace noise of 1e6", { kind: "laplace", amount: 1n, scale: at("1e6") }],
  ["a grid of 1e30 steps", { kind: "laplace", amount: 10n ** 30n, scale: at("1e30") }],
  ["a Gaussian of sigma 1e-6", { kind: "gaussian", muSquared: at("1e12") }],
  ["a Gaussian of sigma 1e6", { kind: "gaussian", muSquared: at("1e-12") }],
  ["response with truth 1 - 1e-30", { kind: "response", truth: at(`0.${"9".repeat(30)}`), categories: 2 }],
  ["response just above a half", { kind: "response", truth: at("0.500000000001"), categories: 2 }],
  ["a failure of 1e-300", { kind: "failure", delta: at("1e-300") }],
  ["samples with sigma 1e-6", sampled("0.01", "1e-6", "add-or-remove")],
  ["samples with sigma 1e6", sampled("0.01", "1e6", "add-or-remove")],
  ["replaced samples with sigma 1e-6", sampled("0.999999", "1e-6", "replace")],
  ["replaced samples with sigma 1e6", sampled("0.999999", "1e6", "replace")],
  [
    "sampled Laplace noise of 1e-6",
    { kind: "sampled-laplace", rate: at("0.5"), amount: 1n, scale: at("1e-6"), neighbours: "add-or-remove" },
  ],
]

const names: readonly AccountantName[] = ["basic", "advanced", "optimal", "zcdp", "gdp", "renyi", "pld"]

describe.each(events)("%s", (_, event) => {
  test("has a total by every accountant, for one release and for a million", () => {
    for (const accountant of names) {
      expectSound(
        () =>
          totalBy(accountant, [{ event, count: 1 }], at(accountant === "pld" ? "1e-300" : "1e-200")).epsilon,
      )
      expectSound(() => totalBy(accountant, [{ event, count: 1_000_000 }], at("1e-6")).epsilon)
    }
  })
})

test("a million tiny losses keep the order of the accountants", () => {
  const tiny: LossEvent = { kind: "pure", epsilon: at("1e-12"), shape: "any" }
  const planned = [{ event: tiny, count: 1_000_000 }]
  const by = (accountant: AccountantName): number => totalBy(accountant, planned, at("1e-300")).epsilon
  expect(by("basic")).toBeCloseTo(1e-6, 15)
  expect(by("renyi")).toBeLessThanOrEqual(by("basic") * 1.05)
  expect(by("pld")).toBeLessThanOrEqual(by("basic") * (1 + 1e-9))
  // At a delta of 1e-12: five deviations of 1e-9 at most.
  const { epsilon, atLeast } = totalBy("pld", planned, at("1e-12"))
  expect(epsilon).toBeLessThan(5e-9)
  expect(atLeast).toBeLessThanOrEqual(epsilon)
})

test("calibration ends soon, with something positive or a refusal", () => {
  for (const [epsilon, delta, releases] of [
    ["1e-12", "1e-300", 1],
    ["1e-12", "1e-6", 1_000_000],
    ["1e6", "1e-6", 10],
    ["1", "0.999", 3],
    ["1e-300", "1e-6", 2],
    ["1", "1e-6", "1e300"],
    ["1e-399", "1e-6", 5],
  ] as const) {
    const target = { epsilon, delta, releases }
    expectSound(() => calibratePureLoss(target))
    expectSound(() => calibrateGaussian({ ...target, l2Squared: 1 }))
    expectSound(() => calibrateLaplace({ ...target, amount: 1 }))
  }
  const target = { epsilon: "1e-9", delta: "1e-300", releases: 10 }
  expectSound(() => calibrateSampledGaussian({ ...target, rate: "0.01", neighbours: "replace" }))
})

test("conversions and compositions end soon", () => {
  for (const epsilon of ["1e-60", "1e-12", "1", "1e6"]) {
    expectSound(() => pureToGdp(at(epsilon)))
    expectSound(() => laplaceToZcdp(7n, at(epsilon)))
    for (const delta of ["1e-300", "0.5"]) {
      const loss = { measure: "approx", epsilon: at(epsilon), delta: at(delta) } as const
      expectSound(() => groupLoss(loss, 1_000_000n).delta)
      expectSound(() => subsampleLoss(loss, at("1e-9")).epsilon)
      expectSound(() => composeAdvanced({ loss, count: 1_000_000n }, at("1e-300")).epsilon)
      for (const accounting of ["zcdp", "gdp"] as const) {
        expectSound(() => {
          const { limit } = budgetFor({ epsilon, delta, accounting })
          return limit.measure === "zcdp" ? limit.rho : limit.measure === "gdp" ? limit.muSquared : 0
        })
      }
    }
  }
})
