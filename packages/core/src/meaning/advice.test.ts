import { expect, test } from "vitest"
import { numberNear } from "../exact/dyadic.ts"
import { normalCdf } from "../testing/laws.ts"
import { refusalOf } from "../testing/refusals.ts"
import { boardParagraph } from "./advice-words.ts"
import { adviseEpsilon, type AdviceQuestion } from "./advice.ts"
import { chooseEpsilon } from "./choose-epsilon.ts"
import { publishedDeployments } from "./deployments.ts"
import type { NoisePlan } from "./noise-plans.ts"
import { countSensitivity } from "../privacy/sensitivity.ts"

/** Weekly counts in 20 age bands for a year. */
const weekly: AdviceQuestion = {
  population: 50_000,
  count: 1200,
  groups: 20,
  groupsPerPerson: 1,
  releases: 52,
  unit: "person",
  delta: "1e-7",
  requirements: [
    { kind: "deviation-at-most", deviation: 10 },
    { kind: "within", within: 100, confidence: "0.99" },
    { kind: "advantage-at-most", advantage: "0.05" },
  ],
}
const plans = (question: AdviceQuestion): Readonly<Record<NoisePlan["noise"], NoisePlan>> => {
  const { plan, other } = adviseEpsilon(question)
  return plan.noise === "laplace" ? { laplace: plan, gaussian: other } : { laplace: other, gaussian: plan }
}
const needed = (plan: NoisePlan, kind: string): number => {
  const found = plan.asked.find(({ requirement }) => requirement.kind === kind)
  return found === undefined ? Number.NaN : numberNear(found.epsilon)
}

test("Laplace: each wish is the epsilon that is worked out by hand, added up over the year", () => {
  const { laplace } = plans(weekly)
  // Var = 1 / (cosh(x) - 1) = 100, P(> 100) = 2 q^101 / (1 + q), tanh(e / 2) = 0.05.
  expect(needed(laplace, "deviation-at-most") / 52).toBeCloseTo(Math.acosh(1.01), 4)
  const x = needed(laplace, "within") / 52
  expect((2 * Math.exp(-101 * x)) / (1 + Math.exp(-x))).toBeLessThanOrEqual(0.01)
  expect((2 * Math.exp(-101 * x * 0.999)) / (1 + Math.exp(-x * 0.999))).toBeGreaterThan(0.01)
  expect(needed(laplace, "advantage-at-most")).toBeCloseTo(2 * Math.atanh(0.05), 3)
  expect(needed(laplace, "advantage-at-most")).toBeLessThanOrEqual(2 * Math.atanh(0.05))
})

test("Gaussian: the wishes are about mu, which adds up by its square", () => {
  const { gaussian } = plans(weekly)
  expect(gaussian.kind).toBe("conflict")
  expect(gaussian.least?.requirement.kind).toBe("deviation-at-most")
  const muSquared = gaussian.loss.measure === "gdp" ? numberNear(gaussian.loss.muSquared) : 0
  // The plan is the board's: 2 F(mu / 2) - 1 is just below 5 %.
  const advantage = (mu: number): number => 2 * normalCdf(mu / 2) - 1
  expect(advantage(Math.sqrt(muSquared))).toBeLessThanOrEqual(0.05)
  expect(advantage(Math.sqrt(muSquared) * 1.0002)).toBeGreaterThan(0.05)
  expect(gaussian.error.standardDeviation).toBeCloseTo(Math.sqrt(52 / muSquared + 1 / 12), 1)
  expect(numberNear(gaussian.perRelease)).toBeCloseTo(muSquared / 2 / 52, 9)
})

test("a conflict says how many releases both would agree to, and one more is too many", () => {
  const wide: AdviceQuestion = {
    ...weekly,
    requirements: [
      { kind: "deviation-at-most", deviation: 20 },
      { kind: "advantage-at-most", advantage: "0.1" },
    ],
  }
  for (const noise of ["laplace", "gaussian"] as const) {
    const fit = plans(wide)[noise].releasesThatFit ?? 0n
    expect(fit).toBeGreaterThan(0n)
    expect(plans({ ...wide, releases: fit })[noise].kind).toBe("range")
    expect(plans({ ...wide, releases: fit + 1n })[noise].kind).toBe("conflict")
  }
})

test("hiding a person in each release by itself is another promise, and the loss of the year is told", () => {
  const question: AdviceQuestion = { ...weekly, unit: "person-release" }
  const advice = adviseEpsilon(question)
  expect(advice.plan).toMatchObject({ noise: "gaussian", kind: "range" })
  expect(numberNear(advice.overAllReleases)).toBeGreaterThan(5 * numberNear(advice.plan.epsilon))
  expect(advice.plan.error.standardDeviation).toBeLessThanOrEqual(10)
  const words = boardParagraph(advice, question).join(" ")
  expect(words).toContain("20 numbers 52 times, about 1,200 of 50,000 people")
  expect(words).toContain("each release by itself")
  expect(words).toMatch(
    /Over all 52 releases a person who is in each of them loses epsilon 3\.\d+ in all, at the same delta\./,
  )
  expect(words).not.toContain("does not meet")
})

test("one release is what chooseEpsilon says, with the odds as they are asked for", () => {
  const requirements = [
    { kind: "within", within: 5, confidence: "0.95" },
    { kind: "odds-at-most", factor: 2 },
  ] as const
  const { laplace, gaussian } = plans({ ...weekly, releases: 1, requirements })
  const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
  const chosen = chooseEpsilon({ sensitivity, requirements })
  expect(chosen).toMatchObject({ kind: "range", chosen: laplace.epsilon })
  expect(needed(laplace, "odds-at-most")).toBeCloseTo(Math.LN2, 3)
  expect(needed(laplace, "odds-at-most")).toBeLessThanOrEqual(Math.LN2)
  // But for a chance of delta, so the Gaussian loss may be no larger.
  expect(needed(gaussian, "odds-at-most")).toBeLessThanOrEqual(Math.LN2)
  expect(needed(gaussian, "odds-at-most")).toBeGreaterThan(0.5)
})

test("chooseEpsilon names deviation and odds in a conflict, with what would reconcile them", () => {
  const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
  const found = chooseEpsilon({
    sensitivity,
    requirements: [
      { kind: "deviation-at-most", deviation: 1 },
      { kind: "odds-at-most", factor: 2 },
    ],
  })
  const message = found.kind === "conflict" ? found.message : ""
  expect(message).toContain("a standard deviation of at most 1, which takes epsilon 1.317 or more")
  expect(message).toContain("a factor of at most 2, which allows epsilon 0.6931 or less")
  // 1 / (sqrt(2) sinh(0.6931 / 2)) is 2.0001, and e^1.317 is 3.7323.
  expect(message).toMatch(
    /accept a standard deviation of 2\.01, .* allow odds to change by a factor of 3\.74/,
  )
})

/** The standard deviations of Gaussian noise for a wish, by hand: rounding to integers adds 1/12. */
function sigmaFor(isMet: (sigma: number) => boolean): number {
  let [low, high] = [0.01, 1000]
  for (let step = 0; step < 60; step += 1) {
    const middle = Math.sqrt(low * high)
    if (isMet(middle)) low = middle
    else high = middle
  }
  return low
}

/** Epsilon of Gaussian noise at sensitivity 1: F(1/2s - es) - e^e F(-1/2s - es) = delta. */
function epsilonFor(sigma: number, delta: number): number {
  let [low, high] = [0, 100]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    const at = (shift: number): number => normalCdf(shift / (2 * sigma) - middle * sigma)
    if (at(1) - Math.exp(middle) * at(-1) > delta) low = middle
    else high = middle
  }
  return high
}

test("Gaussian, one release: each wish is the epsilon that bisection over the normal law finds", () => {
  const { gaussian } = plans({
    ...weekly,
    releases: 1,
    groups: 1,
    delta: "1e-6",
    requirements: [
      { kind: "deviation-at-most", deviation: 10 },
      { kind: "within", within: 20, confidence: "0.95" },
      { kind: "advantage-at-most", advantage: "0.05" },
    ],
  })
  const wanted = {
    "deviation-at-most": sigmaFor((sigma) => sigma ** 2 + 1 / 12 <= 100),
    // Rounded noise is within 20 where the noise is within 20.5.
    within: sigmaFor((sigma) => 2 * normalCdf(-20.5 / sigma) <= 0.05),
    "advantage-at-most": 1 / sigmaFor((mu) => 2 * normalCdf(mu / 2) - 1 <= 0.05),
  }
  for (const [kind, sigma] of Object.entries(wanted)) {
    const ratio = needed(gaussian, kind) / epsilonFor(sigma, 1e-6)
    expect(ratio, kind).toBeGreaterThan(0.998)
    expect(ratio, kind).toBeLessThan(1.002)
  }
})

test("what is taken before the other noise, and why", () => {
  const single = { ...weekly, releases: 1, groups: 1 }
  const odds = { kind: "odds-at-most", factor: 2 } as const
  const within = { kind: "within", within: 20, confidence: "0.95" } as const
  // Both meet both: Laplace takes 21 % of what the board allows, Gauss 75 %.
  const both = adviseEpsilon({ ...single, requirements: [within, odds] })
  expect(both).toMatchObject({ reason: "room", plan: { noise: "laplace", kind: "range" } })
  expect(both.other.kind).toBe("range")
  // Nobody asked for accuracy: the smaller error of what is allowed.
  const board = adviseEpsilon({ ...single, requirements: [odds] })
  expect(board).toMatchObject({ reason: "error", plan: { noise: "laplace" } })
  expect(board.plan.error.standardDeviation).toBeLessThan(board.other.error.standardDeviation)
  // Nobody asked for privacy: the lower peak of the normal law tells an attacker less.
  const analyst = adviseEpsilon({ ...single, requirements: [within] })
  expect(analyst).toMatchObject({ reason: "attacker", plan: { noise: "gaussian" } })
  expect(adviseEpsilon({ ...weekly, unit: "person-release" }).reason).toBe("alone")
})

test("prices have their optimum: the error of all numbers against the loss", () => {
  const prices = { error: 1, privacy: { kind: "linear", price: 5000 } } as const
  const { optimum } = adviseEpsilon({ ...weekly, prices })
  // sqrt(errorCost L1 / price), where L1 is large.
  expect(numberNear(optimum?.epsilon ?? { numerator: 0n, denominator: 1n })).toBeCloseTo(
    Math.sqrt((20 * 52 * 52) / 5000),
    2,
  )
  expect(adviseEpsilon(weekly).optimum).toBeUndefined()
  // The cost at 2,000 other epsilons, by the sum over the law itself, is never less.
  const least = optimum?.total ?? 0
  for (let step = 1; step <= 2000; step += 1) {
    const epsilon = step / 100
    const q = Math.exp(-epsilon / 52)
    const meanNoise = (2 * q) / (1 - q * q)
    expect(20 * 52 * meanNoise + 5000 * epsilon).toBeGreaterThan(least * (1 - 1e-6))
  }
})

test("refuses what makes no sense, by name", () => {
  const refused = (changes: Partial<AdviceQuestion>) =>
    refusalOf(() => adviseEpsilon({ ...weekly, ...changes }))
  expect(refused({ delta: "0.00002" })).toMatchObject({ code: "parameter/out-of-range" })
  // What delta alone allows is more than the board does.
  expect(refused({ requirements: [{ kind: "advantage-at-most", advantage: "1e-9" }] })).toMatchObject({
    code: "parameter/out-of-range",
    message: expect.stringMatching(
      /^delta must lie in values at which Gaussian noise can keep an attacker's/,
    ),
  })
  expect(refused({ count: 50_001 })).toMatchObject({ code: "parameter/too-large" })
  expect(refused({ groupsPerPerson: 21 })).toMatchObject({ code: "parameter/too-large" })
  expect(refused({ requirements: [] })).toMatchObject({ code: "parameter/empty" })
  expect(refused({ releases: 0 }).code).toMatch(/^parameter\//)
  expect(refused({ requirements: [{ kind: "odds-at-most", factor: 1 }] }).message).toContain("above 1")
})

test("published losses are listed with unit and source, the smallest first", () => {
  const epsilons = publishedDeployments.map(({ epsilon }) => epsilon)
  expect(epsilons).toEqual(epsilons.toSorted((a, b) => a - b))
  for (const { source, unit } of publishedDeployments) {
    expect(source).toMatch(/^https:\/\//)
    expect(unit).not.toBe("")
  }
})
